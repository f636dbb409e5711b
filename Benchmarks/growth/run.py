#!/usr/bin/env python3
"""What a server with years of positions is asked, and what each answer costs: the same at any age.

    Benchmarks/growth/run.py --positions 1000 100000 1000000 10000000      folders are kept in .build-bench/growth
    Benchmarks/growth/run.py --positions 1000 100000 --limit               ends with 1 if a row grows more than it may

For each question and size: milliseconds of the server's processor, milliseconds until the answer, kilobytes that the server read
(`rchar` of /proc), each the median of several, and the largest size's processor time beside that of 100 000 positions (else of the
smallest). YONDER and GROWTH_FOLDER name the programs; a release by `make bench-growth`.
"""
import argparse
import asyncio
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Tests/Python/Support")]

import yonder  # noqa: E402
from stream import Stream  # noqa: E402

KEPT = ROOT / ".build-bench/growth"
DAY = 86_400_000
# Files are made anew when what they hold changes.
VERSION = 1
WORLD = {"south": -90, "west": -180, "north": 90, "east": 180}
TAGS = ["Text", "Place", "Photo", "Join", "Leave", "Subject", "Share", "Remove", "Owner"]
# The rows that may grow: they are as long as what is asked for, or as what is stored.
GROWING = {"file", "a year of one person, tolerance 20 m"}


class Folder:
    """A data folder with a chat of six people and so many positions, kept between runs."""

    def __init__(self, positions):
        self.positions = positions
        self.path = KEPT / f"{positions}"
        self.notes = self.path / "growth.json"

    def made(self):
        """Makes the folder unless it is there."""
        known = json.loads(self.notes.read_text()) if self.notes.exists() else {}
        if known.get("version") != VERSION:
            subprocess.run(["rm", "-rf", str(self.path)], check=True)
            self.path.mkdir(parents=True)
            begun = time.monotonic()
            known = self.fill()
            print(f"{self.positions} positions were written in {time.monotonic() - begun:.0f} s", file=sys.stderr)
            self.notes.write_text(json.dumps({"version": VERSION, **known}))
        self.chat, self.end, self.people = known["chat"], known["end"], known["people"]
        return self

    def fill(self):
        server = yonder.Server(data=self.path / "data").start()
        owner, others = yonder.party(server, ["Ben", "Cleo", "Dora", "Emil", "Fay"])
        chat = owner.start_chat(others, "Family")
        people = [{"user": caller.user, "token": caller.token()} for caller in [owner, *others]]
        server.stop()
        end = int(time.time() * 1000)
        program = os.environ.get("GROWTH_FOLDER", str(ROOT / ".build/debug/growth-folder"))
        subprocess.run(
            [program, str(self.path / "data"), chat, "--positions", str(self.positions), "--end", str(end)], check=True
        )
        return {"chat": chat, "end": end, "people": people}


class Meter:
    """What the server's process has used."""

    def __init__(self, process):
        self.process = process

    def cpu(self):
        """Milliseconds of all its threads, and of the kernel on their behalf."""
        clock = ~self.process << 3 | 2
        return time.clock_gettime_ns(clock) / 1e6

    def read(self):
        """Kilobytes that it read from files and sockets, cached or not."""
        text = pathlib.Path(f"/proc/{self.process}/io").read_text()
        return int(text.split("rchar:")[1].split()[0]) / 1000


class Neighbor(threading.Thread):
    """Another person, who reads the list of chats again and again: the longest wait is kept."""

    def __init__(self, caller):
        super().__init__(daemon=True)
        self.caller = caller
        self.worst = 0
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            begun = time.monotonic()
            self.caller.get("/v1/chats")
            self.worst = max(self.worst, (time.monotonic() - begun) * 1000)

    def stop(self):
        self.ends.set()
        self.join()
        return self.worst


