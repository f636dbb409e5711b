"""Senders and readers on every node of a cluster, and what must be true of what they saw."""

import asyncio
import time

from stream import BROKEN, Stream, messages_in

IN_FLIGHT = 16


class Sender:
    """Keeps messages in flight on one node, and sends again under the same keys what wasn't answered."""

    def __init__(self, name, node, token, chat):
        self.name, self.node, self.token, self.chat = name, node, token, chat
        self.made = 0
        self.unanswered = {}
        self.acknowledged = {}
        self.stops = False

    async def run(self):
        """Sends until told to stop, and then until everything is answered."""
        while not self.stops or self.unanswered:
            try:
                stream = await Stream.open(self.node, self.token, open_timeout=5)
                for key in list(self.unanswered):
                    await self._write(stream, key)
                while not self.stops or self.unanswered:
                    while not self.stops and len(self.unanswered) < IN_FLIGHT:
                        self.made += 1
                        key = f"{self.name}-{self.made}"
                        self.unanswered[key] = f"content of {key}"
                        await self._write(stream, key)
                    await self._take(stream)
                await stream.close()
            except (*BROKEN, TimeoutError):
                await asyncio.sleep(0.05)

    async def _write(self, stream, key):
        await stream.write(type="send", key=key, chat=self.chat, tag="Text", content=self.unanswered[key])

    async def _take(self, stream):
        async with asyncio.timeout(20):
            frame = await stream.receive()
        if frame.get("type") == "error":
            # The store can't be written for now: the same again, under the same key.
            assert frame["code"] == "unavailable", frame
            await asyncio.sleep(0.2)
            if frame.get("key") in self.unanswered:
                await self._write(stream, frame["key"])
        elif frame.get("type") == "sent" and frame["key"] in self.unanswered:
            self.acknowledged[frame["key"]] = (frame["number"], self.unanswered.pop(frame["key"]))


class Reader:
    """Follows a chat on one node from its first message, and resumes behind the last one it saw."""

    def __init__(self, node, token, chat):
        self.node, self.token, self.chat = node, token, chat
        self.contents = {}
        self.last = 0
        self.seen = None
        self.longest = 0
        self.hello = None

    async def run(self):
        """Reads until it is canceled."""
        while True:
            try:
                stream = await Stream.open(self.node, self.token, open_timeout=5)
                self.hello = stream.hello
                await stream.write(type="subscribe", id=1, query="messages", chat=self.chat, since=self.last)
                while True:
                    frame = await stream.receive()
                    if frame["type"] in ("error", "ended"):
                        assert frame["code"] == "unavailable", frame
                        break
                    for message in messages_in(frame):
                        self._take(message)
                stream.drop()
            except (*BROKEN, TimeoutError):
                pass
            await asyncio.sleep(0.05)

    def _take(self, message):
        assert message["number"] == self.last + 1, f"{message['number']} behind {self.last}: a hole, or a number twice"
        self.last = message["number"]
        self.contents[self.last] = message["content"]
        now = time.monotonic()
        self.longest = max(self.longest, now - (self.seen or now))
        self.seen = now


class Crew:
    """A sender and a reader for each node."""

    def __init__(self, cluster, owner, chat):
        self.cluster, self.chat, self.token = cluster, chat, owner.token()
        self.senders = [Sender(f"s{index}", node, self.token, chat) for index, node in enumerate(cluster.nodes)]
        self.readers = [Reader(node, self.token, chat) for node in cluster.nodes]

    async def work(self, trouble):
        """Lets everybody work while `trouble` does its harm, until every reader has what was acknowledged."""
        reading = [asyncio.create_task(reader.run()) for reader in self.readers]
        sending = [asyncio.create_task(sender.run()) for sender in self.senders]
        everyone = reading + sending
        await self._progress(30, everyone)
        await trouble(self)
        await self._progress(30, everyone)
        for sender in self.senders:
            sender.stops = True
        await asyncio.wait_for(asyncio.gather(*sending), 180)
        last = max(number for sender in self.senders for number, _ in sender.acknowledged.values())
        await self._until(lambda: all(reader.last >= last for reader in self.readers), reading)
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    @property
    def answered(self):
        return sum(len(sender.acknowledged) for sender in self.senders)

    async def _progress(self, count, tasks):
        """Waits until so many more messages were acknowledged."""
        aim = self.answered + count
        await self._until(lambda: self.answered >= aim, tasks)

    async def _until(self, condition, tasks, seconds=180):
        async with asyncio.timeout(seconds):
            while not condition():
                for task in tasks:
                    if task.done():
                        task.result()
                await asyncio.sleep(0.01)

    async def stored(self):
        """The whole log as a node that has just started to follow it reads it from the store."""
        async with await Stream.open(self.cluster.nodes[0], self.token) as stream:
            _, _, pages = await stream.subscribe("messages", chat=self.chat, since=0)
        messages = [message for page in pages for message in messages_in(page)]
        return [(message["number"], message["content"]) for message in messages]

    def check(self):
        """Acknowledged ⊆ stored with its number; no key twice; no hole; each reader's log is the store's."""
        log = asyncio.run(self.stored())
        stored = dict(log)
        assert [number for number, _ in log] == list(range(1, len(log) + 1)), "a hole in the log"
        contents = [content for _, content in log]
        assert len(contents) == len(set(contents)), "a message is there twice"
        for sender in self.senders:
            for key, (number, content) in sender.acknowledged.items():
                assert stored.get(number) == content, f"{key} was acknowledged as {number}"
        meant = {f"content of {sender.name}-{index}" for sender in self.senders for index in range(1, sender.made + 1)}
        assert set(contents) == meant
        for index, reader in enumerate(self.readers):
            seen = {number: stored[number] for number in range(1, reader.last + 1)}
            assert reader.contents == seen, f"node {index} delivered another log than the store's"
