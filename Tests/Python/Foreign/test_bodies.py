"""Bodies of requests: a client that waits for the permission to send, one that sends too slowly, and one that opens too many."""

import json
import re
import socket
import time

import pytest
from yonder import AS_NODE, Server, until

pytestmark = pytest.mark.skipif(AS_NODE, reason="the server is started with settings of its own")


class Raw:
    """A connection that sends what it is told, byte by byte."""

    def __init__(self, server, token=None):
        self.host = f"127.0.0.1:{server.port}"
        self.token = token
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def begin(self, method, path, length, *more):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}", f"Content-Length: {length}",
                 "Content-Type: application/json", *more]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        self.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        return self

    def send(self, data):
        self.socket.sendall(data)

    def head(self):
        """The head of the next answer."""
        received = b""
        while b"\r\n\r\n" not in received:
            more = self.socket.recv(1)
            if not more:
                break
            received += more
        return received.decode()

    def skip(self, length):
        """Receives as many bytes of a body."""
        while length:
            length -= len(self.socket.recv(length))

    def is_ended(self):
        try:
            return self.socket.recv(65_536) == b""
        except ConnectionResetError:
            return True


@pytest.fixture(scope="module")
def server():
    with Server(["--max-uploads", "3"]) as server:
        yield server


@pytest.fixture(scope="module")
def token(server):
    return server.owner().token()


def test_a_client_that_expects_100_continue_gets_it_once_its_request_is_allowed(server, token):
    body = json.dumps({"name": "Ada"}).encode()
    with Raw(server, token) as client:
        client.begin("PATCH", "/v1/me", len(body), "Expect: 100-continue")
        assert client.head().startswith("HTTP/1.1 100 ")
        client.send(body)
        assert client.head().startswith("HTTP/1.1 200 ")
    with Raw(server) as stranger:
        stranger.begin("PATCH", "/v1/me", len(body), "Expect: 100-continue")
        assert stranger.head().startswith("HTTP/1.1 401 ")


def test_a_request_that_follows_another_at_once_gets_its_100(server, token):
    body = json.dumps({"name": "Ada"}).encode()
    for _ in range(100):
        with Raw(server, token) as client:
            first = f"GET /health HTTP/1.1\r\nHost: {client.host}\r\n\r\n"
            second = (f"PATCH /v1/me HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n"
                      f"Content-Type: application/json\r\nAuthorization: Bearer {token}\r\n\r\n")
            client.send((first + second).encode())
            head = client.head()
            assert head.startswith("HTTP/1.1 200 ")
            client.skip(int(re.search(r"(?i)content-length: (\d+)", head)[1]))
            assert client.head().startswith("HTTP/1.1 100 ")
            client.send(body)
            assert client.head().startswith("HTTP/1.1 200 ")


def test_a_client_that_sends_its_body_at_once_gets_no_100(server, token):
    body = json.dumps({"name": "Ada"}).encode()
    with Raw(server, token) as client:
        client.begin("PATCH", "/v1/me", len(body))
        client.send(body)
        assert client.head().startswith("HTTP/1.1 200 ")


def test_a_body_at_a_byte_a_second_ends_the_connection(server, token):
    with Raw(server, token) as client:
        client.begin("PATCH", "/v1/me", 1_000)
        client.socket.settimeout(1)
        began = time.monotonic()
        while time.monotonic() - began < 40:
            try:
                client.send(b" ")
                if client.is_ended():
                    break
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
        assert 8 < time.monotonic() - began < 40


def test_a_person_has_so_many_open_bodies_and_others_have_theirs(server, token):
    others = server.sign_in(
        server.command("user", "add", "--data", server.data, "--name", "Ben", "--login", "ben").split()[1]).token()

    def answer(token):
        """The status of a request whose body comes at once."""
        with Raw(server, token) as client:
            client.begin("PATCH", "/v1/me", 14).send(b'{"name":"Eve"}')
            return client.head().split()[1]

    open_ones = [Raw(server, token).begin("PATCH", "/v1/me", 100, "Expect: 100-continue") for _ in range(3)]
    for client in open_ones:
        assert client.head().startswith("HTTP/1.1 100 ")
    with Raw(server, token) as fourth:
        fourth.begin("PATCH", "/v1/me", 100, "Expect: 100-continue")
        assert fourth.head().startswith("HTTP/1.1 429 ")
    assert answer(others) == "200"
    for client in open_ones:
        client.socket.close()
    until(lambda: answer(token) == "200", 30, "room for a body again")
