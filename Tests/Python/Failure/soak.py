#!/usr/bin/env python3
"""People connect, share, read, are cut off and resume, and somebody churns every query, for as many minutes as asked.

    soak.py [--minutes 10] [--people 20] [--seed 1]

Every reader sees every message once and in order, over all cuts. The time is divided into ten parts, of which the first
warms up. It fails if the last third of the others uses more memory than the first third by 16 MiB, more descriptors by
10, or if a message to a neighbor takes three times as long and 50 ms more (medians of the parts' figures). `YONDER` names the
program.
"""

import argparse
import json
import os
import pathlib
import random
import socket
import statistics
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from churn import GROWTH, MEBIBYTE, Neighbors, Town, disconnects, flood, queries_of_the_stream, socket_io  # noqa: E402
from raw_stream import Closed, RawStream, frame  # noqa: E402
from yonder import Server  # noqa: E402

PARTS = 10


class Person(threading.Thread):
    """Shares and reads in one chat, over connections that are cut at random."""

    def __init__(self, town, index, chance, ends):
        super().__init__()
        self.town, self.ends = town, ends
        self.name = f"person {index}"
        self.chance = random.Random(chance.random())
        self.chat = town.chats[2 + index % (len(town.chats) - 2)]
        self.token = [town.ada, town.ben, town.cleo][index % 3].token()
        self.last = None
        self.sent = self.seen = self.cuts = 0
        self.failure = None

    def run(self):
        try:
            while not self.ends.is_set():
                self.connect()
                self.cuts += 1
        except Exception as error:  # noqa: BLE001
            self.failure = error
            self.ends.set()

    def connect(self):
        with RawStream(self.town.server, token=self.token) as stream:
            resume = {"limit": 1} if self.last is None else {"since": self.last}
            stream.send(type="subscribe", id=1, query="messages", chat=self.chat, **resume)
            for number, query in enumerate(queries_of_the_stream(), 2):
                if query != "messages":
                    stream.write(frame(self.town.subscription(query, number)))
            stream.socket.settimeout(0.05)
            end = time.monotonic() + self.chance.uniform(0.5, 10)
            share = 0
            while time.monotonic() < end and not self.ends.is_set():
                if time.monotonic() >= share:
                    share = time.monotonic() + 0.5
                    self.share(stream)
                self.read(stream)

    def share(self, stream):
        self.sent += 1
        place = {"latitude": self.chance.uniform(-80, 80), "longitude": self.chance.uniform(-179, 179)}
        key = f"{id(self)}-{self.sent}"
        stream.send(type="send", key=key, chat=self.chat, tag="Location", data=place)
        stream.send(type="pin", at=f"{place['latitude']:.6f},{place['longitude']:.6f}")

    def read(self, stream):
        try:
            payloads = stream.read()
        except (TimeoutError, socket.timeout):
            return
        for payload in payloads:
            told = json.loads(payload)
            if told["type"] == "messages":
                for message in told["messages"]:
                    self.take(message["number"])
                self.last = max(self.last or 0, told["through"])
            elif told["type"] == "message":
                self.take(told["number"])
            elif told["type"] in ("error", "ended"):
                raise AssertionError(f"{self.name}: {told}")

    def take(self, number):
        assert self.last is None or number == self.last + 1, f"{self.name}: {number} after {self.last}"
        self.last = number
        self.seen += 1


class Churner(threading.Thread):
    """Begins and ends subscriptions to every query, in every manner."""

    def __init__(self, town, ends):
        super().__init__()
        self.town, self.ends = town, ends
        self.pairs = 0
        self.failure = None

    def run(self):
        try:
            while not self.ends.is_set():
                for query in queries_of_the_stream():
                    flood(self.town, query, 500)
                    disconnects(self.town, query, 10)
                    self.pairs += 510
                    if self.ends.wait(0.5):
                        return
                socket_io(self.town, "world", 500)
                self.pairs += 500
        except Exception as error:  # noqa: BLE001
            self.failure = error
            self.ends.set()


def figures(town, seconds, ends):
    """One part of the time: the memory and the descriptors at its end, and the neighbors' slowest message but for one."""
    with Neighbors(town, keep=True) as neighbors:
        ends.wait(seconds)
    neighbors.check()
    times = sorted(neighbors.times)
    return {
        "memory": 1024 * town.server.resident_kilobytes(),
        "descriptors": len(os.listdir(f"/proc/{town.server.process.pid}/fd")),
        "latency": times[int(0.99 * (len(times) - 1))] if times else 0.0,
    }


def drift(parts):
    """What grew too much, in words; nothing if all is well."""
    third = max(1, (len(parts) - 1) // 3)
    first, last = parts[1:1 + third], parts[-third:]

    def middle(some, name):
        return statistics.median(part[name] for part in some)

    words = []
    if middle(last, "memory") - middle(first, "memory") >= GROWTH:
        words.append("memory")
    if middle(last, "descriptors") - middle(first, "descriptors") > 10:
        words.append("descriptors")
    if middle(last, "latency") > 3 * middle(first, "latency") + 0.05:
        words.append("latency")
    return words


def soak(town, seconds, people, seed, tell=print):
    """Runs everybody for so long; answers the figures of each part."""
    ends = threading.Event()
    chance = random.Random(seed)
    crowd = [Person(town, index, chance, ends) for index in range(people)]
    churner = Churner(town, ends)
    for thread in [*crowd, churner]:
        thread.start()
    parts = []
    try:
        while len(parts) < PARTS and not ends.is_set():
            parts.append(figures(town, seconds / PARTS, ends))
            part = parts[-1]
            tell(f"| {len(parts)} | {part['memory'] / MEBIBYTE:.1f} | {part['descriptors']} | {part['latency'] * 1000:.0f} ms |")
    finally:
        ends.set()
        for thread in [*crowd, churner]:
            thread.join()
    for thread in [*crowd, churner]:
        if thread.failure and not isinstance(thread.failure, (Closed, ConnectionError)) or thread.failure and len(parts) < PARTS:
            raise thread.failure
    seen = sum(person.seen for person in crowd)
    cuts = sum(person.cuts for person in crowd)
    tell(f"{people} people, {seen:,} messages seen once and in order, {cuts:,} cuts, {churner.pairs:,} pairs churned")
    assert seen > 0 and churner.pairs > 0
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with Server(["--world-rate", "1000000"]) as server:
        print("| part | MiB | descriptors | 99 of 100 messages within |\n|---|---|---|---|", flush=True)
        parts = soak(Town(server), 60 * asked.minutes, asked.people, asked.seed, lambda line: print(line, flush=True))
    words = drift(parts)
    print(f"Drifting: {', '.join(words)}" if words else "Nothing drifts.")
    sys.exit(1 if words else 0)


if __name__ == "__main__":
    main()
