"""A data folder full of users and chats, for the generator: made by the server, filled past it.

| who and what | |
|---|---|
| users | 10 000; the token of user `{i5}` is `TOKEN` |
| `ROOM` | one chat of the first 1 000 |
| `FIVES` + `{room}` | 1 000 chats of five: user `{i}` below 5 000 is in chat `{i}` mod 1 000 |
| `TENS` + `{room}` | 1 000 chats of ten, likewise |
| `OWNED` + `{spread}` | 1 000 chats of user `{spread}` and of user `{spread}` mod 50 |
"""
import base64
import hashlib
import http.client
import os
import pathlib
import sqlite3
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
USERS = 10_000
ROOM = "1000000"
FIVES, TENS, OWNED = "2000", "3000", "4000"
# A token is 32 bytes in base64url; the last letter carries two bits too many, which must be zero.
TOKEN = "A" * 37 + "{i5}" + "A"
FIRST_USER = 500_000


def program():
    return os.environ.get("YONDER", str(ROOT / ".build/release/yonder"))


# The generator is one person who writes more than any. A variable, as versions before the limits know no such flag.
for limit in ("MESSAGE", "BYTE", "OBJECT"):
    os.environ.setdefault(f"YONDER_{limit}_RATE", "0")


def serve_command(data, port):
    """Serves a folder, with no limit in the generator's way."""
    return [program(), "serve", "--data", str(data), "--port", str(port), "--threads", "1", "--log-level", "error",
            "--world-rate", "1000000", "--max-in-flight", "100000"]


def make(folder):
    """Makes the folder and answers it."""
    initialize(folder)
    with sqlite3.connect(folder / "yonder.db") as database:
        fill(database)
    database.close()
    return folder


def initialize(folder, port=4119):
    """Lets the server make its folder, and stops it again."""
    server = subprocess.Popen(serve_command(folder, port), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        until_ready(server, port)
    finally:
        server.terminate()
        server.wait(30)


def until_ready(server, port):
    end = time.monotonic() + 60
    while time.monotonic() < end and server.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/ready")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.02)
        finally:
            connection.close()
    raise RuntimeError("the server doesn't get ready")


def token_hash(user):
    token = TOKEN.replace("{i5}", f"{user:05}")
    return hashlib.sha256(base64.urlsafe_b64decode(token + "=")).digest()


def fill(database):
    """Writes users, tokens and chats."""
    now = int(time.time() * 1000)
    database.executemany(
        "INSERT INTO account (id, name, is_operator, created) VALUES (?, ?, 0, ?)",
        ((FIRST_USER + user, f"User {user}", now) for user in range(USERS)),
    )
    database.executemany(
        "INSERT INTO credential (secret, kind, person, label, created) VALUES (?, 'token', ?, 'bench', ?)",
        ((token_hash(user), FIRST_USER + user, now) for user in range(USERS)),
    )
    for chat, users in chats():
        add_chat(database, chat, users, now)


def chats():
    """Pairs of a chat and its users."""
    yield ROOM, range(1_000)
    for room in range(1_000):
        yield FIVES + str(room), range(room, 5_000, 1_000)
        yield TENS + str(room), range(room, USERS, 1_000)
        yield OWNED + str(room), sorted({room, room % 50})


def add_chat(database, chat, users, now):
    database.execute(
        "INSERT INTO chat (id, one_to_one, subject, first, created) VALUES (?, 0, '', 1, ?)", (int(chat), now)
    )
    for place, user in enumerate(users):
        role = "member" if place else "owner"
        database.execute(
            "INSERT INTO participant (chat, person, place, role, color, is_present) VALUES (?, ?, ?, ?, ?, 1)",
            (int(chat), FIRST_USER + user, place, role, place),
        )
        database.execute(
            "INSERT INTO span (chat, person, first) VALUES (?, ?, 1)", (int(chat), FIRST_USER + user)
        )
