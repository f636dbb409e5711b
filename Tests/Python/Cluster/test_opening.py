"""Readers who come at once to a chat that a node doesn't follow yet, while another node writes to it."""

import asyncio
import random

from stream import Stream, messages_in
from yonder import guests

CHATS = 15
LONG = 600


async def fill(node, token, chats):
    """Writes a log that takes a few pages to read."""
    async with await Stream.open(node, token) as stream:
        for chat in chats:
            for index in range(LONG):
                await stream.write(type="send", key=f"fill-{index}", chat=chat, tag="Text", content="x" * 50)
            for _ in range(LONG):
                await stream.take(lambda frame: frame["type"] == "sent")


async def follow(node, token, chat, since, end):
    """Reads from a number on until a content, and answers the numbers seen."""
    seen = []
    async with await Stream.open(node, token) as stream:
        await stream.write(type="subscribe", id=1, query="messages", chat=chat, since=since)
        while True:
            for message in messages_in(await stream.receive()):
                seen.append(message["number"])
                if message["content"] == end:
                    return seen


def test_readers_who_open_a_gate_together_miss_nothing(cluster, owner):
    writer, reader = cluster.nodes[0], cluster.nodes[1]
    ben, = guests(owner, ["Ben"])
    token = owner.token()
    chats = [owner.start_chat([ben], subject=f"chat {index}") for index in range(CHATS)]

    async def work():
        await fill(writer, token, chats)
        # The reader's node has followed the chats since they were started: a new one hasn't.
        await asyncio.to_thread(reader.kill)
        await asyncio.to_thread(reader.start)
        async with await Stream.open(writer, token) as stream:
            for chat in chats:
                # Some read the whole log, some only its end, so that a later read is over before an earlier one.
                slow = [asyncio.create_task(follow(reader, token, chat, 0, "end")) for _ in range(2)]
                await asyncio.sleep(random.uniform(0, 0.02))
                await stream.send(chat, "during", content="during")
                fast = [asyncio.create_task(follow(reader, ben.token(), chat, LONG, "end")) for _ in range(3)]
                await asyncio.sleep(0.1)
                last = (await stream.send(chat, "end", content="end"))["number"]
                async with asyncio.timeout(60):
                    for task in slow:
                        assert await task == list(range(1, last + 1))
                    for task in fast:
                        assert await task == list(range(LONG + 1, last + 1))

    asyncio.run(work())
