"""What a node tells the others besides messages."""

import asyncio

import pytest
from stream import BROKEN, Ended, Stream
from yonder import party


def is_online(value):
    return lambda frame: frame.get("type") == "online" and frame["online"] is value


@pytest.fixture(scope="module")
def owner(shared):
    caller, _ = party(shared.nodes[0], [])
    return caller


@pytest.fixture
def people(owner):
    """The owner, and a contact of theirs who is in no other test."""
    ben = owner.add("Ben")
    owner.befriend(ben)
    return owner, ben


def test_nothing_comes_after_ones_leave_on_another_node(shared, people):
    owner, ben = people
    chat = owner.start_chat([ben])

    async def watch():
        leaver = await Stream.open(shared.nodes[1], ben.token())
        await leaver.subscribe("messages", chat=chat)
        sender = await Stream.open(shared.nodes[0], owner.token())
        await sender.write(type="remove", key="r", chat=chat, user=ben.user)
        await sender.send(chat, "secret", content="secret")
        ended = await leaver.take(lambda frame: frame["type"] == "ended")
        assert ended["code"] == "notParticipant"
        with pytest.raises(Ended):
            await leaver.subscribe("messages", chat=chat)
        assert not any(frame.get("content") == "secret" for frame in leaver._kept)

    asyncio.run(watch())


def test_a_user_is_online_while_any_node_has_a_session_of_theirs(shared, people):
    owner, ben = people
    chat = owner.start_chat([ben])

    async def watch():
        viewer = await Stream.open(shared.nodes[0], owner.token())
        _, _, pages = await viewer.subscribe("presence", chat=chat)
        assert pages[0]["online"] == [owner.user]
        for node in shared.nodes[1:]:
            stream = await Stream.open(node, ben.token())
            await viewer.take(is_online(True))
            await stream.close()
            await viewer.take(is_online(False))
        # A node that is killed takes its people with it.
        await Stream.open(shared.nodes[2], ben.token())
        await viewer.take(is_online(True))
        await asyncio.to_thread(shared.nodes[2].kill)
        await viewer.take(is_online(False))
        await asyncio.to_thread(shared.nodes[2].start)

    asyncio.run(watch())


def test_a_session_that_ends_on_one_node_ends_on_all(shared, people):
    _, ben = people

    async def watch():
        stream = await Stream.open(shared.nodes[2], ben.token())
        for token in ben.get("/v1/tokens")["tokens"]:
            ben.call("DELETE", f"/v1/tokens/{token['id']}")
        with pytest.raises(BROKEN):
            await stream.take(lambda frame: False, seconds=60)

    asyncio.run(watch())