class Asked:
    """A server on a folder, and the questions to it."""

    def __init__(self, folder, server):
        self.folder, self.server = folder, server
        self.people = [yonder.Caller(server, token=each["token"]) for each in folder.people]
        for caller, each in zip(self.people, folder.people):
            caller.user = each["user"]
        self.path = f"/v1/chats/{folder.chat}"
        self.last = self.people[0].messages(folder.chat, limit=1)["messages"][-1]["number"]

    def get(self, path, person=0):
        return self.people[person].get(self.path + path)

    def questions(self):
        """The rows: a name, and what to do."""
        end, positions = self.folder.end, self.folder.positions
        begin = end - positions * 365 * DAY // 1_000_000
        (early, late), length = self.drives(begin), 20 * 60_000
        year = begin if positions <= 1_000_000 else end - 365 * DAY
        return [
            ("chats with unread counts", lambda: self.people[0].get("/v1/chats")),
            ("newest 60", lambda: self.get("/messages?limit=60")),
            ("newest 500 Location", lambda: self.get("/messages?tag=Location&limit=500")),
            ("60 before the middle", lambda: self.get(f"/messages?before={self.last // 2}&limit=60")),
            ("newest 60 Text", lambda: self.get("/messages?tag=Text&limit=60")),
            ("newest 60 Place, of which there are none", lambda: self.get("/messages?tag=Place&limit=60")),
            ("newest 60 of one person", lambda: self.get(f"/messages?sender={self.people[1].user}&limit=60")),
            ("latest Location", lambda: self.get("/messages?tag=Location&latest=true")),
            ("a drive of 240 positions long ago, tracks", lambda: self.tracks(early, early + length)),
            ("the last drive, tracks", lambda: self.tracks(late, late + length)),
            ("a drive's messages", lambda: self.get(f"/messages?from={early}&to={early + length}&limit=1000")),
            ("the last hour's lines", lambda: self.get(f"/messages?tag=Location&from={end + DAY}&limit=60")),
            ("a year of one person, tolerance 20 m", lambda: self.tracks(year, end, self.people[0].user, 20)),
            ("people on the map", lambda: asyncio.run(self.subscribed([{"query": "people", "region": WORLD}]))),
            ("page opens a chat with its messages", lambda: asyncio.run(self.opened())),
        ]

    def drives(self, begin):
        """When a drive in the first third began, and the last one: `History` of growth-folder places them so."""
        count = max(1, self.folder.positions // 240)
        length = self.folder.end - begin
        return [begin + length * drive // count for drive in (count // 3, count - 1)]

    def tracks(self, begin, end, sender=None, tolerance=5):
        """All answers for a line; 1 000 positions a page, as long as there are more."""
        since = ""
        while True:
            of = f"&sender={sender}" if sender else ""
            answer = self.get(f"/tracks?from={begin}&to={end}&tolerance={tolerance}{of}{since}")
            if "next" not in answer:
                return
            since = f"&since={answer['next']}"

    async def opened(self):
        """What the page subscribes to when a chat is opened."""
        chat = self.folder.chat
        queries = [{"query": "messages", "chat": chat, "tag": tag, "limit": 60} for tag in TAGS]
        queries.append({"query": "messages", "chat": chat, "tag": "Location", "latest": True})
        hour = int(time.time() * 1000) - DAY // 24
        queries.append({"query": "messages", "chat": chat, "tag": "Location", "from": hour})
        await self.subscribed([*queries, {"query": "freshness", "chat": chat}, {"query": "presence", "chat": chat}])

    async def subscribed(self, queries):
        async with await Stream.open(self.server, self.people[0].bearer) as stream:
            for query in queries:
                await stream.subscribe(**query)


def rest(meter):
    """Waits until the server does nothing but what it does every second."""

    def is_at_rest():
        before = meter.cpu()
        time.sleep(0.3)
        return meter.cpu() - before < 6

    yonder.until(is_at_rest, what="a server at rest")


def measure(asked, ask, rounds):
    """The medians of processor and wall milliseconds and kilobytes read, and a neighbor's longest wait."""
    meter = Meter(asked.server.process.pid)
    ask()
    values = []
    for _ in range(rounds):
        before = (meter.cpu(), meter.read(), time.monotonic())
        ask()
        values.append((meter.cpu() - before[0], (time.monotonic() - before[2]) * 1000, meter.read() - before[1]))
    neighbor = Neighbor(asked.people[5])
    neighbor.start()
    ask()
    return [statistics.median(column) for column in zip(*values)] + [neighbor.stop()]


def ask_all(folder, rounds):
    """The rows of one folder: name → (cpu, wall, kilobytes, neighbor)."""
    begun = time.monotonic()
    server = yonder.Server(data=folder.path / "data").start()
    try:
        rows = {
            "start until ready, ms": [(time.monotonic() - begun) * 1000],
            "file, MB": [(folder.path / "data/yonder.db").stat().st_size / 1e6],
        }
        asked = Asked(folder, server)
        rest(Meter(server.process.pid))
        for name, ask in asked.questions():
            rows[name] = measure(asked, ask, rounds)
        rows["resident, MB"] = [server.resident_kilobytes() / 1000]
        return rows
    finally:
        server.stop()


def show(tables, sizes):
    """Prints the rows, and answers those that grow more than they may."""
    grown = []
    base = 100_000 if 100_000 in sizes[:-1] else sizes[0]
    print("| | " + " | ".join(f"{size:,}".replace(",", " ") for size in sizes) + " | CPU ratio |")
    print("|---" * (len(sizes) + 2) + "|")
    for name in tables[sizes[-1]]:
        cells = [tables[size][name] for size in sizes]
        ratio = ""
        if len(cells[0]) > 1:
            first, last = tables[base][name][0], cells[-1][0]
            ratio = f"{last / max(first, 0.01):.1f}"
            # Twice, or 5 ms more, on a quiet machine with a release; the rest is the noise of a debug build beside other steps.
            if last > max(3 * first, first + 20) and name not in GROWING:
                grown.append(f"{name}: {first:.1f} → {last:.1f} ms of processor time")
        texts = [
            f"{cell[0]:.1f} ms, {cell[1]:.1f} ms, {cell[2]:.0f} kB, {cell[3]:.0f} ms" if len(cell) > 1 else f"{cell[0]:.0f}"
            for cell in cells
        ]
        print(f"| {name} | " + " | ".join(texts) + f" | {ratio} |")
    print("\nEach cell: processor, wall, bytes read, another person's longest wait for the list of chats meanwhile.")
    return grown


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--positions", type=int, nargs="+", default=[1_000, 100_000, 1_000_000, 10_000_000])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--limit", action="store_true", help="ends with 1 if a row grows more than it may")
    given = options.parse_args()
    sizes = sorted(given.positions)
    tables = {size: ask_all(Folder(size).made(), given.rounds) for size in sizes}
    grown = show(tables, sizes)
    for line in grown:
        print(f"grows: {line}")
    if given.limit and grown:
        sys.exit(1)


if __name__ == "__main__":
    main()
