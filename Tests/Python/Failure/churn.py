#!/usr/bin/env python3
"""Promise 7: subscribing and unsubscribing, however fast and often, takes no memory and nobody's time.

    churn.py [--pairs 100000] [--warm-up 5000] [--queries chats,people] [--manners flood,answered]

For every query of the stream and every manner of churning: RSS must grow by less than 16 MiB over what it was after the
warm-up, at the peak and 10 s after; everything must be answered in order; and a message of other people must arrive within
a second all the while. `YONDER` names the program; figures are for a release build.
"""

import argparse
import json
import pathlib
import re
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Python/Support"))

from raw_stream import RawStream, frame  # noqa: E402
from yonder import Server, party, until  # noqa: E402

MEBIBYTE = 1 << 20
GROWTH = 16 * MEBIBYTE
SESSIONS = 20
CHATS = 20
# How many frames are written at once where nobody waits for answers.
BATCH = 500
EVERYWHERE = {"south": -90, "west": -180, "north": 90, "east": 180}


def queries_of_the_stream():
    """The names of the cases of `StreamQuery`, as the server's source has them."""
    source = (ROOT / "Sources/Shared/YonderWire/Stream/ClientFrame.swift").read_text()
    body = re.search(r"enum StreamQuery\b.*?\n}", source, re.DOTALL)[0]
    return re.findall(r"^    case (\w+)", body, re.MULTILINE)


class Town:
    """A server with Ada, who churns, in several chats with Ben and Cleo, and a few places."""

    def __init__(self, server):
        self.server = server
        self.ada, (self.ben, self.cleo) = party(server, ["Ben", "Cleo"])
        self.chats = [self.ada.start_chat([self.ben, self.cleo], subject=f"Chat {number}") for number in range(CHATS)]
        self.quiet = self.ben.post("/v1/chats", {"invitees": [self.ada.user], "oneToOne": True})["chat"]["id"]
        for chat in self.chats:
            self.ben.send(chat, "Location", data={"latitude": 52.5, "longitude": 13.4})
        fields = [{"name": "at", "type": "location"}]
        self.ada.post("/v1/entities", {"name": "cafe", "readers": "anyone", "fields": fields})
        for number in range(50):
            self.ada.post("/v1/objects/cafe", {"fields": {"at": {"latitude": number, "longitude": number}}})
        self.token = self.ada.token()

    def fields(self, query):
        """What a subscription to a query says; a query that isn't here has been forgotten."""
        return {
            "messages": {"chat": self.chats[0]},
            "chats": {},
            "contacts": {},
            "presence": {"chat": self.chats[0]},
            "freshness": {"chat": self.chats[0]},
            "shares": {},
            "world": {},
            "objects": {"entity": "cafe", "region": EVERYWHERE},
            "people": {"region": EVERYWHERE},
        }[query]

    def subscription(self, query, number):
        return json.dumps({"type": "subscribe", "id": number, "query": query, **self.fields(query)})

    def open(self):
        stream = RawStream(self.server, token=self.token)
        stream.read_until(lambda payload: b'"hello"' in payload)
        return stream


NUMBER = re.compile(rb'"id":(\d+)')


class Answers:
    """Checks that every `unsubscribed` comes once and in order, and nothing about a subscription after it."""

    def __init__(self):
        self.ended = 0

    def take(self, payload):
        match = NUMBER.search(payload[:200])
        if not match:
            return
        number = int(match[1])
        if b'"type":"error"' in payload[:40] or b'"type":"ended"' in payload[:40]:
            raise AssertionError(f"refused: {payload[:300]!r}")
        assert number == self.ended + 1, f"an answer to {number} after the end of {self.ended}: {payload[:200]!r}"
        if b'"type":"unsubscribed"' in payload[:40]:
            self.ended += 1


def answered(town, query, pairs):
    """One session, which waits for the answer to each frame."""
    with town.open() as stream:
        answers = Answers()
        for number in range(1, pairs + 1):
            stream.write(frame(town.subscription(query, number)))
            until_id = f'"id":{number},'.encode()
            for payload in stream.read_until(lambda payload: until_id in payload[:200]):
                answers.take(payload)
            stream.write(frame(f'{{"type":"unsubscribe","id":{number}}}'))
            for payload in stream.read_until(lambda payload: b'"type":"unsubscribed"' in payload[:40]):
                answers.take(payload)
        assert answers.ended == pairs


def pour(town, query, pairs, stream):
    """Writes pairs without waiting, while another thread takes the answers."""
    answers, failures = Answers(), []

    def read():
        try:
            while answers.ended < pairs:
                for payload in stream.read():
                    answers.take(payload)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for first in range(1, pairs + 1, BATCH):
        if failures:
            break
        numbers = range(first, min(first + BATCH, pairs + 1))
        stream.write(b"".join(
            frame(town.subscription(query, number)) + frame(f'{{"type":"unsubscribe","id":{number}}}')
            for number in numbers
        ))
    reader.join()
    if failures:
        raise failures[0]


def flood(town, query, pairs):
    """One session that waits for nothing."""
    with town.open() as stream:
        pour(town, query, pairs, stream)


