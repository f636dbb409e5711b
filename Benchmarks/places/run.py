#!/usr/bin/env python3
"""The index of moving points: regions, the nearest, moves, load and memory, in process and on one core.

    run.py [--points 1000000] [--rounds 3]
    run.py --peers FOLDER --data FOLDER            beside Boost, SQLite's R*Tree and Redis, in the same run
    run.py --crowd [--rounds 3]                    live regions: 100 000 people move, a thousand watch

Without --data the points come from a seed. --data is a folder with points.bin, q1_boxes.csv, q2_knn.csv, q3_moves.bin and
expect_*.csv, whose answers are then compared, too; --peers is the folder with the other engines' drivers and their
Makefile, or with what that has built: boost, sqlite, resp. Rounds are interleaved; of each figure the best round counts, because what
other work on the machine does can only make it worse. As root the niceness is lowered.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / ".build-bench/places"

# Test, metric, whether more is better, bar and goal at a million points.
FIGURES = [
    ("Q1 limit300+total", "per_s", True, 150_000, 300_000),
    ("Q1 limit300+total", "per_cpu_s", True, 150_000, 300_000),
    ("Q1 limit300+total", "p50_us", False, None, None),
    ("Q1 limit300+total", "p99_us", False, 50, 20),
    ("Q1 limit300+total by rank", "per_s", True, None, None),
    ("Q1 visit all", "ns_per_point", False, None, None),
    ("Q2 knn k=10", "per_s", True, 200_000, 260_000),
    ("Q2 knn k=10", "per_cpu_s", True, 200_000, 260_000),
    ("Q2 knn k=10", "p99_us", False, None, None),
    ("Q2 knn k=100", "per_s", True, None, None),
    ("Q3 updates alone", "per_s", True, 10_000_000, 15_000_000),
    ("Q3 updates alone", "per_cpu_s", True, 10_000_000, 15_000_000),
    ("Q3 updates, a snapshot every 100 000", "per_s", True, None, None),
    ("Snapshot", "p50_us", False, None, None),
    ("Q5 load", "points_per_s", True, 4_000_000, 4_000_000),
    ("Q5 load", "bytes_per_point", False, 56, 30),
]
# What an engine calls otherwise, because it can't do the same.
OTHER_NAMES = {
    ("Redis unix", "Q1 limit300+GEOSEARCHSTORE total"): "Q1 limit300+total",
}
OTHER_METRICS = {("Redis unix", "Q3 updates alone", "piped_per_s"): "per_s"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu", type=int, default=os.cpu_count() - 1)
    parser.add_argument("--peers", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--crowd", action="store_true")
    parser.add_argument("--seconds", type=int, default=5, help="for each test of a peer, at most")
    arguments = parser.parse_args()
    if arguments.peers and not arguments.data:
        parser.error("--peers needs --data, so that all are asked the same")
    return arguments


def build():
    """The program, built; its sources are links."""
    subprocess.run([HERE.parent.parent / "Scripts/link-sources", "Benchmarks/places"], check=True)
    subprocess.run(
        [ROOT / "Scripts/build", "--package-path", HERE, "--scratch-path", BUILD, "-c", "release", "--product", "Places"],
        check=True, stdout=subprocess.DEVNULL,
    )
    return BUILD / "release/Places"


def build_peers(folder):
    """The peers' programs by name: those that are built, or that this machine can build."""
    found = {}
    for name in ("boost", "sqlite", "resp"):
        program = folder / name
        if not program.is_file() and (folder / "Makefile").exists():
            program = BUILD / "peers" / name
            made = subprocess.run(["make", "-s", "-C", folder, f"O={program.parent}", program], capture_output=True)
            if made.returncode:
                print(f"{name}: not built, left out", file=sys.stderr)
        if program.is_file():
            found[name] = program
    return found


def pinned(arguments, command):
    nice = ["nice", "-n", "-15"] if os.geteuid() == 0 else []
    return [*nice, "taskset", "-c", str(arguments.cpu), *map(str, command)]


def run(arguments, command, environment=()):
    done = subprocess.run(
        pinned(arguments, command), capture_output=True, text=True, env={**os.environ, **dict(environment)}
    )
    if done.returncode:
        print(f"{command[0]}: status {done.returncode}: {done.stderr[-500:]}", file=sys.stderr)
    for line in done.stdout.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def redis(arguments, program, environment):
    """Starts a Redis of our own on a socket, asks it, and stops it."""
    with tempfile.TemporaryDirectory(prefix="places.") as folder:
        socket = pathlib.Path(folder) / "redis"
        server = subprocess.Popen(
            pinned(arguments, ["redis-server", "--port", 0, "--unixsocket", socket, "--save", "", "--appendonly", "no"]),
            stdout=subprocess.DEVNULL, cwd=folder,
        )
        try:
            while not socket.exists() and server.poll() is None:
                time.sleep(0.05)
            client = argparse.Namespace(cpu=(arguments.cpu + 1) % os.cpu_count())
            yield from run(client, [program, "redis", socket, arguments.points, "load,q1,q2,q3"], environment)
        finally:
            server.terminate()
            server.wait()


