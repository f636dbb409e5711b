#!/usr/bin/env python3
"""Objects from a file and into one: rows a second of the release build over HTTP on loopback, the database on disk.

    files.py [--rows 200000]
"""
import argparse
import http.client
import json
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
os.environ.setdefault("YONDER", str(ROOT / ".build/release/yonder"))
sys.path.insert(0, str(ROOT / "Tests/Python/Support"))

from yonder import Server, party  # noqa: E402

FIELDS = [{"name": "name", "type": "text"}, {"name": "rating", "type": "number"}, {"name": "at", "type": "location"}]


def table(rows):
    """A table in pieces of a thousand rows, made before anything is timed."""
    pieces = [b"name,rating,at\r\n"]
    for start in range(0, rows, 1000):
        lines = (
            f'Cafe number {row},{row % 50 / 10},"{row * 37 % 1700 / 10 - 85},{row * 91 % 3600 / 10 - 180}|Street {row}"\r\n'
            for row in range(start, min(rows, start + 1000))
        )
        pieces.append("".join(lines).encode())
    return pieces


def ask(owner, method, path, body=None, **headers):
    """The answer to a request, and how many seconds it took."""
    connection = http.client.HTTPConnection("127.0.0.1", owner.server.port, timeout=600)
    start = time.monotonic()
    connection.request(
        method, path, body, {"Authorization": f"Bearer {owner.bearer}", **headers}, encode_chunked=body is not None
    )
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    assert answer.status == 200, content
    return content, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    rows = parser.parse_args().rows
    with Server() as server:
        owner, _ = party(server, [])
        owner.token()
        owner.post("/v1/entities", {"name": "cafe", "fields": FIELDS})
        chunked = {"Content-Type": "text/csv", "Transfer-Encoding": "chunked"}
        content, seconds = ask(owner, "POST", "/v1/objects/cafe/import?format=csv", iter(table(rows)), **chunked)
        assert json.loads(content)["created"] == rows, content
        print(f"import of CSV: {rows / seconds:,.0f} rows/s")
        for form in ("csv", "geojson"):
            content, seconds = ask(owner, "GET", f"/v1/objects/cafe/export?format={form}")
            print(f"export of {form}: {rows / seconds:,.0f} rows/s, {len(content) / seconds / 1e6:.0f} MB/s")


if __name__ == "__main__":
    main()
