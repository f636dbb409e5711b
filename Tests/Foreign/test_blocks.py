"""Contacts and blocks over REST and raw WebSockets, against `yonder serve`: what each of two users is sent and answered."""

import itertools
import json

import pytest

from raw_stream import RawStream
from yonder import Refusal, Server, party, until

keys = itertools.count(1)


@pytest.fixture
def town():
    with Server() as server:
        ada, others = party(server, ["Ben", "Cleo"])
        yield server, ada, *others


def names(caller):
    return [contact["name"] for contact in caller.get("/v1/contacts")["contacts"]]


def refusal(caller, method, path, body=None):
    with pytest.raises(Refusal) as caught:
        caller.call(method, path, body)
    return caught.value


class Listener:
    """A raw socket that follows its user's contacts and chats, and keeps every payload."""

    def __init__(self, server, caller):
        self.stream = RawStream(server, token=caller.bearer)
        self.seen = []
        for number, query in enumerate(("contacts", "chats", "shares"), 1):
            self.stream.send(type="subscribe", id=number, query=query)
            self.wait(lambda frame: frame.get("id") == number and frame.get("current"))

    def wait(self, matches):
        while True:
            payloads = self.stream.read()
            self.seen += payloads
            for payload in payloads:
                if matches(frame := json.loads(payload)):
                    return frame

    def after(self, act):
        """The frames that come from an act on, to the answer of a `ping` that is sent when `act` has ended."""
        self.seen.clear()
        act()
        self.stream.send(type="ping")
        self.wait(lambda frame: frame["type"] == "pong")
        return [frame for payload in self.seen if (frame := json.loads(payload))["type"] != "pong"]


def test_a_removed_contact_is_gone_on_both_sides_and_comes_back_by_an_invitation(town):
    server, ada, ben, _ = town
    listener = Listener(server, ben)
    ada.call("DELETE", f"/v1/contacts/{ben.user}")
    assert listener.wait(lambda frame: frame["type"] == "contactGone")["user"] == ada.user
    assert names(ben) == [] and names(ada) == ["Cleo"]
    assert refusal(ben, "POST", "/v1/chats", {"invitees": [ada.user]}).code == "unknownInvitee"
    invitation = ada.post("/v1/invitations")["url"].split("=", 1)[1]
    ben.post("/v1/invitations/accept", {"invitation": invitation})
    assert listener.wait(lambda frame: frame["type"] == "contact")["contact"]["id"] == ada.user
    ada.call("PATCH", "/v1/me", {"name": "Ada Lovelace", "hue": 200})
    changed = listener.wait(lambda frame: frame["type"] == "contact")["contact"]
    assert (changed["name"], changed["hue"]) == ("Ada Lovelace", 200)


def test_a_blocked_user_is_sent_no_byte_of_it_and_is_answered_as_a_stranger(town):
    server, ada, ben, cleo = town
    group = ada.start_chat([ben, cleo], "Walk")
    pair = ada.post("/v1/chats", {"invitees": [ben.user], "oneToOne": True})["chat"]["id"]
    blocked, blocker = Listener(server, ben), Listener(server, ada)
    assert blocked.after(lambda: ada.call("PUT", f"/v1/blocks/{ben.user}")) == []
    assert blocker.wait(lambda frame: frame["type"] == "contactGone")["user"] == ben.user
    assert [user["name"] for user in ada.get("/v1/blocks")["blocks"]] == ["Ben"]
    assert ben.get("/v1/blocks")["blocks"] == []

    for caller, other in ((ada, ben), (ben, ada)):
        assert other.user not in [contact["id"] for contact in caller.get("/v1/contacts")["contacts"]]
        stranger = refusal(caller, "POST", "/v1/chats", {"invitees": ["4711"], "oneToOne": True})
        answer = refusal(caller, "POST", "/v1/chats", {"invitees": [other.user], "oneToOne": True})
        assert (answer.status, str(answer)) == (stranger.status, str(stranger).replace("4711", other.user))
        message = {"tag": "Text", "content": "hi"}
        for body in (message, {**message, "keep": False}):
            assert refusal(caller, "POST", f"/v1/chats/{pair}/messages", body).code == "closedChat"
        assert refusal(caller, "POST", f"/v1/chats/{pair}/shares", {}).code == "closedChat"
        invitation = caller.post("/v1/invitations")["url"].split("=", 1)[1]
        refused = refusal(other, "POST", "/v1/invitations/accept", {"invitation": invitation})
        assert refused.code == "invitationUsed"
        caller.send(group, "Text", f"in the group {caller.user}")
    assert len(cleo.messages(group, tag="Text")["messages"]) == 2

    ada.call("DELETE", f"/v1/blocks/{ben.user}")
    ben.send(pair, "Text", "again")
    assert "Ben" not in names(ada)


def test_a_block_stops_the_shares_of_both_in_their_own_chat_and_it_holds_after_a_kill(town):
    server, ada, ben, cleo = town
    group = ada.start_chat([ben, cleo], "Walk")
    pair = ada.post("/v1/chats", {"invitees": [ben.user], "oneToOne": True})["chat"]["id"]
    for caller in (ada, ben):
        for chat in (group, pair):
            caller.post(f"/v1/chats/{chat}/shares", {})
    ada.call("PUT", f"/v1/blocks/{ben.user}")
    server.kill()
    server.start()

    def states(chat):
        return [(note["sender"], note["data"]["state"]) for note in ben.messages(chat, tag="Share")["messages"]]

    until(lambda: len(states(pair)) == 4, what="the end of both shares")
    assert set(states(pair)[2:]) == {(ada.user, "stopped"), (ben.user, "stopped")}
    assert {state for _, state in states(group)} == {"started"}
    for caller in (ada, ben):
        assert [share["chat"] for share in caller.get("/v1/me/shares")["shares"]] == [group]
        assert refusal(caller, "POST", f"/v1/chats/{pair}/messages", {"tag": "Text", "content": "x"}).code == "closedChat"
