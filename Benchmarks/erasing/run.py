#!/usr/bin/env python3
"""What erasing costs a large database: the one rewriting of a file of version 0.0, and the one reading of all its pages.

    YONDER=.build/release/yonder Benchmarks/erasing/run.py --gigabytes 1

A database is filled with messages of 400 bytes, half of which were recalled without overwriting them; the server is started
on it and rewrites it, and then reads all of it once, beside its work. Both are in its log.
"""
import argparse
import pathlib
import re
import sqlite3
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Tests/Python/Support")]

import yonder  # noqa: E402


def fill(path, size):
    """Adds chats of 1 000 messages to an old database until it has `size` bytes."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA secure_delete = OFF")
    text = b"some words that people write, " * 13
    chat = 10_000
    while path.stat().st_size < size:
        rows = [(chat, n, 1, "Text", text, 0, f"{chat} {n}".encode()) for n in range(1, 1_001)]
        database.executemany(
            "INSERT INTO message (chat, number, sender, tag, content, time, key) VALUES (?, ?, ?, ?, ?, ?, ?)", rows
        )
        database.execute("INSERT INTO chat VALUES (?, 0, '', 1, 0)", (chat,))
        database.execute(
            "UPDATE message SET content = x'', isRecalled = 1 WHERE chat = ? AND number % 2 = 0", (chat,)
        )
        database.commit()
        chat += 1
    database.close()


def since(server, begin, pattern):
    """Seconds from `begin` until a line of the server's log has `pattern`."""
    yonder.until(lambda: re.search(pattern, server.errors), seconds=900, what=pattern)
    return time.monotonic() - begin


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--gigabytes", type=float, default=1)
    size = int(options.parse_args().gigabytes * (1 << 30))
    with tempfile.TemporaryDirectory(prefix="yonder-erasing-") as folder:
        data = pathlib.Path(folder) / "data"
        server = yonder.Server(arguments=["--log-level", "debug"], data=data)
        server.start()
        server.owner()
        server.stop()
        make_old(data / "yonder.db")
        fill(data / "yonder.db", size)
        begin = time.monotonic()
        server.start()
        before = (data / "yonder.db").stat().st_size
        print(f"rewritten and listening after {time.monotonic() - begin:.1f} s; {before / (1 << 20):.0f} MiB now")
        print(f"all pages were read after {since(server, begin, 'All pages of the database were read'):.1f} s")
        server.stop()
        for line in server.errors.splitlines():
            if "rewritten" in line or "were read" in line or "left the files" in line:
                print(" ", line)


def make_old(path):
    """Takes from a new database what the first version hadn't."""
    database = sqlite3.connect(path)
    version = database.execute("PRAGMA user_version").fetchone()[0]
    database.execute("UPDATE upkeep SET value = 0 WHERE name = 'cleaned'")
    database.commit()
    database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    print(f"schema {version}, as if its content had never been cleaned")


if __name__ == "__main__":
    main()
