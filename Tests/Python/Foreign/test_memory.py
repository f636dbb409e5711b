"""What a flood leaves behind."""

import os
import resource
import socket
import time

import pytest
from yonder import AS_NODE, Server, until

# How many connections the flood opens: together they take over 100 MB.
CONNECTIONS = 3_000


def resident(server):
    """The server's resident memory in MB."""
    with open(f"/proc/{server.process.pid}/statm", encoding="ascii") as fields:
        return int(fields.read().split()[1]) * resource.getpagesize() / 1e6


@pytest.mark.skipif(AS_NODE, reason="a node has connections of its own to its database and its bus")
def test_memory_is_given_back_within_two_minutes_after_a_flood():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    connections = []
    try:
        with Server() as server:
            request = f"GET /v1/me HTTP/1.1\r\nHost: yonder\r\nAuthorization: Bearer {server.owner().token()}\r\n\r\n"
            before = resident(server)
            for index in range(CONNECTIONS):
                source = (f"127.0.0.{2 + index % 100}", 0)
                connection = socket.create_connection(("127.0.0.1", server.port), timeout=60, source_address=source)
                connections.append(connection)
                connection.sendall(request.encode())
            for connection in connections:
                assert connection.recv(1_000).startswith(b"HTTP/1.1 200 ")
            assert resident(server) > before + 60
            for connection in connections:
                connection.close()
            until(lambda: resident(server) < before + 30, what="memory near that before the flood")
    finally:
        for connection in connections:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("head", [
    # Answered at the server's ping; the answer, and the connection with it, waits until then.
    "GET /socket.io/?EIO=3&transport=polling&sid={sid} HTTP/1.1\r\nHost: x",
    "GET /socket.io/?EIO=3&transport=polling&sid={sid} HTTP/1.0\r\nHost: x",
    # Refused at once, and what follows is read for two seconds.
    "GET /health HTTP/1.1",
], ids=["an-answer-that-waits", "an-answer-that-waits-1.0", "a-refusal"])
def test_bytes_behind_a_request_for_an_upgrade_that_isnt_made_are_neither_kept_nor_read_without_end(head):
    with Server() as server:
        line = Line(server, 0)
        sid = line.shake_hands()
        # The first poll fetches that the world was entered; the next one waits.
        assert line.ask("GET", "&sid=" + sid)[0] == 200
        fields = head.format(sid=sid) + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        before = anonymous(server)
        with socket.create_connection(("127.0.0.1", server.port), timeout=3) as connection:
            connection.sendall(fields.encode())
            try:
                for _ in range(400):
                    connection.sendall(bytes(2**20))
            except (TimeoutError, ConnectionError):
                pass
            assert anonymous(server) - before < 32 * 2**20
        line.close()


def test_a_refused_connection_that_its_client_has_closed_keeps_nothing():
    request = b"GET /health HTTP/1.1\r\nHost: x\r\nUpgrade: " + b"x" * 29_000 + b"\r\n\r\n"
    with Server() as server:
        before = anonymous(server)
        # Faster than the two seconds for which a refused client may read its answer.
        for _ in range(1_500):
            with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
                connection.sendall(request)
                assert connection.recv(1_000).startswith(b"HTTP/1.1 431 ")
        assert anonymous(server) - before < 16 * 2**20


# How many handshakes there are, from how many addresses: `make test-handshakes` has 100 000 from 100.
HANDSHAKES = int(os.environ.get("HANDSHAKES", 2_000))
ADDRESSES = 100

# How many sessions have acknowledgements wait, from as many addresses, and for how many packets each: nearly as many as one may.
WAITING = max(100, HANDSHAKES // 66)
ACKNOWLEDGEMENTS = 4_500

# The most memory, in bytes, that a flood may add.
ALLOWED = 64 * 2**20


def anonymous(server):
    """The server's memory that isn't a file's, in bytes."""
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1_024 for line in lines if line.startswith("RssAnon"))


class Line:
    """A connection of an address that is kept for many requests, many of them under way at once."""

    def __init__(self, server, number):
        source = (f"127.0.{1 + number // 250}.{1 + number % 250}", 0)
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=60, source_address=source)
        self.answers = self.socket.makefile("rb")

    def send(self, method, query, body=b""):
        head = f"{method} /socket.io/?EIO=3&transport=polling{query} HTTP/1.1\r\nHost: yonder\r\nContent-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)

    def receive(self):
        """The status and the body of the next answer."""
        status = int(self.answers.readline().split()[1])
        length = 0
        while (line := self.answers.readline().lower()) != b"\r\n":
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, self.answers.read(length)

    def ask(self, method, query, body=b""):
        self.send(method, query, body)
        return self.receive()

    def shake_hands(self):
        """Begins a session; returns its key."""
        status, body = self.ask("GET", "")
        assert status == 200
        return body.split(b'"sid":"')[1].split(b'"')[0].decode()

    def close(self):
        self.answers.close()
        self.socket.close()


def flooding(server, act):
    """Has each address do something, and returns how much memory that added."""
    lines = [Line(server, number) for number in range(ADDRESSES)]
    try:
        for line in lines:
            line.ask("GET", "")
        before = anonymous(server)
        act(lines)
        return anonymous(server) - before
    finally:
        for line in lines:
            line.close()


def report(what, added, seconds):
    print(f"{what}: {added / 2**20:+.1f} MiB in {seconds:.0f} s")
    assert added < ALLOWED, f"{what} added {added / 2**20:.0f} MiB"


@pytest.mark.parametrize("polls", [False, True], ids=["never-polled", "polled-once"])
def test_handshakes_take_no_memory_that_grows_with_their_number(polls):
    """EIO 3 enters the world by itself, with the first request after the handshake."""

    def shake_hands(lines):
        for _ in range(HANDSHAKES // ADDRESSES):
            for line in lines:
                line.send("GET", "")
            for line in lines:
                status, body = line.receive()
                assert status == 200
                if polls:
                    line.send("GET", "&sid=" + body.split(b'"sid":"')[1].split(b'"')[0].decode())
            for line in lines if polls else []:
                assert line.receive() == (200, b"2:40")

    with Server() as server:
        begin = time.monotonic()
        added = flooding(server, shake_hands)
        report(f"{HANDSHAKES} handshakes, {'polled once' if polls else 'never polled'}", added, time.monotonic() - begin)


def test_acknowledgements_that_nobody_fetches_are_bounded_together():
    body = b'8:420["a"]' * ACKNOWLEDGEMENTS

    def leave_waiting(lines):
        for number in range(WAITING):
            line = lines[number % ADDRESSES]
            key = line.shake_hands()
            status, _ = line.ask("POST", f"&sid={key}", body)
            assert status in (200, 400)

    with Server() as server:
        begin = time.monotonic()
        added = flooding(server, leave_waiting)
        report(f"{WAITING} sessions with {ACKNOWLEDGEMENTS} acknowledgements each", added, time.monotonic() - begin)


def test_an_address_that_floods_displaces_only_its_own_sessions():
    with Server() as server:
        single = Line(server, 200)
        flood = Line(server, 201)
        try:
            key = single.shake_hands()
            assert single.ask("GET", f"&sid={key}") == (200, b"2:40")
            first = flood.shake_hands()
            for _ in range(2_000):
                flood.shake_hands()
            assert flood.ask("GET", f"&sid={first}")[0] == 400
            assert single.ask("POST", f"&sid={key}", b"1:2") == (200, b"ok")
            assert single.ask("GET", f"&sid={key}")[0] == 200
        finally:
            single.close()
            flood.close()
