"""Promise 8: what is erased is gone from the files, a minute later at most."""

import os
import re
import sqlite3
import struct
import threading
import time

import pytest
from old_file import BEN, CHAT, OldFolder
from stream import BROKEN
from websockets.sync.client import connect
from yonder import Caller, Server, party, until

# Every stretch of 16 bytes of what is to be erased begins like this, and of nothing else.
MARK = b"ERASE"
KEPT = b"KEEP"
SIZES = {"20 bytes": 20, "4 kB": 4_000, "70 kB": 70_000}
WITHIN = 60


def body(name, size, mark=MARK):
    """A text of `size` bytes, any stretch of which can be told from any other's."""
    text = b"".join(mark + f"{name:05}{part:05} ".encode() for part in range(size // 16 + 1))
    return text[:size].decode()


def marks_in(path, mark=MARK):
    """How often a mark stands in a file."""
    try:
        return len(re.findall(re.escape(mark), path.read_bytes()))
    except FileNotFoundError:
        return 0


def left(data, mark=MARK):
    """What still stands in the database's files, by name."""
    counts = {path.name: marks_in(path, mark) for path in sorted(data.iterdir()) if path.is_file()}
    return {name: count for name, count in counts.items() if count}


def fingerprints(data):
    """The bytes of what the database keeps of the content that is to be erased, as SQLite stores a number."""
    connection = sqlite3.connect(data / "yonder.db")
    try:
        rows = connection.execute(
            "SELECT fingerprint FROM message WHERE instr(content, ?1) OR instr(data, ?1) "
            "UNION SELECT fingerprint FROM recent WHERE instr(content, ?1) OR instr(data, ?1)", (MARK,),
        ).fetchall()
    finally:
        connection.close()
    return [struct.pack(">q", number) for number, in rows]


def wait_until_erased(data, since):
    """Waits until no mark is left; says where some are once it has taken too long."""
    while left(data):
        assert time.monotonic() - since < WITHIN, f"{WITHIN} s later the files hold {left(data)}"
        time.sleep(0.2)
    return time.monotonic() - since


def check_backup(data, folder):
    """A backup by SQLite itself, as other tools make it."""
    folder.mkdir()
    source, copy = sqlite3.connect(data / "yonder.db"), sqlite3.connect(folder / "yonder.db")
    try:
        source.backup(copy)
    finally:
        source.close()
        copy.close()
    assert left(folder) == {}
    assert marks_in(folder / "yonder.db", KEPT) > 0


class Reading:
    """Readers at work meanwhile: a stream with a subscription, and REST reads of the whole chat, one after another."""

    def __init__(self, server, token, chat):
        self.caller = Caller(server, token)
        self.path = f"/v1/chats/{chat}/messages?limit=1000"
        self.done = threading.Event()
        self.count = 0
        self.stream = connect(
            f"ws://127.0.0.1:{server.port}/v1/stream", subprotocols=["yonder.v1"], compression=None, max_size=None,
            additional_headers={"Authorization": f"Bearer {token}"}, proxy=None, ping_interval=None, close_timeout=1,
        )
        self.stream.send(f'{{"type":"subscribe","id":1,"query":"messages","chat":"{chat}"}}')
        self.threads = [threading.Thread(target=self.read), threading.Thread(target=self.listen)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.stream.close()
        for thread in self.threads:
            thread.join()
        assert self.count > 0

    def read(self):
        while not self.done.is_set():
            self.caller.get(self.path)
            self.count += 1

    def listen(self):
        try:
            while not self.done.is_set():
                self.stream.recv()
        except BROKEN:
            pass


@pytest.fixture
def room(server):
    """Two people, their chat, and an entity with objects of one text."""
    ada, (ben,) = party(server, ["Ben"])
    chat = ada.start_chat([ben])
    for number in range(50):
        ada.send(chat, "Text", body(number, 500, KEPT))
    ada.post("/v1/entities", {"name": "cafe", "fields": [{"name": "name", "type": "text"}]})
    return ada, ben, chat


@pytest.fixture
def server():
    with Server() as running:
        yield running


def recall(ada, chat, sizes):
    numbers = [ada.send(chat, "Text", body(number, size)) for number, size in enumerate(sizes)]
    ada.messages(chat)
    # These are appended and not yet moved to where readers look.
    numbers += [ada.send(chat, "Text", body(100 + number, size)) for number, size in enumerate(sizes)]
    numbers.append(ada.send(chat, "Text", "", data={"text": body(200, 3_000)}))
    yield
    for number in numbers:
        ada.call("DELETE", f"/v1/chats/{chat}/messages/{number}")
    yield


def expire(ada, chat, sizes):
    # Long enough for all of them to be sent.
    expires = int(time.time() * 1000) + 10_000
    for number, size in enumerate(sizes):
        ada.send(chat, "Text", body(number, size), expires=expires)
    ada.messages(chat)
    for number, size in enumerate(sizes):
        ada.send(chat, "Text", body(100 + number, size), expires=expires)
    yield
    until(lambda: not any(message["content"].startswith("ERASE") for message in ada.messages(chat)["messages"]))
    yield


def remove(ada, _, sizes):
    """Objects have at most 16 384 bytes of text."""
    made = [ada.post("/v1/objects/cafe", {"fields": {"name": body(number, min(size, 16_000))}})["object"]["id"]
            for number, size in enumerate([*sizes, *sizes])]
    yield
    half = len(made) // 2
    for id in made[:half]:
        ada.call("DELETE", f"/v1/objects/cafe/{id}")
    for id in made[half:]:
        ada.call("PATCH", f"/v1/objects/cafe/{id}", {"fields": {"name": "another"}})
    yield


@pytest.mark.parametrize("erase", [recall, expire, remove])
def test_erased_content_is_in_no_file_a_minute_later(server, room, tmp_path, erase):
    ada, ben, chat = room
    erasing = erase(ada, chat, [*SIZES.values()] * 3)
    next(erasing)
    assert left(server.data), "the test finds nothing where something is"
    prints = fingerprints(server.data)
    assert len(prints) > 12 or erase is remove
    outside = sqlite3.connect(server.data / "yonder.db", isolation_level=None)
    with Reading(server, ben.token(), chat):
        # A reader that nobody can hurry keeps the log from being emptied for a while.
        outside.execute("BEGIN")
        outside.execute("SELECT count(*) FROM account").fetchone()
        next(erasing)
        since = time.monotonic()
        assert left(server.data)
        until(lambda: time.monotonic() - since > 6)
        outside.execute("COMMIT")
        outside.close()
        took = wait_until_erased(server.data, since)
        check_backup(server.data, tmp_path / "backup")
        for print_ in prints:
            assert left(server.data, print_) == {}
    assert marks_in(server.data / "yonder.db", KEPT) > 0
    print(f"erased after {took:.1f} s")
    assert server.stop() == 0
    assert left(server.data) == {}


def test_erased_content_stays_erased_after_a_kill(server, room):
    ada, _, chat = room
    erasing = recall(ada, chat, SIZES.values())
    next(erasing)
    next(erasing)
    server.kill()
    since = time.monotonic()
    server.start()
    wait_until_erased(server.data, since)


def old_folder(folder, count=40):
    """A folder of the version before, with recalled content in free pages, in free space of pages, and in the log."""
    old = OldFolder(folder)
    old.connection.execute("BEGIN")
    for number in range(1, 3 * count + 1):
        size = list(SIZES.values())[number % 3]
        old.recent(number, body(number, size).encode())
        old.message(number, body(number, size).encode())
    for number in range(3 * count + 1, 3 * count + 40):
        old.message(number, body(number, 300, KEPT).encode())
    old.connection.execute("COMMIT")
    for number in range(1, 3 * count + 1):
        old.recall(number)
    old.drop_recent()
    old.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert old.connection.execute("PRAGMA freelist_count").fetchone()[0] > 0
    # And the newest stands in the log alone.
    old.message(3 * count + 40, body(9_000, 4_000).encode())
    old.recall(3 * count + 40)
    old.close()
    return old


def test_a_file_of_an_earlier_version_is_cleaned_once(tmp_path):
    data = tmp_path / "data"
    old = old_folder(data)
    assert marks_in(data / "yonder.db") > 1_000 and marks_in(data / "yonder.db-wal") > 100
    with Server(data=data) as server:
        wait_until_erased(data, time.monotonic())
        ada = Caller(server, old.tokens[0])
        messages = ada.messages(CHAT)["messages"]
        assert [message["number"] for message in messages] == list(range(1, 161))
        assert all(message["content"] == body(message["number"], 300, KEPT) for message in messages[120:159])
        assert all(message.get("recalled") for message in messages[:120])
        check_backup(data, tmp_path / "backup")
        until(lambda: "yonder_store_cleared 1" in Caller(server).get("/metrics"))
        connection = sqlite3.connect(data / "yonder.db")
        kept = connection.execute("SELECT DISTINCT length(content) > 0, fingerprint FROM message").fetchall()
        connection.close()
        assert sorted(kept) == [(0, 0), (1, 7)]
        assert Caller(server, old.tokens[1]).get("/v1/session")["user"]["id"] == str(BEN)


def test_a_cleaning_that_is_killed_goes_on_at_the_next_start(tmp_path):
    data = tmp_path / "data"
    old_folder(data, count=300)
    server = Server(data=data)
    try:
        for moment in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4):
            server._launch()
            since = time.monotonic()
            until(lambda: time.monotonic() - since > moment and os.path.exists(data / "lock"))
            server.kill()
        server.start()
        wait_until_erased(data, time.monotonic())
        server.stop()
    finally:
        server.kill()
        server._clean_up()
    connection = sqlite3.connect(data / "yonder.db")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
