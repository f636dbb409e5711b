#!/usr/bin/env python3
"""Durable messages through one, two and three servers over PostgreSQL and NATS, beside one server with a data folder.

    YONDER=FILE run.py [--seconds 10] [--nodes 1,2,3] [--rate 1000] [--positions]

`YONDER` names a release built with the trait Postgres. First each node's sessions keep 32 sends in flight into a thousand chats
that all nodes share; then each node gets an even pace, while messages of a chat apart go from the first node to the last one.
With --positions each message is a position, and every node sends those of the same fifty people: each is compared with the person's
newest one, which another node has written meanwhile. Without it messages are texts of 150 bytes. The load comes from ../fanout's generator, one process a node. Everything shares the machine's cores; nothing is pinned.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GENERATOR = pathlib.Path(os.environ.get("FANOUT_BUILD", ROOT / ".build-bench")) / "fanload"
sys.path[:0] = [str(HERE.parent / "fanout"), str(ROOT / "Tests/Python/Support")]
sys.dont_write_bytecode = True

import cluster  # noqa: E402
import store  # noqa: E402
from raw_stream import RawStream, frame  # noqa: E402
from yonder import Server  # noqa: E402

SESSIONS = 50
BODIES = {
    "Text": f'"content":"{"x" * 150}"',
    "Location": '"content":"","data":{"latitude":"{lat}","longitude":"{lon}"}',
}
WINDOW = 32
TICKS = os.sysconf("SC_CLK_TCK")
FLAGS = ["--threads", "1", "--log-level", "error", "--max-in-flight", "100000"]


def seconds_of(process, with_children=False):
    """Processor seconds of a process, and of those it started, ended or not."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split() if with_children else []
    except OSError:
        return 0
    used = int(fields[11]) + int(fields[12])
    if with_children:
        used += int(fields[13]) + int(fields[14])
    return used / TICKS + sum(seconds_of(child) for child in children)


