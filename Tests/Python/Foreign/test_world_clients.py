"""The world of `yonder serve` with clients that others made: python-socketio of both generations."""

import itertools
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import urllib.request

import pytest

from yonder import ROOT, Server

OLDER = os.environ.get("ENGINEIO3_PYTHON", str(ROOT / ".build-python-engineio3/bin/python"))
PYTHONS = {3: OLDER, 4: sys.executable}
SCRIPT = pathlib.Path(__file__).with_name("world_client.py")
everyone = list(itertools.product((3, 4), ("polling", "websocket", "upgrade")))


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


class Client:
    """One `world_client.py`."""

    def __init__(self, server, generation, way):
        command = [PYTHONS[generation], str(SCRIPT), server.url, way]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        self.seen = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def wait(self, *what):
        """Takes lines until one begins with `what`, and answers it."""
        return self.wait_for(lambda line: line[: len(what)] == list(what))

    def wait_for(self, matches):
        """Takes lines until one matches, and answers it."""
        while True:
            line = self.lines.get(timeout=120)
            self.seen.append(line)
            if matches(line):
                return line

    def wait_for_pin(self, position):
        """Takes lines until somebody's pin is at a position, and answers whose."""
        line = self.wait_for(lambda line: line[0] == "update" and line[1].endswith(f":{position}"))
        return line[1].split(":")[0]

    def move(self, position):
        self.process.stdin.write(json.dumps(position) + "\n")
        self.process.stdin.flush()

    def leave(self):
        if self.process.poll() is None:
            self.process.stdin.close()
        assert self.process.wait(timeout=120) == 0
        self.reader.join()
        self.process.stdout.close()


# Places that no other test has: who was there before may not have been missed yet.
latitudes = map(str, itertools.count(1))


@pytest.mark.parametrize("generation, way", everyone)
def test_two_see_each_other(server, generation, way):
    expected = "polling" if way == "polling" else "websocket"
    here, there = f"{next(latitudes)}.9139,10.7522", f"{next(latitudes)}.50,2"
    with Client(server, 4, "websocket") as watcher:
        watcher.wait("connected")
        with Client(server, generation, way) as walker:
            assert walker.wait("connected")[1] == expected
            walker.move(here)
            assert walker.wait("acknowledged") == ["acknowledged", {}]
            walker_id = watcher.wait_for_pin(here)
            assert ["join", walker_id] in watcher.seen

            walker.move("-0.5e1,010")
            assert walker.wait("acknowledged")[1]["error"]["code"] == "invalidField"

            watcher.move(there)
            watcher.wait("acknowledged")
            watcher_id = walker.wait_for_pin(there)
            assert ["join", watcher_id] in walker.seen
        watcher.wait("disappear", walker_id)
    assert not any(walker_id in str(line) for line in walker.seen), "one's own moves don't come back"


@pytest.mark.parametrize("generation, way", everyone)
def test_a_newcomer_sees_who_is_there_without_waiting(server, generation, way):
    with Client(server, 3, "websocket") as first, Client(server, 4, "polling") as second:
        first.wait("connected")
        second.wait("connected")
        places = {first: f"{next(latitudes)},1", second: f"{next(latitudes)},2"}
        for client, place in places.items():
            client.move(place)
            client.wait("acknowledged")
        with Client(server, generation, way) as newcomer:
            missing = set(places.values())
            while missing:
                missing.discard(newcomer.wait("update")[1].split(":")[1])


def test_the_same_position_is_not_passed_on_again(server):
    with Client(server, 4, "websocket") as watcher, Client(server, 4, "websocket") as walker:
        watcher.wait("connected")
        walker.wait("connected")
        latitude = next(latitudes)
        for longitude in (1, 1, 2):
            walker.move(f"{latitude},{longitude}")
            walker.wait("acknowledged")
        walker_id = watcher.wait_for_pin(f"{latitude},2")
        moves = [line for line in watcher.seen if line[0] == "update" and line[1].startswith(f"{walker_id}:")]
        assert moves == [["update", f"{walker_id}:{latitude},1"], ["update", f"{walker_id}:{latitude},2"]]


def test_the_log_has_connects_and_disconnects_by_the_public_id():
    with Server(["--log-world"]) as server:
        with Client(server, 4, "websocket") as watcher, Client(server, 3, "polling") as walker:
            watcher.wait("connected")
            walker.wait("connected")
            walker.move("7,8")
            member = watcher.wait_for_pin("7,8")
            assert f"member={member}" in server.errors
            walker.leave()
            watcher.wait("disappear", member)
        lines = [line for line in server.errors.splitlines() if member in line]
        assert ["Connected to the world" in lines[0], "Disconnected from the world" in lines[1]] == [True, True], lines
        assert all(" info " in line for line in lines) and len(lines) == 2


def test_a_trace_has_packets_by_kind_and_size_and_neither_a_session_id_nor_a_position():
    with Server(["--log-level", "trace"]) as server:
        base = f"{server.url}/socket.io/?EIO=4&transport=polling"
        with urllib.request.urlopen(base) as answer:
            session = json.loads(answer.read()[1:])["sid"]
        body = b'40\x1e421["location","12.5,-34.5"]'
        for request in (urllib.request.Request(f"{base}&sid={session}", data=body), f"{base}&sid={session}"):
            urllib.request.urlopen(request).close()
        with Client(server, 4, "upgrade") as walker:
            walker.wait("connected")
            walker.move("56.5,-78.5")
            walker.wait("acknowledged")
        log = server.errors
        for kinds in ("kind=open", "kind=upgrade", "kind=message session=1 socketIO=event", "socketIO=acknowledgement"):
            assert kinds in log, kinds
        assert "bytes=27 kind=message session=1 socketIO=event" in log
        for secret in (session, "12.5", "-34.5", "56.5", "-78.5"):
            assert secret not in log, secret
