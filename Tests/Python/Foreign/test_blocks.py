"""Contacts and blocks over REST and raw WebSockets, against `yonder serve`: what each of two users is sent and answered."""

import base64
import http.client
import itertools
import json
import re

import pytest
import yaml

from raw_stream import RawStream
from yonder import ROOT, Refusal, Server, party, until

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


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def picture(caller):
    """Uploads a picture, and answers its path."""
    connection = http.client.HTTPConnection("127.0.0.1", caller.server.port, timeout=60)
    connection.request("POST", "/v1/images", PIXEL, {"Authorization": f"Bearer {caller.bearer}", "Content-Type": "image/png"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return f"/v1/images/{answer['image']}"


def readable(caller, names):
    """Every answer of an endpoint that only reads, with `names` for the variable parts of its path."""
    document = yaml.safe_load((ROOT / "Documentation/openapi.yaml").read_text())
    for path, item in document["paths"].items():
        if "get" not in item:
            continue
        plain = re.sub(r"\{(\w+)\}", lambda found: names.get(found[1], "1"), path)
        if path.startswith(("/tiles", "/metrics")):
            continue
        status, _, answer = caller.request("GET", plain)
        yield plain, status, json.dumps(answer)


def test_a_block_blinds_whatever_the_other_asks_and_whatever_they_do(town):
    server, ada, ben, cleo = town
    ada.call("PATCH", "/v1/me", {"avatar": picture(ada)})
    ada.bearer, bearer = None, ada.bearer
    ada.call("PATCH", "/v1/me", {"email": "ada@example.org"})
    ada.bearer = bearer
    pair = ada.post("/v1/chats", {"invitees": [ben.user], "oneToOne": True})["chat"]["id"]
    left = ada.start_chat([ben, cleo], "Left")
    ben.call("DELETE", f"/v1/chats/{left}/participants/me")
    old = ada.get("/v1/me")["user"]["avatar"]
    assert ben.request("GET", old)[0] == 200
    number = ben.send(pair, "Text", "are you there?")

    queries = [
        {"query": "contacts"}, {"query": "chats"}, {"query": "shares"}, {"query": "presence", "chat": pair},
        {"query": "messages", "chat": pair},
        {"query": "people", "region": {"south": -90, "west": -180, "north": 90, "east": 180}},
    ]

    answers = {}

    def watch():
        """A stream of the blocked person with every query that shows people, once each is answered."""
        stream = RawStream(server, token=ben.bearer)
        for query_number, query in enumerate(queries, 1):
            stream.send(type="subscribe", id=query_number, **query)
        frames = answers.setdefault(stream, [])
        while len({frame["id"] for frame in frames if "id" in frame and frame.get("current")}) < len(queries):
            frames += [json.loads(payload) for payload in stream.read()]
        return stream

    def heard(stream):
        """The frames of a stream since the last call, up to the answer of a `ping`."""
        stream.send(type="ping")
        frames = answers.pop(stream, [])
        while not any(frame["type"] == "pong" for frame in frames):
            frames += [json.loads(payload) for payload in stream.read()]
        return frames

    # Before the block each of these is shown.
    before = watch()
    present = RawStream(server, token=ada.bearer)
    until(lambda: any(is_online(frame, ada) for frame in heard(before)), what="Ada online")
    ada.call("PUT", f"/v1/chats/{pair}/read", {"number": number})
    until(lambda: any(ada.user in frame.get("reads", {}) for frame in heard(before)), what="Ada's read position")

    ada.call("PUT", f"/v1/blocks/{ben.user}")
    until(
        lambda: any(frame.get("user") == ada.user and frame.get("online") is False for frame in heard(before)),
        what="Ada offline",
    )
    open_stream = watch()
    heard(open_stream), heard(before)

    # The blocker comes and goes, reads, and changes name, picture, hue and address, and shares elsewhere.
    present.abort()
    until(lambda: ada.user not in online(cleo, left), what="Ada gone")
    present = RawStream(server, token=ada.bearer)
    until(lambda: ada.user in online(cleo, left), what="Ada here again")
    ada.call("PUT", f"/v1/chats/{pair}/read", {"number": number})
    new = picture(ada)
    ada.call("PATCH", "/v1/me", {"name": "Adelheid", "avatar": new, "hue": 222})
    ada.bearer, bearer = None, ada.bearer
    ada.call("PATCH", "/v1/me", {"email": "adelheid@example.org"})
    ada.bearer = bearer
    ada.post(f"/v1/chats/{left}/shares", {})
    until(lambda: "Adelheid" in json.dumps(cleo.get(f"/v1/chats/{left}")), what="Ada's new name for Cleo")

    secrets = ["Adelheid", "example.org", old, new, '"hue": 222']
    fresh = watch()
    for stream in (before, open_stream, fresh):
        frames = heard(stream)
        text = json.dumps(frames)
        assert not [secret for secret in secrets if secret in text], text
        assert not [frame for frame in frames if is_online(frame, ada) or ada.user in frame.get("reads", {})], text
    names = {"chat": pair, "user": ada.user, "image": old.rsplit("/", 1)[1], "entity": "cafe"}
    seen = dict()
    for path, status, text in readable(ben, names):
        assert not [secret for secret in secrets if secret in text], (path, text)
        assert f'"reads": {{"{ada.user}"' not in text, (path, text)
        seen[path] = status
    assert seen["/v1/chats"] == 200 and seen[f"/v1/chats/{pair}"] == 200 and len(seen) > 20
    for image in (old, new):
        assert ben.request("GET", image)[0] == 404
    shown = next(user for user in ben.get(f"/v1/chats/{pair}")["chat"]["participants"] if user["user"] == ada.user)
    assert shown["name"] == "Owner"
    # The blocker is shown the other as at the block, too.
    ben.call("PATCH", "/v1/me", {"name": "Benedict"})
    assert [user["name"] for user in ada.get("/v1/blocks")["blocks"]] == ["Ben"]
    assert "Benedict" not in json.dumps(ada.get("/v1/chats"))

    # Unblocked, both are live again.
    ada.call("DELETE", f"/v1/blocks/{ben.user}")
    until(lambda: "Adelheid" in json.dumps(heard(open_stream)), what="Ada's name")
    assert ben.request("GET", new)[0] == 200
    assert "Benedict" in json.dumps(ada.get("/v1/chats"))
    for stream in (before, open_stream, fresh, present):
        stream.abort()


def is_online(frame, caller):
    """Whether a frame says that a user is online."""
    if frame["type"] == "presence":
        return caller.user in frame["online"]
    return frame["type"] == "online" and frame["user"] == caller.user and frame["online"]


def online(viewer, chat):
    """The users who are online in a chat."""
    stream = RawStream(viewer.server, token=viewer.bearer)
    stream.send(type="subscribe", id=1, query="presence", chat=chat)
    try:
        while True:
            for payload in stream.read():
                frame = json.loads(payload)
                if frame.get("id") == 1:
                    return frame["online"]
    finally:
        stream.abort()


def test_a_stranger_is_answered_as_a_user_who_does_not_exist(town):
    server, ada, ben, _ = town
    stranger = ada.add("Stranger")
    for user in (stranger.user, "4711"):
        assert refusal(ben, "PUT", f"/v1/blocks/{user}").code == "unknownUser"
    assert ben.get("/v1/blocks")["blocks"] == []
