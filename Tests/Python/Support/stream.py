"""A client of `/v1/stream`, as Documentation/stream.md describes it, for tests that are written in Python."""

import asyncio
import collections
import itertools
import json

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

__all__ = ["BROKEN", "Ended", "Stream", "messages_in"]

# What a connection can end with, before or after its upgrade, when the server is gone.
BROKEN = (WebSocketException, OSError, EOFError)


class Ended(Exception):
    """The server ended a subscription or refused a frame."""

    def __init__(self, frame):
        self.frame = frame
        self.code = frame.get("code")
        super().__init__(f"{self.code}: {frame.get('message')}")


class Stream:
    """One connection. `receive` answers the next frame; the helpers keep for it what is not theirs."""

    def __init__(self, socket, hello):
        self.socket = socket
        self.hello = hello
        self._kept = collections.deque()
        self._ids = itertools.count(1)

    @classmethod
    async def open(cls, server, token=None, **options):
        """Connects and reads the greeting."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        options = {"open_timeout": 120, "close_timeout": 1, "ping_interval": None, "max_size": None, **options}
        socket = await connect(
            f"ws://127.0.0.1:{server.port}/v1/stream", subprotocols=["yonder.v1"], additional_headers=headers,
            compression=None, proxy=None, **options,
        )
        hello = json.loads(await socket.recv())
        assert hello["type"] == "hello", hello
        return cls(socket, hello)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()

    async def close(self):
        await self.socket.close()

    def drop(self):
        """Cuts the connection without a closing handshake."""
        self.socket.transport.abort()

    async def write(self, **frame):
        await self.socket.send(json.dumps(frame))

    async def receive(self):
        """The next frame that no helper took."""
        if self._kept:
            return self._kept.popleft()
        return json.loads(await self.socket.recv())

    async def take(self, matches, seconds=120):
        """The next frame that matches; those before it stay for `receive`."""
        for index, frame in enumerate(self._kept):
            if matches(frame):
                del self._kept[index]
                return frame
        async with asyncio.timeout(seconds):
            while True:
                frame = json.loads(await self.socket.recv())
                if matches(frame):
                    return frame
                self._kept.append(frame)

    async def subscribe(self, query, **fields):
        """Subscribes and answers the subscription's id, its topic, and the frames of the first answer."""
        number = next(self._ids)
        await self.write(type="subscribe", id=number, query=query, **fields)
        pages = []
        while not pages or not pages[-1].get("current"):
            page = await self.take(lambda frame: frame.get("id") == number)
            if page["type"] in ("error", "ended"):
                raise Ended(page)
            pages.append(page)
        return number, pages[0]["topic"], pages

    async def send(self, chat, key, tag="Text", content="", **fields):
        """Sends a message and answers the frame that acknowledges it."""
        await self.write(type="send", key=key, chat=chat, tag=tag, content=content, **fields)
        answer = await self.take(lambda frame: frame.get("key") == key and frame["type"] in ("sent", "error"))
        if answer["type"] == "error":
            raise Ended(answer)
        return answer


def messages_in(frame):
    """The numbered or unnumbered messages of a frame, in order; none for other frames."""
    if frame["type"] == "messages":
        return frame["messages"]
    return [frame] if frame["type"] == "message" else []
