"""Shares over raw WebSockets, against `yonder serve`: no client code is trusted with the end."""

import itertools
import json
import time

import pytest

from raw_stream import RawStream
from yonder import AS_NODE, Server, party, until

keys = itertools.count(1)


@pytest.fixture(scope="module")
def town():
    with Server() as server:
        ada, others = party(server, ["Ben", "Cleo"])
        yield server, ada, *others


def now():
    return int(time.time() * 1000)


class Peer:
    """A raw socket; `ask` sends a frame with a key and answers what answers it, `seen` keeps every payload."""

    def __init__(self, server, caller):
        self.stream = RawStream(server, token=caller.bearer)
        self.seen = []
        self.wait(lambda frame: frame["type"] == "hello")

    def wait(self, matches):
        while True:
            payloads = self.stream.read()
            self.seen += payloads
            for payload in payloads:
                if matches(frame := json.loads(payload)):
                    return frame

    def ask(self, **fields):
        key = f"k{next(keys)}"
        self.stream.send(key=key, **fields)
        return self.wait(lambda frame: frame.get("key") == key)

    def share(self, chat, **fields):
        return self.ask(type="share", chat=chat, **fields)["share"]["share"]

    def locate(self, chat, share=None, marker=1.0, **fields):
        data = {"latitude": marker, "longitude": 2, **({"share": share} if share else {})}
        return self.ask(type="send", chat=chat, tag="Location", data=data, **fields)

    def watch(self, chat):
        for number, query in enumerate(("messages", "freshness"), 1):
            self.stream.send(type="subscribe", id=number, query=query, chat=chat)
            self.wait(lambda frame: frame.get("id") == number and frame.get("current"))


def share_states(caller, chat):
    return [message["data"]["state"] for message in caller.messages(chat, tag="Share")["messages"]]


def test_after_one_of_two_shares_is_stopped_the_other_person_gets_no_byte_of_the_other(town):
    server, ada, ben, cleo = town
    with_ben, with_cleo = ada.start_chat([ben]), ada.start_chat([cleo])
    sharer, viewer = Peer(server, ada), Peer(server, ben)
    viewer.watch(with_ben)
    stopped, running = sharer.share(with_ben, battery=True), sharer.share(with_cleo, battery=True)
    sharer.locate(with_ben, stopped)
    sharer.ask(type="stopShare", chat=with_ben, share=stopped)
    ended = viewer.wait(lambda frame: frame["type"] == "freshness" and frame["shares"][0]["freshness"]["state"] == "ended")
    assert set(ended["shares"][0]["freshness"]) == {"state", "cause", "asOf", "changes"}
    assert ended["shares"][0]["freshness"]["changes"] == []
    viewer.stream.ping(b"level")
    viewer.seen.clear()

    for step in range(20):
        sharer.locate(with_cleo, running, marker=11.5 + step)
        sharer.stream.send(type="heartbeat", chat=with_cleo, share=running, battery=0.125, fix={"time": now()})
    sharer.ask(type="changeShare", chat=with_cleo, share=running, keep="expiring")
    # Two looks of the server's clock at what has changed.
    time_before = now()
    until(lambda: now() - time_before > 2_200, 10)
    text = sharer.ask(type="send", chat=with_ben, tag="Text", content="the end")
    viewer.wait(lambda frame: frame.get("content") == "the end")

    expected = {
        "type": "message", "chat": with_ben, "number": text["number"], "sender": ada.user, "tag": "Text",
        "content": "the end", "time": text["time"],
    }
    frames = [json.loads(payload) for payload in viewer.seen]
    assert [{name: frame.get(name) for name in expected} for frame in frames] == [expected]
    every_byte = b"".join(viewer.seen)
    for secret in (running, with_cleo, "11.5", "0.125"):
        assert secret.encode() not in every_byte


def test_a_raw_socket_that_sends_on_after_the_end_is_refused_and_the_end_is_announced_once(town):
    server, ada, ben, _ = town
    chat = ada.start_chat([ben])
    sharer = Peer(server, ada)
    share = sharer.share(chat, until=now() + 3_000)
    answers = []
    while not answers or "code" not in answers[-1]:
        answers.append(sharer.locate(chat, share))
    assert answers[-1]["code"] == "shareEnded"
    for fields in ({}, {"share": share}, {"keep": False}, {"share": share, "keep": False}):
        assert sharer.locate(chat, **fields)["code"] == "shareEnded"
    until(lambda: share_states(ben, chat) == ["started", "expired"])
    ada.send(chat, "Text", "later")
    assert share_states(ben, chat) == ["started", "expired"]
    sharer.share(chat)
    assert sharer.locate(chat)["type"] == "sent"


def test_an_end_that_passes_while_the_server_is_down_is_announced_once(town):
    with Server() as server:
        ada, (ben,) = party(server, ["Ben"])
        chat = ada.start_chat([ben])
        sharer, end = Peer(server, ada), now() + 3_000
        sharer.share(chat, until=end, keep="expiring")
        server.kill()
        until(lambda: now() > end + 500)
        server.start()
        until(lambda: share_states(ben, chat) == ["started", "expired"])
        server.kill()
        server.start()
        assert share_states(ben, chat) == ["started", "expired"]
        assert ben.messages(chat, tag="Share")["messages"][-1]["data"]["until"] == end


@pytest.mark.skipif(AS_NODE, reason="about a data folder")
def test_expiring_positions_leave_the_files_after_the_end_of_their_share(town):
    server, ada, ben, _ = town
    chat = ada.start_chat([ben])
    sharer = Peer(server, ada)
    share = sharer.share(chat, keep="expiring")
    # Longer than any other number in the files, so that it can be found.
    marker = 47.123456789123
    for _ in range(50):
        sharer.locate(chat, share, marker=marker)

    def stands():
        files = [path for path in server.data.iterdir() if path.is_file()]
        return any(str(marker).encode() in path.read_bytes() for path in files)

    assert stands()
    assert len([one for one in ben.messages(chat, tag="Location")["messages"] if "data" in one]) == 50
    sharer.ask(type="stopShare", chat=chat, share=share)
    assert not [one for one in ben.messages(chat, tag="Location")["messages"] if "data" in one]
    until(lambda: not stands(), 60, "the erasing of a share's positions")
