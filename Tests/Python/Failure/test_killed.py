"""Promise 1: kill the process at any instant, and every acknowledged message is there, with its number, once."""

import asyncio
import hashlib
import time

from stream import BROKEN, Stream, messages_in
from yonder import party

SENDERS = 8
IN_FLIGHT = 32
# What is read again after each kill is one chat: a new one after so many.
ROUNDS_PER_CHAT = 50


class Sender:
    """Keeps messages in flight on one connection, and remembers what was acknowledged with which number."""

    def __init__(self, name, token, chat):
        self.name = name
        self.token = token
        self.chat = chat
        self.made = 0
        self.unanswered = {}
        self.acknowledged = {}

    def next_message(self):
        self.made += 1
        key = f"{self.name}-{self.made}"
        self.unanswered[key] = f"content of {key}"
        return key

    async def write(self, stream, key):
        await stream.write(type="send", key=key, chat=self.chat, tag="Text", content=self.unanswered[key])

    def take(self, frame):
        assert frame["type"] == "sent", frame
        if frame["key"] in self.unanswered:
            self.acknowledged[frame["key"]] = (frame["number"], self.unanswered.pop(frame["key"]))

    async def load(self, server):
        """Sends until the connection breaks."""
        try:
            stream = await Stream.open(server, self.token)
            while True:
                while len(self.unanswered) < IN_FLIGHT:
                    await self.write(stream, self.next_message())
                self.take(await stream.receive())
        except BROKEN:
            pass

    async def settle(self, server):
        """Sends again what was not answered, with the same keys, until all of it is."""
        async with await Stream.open(server, self.token) as stream:
            for key in list(self.unanswered):
                await self.write(stream, key)
            while self.unanswered:
                self.take(await stream.receive())


class Log:
    """The chat as a reader has seen it: grows at its end and never changes."""

    def __init__(self):
        self.contents = {}
        self.last = 0

    async def read_on(self, server, token, chat):
        async with await Stream.open(server, token) as stream:
            _, _, pages = await stream.subscribe("messages", chat=chat, since=self.last)
        for page in pages:
            for message in messages_in(page):
                assert message["number"] == self.last + 1, "a gap, or a number twice"
                self.last = message["number"]
                self.contents[self.last] = message["content"]

    def digest(self):
        """Stands for all that was read, where keeping it would take too much memory."""
        return hashlib.sha256(repr(sorted(self.contents.items())).encode()).digest()

    def check(self, sender):
        numbers = {content: number for number, content in self.contents.items() if content}
        for key, (number, content) in sender.acknowledged.items():
            assert self.contents.get(number) == content, f"{key} was acknowledged as {number}"
            assert numbers[content] == number, f"{key} is there twice"


def acknowledged(senders):
    return sum(len(sender.acknowledged) for sender in senders)


async def kill_round(server, senders, log, chat, seconds=0, count=0):
    """Loads the server, kills it after so many seconds and acknowledgements, and checks what is left."""
    aim = acknowledged(senders) + count
    load = [asyncio.create_task(sender.load(server)) for sender in senders]
    await asyncio.sleep(seconds)
    while acknowledged(senders) < aim and not all(task.done() for task in load):
        await asyncio.sleep(0.001)
    server.kill()
    await asyncio.gather(*load)
    answered_before = acknowledged(senders)

    await asyncio.to_thread(server.start)
    token = senders[0].token
    await log.read_on(server, token, chat)
    for sender in senders:
        log.check(sender)
    await asyncio.gather(*(sender.settle(server) for sender in senders))
    await log.read_on(server, token, chat)
    for sender in senders:
        log.check(sender)
    return answered_before


async def chat_rounds(server, chat, tokens, chance, numbers, longest):
    """Kills the server once for each of `numbers` under load on one chat. Answers what was read and how much was answered."""
    senders = [Sender(f"s{index}", tokens[index % 2], chat) for index in range(SENDERS)]
    log, answered = Log(), 0
    for number in numbers:
        # At any instant, and under load however slow the machine is.
        moment = ({"count": chance.randint(20, round(800 * longest))} if number % 2
                  else {"seconds": chance.uniform(0.02, longest)})
        answered = await kill_round(server, senders, log, chat, **moment)
    whole = Log()
    await whole.read_on(server, tokens[1], chat)
    contents = [content for content in whole.contents.values() if content]
    assert whole.contents == log.contents
    assert len(contents) == len(set(contents)) == sum(sender.made for sender in senders)
    return whole, answered


def test_nothing_acknowledged_is_lost_and_nothing_is_there_twice(server, rounds, chance):
    ada, (ben,) = party(server, ["Ben"])
    tokens = [ada.token(), ben.token()]
    start, answered, digests = time.monotonic(), 0, {}
    # Many rounds are short ones.
    longest = 1.2 if rounds <= 100 else 0.3
    for first in range(0, rounds, ROUNDS_PER_CHAT):
        chat = ada.start_chat([ben])
        numbers = range(first, min(rounds, first + ROUNDS_PER_CHAT))
        log, more = asyncio.run(chat_rounds(server, chat, tokens, chance, numbers, longest))
        digests[chat] = log.digest()
        answered += more
    for chat, digest in digests.items():
        whole = Log()
        asyncio.run(whole.read_on(server, tokens[0], chat))
        assert whole.digest() == digest, f"chat {chat} has changed since"
    assert answered > rounds, "there was hardly any load"
    print(f"{rounds} kills, {answered} acknowledged messages, {time.monotonic() - start:.0f} s")
