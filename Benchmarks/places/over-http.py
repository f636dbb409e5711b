#!/usr/bin/env python3
"""Places over HTTP: how fast regions and the nearest are answered on loopback, how long a start takes, and how much memory.

    over-http.py [--points 1000000] [--seconds 4] [--repeats 3] [--data FOLDER] [--cases region,near,…]

The server has core 0 and one event loop, the generator (httpload.c) core 1. Each connection has one request at a time. The
objects are written straight into the store; points and questions are those of run.py, from the same seed or the same files.
Both have the highest priority where that is allowed. Of repeated cases the best counts, because what other work on the machine does can only make it worse.
"""
import argparse
import http.client
import json
import os
import pathlib
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / ".build-bench/places"
sys.path.insert(0, str(HERE.parent / "fanout"))
sys.dont_write_bytecode = True

import run  # noqa: E402
import store  # noqa: E402

PORT = 4122
OBJECTS = "/v1/objects/cafe"
FIELDS = [{"name": "name", "type": "text", "required": True}, {"name": "rating", "type": "number"},
          {"name": "at", "type": "location"}]
TOKEN = store.TOKEN.replace("{i5}", "00000")
BEARER = f"Authorization: Bearer {TOKEN}"
# Case: what stands behind each path, whether signed in, over how many connections.
CASES = {
    "region": ("region", "", False, (1, 16, 256)),
    "region, signed in": ("region", "", True, (1, 256)),
    "region, the total alone": ("region", "&limit=0", False, (1, 256)),
    "region, 50": ("region", "&limit=50", False, (1, 256)),
    "near": ("near", "", False, (1, 16, 256)),
    "near, where rating>=4": ("near", "&where=rating%3E%3D4", False, (1, 16)),
}
VISITS = [("where rating>=4", "&where=rating%3E%3D4"), ("sort -rating,name", "&sort=-rating,name"),
          ("both", "&where=rating%3E%3D4&sort=-rating,name")]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--cases", default=";".join(CASES), help="separated by ;")
    parser.add_argument("--keep", type=pathlib.Path, help="where the filled data folder is, or is to be, for another run")
    return parser.parse_args()


def build():
    """The generator, and the program that makes points."""
    BUILD.mkdir(parents=True, exist_ok=True)
    load = BUILD / "httpload"
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", load, HERE / "httpload.c"], check=True)
    return load


def workload(arguments):
    """The folder with the points and the questions."""
    if arguments.data:
        return arguments.data
    folder = BUILD / f"points-{arguments.points}"
    if not (folder / "q2_knn.csv").exists():
        subprocess.run([HERE.parent.parent / "Scripts/link-sources", "Benchmarks/places"], check=True)
        subprocess.run([ROOT / "Scripts/build", "--package-path", HERE, "--scratch-path", BUILD, "-c", "release",
                        "--product", "Places"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([BUILD / "release/Places", "export", str(arguments.points), folder], check=True)
    return folder


# The store.


def points(folder, count):
    with open(folder / "points.bin", "rb") as file:
        yield from struct.iter_unpack("<dd", file.read(16 * count))


def rows(folder, count, now):
    """The table's rows: fields as the server would write them, some 110 bytes of them."""
    chance = random.Random(1)
    for number, (latitude, longitude) in enumerate(points(folder, count)):
        # As the server rounds them; 180 is -180.
        north, east = round(latitude * 1e7), round(longitude * 1e7)
        east = -east if east == 1_800_000_000 else east
        place = f'"latitude":{north / 1e7!r},"longitude":{east / 1e7!r},"address":"{number % 200 + 1} Main Street"'
        fields = f'{{"at":{{{place}}},"name":"Café number {number}","rating":{chance.randrange(11) / 2!r}}}'
        yield chance.randrange(1 << 40, 1 << 62), now, now, north, east, fields.encode()


def fill(folder, source, count):
    """A data folder with an operator's token, an entity and its objects."""
    store.initialize(folder)
    with sqlite3.connect(folder / "yonder.db") as database:
        now = int(time.time() * 1000)
        database.execute("INSERT INTO account (id, name, is_operator, created) VALUES (?, 'Owner', 1, ?)",
                         (store.FIRST_USER, now))
        database.execute("INSERT INTO credential (secret, kind, person, label, created) VALUES (?, 'token', ?, 'bench', ?)",
                         (store.token_hash(0), store.FIRST_USER, now))
    database.close()
    server = Server(folder)
    server.call("POST", "/v1/entities", {"name": "cafe", "readers": "anyone", "fields": FIELDS})
    server.stop()
    with sqlite3.connect(folder / "yonder.db") as database:
        entity = database.execute("SELECT number FROM entity").fetchone()[0]
        database.executemany(
            "INSERT INTO object (id, entity, created, updated, latitude, longitude, fields) "
            f"VALUES (?, {entity}, ?, ?, ?, ?, ?)", rows(source, count, now))
        database.execute("UPDATE entity SET count = ?", (count,))
    database.close()


class Server:
    """`yonder serve` on core 0."""

    def __init__(self, data):
        begun = time.monotonic()
        self.process = subprocess.Popen(["taskset", "-c", "0", *store.serve_command(data, PORT)],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        start_new_session=True, preexec_fn=run.raised)
        store.until_ready(self.process, PORT)
        self.seconds_to_start = time.monotonic() - begun
        self.connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=600)

    def call(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]}")
        return json.loads(text)

    def resident(self):
        lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait(120)


# Questions.


def lines(folder, name):
    with open(folder / name) as file:
        next(file)
        return [line.strip().split(",") for line in file]


def degrees(text):
    return urllib.parse.quote(f"{float(text):.7f}")


