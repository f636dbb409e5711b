"""A server with people, a chat and places, and each kind of work that is measured."""
import asyncio
import http.client
import itertools
import random
import resource

import programs  # noqa: F401  Where the next two are.
import yonder
from stream import Stream, messages_in
from visitor import Lacking, Visitor

PLACES = 20_000
READERS = 100
IN_FLIGHT = 64


class Work:
    """What people do, a method a kind: `count` operations, of which `pace` a second where the time is fixed."""

    def __init__(self, server, pace):
        self.server = server
        self.pace = pace
        # A key that was used before makes no message.
        self.keys = map(str, itertools.count(1))
        self.loop = asyncio.new_event_loop()
        self.readers = []
        self.idle = []
        self.has_places = False
        self.owner, (self.friend,) = yonder.party(server, ["Ben"])
        self.chat = self.owner.start_chat([self.friend])
        self.by_token = {"Authorization": f"Bearer {self.owner.token()}"}
        self.by_cookie = {"Cookie": self.owner.cookie, "Origin": server.url}

    # Messages.

    def message(self, count):
        """Sends messages that nobody listens to, some in flight."""
        self.loop.run_until_complete(self._send(count))

    async def _send(self, count):
        limit = asyncio.Semaphore(IN_FLIGHT)
        async with await Stream.open(self.server, self.owner.token()) as stream:

            async def read_answers():
                for _ in range(count):
                    await stream.take(lambda frame: frame["type"] == "sent")
                    limit.release()

            answers = asyncio.create_task(read_answers())
            for _ in range(count):
                await limit.acquire()
                await stream.write(type="send", key=next(self.keys), chat=self.chat, tag="Text", content="x" * 150)
            await answers

    def delivery(self, count):
        """Sends messages to all readers, each after all have the one before.

        The readers of the warm-up stay, as to open a stream costs as much as many deliveries.
        """
        self.loop.run_until_complete(self._deliver(count // READERS))

    async def _deliver(self, count):
        await self._open_readers()
        async with await Stream.open(self.server, self.owner.token()) as sender:
            for _ in range(count):
                await sender.send(self.chat, next(self.keys), content="x" * 150)
                await asyncio.gather(*(reader.take(lambda frame: bool(messages_in(frame))) for reader in self.readers))

    def paced_delivery(self, count):
        """Sends messages to all readers, a fixed time apart, however fast the server is."""
        self.loop.run_until_complete(self._deliver_paced(count // READERS))

    async def _deliver_paced(self, count):
        await self._open_readers()
        arrivals = [asyncio.create_task(receive_messages(reader, count)) for reader in self.readers]
        async with await Stream.open(self.server, self.owner.token()) as sender:
            for _ in range(count):
                # Never two at once, as a late sender would catch up: the server joins what comes together.
                await asyncio.sleep(1 / self.pace)
                await sender.write(type="send", key=next(self.keys), chat=self.chat, tag="Text", content="x" * 150)
            await asyncio.gather(*arrivals)

    async def _open_readers(self):
        while len(self.readers) < READERS:
            reader = await Stream.open(self.server, self.friend.token())
            await reader.subscribe("messages", chat=self.chat, limit=1)
            self.readers.append(reader)

    # Sessions.

    def connect(self, count):
        """Opens streams with a token, each signed in, subscribed, answered and closed before the next."""
        self._visit(self.by_token, count)

    def cookie_connect(self, count):
        """Opens streams as the page does, by its session's cookie."""
        self._visit(self.by_cookie, count)

    def _visit(self, credential, count):
        visitor = Visitor(self.server, credential, self.chat)
        for _ in range(count):
            visitor.visit()

    def idle_session(self, count):
        """Opens streams that stay, signed in, subscribed and answered."""
        # One descriptor for each end of a stream, and some to spare; the server inherits nothing of it.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, count + len(self.idle) + 1000)), hard))
        visitor = Visitor(self.server, self.by_token, self.chat)
        self.idle += [visitor.open() for _ in range(count)]

    # Requests, over one connection that is kept open.

    def request(self, count):
        """Asks with a token who is signed in."""
        self._get(["/v1/session"] * count, self.by_token)

    def cookie_request(self, count):
        """Asks with the page's cookie who is signed in."""
        self._get(["/v1/session"] * count, self.by_cookie)

    def region_query(self, count):
        """Asks about regions of ten degrees by ten."""
        self._add_places()
        chance = random.Random(2)
        corners = ((chance.uniform(-60, 50), chance.uniform(-180, 170)) for _ in range(count))
        self._get((region(south, west) for south, west in corners), self.by_token)

    def _add_places(self):
        if self.has_places:
            return
        self.has_places = True
        self.owner.post("/v1/entities", {"name": "stop", "readers": "members", "fields": [
            {"name": "name", "type": "text"}, {"name": "at", "type": "location"}]})
        chance = random.Random(1)
        rows = "".join(f"Stop {number},{chance.uniform(-60, 60)},{chance.uniform(-180, 180)}\n" for number in range(PLACES))
        path = "/v1/objects/stop/import?format=csv&map=lat:at.latitude&map=lon:at.longitude"
        status, _, answer = self.owner.request("POST", path, f"name,lat,lon\n{rows}", {"Content-Type": "text/csv"})
        assert status == 200, answer

    def _get(self, paths, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=600)
        for path in paths:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status == 404:
                raise Lacking(path)
            assert answer.status == 200, body
        connection.close()

    def end(self):
        """Closes what the work has opened."""
        for opened in self.idle:
            opened.close()
        for reader in self.readers:
            reader.drop()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()


def region(south, west):
    return f"/v1/objects/stop/region?sw={south:.5f},{west:.5f}&ne={south + 10:.5f},{west + 10:.5f}"


async def receive_messages(reader, count):
    """Waits until a stream has received so many messages, however many a frame carries."""
    while count > 0:
        count -= len(messages_in(await reader.take(lambda frame: bool(messages_in(frame)))))
