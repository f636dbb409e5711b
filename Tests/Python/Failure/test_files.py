"""Objects as files: large ones in little memory, and what is left of one that ends too early."""

import http.client
import select
import socket
import threading

from yonder import party, until

ROWS = 100_000
FIELDS = [{"name": "name", "type": "text"}, {"name": "note", "type": "text"}]
NOTE = "n" * 1_300
MEBIBYTE = 1024 * 1024


def owner_of(server, fields=FIELDS):
    owner, _ = party(server, [])
    owner.token()
    owner.post("/v1/entities", {"name": "cafe", "fields": fields})
    return owner


def count(owner):
    return owner.get("/v1/entities/cafe")["entity"]["count"]


def file_of(rows):
    """A table in pieces of a thousand rows."""
    yield b"name,note\r\n"
    for start in range(0, rows, 1000):
        yield "".join(f"N{number},{NOTE}\r\n" for number in range(start, min(rows, start + 1000))).encode()


def send(owner, pieces, **headers):
    """Sends a file in chunks; answers the status and the body."""
    headers = {"Authorization": f"Bearer {owner.bearer}", "Content-Type": "text/csv", **headers}
    connection = http.client.HTTPConnection("127.0.0.1", owner.server.port, timeout=600)
    try:
        connection.request("POST", "/v1/objects/cafe/import?format=csv", pieces, headers, encode_chunked=True)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def open_import(owner, length):
    """A connection on which the head of an import was sent."""
    client = socket.create_connection(("127.0.0.1", owner.server.port), timeout=120)
    head = (
        "POST /v1/objects/cafe/import?format=csv HTTP/1.1", "Host: localhost", f"Authorization: Bearer {owner.bearer}",
        "Content-Type: text/csv", length, "", "",
    )
    client.sendall("\r\n".join(head).encode())
    return client


def metrics(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def rows_of(owner, greatest):
    """The rows of an export as they come in, while the server's memory is watched."""
    connection = http.client.HTTPConnection("127.0.0.1", owner.server.port, timeout=600)
    connection.request("GET", "/v1/objects/cafe/export?format=csv", headers={"Authorization": f"Bearer {owner.bearer}"})
    answer = connection.getresponse()
    assert answer.status == 200 and next(answer) == b"id,name,note\r\n"
    for number, line in enumerate(answer):
        if number % 10_000 == 0:
            greatest.append(owner.server.resident_kilobytes())
        yield line.rstrip(b"\r\n").split(b",")
    connection.close()


def test_a_hundred_thousand_rows_go_in_and_out_in_little_memory(server):
    owner = owner_of(server)
    send(owner, file_of(2_000))
    before = server.resident_kilobytes()
    greatest = []

    def watched():
        for piece in file_of(ROWS):
            greatest.append(server.resident_kilobytes())
            yield piece

    status, body = send(owner, watched())
    assert status == 200 and f'"rows":{ROWS},"created":{ROWS}'.encode() in body, body[:300]
    assert count(owner) == ROWS + 2_000
    for number, row in enumerate(rows_of(owner, greatest)):
        assert row[1:] == [b"N%d" % (number if number < 2_000 else number - 2_000), NOTE.encode()]
    assert number == ROWS + 1_999
    # The file has 130 MB; the store keeps up to 70 MB of pages.
    assert max(greatest) - before < 96 * 1024, f"{before} kB, then up to {max(greatest)} kB"


def test_the_stored_rows_of_an_import_stay_after_a_kill(server, chance):
    owner = owner_of(server)
    aim = chance.randint(500, 5_000)

    def load():
        try:
            send(owner, file_of(ROWS))
        except (OSError, http.client.HTTPException):
            pass

    sender = threading.Thread(target=load)
    sender.start()
    until(lambda: count(owner) >= aim, what="some rows")
    server.kill()
    sender.join()

    server.start()
    kept = count(owner)
    assert kept >= aim
    names = [row[1] for row in rows_of(owner, [])]
    assert names == [b"N%d" % number for number in range(kept)], "the first rows, without a gap"
    assert b'"refused":0' in send(owner, file_of(10))[1]


def test_a_row_that_was_cut_off_is_not_kept(server):
    owner = owner_of(server)
    refused = 'yonder_http_requests_total{method="POST",route="/v1/objects/{entity}/import",status="400"}'
    bodies = [
        ("Content-Length: 1000", b"name,note\nA,1\nB,2\nC,cut"),
        ("Transfer-Encoding: chunked", b"18\r\nname,note\nA,1\nB,2\nC,cut\r\n"),
    ]
    for number, (length, text) in enumerate(bodies, start=1):
        with open_import(owner, length) as client:
            client.sendall(text)
        until(lambda: f"{refused} {number}" in metrics(owner.server), what="the end of the import")
    assert {row[2] for row in rows_of(owner, [])} <= {b"1", b"2"}


def test_a_file_without_end_is_refused_in_little_memory(server):
    owner = owner_of(server)
    before = server.resident_kilobytes()
    with open_import(owner, f"Content-Length: {257 * MEBIBYTE}") as client:
        assert client.recv(12) == b"HTTP/1.1 413", "refused by its length alone"

    chunk = b"100000\r\n" + b"x" * MEBIBYTE + b"\r\n"
    with open_import(owner, "Transfer-Encoding: chunked") as client:
        client.sendall(b"a\r\nname,note\n\r\n")
        sent = 0
        while not select.select([client], [], [], 0)[0]:
            client.sendall(chunk)
            sent += 1
            assert sent < 1_000, "it takes it all"
        assert client.recv(12) == b"HTTP/1.1 413"
    assert sent >= 256
    assert server.resident_kilobytes() - before < 24 * 1024
    assert count(owner) == 0
