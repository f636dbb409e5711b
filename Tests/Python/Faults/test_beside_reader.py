"""A stop, a start and a command wait for no program that reads the folder, as a backup does."""

import sqlite3
import time

from yonder import Caller, Server, limit, party

# With ten seconds of patience each of them took longer.
SECONDS = limit(5)


class Reader:
    """A program that holds a snapshot of the database."""

    def __init__(self, data):
        self.connection = sqlite3.connect(f"file:{data}/yonder.db?mode=ro", uri=True, isolation_level=None)

    def __enter__(self):
        self.connection.execute("BEGIN")
        self.connection.execute("SELECT count(*) FROM message").fetchone()
        return self

    def __exit__(self, *_):
        self.connection.close()


def timed(work):
    began = time.monotonic()
    result = work()
    took = time.monotonic() - began
    assert took < SECONDS, f"it took {took:.1f} s"
    return result


def test_a_stop_a_command_and_a_start_beside_a_reader_end_at_once_and_lose_nothing(tmp_path):
    data = tmp_path / "data"
    with Server(data=data) as server:
        ada, (ben,) = party(server, ["Ben"])
        chat = ada.start_chat([ben])
        mine = ada.token()
        ada.send(chat, "Text", "before")
        with Reader(data):
            ada.send(chat, "Text", "behind the snapshot")
            assert timed(server.stop) == 0
            token = timed(lambda: server.command("user", "token", "--data", data, "Ben")).strip()
            assert timed(server.start)
            sent = Caller(server, token).messages(chat)["messages"]
            assert [message["content"] for message in sent] == ["before", "behind the snapshot"]
            Caller(server, mine).send(chat, "Text", "later")
            server.kill()
            # What a killed restore left goes with the next start, and the database stays.
            (data / "restoring.db").write_bytes(b"a whole copy")
            timed(server.start)
            assert not (data / "restoring.db").exists()
            Caller(server, mine).call("DELETE", f"/v1/chats/{chat}/messages/1")
            assert timed(server.stop) == 0
        server.start()
        sent = Caller(server, mine).messages(chat)["messages"]
        assert [message["content"] for message in sent[:3]] == ["", "behind the snapshot", "later"]
        assert server.stop() == 0
    assert (data / "yonder.db-wal").stat().st_size == 0 or b"before" not in (data / "yonder.db-wal").read_bytes()
