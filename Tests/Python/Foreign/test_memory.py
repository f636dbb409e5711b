"""What a flood leaves behind."""

import resource
import socket

import pytest
from yonder import AS_NODE, Server, until

pytestmark = pytest.mark.skipif(AS_NODE, reason="it measures one process")

# How many connections the flood opens: together they take over 100 MB.
CONNECTIONS = 3_000


def resident(server):
    """The server's resident memory in MB."""
    with open(f"/proc/{server.process.pid}/statm", encoding="ascii") as fields:
        return int(fields.read().split()[1]) * resource.getpagesize() / 1e6


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
