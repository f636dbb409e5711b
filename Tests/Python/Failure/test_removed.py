"""What an operator takes away is gone at once, and nothing that was acknowledged goes with it."""

import asyncio
import time

from stream import BROKEN, Stream
from test_killed import Log, Sender
from yonder import Caller, limit, party, until

SENDERS = 4


async def sending(server, senders, count):
    """Starts the load, and waits for so many acknowledgements."""
    load = [asyncio.create_task(sender.load(server)) for sender in senders]
    while sum(len(sender.acknowledged) for sender in senders) < count:
        assert not all(task.done() for task in load), "nobody sends"
        await asyncio.sleep(0.001)
    return load


def test_a_user_removed_under_their_own_load_keeps_every_acknowledged_message(server):
    ada, (ben,) = party(server, ["Ben"])
    chats = [ada.start_chat([ben]), ada.start_chat([ben])]
    token = ben.token()
    senders = [Sender(f"s{index}", token, chats[index % 2]) for index in range(SENDERS)]

    async def run():
        load = await sending(server, senders, 500)
        await asyncio.to_thread(server.command, "user", "remove", "--data", server.data, ben.user, "--yes")
        removed = time.monotonic()
        await asyncio.gather(*load)
        assert time.monotonic() - removed < limit(1), "a removed user's stream stays open"
        # What was on its way when the stream was cut may have been stored, but comes before the Leave.
        for chat in chats:
            log = Log()
            await log.read_on(server, ada.token(), chat)
            for sender in senders:
                if sender.chat == chat:
                    log.check(sender)
            messages = ada.messages(chat, before=log.last + 1, limit=1000)["messages"]
            assert messages[-1]["tag"] == "Leave" and messages[-1]["sender"] == ben.user
            assert [message["tag"] for message in messages].count("Leave") == 1

    asyncio.run(run())
    assert Caller(server, token).request("GET", "/v1/session")[0] == 401
    people = ada.get(f"/v1/chats/{chats[0]}")["chat"]["participants"]
    assert {person["name"] for person in people} == {"Owner", "Removed user"}
    again = server.command("user", "remove", "--data", server.data, ben.user, "--yes", check=False)
    assert again.returncode != 0 and "No person has" in again.stderr


def test_open_connections_end_within_a_second_when_sign_ins_are_ended(server):
    ada, (ben,) = party(server, ["Ben"])
    data = ["--data", server.data]

    async def cut(token, act):
        async with await Stream.open(server, token) as stream:
            await asyncio.to_thread(act)
            ended = time.monotonic()
            try:
                while True:
                    await stream.receive()
            except BROKEN:
                assert time.monotonic() - ended < limit(1)

    asyncio.run(cut(ben.token(), lambda: server.command("user", "sign-out", *data, "Ben", "--tokens")))
    for act in (["disable"], ["remove", "--yes"]):
        token = server.command("user", "token", *data, "Ben").strip()
        asyncio.run(cut(token, lambda: server.command("user", act[0], *data, "Ben", *act[1:])))
        if act == ["disable"]:
            server.command("user", "enable", *data, "Ben")


def test_a_removal_cut_off_by_a_kill_is_finished_at_the_next_start(server):
    ada, (ben,) = party(server, ["Ben"])
    chats = [ada.start_chat([ben]) for _ in range(200)]
    ada_token = ada.token()

    async def run():
        removal = asyncio.create_task(asyncio.to_thread(
            server.command, "user", "remove", "--data", server.data, ben.user, "--yes", check=False))
        while Caller(server, ben.bearer).request("GET", "/v1/session")[0] == 200 and not removal.done():
            await asyncio.sleep(0)
        server.kill()
        await removal

    asyncio.run(run())
    server.start()
    ada = Caller(server, ada_token)

    def left():
        return all(ada.messages(chat)["messages"][-1:] and ada.messages(chat)["messages"][-1]["tag"] == "Leave"
                   for chat in chats)

    until(left, what="a Leave in each chat")
    assert len(ada.get("/v1/users")["users"]) == 1
