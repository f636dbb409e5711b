"""SIGTERM ends the server within seconds and with 0, whatever its clients have left unfinished."""

import asyncio
import http.client
import socket
import ssl
import threading
import time

import pytest
from crowd import anonymous_stream, half_body, half_head, idle, polling
from stream import BROKEN, Stream
from test_tls import SecureServer, write_certificate
from yonder import Caller, limit, party, until

# What is incomplete is cut after two seconds. A server that waits for a client is killed after a minute, and ends with -9.
SECONDS = limit(3)


def connect(server, sent):
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=120)
    connection.sendall(sent)
    return connection


def receive_until(connection, what):
    received = b""
    while what not in received:
        piece = connection.recv(65_536)
        assert piece, received
        received += piece
    return received


def end(server):
    """Ends the server; answers its status and how long that took."""
    began = time.monotonic()
    status = server.stop()
    took = time.monotonic() - began
    print(f"ended with {status} after {took:.2f} s")
    return status, took


@pytest.mark.parametrize("kind", [idle, half_head, half_body, anonymous_stream, polling], ids=lambda kind: kind.__name__)
def test_an_incomplete_request_ends_within_three_seconds(server, kind):
    connections = [connect(server, kind(server.port)) for _ in range(10)]
    if kind is polling:
        for connection in connections:
            sid = receive_until(connection, b'"maxPayload"').split(b'"sid":"')[1].split(b'"')[0]
            poll = b"GET /socket.io/?EIO=4&transport=polling&sid=" + sid + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
            connection.sendall(poll)
    Caller(server).get("/health")
    status, took = end(server)
    assert status == 0
    assert took < SECONDS
    for connection in connections:
        connection.close()


def test_a_half_sent_file_ends_within_three_seconds_and_leaves_nothing(server):
    owner, _ = party(server, [])
    owner.token()
    owner.post("/v1/entities", {"name": "cafe", "fields": [{"name": "name", "type": "text"}]})
    head = (
        f"POST /v1/objects/cafe/import?format=csv HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {owner.bearer}\r\n"
        "Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nname\r\n\r\n"
    )
    connection = connect(server, head.encode())
    Caller(server).get("/health")
    status, took = end(server)
    assert status == 0
    assert took < SECONDS
    connection.close()


def test_a_reader_who_stopped_does_not_hold_the_server(server):
    """An answer that nobody takes is complete as a request: it has six seconds, and the server still ends with 0."""
    owner, _ = party(server, [])
    owner.token()
    owner.post("/v1/entities", {"name": "cafe", "fields": [{"name": "name", "type": "text"}]})
    rows = "name\r\n" + "".join(f"{'n' * 1_000}{number}\r\n" for number in range(20_000))
    status, _, _ = send_file(owner, rows)
    assert status == 200
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(
        f"GET /v1/objects/cafe/export?format=csv HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {owner.bearer}\r\n\r\n".encode()
    )
    assert connection.recv(12) == b"HTTP/1.1 200"
    status, took = end(server)
    assert status == 0
    assert took < limit(12)
    connection.close()


def send_file(owner, text):
    connection = http.client.HTTPConnection("127.0.0.1", owner.server.port, timeout=600)
    headers = {"Authorization": f"Bearer {owner.bearer}", "Content-Type": "text/csv"}
    connection.request("POST", "/v1/objects/cafe/import?format=csv", text.encode(), headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def test_clients_of_tls_that_never_say_goodbye_do_not_hold_the_server(tmp_path):
    with SecureServer(*write_certificate(tmp_path, "used", 1)) as server:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connections = []
        for kind in [idle, half_head, half_body, anonymous_stream]:
            plain = socket.create_connection(("127.0.0.1", server.port), timeout=120)
            connections.append(context.wrap_socket(plain))
            connections[-1].sendall(kind(server.port))
        # One that never even began to speak TLS.
        connections.append(socket.create_connection(("127.0.0.1", server.port), timeout=120))
        assert server.get("/health").status == 200
        status, took = end(server)
        assert status == 0
        assert took < SECONDS


def test_a_server_under_load_ends_at_once_with_everything_acknowledged(server):
    ada, (ben,) = party(server, ["Ben"])
    chat, tokens = ada.start_chat([ben]), [ada.token(), ben.token()]
    acknowledged, counts = [], [0]

    async def talk(token, name):
        try:
            stream = await Stream.open(server, token)
            for number in range(1_000_000):
                sent = await stream.send(chat, f"{name}-{number}", content=f"{name} {number}")
                acknowledged.append((sent["number"], f"{name} {number}"))
                counts[0] += 1
        except BROKEN:
            pass

    async def all_talk():
        await asyncio.gather(*(talk(tokens[number % 2], f"n{number}") for number in range(10)))

    loud = threading.Thread(target=lambda: asyncio.run(all_talk()), daemon=True)
    loud.start()
    connections = [connect(server, kind(server.port)) for kind in [idle, half_head, half_body, anonymous_stream] * 5]
    until(lambda: counts[0] >= 200, what="messages that were acknowledged")
    status, took = end(server)
    loud.join(60)
    assert status == 0
    assert took < SECONDS
    for connection in connections:
        connection.close()
    server.start()
    for number, content in sorted(acknowledged)[-20:]:
        assert ada.get(f"/v1/chats/{chat}/messages/{number}")["message"]["content"] == content
