"""Shares end with the sign-ins that fed them, also where no server runs, and where the server is killed behind its answer."""

import pytest

from yonder import AS_NODE, Caller, party

KILLS = 3


def sharing(person, chat):
    """Starts a share by a token of its own; answers the token's caller and id."""
    made = person.post("/v1/tokens", {"label": "phone"})
    phone = Caller(person.server, made["token"])
    phone.post(f"/v1/chats/{chat}/shares")
    return phone, made["id"]


def states(reader, chat):
    return [message["data"]["state"] for message in reader.messages(chat, tag="Share")["messages"]]


def running(reader, chat):
    shares = reader.get(f"/v1/chats/{chat}/shares")["shares"]
    return [share for share in shares if share["freshness"]["state"] != "ended"]


@pytest.mark.skipif(AS_NODE, reason="about a data folder")
@pytest.mark.parametrize("words", [
    ["sign-out", "--tokens"], ["disable"], ["remove", "--yes"], ["password", "--tokens", "--remove"],
], ids=lambda words: words[0])
def test_the_command_line_ends_a_persons_shares_where_no_server_runs(server, words):
    ada, (ben, cleo) = party(server, ["Ben", "Cleo"])
    chat, other = ada.start_chat([ben, cleo]), ada.start_chat([ben])
    sharing(ben, chat)
    sharing(cleo, chat)
    ben.send(other, "Location", data={"latitude": "59.9", "longitude": "10.7"})
    assert len(running(ada, chat)) == 2 and len(running(ada, other)) == 1
    server.stop()
    # Only who has a login has a password.
    server.command("user", "rename", "--data", server.data, ben.user, "--login", "ben")
    server.command("user", words[0], "--data", server.data, ben.user, *words[1:])
    server.start()
    assert [share["user"] for share in running(ada, chat)] == [cleo.user]
    assert not running(ada, other)
    assert states(ada, chat) == ["started", "started", "stopped"]


def test_the_end_of_a_token_that_was_answered_has_ended_the_share_after_a_kill(server):
    ada, (ben,) = party(server, ["Ben"])
    chat = ada.start_chat([ben])
    for kill in range(1, KILLS + 1):
        phone, token = sharing(ben, chat)
        phone.send(chat, "Location", data={"latitude": "59.9", "longitude": "10.7"})
        assert phone.request("DELETE", f"/v1/tokens/{token}")[0] == 204
        server.kill()
        server.start()
        assert not running(ada, chat)
        assert states(ada, chat) == ["started", "stopped"] * kill
        refused, _, answer = ben.request("POST", f"/v1/chats/{chat}/messages", {
            "tag": "Location", "data": {"latitude": "59.9", "longitude": "10.7"}})
        assert (refused, answer["error"]["code"]) == (409, "shareEnded")
