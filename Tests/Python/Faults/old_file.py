"""A data folder as the version before this round of changes left it, made with nothing but `sqlite3`.

Its schema stands here as that version wrote it (`user_version` 3). So a test needs no old program, and a change of the
schema shows as a migration of this file.
"""

import base64
import hashlib
import os
import pathlib
import sqlite3
import time

SCHEMA = """
CREATE TABLE account (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, avatar TEXT, login TEXT UNIQUE,
    password TEXT, isOperator INTEGER NOT NULL, created INTEGER NOT NULL
) STRICT;
CREATE INDEX accountByAge ON account (created, id);
CREATE TABLE contact (
    user INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (user, other)
) WITHOUT ROWID, STRICT;
CREATE TABLE invitation (
    secret BLOB PRIMARY KEY, sender INTEGER NOT NULL, created INTEGER NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX invitationBySender ON invitation (sender, expires);
CREATE TABLE credential (
    secret BLOB PRIMARY KEY, kind TEXT NOT NULL, user INTEGER NOT NULL, label TEXT NOT NULL,
    created INTEGER NOT NULL, expires INTEGER
) WITHOUT ROWID, STRICT;
CREATE INDEX credentialByUser ON credential (user);
CREATE TABLE chat (
    id INTEGER PRIMARY KEY, isOneToOne INTEGER NOT NULL, subject TEXT NOT NULL,
    first INTEGER NOT NULL, created INTEGER NOT NULL
) STRICT;
CREATE TABLE pair (
    one INTEGER NOT NULL, other INTEGER NOT NULL, chat INTEGER NOT NULL,
    PRIMARY KEY (one, other)
) WITHOUT ROWID, STRICT;
CREATE TABLE started (
    creator INTEGER NOT NULL, key BLOB NOT NULL, chat INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL, PRIMARY KEY (creator, key)
) WITHOUT ROWID, STRICT;
CREATE TABLE participant (
    chat INTEGER NOT NULL, user INTEGER NOT NULL, place INTEGER NOT NULL, role TEXT NOT NULL,
    color INTEGER NOT NULL, isPresent INTEGER NOT NULL, PRIMARY KEY (chat, user)
) WITHOUT ROWID, STRICT;
CREATE INDEX participantByUser ON participant (user, chat) WHERE isPresent;
CREATE TABLE span (
    chat INTEGER NOT NULL, user INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER,
    PRIMARY KEY (chat, user, first)
) WITHOUT ROWID, STRICT;
CREATE TABLE message (
    chat INTEGER NOT NULL, number INTEGER NOT NULL, sender INTEGER NOT NULL, tag TEXT NOT NULL,
    content BLOB NOT NULL, data BLOB, time INTEGER NOT NULL, expires INTEGER,
    isRecalled INTEGER NOT NULL DEFAULT 0, key BLOB, fingerprint INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (chat, number)
) WITHOUT ROWID, STRICT;
CREATE UNIQUE INDEX messageByKey ON message (chat, sender, key);
CREATE INDEX messageByTag ON message (chat, tag, number);
CREATE INDEX messageBySender ON message (chat, sender, tag, number);
CREATE INDEX messageToExpire ON message (expires, chat, number)
    WHERE expires IS NOT NULL AND (content <> x'' OR data IS NOT NULL);
CREATE TABLE recent (
    id INTEGER PRIMARY KEY, chat INTEGER NOT NULL, number INTEGER NOT NULL, sender INTEGER NOT NULL,
    tag TEXT NOT NULL, content BLOB NOT NULL, data BLOB, time INTEGER NOT NULL, expires INTEGER,
    key BLOB NOT NULL, fingerprint INTEGER NOT NULL
) STRICT;
CREATE TABLE entity (
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, readers TEXT NOT NULL,
    fields BLOB NOT NULL, count INTEGER NOT NULL, created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT;
CREATE TABLE removedEntity (number INTEGER PRIMARY KEY) STRICT;
CREATE TABLE object (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL UNIQUE,
    entity INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
    latitude INTEGER, longitude INTEGER, fields BLOB NOT NULL
) STRICT;
CREATE INDEX objectByEntity ON object (entity);
CREATE TABLE reference (
    target INTEGER NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (target, source)
) WITHOUT ROWID, STRICT;
CREATE INDEX referenceBySource ON reference (source);
CREATE TABLE signingKey (
    id TEXT PRIMARY KEY, secret TEXT NOT NULL, name TEXT NOT NULL, rights TEXT NOT NULL,
    created INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
PRAGMA user_version = 3;
"""

