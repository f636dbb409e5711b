"""The world of `yonder serve` with clients that others made: python-socketio of both generations."""

import itertools
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading

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
        while True:
            line = self.lines.get(timeout=30)
            self.seen.append(line)
            if line[: len(what)] == list(what):
                return line

    def move(self, position):
        self.process.stdin.write(json.dumps(position) + "\n")
        self.process.stdin.flush()

    def leave(self):
        if self.process.poll() is None:
            self.process.stdin.close()
        assert self.process.wait(timeout=30) == 0
        self.reader.join(timeout=10)
        self.process.stdout.close()


@pytest.mark.parametrize("generation, way", everyone)
def test_two_see_each_other(server, generation, way):
    expected = "polling" if way == "polling" else "websocket"
    with Client(server, 4, "websocket") as watcher:
        watcher.wait("connected")
        with Client(server, generation, way) as walker:
            assert walker.wait("connected")[1] == expected
            walker_id = watcher.wait("join")[1]

            walker.move("59.9139,10.7522")
            assert walker.wait("acknowledged") == ["acknowledged", {}]
            assert watcher.wait("update")[1] == f"{walker_id}:59.9139,10.7522"

            walker.move("-0.5e1,010")
            assert walker.wait("acknowledged")[1]["error"]["code"] == "invalidField"

            watcher.move("1.50,2")
            watcher.wait("acknowledged")
            watcher_id = walker.wait("update")[1].split(":")[0]
            assert walker.seen[-1] == ["update", f"{watcher_id}:1.50,2"]
            assert ["join", watcher_id] in walker.seen
        assert watcher.wait("disappear")[1] == walker_id
    assert not any(walker_id in str(line) for line in walker.seen), "one's own moves don't come back"


@pytest.mark.parametrize("generation, way", everyone)
def test_a_newcomer_sees_who_is_there_without_waiting(server, generation, way):
    with Client(server, 3, "websocket") as first, Client(server, 4, "polling") as second:
        first.wait("connected")
        second.wait("connected")
        for client, position in ((first, "1,1"), (second, "2,2")):
            client.move(position)
            client.wait("acknowledged")
        with Client(server, generation, way) as newcomer:
            updates = {newcomer.wait("update")[1].split(":")[1] for _ in range(2)}
            assert updates == {"1,1", "2,2"}


def test_the_same_position_is_not_passed_on_again(server):
    with Client(server, 4, "websocket") as watcher, Client(server, 4, "websocket") as walker:
        watcher.wait("connected")
        walker.wait("connected")
        for position in ("1,1", "1,1", "1,2"):
            walker.move(position)
            walker.wait("acknowledged")
        assert watcher.wait("update")[1].endswith(":1,1")
        assert watcher.wait("update")[1].endswith(":1,2")