def sessions(town, query, pairs):
    """Twenty sessions of one person that wait for nothing."""
    streams = [town.open() for _ in range(SESSIONS)]
    failures = []

    def churn(stream):
        try:
            pour(town, query, pairs // SESSIONS, stream)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=churn, args=(stream,)) for stream in streams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for stream in streams:
        stream.abort()
    if failures:
        raise failures[0]


def disconnects(town, query, pairs):
    """Sessions that subscribe and are cut, each before its answer can be there."""
    for _ in range(pairs):
        with RawStream(town.server, token=town.token) as stream:
            stream.write(frame(town.subscription(query, 1)))


def socket_io(town, _, pairs):
    """Socket.IO: the world's namespace, entered and left without waiting; every entry is acknowledged."""
    with RawStream(town.server, "/socket.io/?EIO=4&transport=websocket", subprotocol=None) as stream:
        entered = 0
        for first in range(0, pairs, BATCH):
            count = min(BATCH, pairs - first)
            stream.write((frame("40") + frame("41")) * count)
            while entered < first + count:
                for payload in stream.read():
                    if payload == b"2":
                        stream.write(frame("3"))
                    entered += payload.startswith(b"40{")


MANNERS = {"answered": answered, "flood": flood, "sessions": sessions, "disconnects": disconnects}


class Neighbors:
    """Ben writes to Cleo all the while; `slowest` is the longest time, in seconds, that a message took.

    With `keep`, `times` has all of them.
    """

    def __init__(self, town, keep=False):
        self.town = town
        self.keep = keep
        self.times = []
        self.slowest = 0.0
        self.count = 0
        self._ends = threading.Event()
        self._failure = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()

    def check(self):
        if self._failure:
            raise self._failure

    def _run(self):
        try:
            self._write()
        except Exception as error:  # noqa: BLE001
            self._failure = error

    def _write(self):
        chat = self.town.chats[1]
        with RawStream(self.town.server, token=self.town.cleo.token()) as reader, \
                RawStream(self.town.server, token=self.town.ben.token()) as writer:
            reader.send(type="subscribe", id=1, query="messages", chat=chat, limit=1)
            reader.read_until(lambda payload: b'"current":true' in payload)
            while not self._ends.wait(0.1):
                self.count += 1
                key = f"{time.monotonic_ns()}"
                start = time.monotonic()
                writer.send(type="send", key=key, chat=chat, tag="Text", content=key)
                reader.read_until(lambda payload: key.encode() in payload)
                elapsed = time.monotonic() - start
                self.slowest = max(self.slowest, elapsed)
                if self.keep:
                    self.times.append(elapsed)


class Memory:
    """Samples the server's resident memory: `peak` is its most, in bytes."""

    def __init__(self, server):
        self.server = server
        self.peak = 0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def now(self):
        return 1024 * self.server.resident_kilobytes()

    def __enter__(self):
        self.peak = self.now()
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()

    def _run(self):
        while not self._ends.wait(0.02):
            self.peak = max(self.peak, self.now())


def measured(town, manner, query, pairs, warm_up, settle):
    """Churns, and answers the growth at the peak and after, in bytes, the neighbors' slowest message, and the time."""
    manner(town, query, warm_up)
    base = 1024 * town.server.resident_kilobytes()
    start = time.monotonic()
    with Memory(town.server) as memory, Neighbors(town) as neighbors:
        manner(town, query, pairs)
        seconds = time.monotonic() - start
        until(lambda: neighbors.count > 0 or neighbors._failure, 60, "a message of the neighbors")
    neighbors.check()
    kept = settle(memory, base)
    return memory.peak - base, kept - base, neighbors.slowest, seconds


def after(seconds):
    """What is kept is measured when it has had time to go."""

    def settle(memory, _):
        time.sleep(seconds)
        return memory.now()

    return settle


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--warm-up", type=int, default=5_000)
    parser.add_argument("--wait", type=float, default=10, help="seconds before what is kept is measured")
    parser.add_argument("--queries", default=",".join(queries_of_the_stream()))
    parser.add_argument("--manners", default=",".join([*MANNERS, "socket.io"]))
    asked = parser.parse_args()
    failed = False
    with Server(["--world-rate", "1000000"]) as server:
        town = Town(server)
        print("| query | manner | pairs | MiB more at the peak | 10 s after | slowest message | pairs/s |\n|" + "---|" * 7)
        for name in asked.manners.split(","):
            for query in ["world"] if name == "socket.io" else asked.queries.split(","):
                manner = socket_io if name == "socket.io" else MANNERS[name]
                row = measured(town, manner, query, asked.pairs, asked.warm_up, after(asked.wait))
                peak, kept, slowest, seconds = row
                is_over = max(peak, kept) >= GROWTH or slowest >= 1
                failed |= is_over
                print(f"| {query} | {name} | {asked.pairs} | {peak / MEBIBYTE:.1f} | {kept / MEBIBYTE:.1f} "
                      f"| {slowest * 1000:.0f} ms | {asked.pairs / seconds:,.0f} |{' **over**' if is_over else ''}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