def measure(arguments):
    """The result lines of all rounds, the engines taking turns."""
    ours = build()
    peers = build_peers(arguments.peers.resolve()) if arguments.peers else {}
    count = arguments.points
    for number in range(1, arguments.rounds + 1):
        data = [arguments.data.resolve()] if arguments.data else []
        yield from run(arguments, [ours, count, number, *data])
        environment = {"GEO_DATA": str(data[0]) if data else "", "GEO_CAP": str(arguments.seconds)}
        if number > 1:
            environment["GEO_NOCHECK"] = "1"
        if "boost" in peers:
            yield from run(arguments, [peers["boost"], count, "load,q1,q3", "plane"], environment)
            # On a sphere, which its planar tree doesn't know.
            yield from run(arguments, [peers["boost"], count, "q2", "sph"], environment)
        if "sqlite" in peers and count <= 1_000_000:
            yield from run(arguments, [peers["sqlite"], count, "load,q1,q2,q3", ":memory:", 1000], environment)
        if "resp" in peers and shutil.which("redis-server") and count <= 1_000_000:
            yield from redis(arguments, peers["resp"], environment)
        print(f"round {number} of {arguments.rounds} done, load {os.getloadavg()[0]:.1f}", file=sys.stderr)


def number(value):
    return f"{value:,.0f}".replace(",", " ") if value >= 100 else f"{value:.1f}"


def table(lines, points):
    figures, wrong = collections.defaultdict(list), collections.Counter()
    for line in lines:
        key = line["peer"], OTHER_NAMES.get((line["peer"], line["test"]), line["test"])
        metric = OTHER_METRICS.get((*key, line["metric"]), line["metric"])
        figures[(*key, metric)].append(line["value"])
        if metric == "wrong":
            wrong[line["peer"]] += line["value"]
    peers = list(dict.fromkeys(key[0] for key in figures))
    print("| test | metric |", " | ".join(peers), "| bar | goal |")
    print("|---|---|" + "---|" * (len(peers) + 2))
    missed = []
    for test, metric, more, bar, goal in FIGURES:
        bests = [(max if more else min)(figures[peer, test, metric], default=None) for peer in peers]
        if points != 1_000_000:
            bar = goal = None
        if bar and bests[0] is not None and (bests[0] < bar if more else bests[0] > bar):
            missed.append(f"{test} {metric}")
        cells = ["–" if best is None else number(best) for best in [*bests, bar, goal]]
        print(f"| {test} | {metric} |", " | ".join(cells), "|")
    print("\nWrong answers:", ", ".join(f"{peer} {wrong[peer]:.0f}" for peer in peers))
    if missed:
        print("Short of the bar:", ", ".join(missed))
    return not missed and not wrong["Yonder"]


CROWDS = ("cities", "one city")
CROWD_PARTS = ("index alone", "and who watches there", "and what each is to be told")


def crowd(arguments):
    """Live regions over a crowd that moves; answers whether the bars hold."""
    program, best = build(), collections.defaultdict(lambda: float("inf"))
    for turn in range(1, arguments.rounds + 1):
        for line in run(arguments, [program, "crowd", turn]):
            # Of what is wrong the most counts, of what takes time the least.
            value = -line["value"] if line["metric"] == "wrong" else line["value"]
            best[line["test"], line["metric"]] = min(best[line["test"], line["metric"]], value)
        print(f"round {turn} of {arguments.rounds} done, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    return all([crowd_table(name, best) for name in CROWDS])


def crowd_table(name, best):
    """By the thread's own time: what the parts of a move cost, alone and with viewers elsewhere."""
    def costs(which):
        index, interest, whole = (best[f"{which}: {part}", "cpu_ns_per_move"] for part in CROWD_PARTS)
        telling = best[f"{which}: {CROWD_PARTS[-1]}", "telling_cpu_ns_per_move"]
        return [index, interest - index, whole - interest - telling, telling, whole]

    (alone, both), last = (costs(name), costs(f"{name}, and 1 000 elsewhere")), CROWD_PARTS[-1]
    print(f"\n| {name} | ns a move | share | with 1 000 elsewhere |\n|---|---|---|---|")
    for part, cost, other in zip(("index", "interest", "lists", "telling", "all"), alone, both):
        print(f"| {part} | {cost:.0f} | {cost / alone[-1]:.0%} | {other:.0f} |")
    change, rate = both[-1] / alone[-1] - 1, 1e9 / best[f"{name}: {last}", "ns_per_move"]
    wrong = abs(sum(best[f"{which}: {last}", "wrong"] for which in (name, f"{name}, and 1 000 elsewhere")))
    print(f"\n{rate:,.0f} moves/s by the clock, {1e9 / alone[-1]:,.0f} by the thread's own time (bar 100 000);",
          f"1 000 viewers elsewhere: {change:+.1%} (bar 20 %);",
          f"{best[f'{name}: {CROWD_PARTS[1]}', 'viewers_per_move']:.1f} regions concerned by a move,",
          f"{best[f'{name}: {last}', 'told_per_move']:.1f} frames told; wrong: {wrong:.0f}")
    return rate >= 100_000 and change < 0.2 and wrong == 0


def main():
    arguments = parse()
    BUILD.mkdir(parents=True, exist_ok=True)
    if arguments.crowd:
        sys.exit(0 if crowd(arguments) else 1)
    lines = []
    with open(BUILD / "results.jsonl", "w") as file:
        for line in measure(arguments):
            lines.append(line)
            print(json.dumps(line), file=file, flush=True)
    sys.exit(0 if table(lines, arguments.points) else 1)


if __name__ == "__main__":
    main()
