"""What a node tells the others besides messages."""

import asyncio
import time

import pytest
from stream import BROKEN, Ended, Stream
from yonder import Caller, guests, limit, until

SILENCE = 3
"""Seconds until a silent node's people are offline (`NodeRoll.patience`)."""

MARGIN = 30
"""Seconds more, for a slow machine: heartbeats are a second apart."""


def is_online(value):
    return lambda frame: frame.get("type") == "online" and frame["online"] is value


@pytest.fixture
def people(owner):
    """The owner, and a contact of theirs who is in no other test."""
    ben = owner.add("Ben")
    owner.befriend(ben)
    return owner, ben


def test_nothing_comes_after_ones_leave_on_another_node(cluster, people):
    owner, ben = people
    chat = owner.start_chat([ben])

    async def watch():
        leaver = await Stream.open(cluster.nodes[1], ben.token())
        await leaver.subscribe("messages", chat=chat)
        sender = await Stream.open(cluster.nodes[0], owner.token())
        await sender.write(type="remove", key="r", chat=chat, user=ben.user)
        await sender.send(chat, "secret", content="secret")
        ended = await leaver.take(lambda frame: frame["type"] == "ended")
        assert ended["code"] == "notParticipant"
        with pytest.raises(Ended):
            await leaver.subscribe("messages", chat=chat)
        assert not any(frame.get("content") == "secret" for frame in leaver._kept)

    asyncio.run(watch())


def test_a_user_is_online_while_any_node_has_a_session_of_theirs(cluster, people):
    owner, ben = people
    chat = owner.start_chat([ben])

    async def watch():
        viewer = await Stream.open(cluster.nodes[0], owner.token())
        _, _, pages = await viewer.subscribe("presence", chat=chat)
        assert pages[0]["online"] == [owner.user]
        for node in cluster.nodes[1:]:
            stream = await Stream.open(node, ben.token())
            await viewer.take(is_online(True))
            await stream.close()
            await viewer.take(is_online(False))
        # A node that is killed takes its people with it.
        await Stream.open(cluster.nodes[2], ben.token())
        await viewer.take(is_online(True))
        await asyncio.to_thread(cluster.nodes[2].kill)
        await viewer.take(is_online(False))
        await asyncio.to_thread(cluster.nodes[2].start)

    asyncio.run(watch())


def test_a_session_that_ends_on_one_node_ends_on_all(cluster, people):
    _, ben = people

    async def watch():
        stream = await Stream.open(cluster.nodes[2], ben.token())
        for token in ben.get("/v1/tokens")["tokens"]:
            ben.call("DELETE", f"/v1/tokens/{token['id']}")
        with pytest.raises(BROKEN):
            await stream.take(lambda frame: False, seconds=60)

    asyncio.run(watch())


@pytest.mark.parametrize("words", [["disable"], ["sign-out", "--tokens"]], ids=lambda words: words[0])
def test_shares_end_on_every_node_where_a_command_ends_the_sign_ins_in_the_database(cluster, people, words):
    owner, ben = people
    chat = owner.start_chat([ben])
    ben.post(f"/v1/chats/{chat}/shares")

    def running():
        readers = [Caller(node, owner.bearer) for node in cluster.nodes]
        shown = [reader.get(f"/v1/chats/{chat}/shares")["shares"] for reader in readers]
        return [[share for share in shares if share["freshness"]["state"] != "ended"] for shares in shown]

    until(lambda: all(running()), what="the share on every node")
    # No stream is open, and the command has no NATS.
    cluster.nodes[0].command("user", words[0], "--store", cluster.nodes[0].store, ben.user, *words[1:])
    states = [message["data"]["state"] for message in owner.messages(chat, tag="Share")["messages"]]
    assert states == ["started", "stopped"]
    until(lambda: not any(running()), limit(15) + MARGIN, "the share's end on every node")


async def agree(nodes, caller, chat, users, seconds):
    """Waits until a new subscription on every node is answered with these users; answers how long that took."""
    start, token = time.monotonic(), caller.token()
    async with asyncio.timeout(seconds):
        for node in nodes:
            online = None
            while online != sorted(users):
                async with await Stream.open(node, token) as stream:
                    _, _, pages = await stream.subscribe("presence", chat=chat)
                    online = sorted(user for page in pages for user in page["online"])
    return time.monotonic() - start


def test_all_nodes_agree_who_is_online_after_a_node_was_killed_and_after_nats_was_away(cluster, owner):
    ben, cleo = guests(owner, ["Ben", "Cleo"])
    chat = owner.start_chat([ben, cleo])

    async def watch():
        first, second, third = cluster.nodes
        for caller in (ben, cleo):
            await Stream.open(third, caller.token())
        await agree(cluster.nodes, owner, chat, [owner.user, ben.user, cleo.user], SILENCE + MARGIN)
        third.kill()
        took = await agree([first, second], owner, chat, [owner.user], SILENCE + MARGIN)
        print(f"killed: agreed after {took:.1f} s")
        await asyncio.to_thread(third.start)
        leaves = await Stream.open(second, ben.token())
        await agree(cluster.nodes, owner, chat, [owner.user, ben.user], SILENCE + MARGIN)
        cluster.bus.kill()
        # Each node knows its own people alone, after the silence.
        await agree([first, third], owner, chat, [owner.user], SILENCE + MARGIN)
        await leaves.close()
        stays = await Stream.open(third, cleo.token())
        await asyncio.to_thread(cluster.bus.start)
        took = await agree(cluster.nodes, owner, chat, [owner.user, cleo.user], SILENCE + MARGIN)
        print(f"NATS back: agreed after {took:.1f} s")
        # A moment without NATS, in which nobody is taken for dead.
        cluster.bus.kill()
        await stays.close()
        await Stream.open(first, ben.token())
        await asyncio.to_thread(cluster.bus.start)
        took = await agree(cluster.nodes, owner, chat, [owner.user, ben.user], SILENCE + MARGIN)
        print(f"NATS away for a moment: agreed after {took:.1f} s")

    asyncio.run(watch())