def region_paths(folder, suffix):
    return [f"{OBJECTS}/region?sw={degrees(row[2])},{degrees(row[3])}&ne={degrees(row[4])},{degrees(row[5])}{suffix}"
            for row in lines(folder, "q1_boxes.csv")]


def near_paths(folder, suffix):
    return [f"{OBJECTS}/near?at={degrees(row[2])},{degrees(row[3])}&within={float(row[4]):.0f}{suffix}"
            for row in lines(folder, "q2_knn.csv")]


PATHS = {"region": region_paths, "near": near_paths}


def ask(load, server, case, connections, source, seconds):
    """One run of the generator."""
    kind, suffix, is_signed_in, _ = CASES[case]
    with tempfile.NamedTemporaryFile("w", suffix=".paths") as file:
        file.write("\n".join(PATHS[kind](source, suffix)) + "\n")
        file.flush()
        cpu = server.cpu()
        done = subprocess.run(["taskset", "-c", "1", load, str(PORT), str(connections), str(seconds), file.name,
                               BEARER if is_signed_in else ""], check=True, capture_output=True, text=True,
                              start_new_session=True, preexec_fn=run.raised)
    result = json.loads(done.stdout)
    # The generator's first second isn't in its figures, but in the server's time.
    share = result["wall_s"] / (result["wall_s"] + 1)
    result["server_cpu_us"] = (server.cpu() - cpu) * share * 1e6 / max(1, result["answers"])
    return result


def table_of_loads(load, server, arguments, source):
    best, wrong = {}, 0
    for repeat in range(arguments.repeats):
        for case in arguments.cases.split(";"):
            for connections in CASES[case][3]:
                result = ask(load, server, case, connections, source, arguments.seconds)
                wrong += result["failures"]
                print(json.dumps({"case": case, "repeat": repeat, **result}), file=sys.stderr)
                if result["per_s"] > best.get((case, connections), {"per_s": 0})["per_s"]:
                    best[case, connections] = result
    print("| what | connections | queries/s | p50 µs | p99 µs | server CPU µs | bytes |\n|" + "---|" * 7)
    for (case, connections), one in best.items():
        print(f"| {case} | {connections} | {one['per_s']:,.0f} | {one['p50_us']:,.0f} | {one['p99_us']:,.0f} "
              f"| {one['server_cpu_us']:.0f} | {one['bytes_per_answer']:,.0f} |")
    return wrong


def table_of_visits(server, source):
    """What conditions and orders cost: regions one after another, by how many objects are inside."""
    # It has been idle for longer than the server waits.
    server.connection.close()
    plain = region_paths(source, "&limit=0")[:400]
    inside = [server.call("GET", path)["total"] for path in plain]
    print("\n| a region with | server CPU ns an object inside | p50 ms | p99 ms | slowest ms | with objects inside |\n|" + "---|" * 6)
    for name, suffix in VISITS:
        times, cpu = [], server.cpu()
        for path in region_paths(source, suffix)[:400]:
            begun = time.perf_counter()
            server.call("GET", path)
            times.append(time.perf_counter() - begun)
        worst = max(range(len(times)), key=times.__getitem__)
        ordered = sorted(times)
        print(f"| {name} | {(server.cpu() - cpu) / sum(inside) * 1e9:,.0f} | {ordered[200] * 1e3:.2f} | {ordered[396] * 1e3:.1f} "
              f"| {times[worst] * 1e3:.0f} | {inside[worst]:,} |")
    begun, cpu = time.perf_counter(), server.cpu()
    server.call("GET", f"{OBJECTS}?sort=name&limit=100")
    print(f"\nA page of all, sorted by name: {time.perf_counter() - begun:.2f} s, {server.cpu() - cpu:.2f} s of CPU")


def check(server, source, count):
    """Totals of some regions, by looking at all points."""
    every = [(round(north * 1e7), round(east * 1e7)) for north, east in points(source, count)]
    for row in lines(source, "q1_boxes.csv")[:20]:
        south, west, north, east = (round(float(text) * 1e7) for text in row[2:6])
        path = (f"{OBJECTS}/region?sw={south / 1e7:.7f},{west / 1e7:.7f}&ne={north / 1e7:.7f},{east / 1e7:.7f}&limit=0")
        if abs(west) == 1_800_000_000 or abs(east) == 1_800_000_000:
            continue
        expected = sum(1 for one, other in every if south <= one <= north
                       and (west <= other <= east if west <= east else other >= west or other <= east))
        found = server.call("GET", path)["total"]
        if found != expected:
            raise RuntimeError(f"{path}: {found}, not {expected}")


def main():
    arguments = parse()
    load, source = build(), workload(arguments)
    temporary = pathlib.Path(tempfile.mkdtemp(prefix="yonder-places-"))
    filled = arguments.keep or temporary / "filled"
    try:
        store.initialize(temporary / "empty")
        empty = Server(temporary / "empty")
        resident, seconds = empty.resident(), empty.seconds_to_start
        empty.stop()
        if not filled.exists():
            fill(filled, source, arguments.points)
        server = Server(filled)
        try:
            check(server, source, arguments.points)
            print(f"{arguments.points:,} objects: ready after {server.seconds_to_start:.2f} s (empty {seconds:.2f} s), "
                  f"{(server.resident() - resident) / arguments.points:.0f} resident bytes an object\n")
            wrong = table_of_loads(load, server, arguments, source)
            table_of_visits(server, source)
            print(f"\nRefused or failed: {wrong}; after all of this "
                  f"{(server.resident() - resident) / arguments.points:.0f} resident bytes an object")
        finally:
            server.stop()
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
