#!/usr/bin/env python3
"""Makes yonder.db.xz beside this file: a database as the program of version 0.1.0 left it, with 200 messages in the chat *Kept*.

    Tests/Fixtures/data-0.1.0/make.py COMMIT       the commit of 0.1.0

The schema is that of the commit: its migrations are run, one after the other, over rows of before the fourth.
"""
import lzma
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Python/Faults"))
from old_file import CHAT, OldFolder  # noqa: E402

MIGRATIONS = "Sources/YonderStorage/SQLiteStore+Migrations.swift"


def migrations(commit):
    text = subprocess.check_output(["git", "show", f"{commit}:{MIGRATIONS}"], cwd=HERE, text=True)
    found = re.findall(r'Migration\(\s*sql: (?:"""\n(.*?)\n\s*"""|"([^"\n]*)")', text, re.DOTALL)
    return [textwrap.dedent(long) or short for long, short in found]


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "data"
        old = OldFolder(folder)
        old.connection.execute("UPDATE chat SET subject = 'Kept' WHERE id = ?", (CHAT,))
        for number in range(200):
            (old.message if number < 150 else old.recent)(number + 1, f"message {number}".encode())
        steps = migrations(sys.argv[1])
        [done] = old.connection.execute("PRAGMA user_version").fetchone()
        for step in steps[done:]:
            old.connection.executescript(step)
        old.connection.execute(f"PRAGMA user_version = {len(steps)}")
        old.connection.close()
        with sqlite3.connect(folder / "yonder.db") as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("PRAGMA journal_mode = DELETE")
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert database.execute("SELECT count(*) FROM message").fetchone() == (200,)
        (HERE / "yonder.db.xz").write_bytes(lzma.compress((folder / "yonder.db").read_bytes(), preset=9))


if __name__ == "__main__":
    main()
