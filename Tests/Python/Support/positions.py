"""Fills a chat with positions past the server, so that a test or a benchmark has many of them in seconds."""

import json
import math
import random
import sqlite3

# Positions are from the last twenty days: a chat keeps them for thirty.
DAYS = 20


def fill(server, chat, people, count, now, seed=1):
    """Stops the server, writes `count` positions of the people in turn into the chat, and starts it again.

    Each person walks through Oslo, stays at home now and then, and reports as often as fits into the last days. Answers each position as
    `(number, sender, latitude, longitude, timestamp)`.
    """
    server.stop()
    database = sqlite3.connect(server.data / "yonder.db")
    first = database.execute("SELECT max(number) FROM message WHERE chat = ?", (int(chat),)).fetchone()[0]
    first = (first or 0) + 1
    walks = [Walk(random.Random(seed * 1_000 + index)) for index in range(len(people))]
    begin, step = now - DAYS * 86_400_000, DAYS * 86_400_000 / count
    made, rows = [], []
    for index in range(count):
        number, time = first + index, int(begin + index * step)
        latitude, longitude = walks[index % len(people)].next()
        data = {"latitude": f"{latitude:.6f}", "longitude": f"{longitude:.6f}", "timestamp": time}
        sender = int(people[index % len(people)].user)
        rows.append((int(chat), number, sender, "Location", b"", json.dumps(data).encode(), time, f"filled {number}".encode()))
        made.append((number, str(sender), float(data["latitude"]), float(data["longitude"]), time))
    database.executemany("INSERT INTO message (chat, number, sender, tag, content, data, time, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    database.commit()
    database.close()
    server.start()
    return made


def fill_at_once(database, chat, users, count, now):
    """Writes `count` positions of the users in turn into a stopped server's database: a million in some 12 s.

    All go along one line, with the fields that the page sends.
    """
    step = DAYS * 86_400_000 // count
    opened = sqlite3.connect(database)
    # It is a test's: if the machine fails, so does the test.
    opened.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; CREATE TEMP TABLE sender (place INTEGER PRIMARY KEY, id)")
    opened.executemany("INSERT INTO sender VALUES (?, ?)", enumerate(int(user) for user in users))
    first = opened.execute("SELECT max(number) FROM message WHERE chat = ?", (int(chat),)).fetchone()[0] or 0
    opened.execute(
        """
        WITH RECURSIVE step(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < :count)
        INSERT INTO message (chat, number, sender, tag, content, data, time, key)
        SELECT :chat, :first + n, (SELECT id FROM sender WHERE place = n % :users), 'Location', x'', CAST(printf(
            '{"latitude":"%.6f","longitude":"%.6f","timestamp":%d,"accuracy":"12.5","course":"181.3","speed":"1.4"}',
            59.9 + n % 1000 * 1e-5, 10.7 + n / 1000 % 1000 * 1e-5, :begin + n * :step
        ) AS BLOB), :begin + n * :step, CAST('filled ' || n AS BLOB) FROM step
        """,
        {"count": count, "chat": int(chat), "first": first, "users": len(users), "begin": now - DAYS * 86_400_000, "step": step},
    )
    opened.commit()
    opened.close()


class Walk:
    """A person's way: a random walk from home, with stays that report one place again and again."""

    def __init__(self, chance):
        self.chance = chance
        self.home = (59.91 + chance.uniform(-0.03, 0.03), 10.75 + chance.uniform(-0.06, 0.06))
        self.place = self.home
        self.course = chance.uniform(0, 2 * math.pi)
        self.stay = 0

    def next(self):
        if self.stay > 0:
            self.stay -= 1
        elif self.chance.random() < 0.002:
            self.stay = self.chance.randrange(20, 200)
            if self.chance.random() < 0.3:
                self.place = self.home
        else:
            self.course += self.chance.uniform(-0.4, 0.4)
            latitude, longitude = self.place
            self.place = (latitude + 2e-4 * math.cos(self.course), longitude + 4e-4 * math.sin(self.course))
            if math.dist(self.place, self.home) > 0.25:
                self.course += math.pi
        return self.place