ADA, BEN, CHAT = 1001, 1002, 2001


class OldFolder:
    """The folder, with two people, one chat and an entity, and the tokens of both people."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, mode=0o700)
        self.database = self.folder / "yonder.db"
        self.now = int(time.time() * 1000) - 86_400_000
        self.tokens = []
        self.connection = sqlite3.connect(self.database, isolation_level=None)
        self.connection.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF;" + SCHEMA
        )
        self.connection.execute("BEGIN")
        self.add_people()
        self.connection.execute(
            "INSERT INTO entity (name, readers, fields, count, created, updated) VALUES ('cafe', 'members', ?, 0, ?, ?)",
            (b'[{"name":"name","type":"text","required":true},{"name":"at","type":"location"}]', self.now, self.now),
        )
        self.connection.execute("COMMIT")

    def add_people(self):
        execute = self.connection.execute
        for user, name in [(ADA, "Ada"), (BEN, "Ben")]:
            secret = os.urandom(32)
            self.tokens.append(base64.urlsafe_b64encode(secret).rstrip(b"=").decode())
            execute("INSERT INTO account VALUES (?, ?, NULL, NULL, NULL, NULL, ?, ?)", (user, name, user == ADA, self.now))
            execute("INSERT INTO credential VALUES (?, 'token', ?, 'test', ?, NULL)",
                    (hashlib.sha256(secret).digest(), user, self.now))
            execute("INSERT INTO contact VALUES (?, ?)", (user, ADA + BEN - user))
        execute("INSERT INTO chat VALUES (?, 0, 'Walk', 1, ?)", (CHAT, self.now))
        for place, user in enumerate((ADA, BEN)):
            execute("INSERT INTO participant VALUES (?, ?, ?, ?, ?, 1)",
                    (CHAT, user, place, "owner" if user == ADA else "member", place))
            execute("INSERT INTO span VALUES (?, ?, 1, NULL)", (CHAT, user))

    def message(self, number, content, recalled=False):
        """A message where readers look."""
        self.connection.execute(
            "INSERT INTO message VALUES (?, ?, ?, 'Text', ?, NULL, ?, NULL, ?, ?, 7)",
            (CHAT, number, ADA, content, self.now, recalled, f"old-{number}".encode()),
        )

    def recent(self, number, content):
        """A message where it was appended."""
        self.connection.execute(
            "INSERT INTO recent (chat, number, sender, tag, content, data, time, expires, key, fingerprint) "
            "VALUES (?, ?, ?, 'Text', ?, NULL, ?, NULL, ?, 7)",
            (CHAT, number, BEN, content, self.now, f"old-{number}".encode()),
        )

    def recall(self, number):
        """As the old version did it: the bytes stay in the page's free space or on free pages."""
        self.connection.execute(
            "UPDATE message SET content = x'', data = NULL, isRecalled = 1 WHERE chat = ? AND number = ?", (CHAT, number),
        )

    def drop_recent(self):
        """As the old version did it once the messages had been moved."""
        self.connection.execute("DELETE FROM recent")

    def close(self):
        """Leaves the log as it is, like a process that was killed."""
        copies = {name: name.read_bytes() for name in self.folder.iterdir() if not name.name.endswith("-shm")}
        self.connection.close()
        for name, content in copies.items():
            name.write_bytes(content)


def folder_for_faults(folder):
    """An old folder with settled and unsettled messages, and what a workload knows of it."""
    from ledger import ChatLog, Objects, Wish

    old = OldFolder(folder)
    log = ChatLog(str(CHAT))
    old.connection.execute("BEGIN")
    for number in range(1, 121):
        content = f"[old-{number}]" + (number % 7) * 200 * "y"
        (old.message if number <= 80 else old.recent)(number, content.encode())
        key = f"old-{number}"
        sender = 0 if number <= 80 else 1
        wish = Wish({"type": "send", "key": key, "chat": str(CHAT), "tag": "Text", "content": content}, sender)
        log.add(wish)
        log.acknowledge(key, number)
    old.connection.execute("COMMIT")
    old.close()
    return {
        "tokens": old.tokens, "users": [str(ADA), str(BEN)], "old": str(CHAT), "young": str(CHAT),
        "chats": {str(CHAT): log}, "starting": {}, "objects": Objects(), "newest_object": None, "good": {},
        "ended": set(), "cookies": [], "count": 1000, "refused": 0,
    }