def busy_seconds():
    """What all programs of the machine have used."""
    user, nice, system, _, _, interrupts, soft, *_ = map(int, pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    return (user + nice + system + interrupts + soft) / TICKS


class Place:
    """The servers under load, and what they have used."""

    def __init__(self, servers, postgres=None, bus=None):
        self.servers, self.postgres, self.bus = servers, postgres, bus

    def used(self):
        return {
            "PostgreSQL": seconds_of(self.postgres.process.pid, with_children=True) if self.postgres else 0,
            "NATS": seconds_of(self.bus.process.pid) if self.bus else 0,
            "servers": sum(seconds_of(server.process.pid) for server in self.servers),
        }


def load(server, seconds, tag, *more):
    """The generator against one server: each session expects its own answers alone."""
    send = (f'{{"type":"send","key":"{server.port}-{{ts}}-{{i}}-{{seq}}","chat":"{store.OWNED}{{spread}}","tag":"{tag}",'
            + BODIES[tag] + "}")
    return subprocess.Popen(
        [GENERATOR, "--mode", "ws", "--port", str(server.port), "--path", "/v1/stream",
         "--header", "Sec-WebSocket-Protocol: yonder.v1", "--header", f"Authorization: Bearer {store.TOKEN}",
         "--connections", str(SESSIONS), "--rooms", str(SESSIONS), "--echo", "--publish", send, "--payload-bytes", "0",
         "--spread", "1000", "--marker", f'"sent","key":"{server.port}-', "--drain", "20", "--duration", str(seconds), "--warmup", "3",
         *map(str, more)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )


def measured(place, asked, *more):
    """The generators' results, the cores that each part had in the middle of the time, and those of other programs."""
    begun, own, busy, whole = time.monotonic(), os.times(), busy_seconds(), place.used()
    seconds = asked.seconds
    generators = [load(server, seconds, "Location" if asked.positions else "Text", *more) for server in place.servers]
    # They connect, are quiet for half a second and warm up for three.
    time.sleep(4.5)
    middle, before = time.monotonic(), place.used()
    time.sleep(max(1, seconds - 2))
    elapsed = time.monotonic() - middle
    cores = {name: (after - before[name]) / elapsed for name, after in place.used().items()}
    results = []
    for generator in generators:
        output, complaint = generator.communicate(timeout=300)
        if generator.returncode:
            raise RuntimeError(complaint[-600:])
        results.append(json.loads(output))
    # The generators' time is among this program's, as they have ended.
    mine = sum(after - earlier for after, earlier in zip(os.times()[:4], own[:4]))
    servers = sum(after - whole[name] for name, after in place.used().items())
    others = (busy_seconds() - busy - mine - servers) / (time.monotonic() - begun)
    if any(result["lost"] for result in results):
        raise RuntimeError("messages were not acknowledged")
    return results, cores, max(0, others)


class Probe:
    """Sends some messages a second on one node, and reads them on another."""

    def __init__(self, source, target, chat=store.TENS + "7", user=7):
        token = store.TOKEN.replace("{i5}", f"{user:05}")
        self.writer, self.reader = RawStream(source, token=token), RawStream(target, token=token)
        self.reader.write(frame(json.dumps({"type": "subscribe", "id": 1, "query": "messages", "chat": chat})))
        self.chat, self.times, self.ends = chat, [], False
        self.sending = threading.Thread(target=self._send, daemon=True)
        self.reading = threading.Thread(target=self._read, daemon=True)

    def _send(self):
        while not self.ends:
            now = time.monotonic_ns()
            self.writer.write(frame(json.dumps({"type": "send", "key": f"p{now}", "chat": self.chat, "tag": "Text", "content": f"at {now}"})))
            time.sleep(0.02)

    def _read(self):
        try:
            while not self.ends:
                for payload in self.reader.read():
                    now = time.monotonic_ns()
                    message = json.loads(payload)
                    for content in contents(message):
                        self.times.append((now - int(content[3:])) / 1e6)
        except OSError:
            pass

    def __enter__(self):
        self.reading.start()
        self.sending.start()
        return self

    def __exit__(self, *_):
        self.ends = True
        self.sending.join(5)
        self.writer.abort()
        self.reader.abort()


def contents(value):
    """The probe's contents anywhere in a frame."""
    if isinstance(value, dict):
        if str(value.get("content", "")).startswith("at "):
            yield value["content"]
        for inner in value.values():
            yield from contents(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from contents(inner)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def row(name, place, asked):
    """Prints what one arrangement does."""
    results, cores, others = measured(place, asked, "--window", WINDOW)
    rate = sum(result["deliveries_per_s"] for result in results)
    if not rate:
        raise RuntimeError("nothing was acknowledged after the warm-up: use a release build, and more --seconds")
    costs = " | ".join(f"{cores[part] / rate * 1e6:.1f}" for part in ("PostgreSQL", "NATS", "servers"))
    with Probe(place.servers[0], place.servers[-1]) as probe:
        paced, _, _ = measured(place, asked, "--rate", asked.rate)
    acknowledged = statistics.median(result["p50_us"] for result in paced) / 1000
    tail = max(result["p99_us"] for result in paced) / 1000
    generator = sum(result["generator_cpu_s"] / result["wall_s"] for result in results)
    print(f"| {name} | {rate:,.0f} | {costs} | {acknowledged:.1f} / {tail:.1f} | "
          f"{percentile(probe.times, 0.5):.1f} / {percentile(probe.times, 0.99):.1f} | {generator:.2f} | {others:.2f} |", flush=True)


def fresh(template, folder):
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(template, data, ignore=shutil.ignore_patterns("control"))
    return data


def embedded(template, folder, asked):
    with Server(FLAGS, data=fresh(template, folder)) as server:
        row("one, with a folder", Place([server]), asked)


def shared(template, folder, count, asked):
    """PostgreSQL with its settings for tests, which are small, NATS, and some nodes."""
    place = cluster.Cluster(count, arguments=FLAGS)
    try:
        place.postgres.make()
        subprocess.run([store.program(), "migrate", "--from", fresh(template, folder), "--to", place.postgres.address],
                       check=True, stdout=subprocess.DEVNULL, timeout=600)
        place.postgres.stop()
        place.postgres.start(shared_buffers="512MB", max_wal_size="4GB", wal_compression="lz4")
        place.bus.start()
        for node in place.nodes:
            node.start()
        row(f"{count} over PostgreSQL", Place(place.nodes, place.postgres, place.bus), asked)
    finally:
        place.__exit__()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--nodes", default="1,2,3")
    parser.add_argument("--rate", type=int, default=1000, help="messages a second and node, for the times")
    parser.add_argument("--positions", action="store_true", help="positions of the same people through every node")
    asked = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="yonder-bench-"))
    try:
        template = store.make(folder / "template")
        print("| servers | acknowledged/s, together | PostgreSQL µs each | NATS | servers | acknowledged p50 / p99 ms | on the last node ms "
              "| generators' cores | other programs' cores |\n|" + "---|" * 9)
        embedded(template, folder, asked)
        for count in map(int, asked.nodes.split(",")):
            shared(template, folder, count, asked)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
