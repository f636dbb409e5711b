"""Promise 6 on a real disk without room, and on one that is read-only."""

import os

import pytest
from ledger import Broken
from small_disk import small_disk
from workload import Crowd, settle_down
from yonder import Caller, Server, until


@pytest.fixture
def disk(tmp_path):
    disk = small_disk(tmp_path / "disk")
    yield disk
    disk.close()


@pytest.fixture
def server(disk):
    server = Server(data=disk.place / "data", wrapper=disk.wrapper)
    yield server
    server.kill()
    server._clean_up()


def is_ready(server):
    return Caller(server).request("GET", "/ready")[0] == 200


def answers(server):
    """Whether the server listens, ready or not."""
    assert server.process.poll() is None, f"the server ended: {server.errors[-800:]}"
    try:
        return Caller(server).get("/health") is not None
    except OSError:
        return False


def launched(server, crowd):
    """Starts a server that needn't become ready."""
    server._launch()
    until(lambda: answers(server), what="the server's answer at /health")
    crowd.attach(server)
    return crowd


def used(server, messages=50):
    """A server in use, and what its people know."""
    server.start()
    crowd = Crowd(settle_down(server, messages))
    crowd.attach(server)
    return crowd


def fill_with_messages(crowd, chat, size=4_000):
    """Sends messages one by one until one is refused; answers how many were acknowledged."""
    crowd.refused = 0
    for count in range(10_000):
        crowd.send([crowd.message(chat, 0, size)])
        if crowd.refused:
            return count
    raise AssertionError("the disk doesn't get full")


def exhaust(disk, server, crowd):
    """Fills the disk, with all that the server gives back, until it takes nothing more."""

    def is_exhausted():
        disk.fill()
        crowd.refused = 0
        crowd.send([crowd.message(crowd.old, 0, 60_000)])
        disk.fill()
        return crowd.refused and not is_ready(server)

    until(is_exhausted, what="a disk without any room")


def check_while_full(server, crowd):
    """Two looks at everything: what a reader causes must not change what is there."""
    for _ in range(2):
        crowd.check_reads()
        crowd.send([crowd.message(crowd.old, 1)])
        assert not is_ready(server), "/ready says 200 on a full disk"
    crowd.check()


def check_afterwards(server, crowd):
    """Everything is there again, by itself, and after a kill and an end as well."""
    crowd.settle()
    crowd.round()
    crowd.check()
    crowd.detach()
    server.kill()
    server.start()
    crowd.attach(server)
    crowd.check()
    crowd.round()
    crowd.detach()
    assert server.stop() == 0
    server.start()
    crowd.attach(server)
    crowd.check()
    crowd.detach()


class Findings(list):
    """What was found broken, so that a test can go on and say all of it."""

    def note(self, body, *arguments):
        try:
            return body(*arguments)
        except Broken as broken:
            self.append(str(broken))


@pytest.mark.parametrize("young", [False, True], ids=["a chat of 2 200 messages", "a young chat"])
def test_a_full_disk_loses_nothing_and_gives_no_number_twice_as_root(disk, server, young):
    crowd = used(server)
    for _ in range(22):
        crowd.send([crowd.message(crowd.old, index % 2) for index in range(100)])
    if young:
        crowd.start_chat()
        crowd.start_chats()
    chat, found = crowd.young if young else crowd.old, Findings()
    fill_with_messages(crowd, chat)
    if is_ready(server):
        found.append("/ready says 200 on a full disk")
    for _ in range(2):
        if found.note(crowd.read, chat) is False:
            found.append("the chat can't be read")
    disk.remount("size=200m")
    found.note(crowd.settle)
    found.note(crowd.check)
    crowd.detach()
    server.kill()
    server.start()
    crowd.attach(server)
    found.note(crowd.check)
    assert not found, "\n".join(found)
    check_afterwards(server, crowd)


def test_reading_goes_on_while_the_disk_is_full_as_root(disk, server):
    crowd = used(server)
    fill_with_messages(crowd, crowd.old)
    check_while_full(server, crowd)
    disk.remount("size=200m")
    check_afterwards(server, crowd)


def test_the_disk_may_be_full_again_and_again_as_root(disk, server):
    crowd = used(server)
    for _ in range(3):
        exhaust(disk, server, crowd)
        check_while_full(server, crowd)
        disk.empty()
        crowd.settle()
        crowd.check()
    disk.remount("size=200m")
    check_afterwards(server, crowd)


def test_a_message_recalled_on_a_full_disk_is_recalled_as_root(disk, server):
    crowd = used(server)
    exhaust(disk, server, crowd)
    log = crowd.chats[crowd.old]
    recall = crowd.recall()
    crowd.send([recall])
    if recall.number is None:
        disk.empty()
        crowd.settle()
    crowd.check()
    assert recall.number in log.keys and recall.frame["number"] in log.recalled
    disk.remount("size=200m")
    check_afterwards(server, crowd)


@pytest.mark.parametrize("ending", ["killed", "stopped"])
@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_a_server_starts_and_reads_where_nothing_can_be_written_as_root(disk, server, trouble, ending):
    crowd = used(server)
    # What was appended last, before the kill, stands nowhere else.
    crowd.send([crowd.message(crowd.old, index % 2) for index in range(30)])
    crowd.detach()
    server.kill() if ending == "killed" else server.stop()
    disk.fill() if trouble == "full" else disk.remount("ro")

    launched(server, crowd)
    crowd.check_reads()
    crowd.check()
    if trouble == "full":
        # Its reserve, and a log that it could shorten, may have given it some room.
        exhaust(disk, server, crowd)
    crowd.refused = 0
    crowd.send([crowd.message(crowd.old, 0)])
    assert crowd.refused, "a message was taken where none can be written"
    assert not is_ready(server), "/ready says 200"
    crowd.check_reads()
    crowd.check()

    disk.empty() if trouble == "full" else disk.remount("rw")
    check_afterwards(server, crowd)


def test_a_full_disk_and_its_recovery_are_logged_with_the_code_as_root(disk, server):
    crowd = used(server)
    exhaust(disk, server, crowd)
    until(lambda: "13 database or disk is full" in server.errors, what="a line with SQLite's code")
    status, _, answer = Caller(server).request("GET", "/ready")
    assert status == 503 and answer["error"]["message"].startswith("The disk is full")
    assert server.errors.count("Expiry failed") <= 1
    lines = len(server.errors.splitlines())
    disk.empty()
    crowd.settle()
    until(lambda: len(server.errors.splitlines()) > lines, what="a line that says it is over")
    assert "again" in server.errors.splitlines()[-1]


@pytest.mark.skipif(not os.environ.get("CI"), reason="only where tests must be complete")
def test_a_disk_can_be_mounted_where_tests_must_be_complete_as_root(disk):
    assert disk.files.is_dir()
