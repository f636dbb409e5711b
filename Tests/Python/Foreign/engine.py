"""Speaks Engine.IO by hand, to see what a server says byte by byte."""

import asyncio
import contextlib
import functools
import json

import aiohttp

# Milliseconds between pings, and for their answers. The suites' own are the strict ones; on a machine that stands still
# for a moment they end sessions that a test still needs.
PATIENT = (60_000, 60_000)
LIVELY = (300, 60_000)
STRICT = (300, 200)
MAX_PAYLOAD = 1_000_000


def run(test):
    """Lets pytest run a coroutine."""

    @functools.wraps(test)
    def wrapper(*arguments, **named):
        asyncio.run(asyncio.wait_for(test(*arguments, **named), 120))

    return wrapper


class Engine:
    """One server, spoken to in one generation at one path."""

    def __init__(self, port, version, path="engine.io"):
        self.port, self.version, self.path = port, version, path

    async def __aenter__(self):
        self.http = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *_):
        await self.http.close()

    def url(self, query):
        return f"http://127.0.0.1:{self.port}/{self.path}/?{query}"

    async def request(self, method, query, body=None):
        """Answers a status and a body."""
        async with self.http.request(method, self.url(query), data=body) as response:
            return response.status, await response.read()

    def query(self, sid=None, transport="polling", more=""):
        return f"EIO={self.version}&transport={transport}" + (f"&sid={sid}" if sid else "") + more

    async def poll(self, sid, more=""):
        return await self.request("GET", self.query(sid, more=more))

    async def post(self, sid, body):
        return await self.request("POST", self.query(sid), body)

    def pack(self, *packets):
        """Packets of text as a body."""
        if self.version == 4:
            return "\x1e".join(packets).encode()
        return "".join(f"{len(packet)}:{packet}" for packet in packets).encode()

    async def open(self, more=""):
        """Begins a session that polls, and answers its handshake."""
        status, body = await self.request("GET", self.query(more=more))
        assert status == 200
        text = body.decode()
        if self.version == 3:
            length, text = text.split(":", 1)
            assert int(length) == len(text)
        assert text[0] == "0"
        return json.loads(text[1:])

    async def sid(self, more=""):
        return (await self.open(more))["sid"]

    @contextlib.asynccontextmanager
    async def socket(self, sid=None):
        """A WebSocket, before its first message."""
        async with self.http.ws_connect(self.url(self.query(sid, "websocket")), autoping=True) as socket:
            yield socket

    async def refuses_socket(self, query):
        """Whether a WebSocket isn't opened, or closed at once."""
        try:
            async with self.http.ws_connect(self.url(query)) as socket:
                return await is_closed(socket)
        except aiohttp.WSServerHandshakeError as error:
            return error.status == 400

    async def abandon_poll(self, sid):
        """Polls, and goes away without waiting for the answer."""
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET /{self.path}/?{self.query(sid)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async def forgotten(self, sid):
        """Waits until the server doesn't know a session any more."""
        while (await self.post(sid, self.pack("6")))[0] != 400:
            await asyncio.sleep(0.01)

    async def probe(self, socket):
        await socket.send_str("2probe")
        assert await socket.receive_str() == "3probe"


async def is_closed(socket):
    """Reads until the server ends it."""
    while True:
        message = await socket.receive(timeout=100)
        if message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING):
            return True
