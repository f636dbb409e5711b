"""Senders and readers on every node of a cluster, and what must be true of what they saw."""

import asyncio
import time

from stream import BROKEN, Stream, messages_in

IN_FLIGHT = 6


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


class Host:
    """Has a guest join and leave the chat again and again, on one node after the other."""

    def __init__(self, nodes, token, chat, guest):
        self.nodes, self.token, self.chat, self.guest = nodes, token, chat, guest
        self.stays = 0
        self.stops = False

    async def run(self):
        """Ends with the guest in the chat."""
        while True:
            self.stays += 1
            await self._do(f"add{self.stays}", type="add", users=[self.guest])
            await asyncio.sleep(0.2)
            if self.stops:
                return
            await self._do(f"remove{self.stays}", type="remove", user=self.guest)
            await asyncio.sleep(0.1)

    async def _do(self, key, **frame):
        """Sends a frame, again under its key on another node where its outcome isn't known."""
        attempt = self.stays
        while True:
            node = self.nodes[attempt % len(self.nodes)]
            attempt += 1
            try:
                async with asyncio.timeout(5), await Stream.open(node, self.token, open_timeout=5) as stream:
                    await stream.write(key=key, chat=self.chat, **frame)
                    answer = await stream.take(lambda frame: frame.get("key") == key)
                if answer["type"] == "sent":
                    return
                assert answer["code"] == "unavailable", answer
            except (*BROKEN, TimeoutError):
                pass
            await asyncio.sleep(0.05)


class Guest:
    """Reads the chat on one node for as long as they are in it, and again once they are back."""

    def __init__(self, node, token, chat):
        self.node, self.token, self.chat = node, token, chat
        self.seen = {}
        self.last = 0

    async def run(self):
        """Reads until it is canceled."""
        while True:
            try:
                stream = await Stream.open(self.node, self.token, open_timeout=5)
                while True:
                    await self._follow(stream)
                    await asyncio.sleep(0.02)
            except (*BROKEN, TimeoutError):
                await asyncio.sleep(0.05)

    async def _follow(self, stream):
        """Reads until the subscription ends."""
        number = next(stream._ids)
        await stream.write(type="subscribe", id=number, query="messages", chat=self.chat, since=self.last)
        while True:
            frame = await stream.receive()
            if frame["type"] in ("error", "ended"):
                # A stranger isn't told that there is a chat.
                assert frame["code"] in ("unknownChat", "notParticipant", "unavailable"), frame
                return
            for message in messages_in(frame):
                assert message["number"] > self.last, f"{message['number']} behind {self.last}"
                self.last = message["number"]
                self.seen[self.last] = message["content"]


class Crew:
    """A sender and a reader for each node, and a guest who comes and goes."""

    def __init__(self, cluster, owner, chat, guest):
        self.cluster, self.chat, self.token = cluster, chat, owner.token()
        self.people = {owner.user, guest.user}
        self.host = Host(cluster.nodes, self.token, chat, guest.user)
        self.guests = [Guest(node, guest.token(), chat) for node in cluster.nodes]
        self.senders = [Sender(f"s{index}", node, self.token, chat) for index, node in enumerate(cluster.nodes)]
        self.readers = [Reader(node, self.token, chat) for node in cluster.nodes]

    async def work(self, trouble):
        """Lets everybody work while `trouble` does its harm, until every reader has what was acknowledged."""
        reading = [asyncio.create_task(reader.run()) for reader in [*self.readers, *self.guests]]
        hosting = asyncio.create_task(self.host.run())
        sending = [asyncio.create_task(sender.run()) for sender in self.senders]
        everyone = [*reading, *sending, hosting]
        await self._progress(30, everyone)
        await trouble(self)
        await self._progress(30, everyone)
        self.host.stops = True
        await asyncio.wait_for(hosting, 180)
        for sender in self.senders:
            sender.stops = True
        await asyncio.wait_for(asyncio.gather(*sending), 180)
        last = max(number for sender in self.senders for number, _ in sender.acknowledged.values())
        await self._until(lambda: all(reader.last >= last for reader in [*self.readers, *self.guests]), reading)
        async with asyncio.timeout(60):
            while [self.people] * len(self.cluster.nodes) != (online := [await self._online(node) for node in self.cluster.nodes]):
                print(f"online by node: {online}")
                await asyncio.sleep(0.5)
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    async def _online(self, node):
        """Who of the chat is online, as a node has it."""
        async with await Stream.open(node, self.token) as stream:
            _, _, pages = await stream.subscribe("presence", chat=self.chat)
        return set(pages[0]["online"])

    @property
    def answered(self):
        return sum(len(sender.acknowledged) for sender in self.senders)

    async def _progress(self, count, tasks):
        """Waits until so many more messages were acknowledged."""
        aim = self.answered + count
        await self._until(lambda: self.answered >= aim, tasks)

    async def _until(self, condition, tasks, seconds=90):
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
        return [(message["number"], message["tag"], message["content"]) for message in messages]

    def check(self):
        """Acknowledged ⊆ stored with its number; no key twice; no hole; each reader's log is the store's; a guest's is the store's
        from their `Join` to their `Remove`."""
        log = asyncio.run(self.stored())
        stored = {number: content for number, _, content in log}
        assert [number for number, _, _ in log] == list(range(1, len(log) + 1)), "a hole in the log"
        contents = [content for _, tag, content in log if tag == "Text"]
        assert len(contents) == len(set(contents)), "a message is there twice"
        for sender in self.senders:
            for key, (number, content) in sender.acknowledged.items():
                assert stored.get(number) == content, f"{key} was acknowledged as {number}"
        meant = {f"content of {sender.name}-{index}" for sender in self.senders for index in range(1, sender.made + 1)}
        assert set(contents) == meant
        for index, reader in enumerate(self.readers):
            seen = {number: stored[number] for number in range(1, reader.last + 1)}
            assert reader.contents == seen, f"node {index} delivered another log than the store's"
        self._check_guests(log)

    def _check_guests(self, log):
        present, readable = False, {}
        joins = [number for number, tag, _ in log if tag == "Join"]
        assert len(joins) >= self.host.stays
        for number, tag, content in log:
            present = present or tag == "Join"
            if present:
                readable[number] = content
            present = present and tag != "Remove"
        for index, guest in enumerate(self.guests):
            assert not guest.seen.keys() - readable.keys(), f"node {index} delivered what came behind the guest's Remove"
            whole = {number: content for number, content in readable.items() if number <= guest.last}
            assert guest.seen == whole, f"node {index} left out {sorted(whole.keys() - guest.seen.keys())[:10]}"
