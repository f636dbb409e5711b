"""Promise 1 as the kernel sees it: no acknowledgement is written before an fdatasync of the log that holds the message.

A killed process loses no page cache, so only the order of the system calls shows that a power cut would lose nothing.
"""

import asyncio
import collections
import dataclasses
import re
import shutil

import pytest
from stream import Stream
from yonder import Server, party

CALLS = "fdatasync,fsync,pwrite64,pwritev,write,writev,sendto,sendmsg"
SENDERS = 8
EACH = 40

START = re.compile(r"^(?P<pid>\d+)\s+(?P<time>\d+\.\d+) (?P<call>\w+)\((?P<rest>.*)$")
RESUMED = re.compile(r"^(?P<pid>\d+)\s+(?P<time>\d+\.\d+) <\.\.\. (?P<call>\w+) resumed>(?P<rest>.*)$")
TOOK = re.compile(r"= (?P<value>-?\d+)[^<]*<(?P<took>\d+\.\d+)>$")
DESCRIPTOR = re.compile(r"^\d+<(?P<path>[^>]*)>")
ACKNOWLEDGED = re.compile(r'\\"type\\":\\"sent\\",\\"key\\":\\"k(\d{5})\\"')
MARK = re.compile(r"\[\[(\d{5})\]\]")


@dataclasses.dataclass
class Call:
    """One system call, with the moments at which it began and returned."""

    name: str
    began: float
    ended: float
    path: str
    text: str


def calls(trace):
    """The calls of a trace by `strace -f -y -ttt -T`, put together where another thread came between."""
    unfinished = {}
    for line in trace:
        line = line.rstrip("\n")
        if match := RESUMED.match(line):
            begun = unfinished.pop(match["pid"], None)
            if begun and (took := TOOK.search(match["rest"])):
                yield made(*begun, float(match["time"]), took)
        elif match := START.match(line):
            if match["rest"].endswith("<unfinished ...>"):
                unfinished[match["pid"]] = (match["call"], float(match["time"]), match["rest"])
            elif took := TOOK.search(match["rest"]):
                began = float(match["time"])
                yield made(match["call"], began, match["rest"], began, took)


def made(name, began, text, seen, took):
    """A call. `seen` is when strace printed its end, where that is a line of its own."""
    path = DESCRIPTOR.match(text)
    ended = max(began + float(took["took"]), seen)
    return Call(name, began, ended, path["path"] if path else "", text)


class Ledger:
    """When each message was written to the log, made durable there, and told to anybody."""

    def __init__(self, data):
        self.data = str(data)
        self.logged = {}
        self.durable = {}
        self.told = {}
        self.acknowledged = {}

    def take_in(self, found):
        pending = collections.OrderedDict()
        for call in sorted(found, key=lambda call: call.ended):
            if call.path.endswith("-wal"):
                self.take_in_log_call(call, pending)
        for call in found:
            if not call.path.startswith(self.data):
                self.take_in_answer(call)

    def take_in_log_call(self, call, pending):
        if call.name == "pwrite64":
            for mark in MARK.findall(call.text):
                if mark not in self.logged:
                    self.logged[mark] = pending[mark] = call.ended
        elif call.name in ("fdatasync", "fsync"):
            for mark in [mark for mark, written in pending.items() if written <= call.began]:
                self.durable[mark] = call.ended
                del pending[mark]

    def take_in_answer(self, call):
        for key in ACKNOWLEDGED.findall(call.text):
            self.acknowledged[key] = min(call.began, self.acknowledged.get(key, call.began))
        for mark in MARK.findall(call.text):
            self.told[mark] = min(call.began, self.told.get(mark, call.began))


async def send_all(server, token, chat, first):
    """Sends `EACH` messages, eight in flight, and takes their answers."""
    limit = asyncio.Semaphore(8)
    async with await Stream.open(server, token) as stream:

        async def take_answers():
            for _ in range(EACH):
                answer = await stream.take(lambda frame: "key" in frame)
                assert answer["type"] == "sent", answer
                limit.release()

        answers = asyncio.create_task(take_answers())
        for number in range(first, first + EACH):
            await limit.acquire()
            await stream.write(type="send", key=f"k{number:05}", chat=chat, tag="Text", content=f"[[{number:05}]]")
        await answers


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_nothing_is_told_before_the_log_that_holds_it_is_synced(tmp_path):
    trace = tmp_path / "trace"
    strace = ["strace", "-f", "-y", "-ttt", "-T", "-s", "100000", "-e", f"trace={CALLS}", "-o", str(trace)]
    with Server(wrapper=strace) as server:
        ada, (ben,) = party(server, ["Ben"])
        chat = ada.start_chat([ben])
        tokens = [ada.token(), ben.token()]

        async def load():
            async with await Stream.open(server, ben.token()) as reader:
                await reader.subscribe("messages", chat=chat)
                await asyncio.gather(*(
                    send_all(server, tokens[index % 2], chat, index * EACH) for index in range(SENDERS)
                ))

        asyncio.run(load())
        data = server.data
        server.stop()

    ledger = Ledger(data)
    with trace.open(errors="replace") as lines:
        ledger.take_in(list(calls(lines)))
    assert len(ledger.acknowledged) >= 0.95 * SENDERS * EACH, "the trace misses acknowledgements"
    assert len(ledger.told) >= 0.95 * SENDERS * EACH, "the trace misses what the subscriber was told"
    for key, moment in ledger.acknowledged.items():
        assert key in ledger.durable, f"{key} was acknowledged and never made durable"
        assert ledger.durable[key] <= moment, f"{key} was acknowledged before its fdatasync returned"
    for key, moment in ledger.told.items():
        assert key in ledger.durable, f"{key} was told and never made durable"
        assert ledger.durable[key] <= moment, f"{key} was told before its fdatasync returned"
