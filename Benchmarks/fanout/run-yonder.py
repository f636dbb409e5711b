#!/usr/bin/env python3
"""Measures Yonder beside `limit-tick`, interleaved in one run, and says how near it comes.

    run-yonder.py [--repeats 3] [--cases s1-stored,…] [--quick] [--out results.jsonl]
    run-yonder.py --table results.jsonl

Both servers have core 0 and the generator core 1. Ratios travel between machines, absolute figures do not. The data
folder is made by the server itself; users, chats and token hashes are then written straight into its store, as no
command takes a chosen token.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("FANOUT_BUILD", str(HERE.parent.parent / ".build-bench"))
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import run  # noqa: E402
import store  # noqa: E402

PORT = 4120
STREAM = ["--path", "/v1/stream", "--header", "Sec-WebSocket-Protocol: yonder.v1", "--ready", '"current":true']
PIN = '42["location","{lat},0.{ts}"]'


def sending(chat, keep):
    """The frame that a publisher sends: 150 bytes of content and names as in the other peers' messages."""
    kept = "" if keep else ',"keep":false'
    return (f'{{"type":"send","key":"{{ts}}-{{i}}","chat":"{chat}","tag":"Location",'
            f'"content":"ts={{ts}},{{pad}}"{kept}}}')


def listening(chat):
    return f'{{"type":"subscribe","id":1,"query":"messages","chat":"{chat}","limit":1}}'


def stream(chat, keep, rooms=1):
    return [*STREAM, "--header", f"Authorization: Bearer {store.TOKEN}", "--hello", listening(chat), "--echo",
            "--publish", sending(chat, keep), "--rooms", str(rooms)]


ROOM = store.ROOM
FIVES = store.FIVES + "{room}"
WORLD = ["--publish", PIN, "--marker", ",0."]
YONDER = {"mode": "ws", "port": PORT, "start": (500e3, 80e3)}
SEARCH_ONE = ["--connections", "1000", "--publishers", "50"]
SEARCH_FIVES = ["--connections", "5000"]
FIXED = ["--connections", "1000", "--publishers", "50", "--deliveries", "50000", "--duration", "4", "--warmup", "1"]

# Each case: what the generator does to Yonder, the scenario of `limit-tick` that it is compared with, and the figure.
CASES = {
    "s1-stored": (dict(YONDER, world=stream(ROOM, True)), "s1max", SEARCH_ONE),
    "s1-unstored": (dict(YONDER, world=stream(ROOM, False)), "s1max", SEARCH_ONE),
    "s1-world": (dict(YONDER, mode="sio", world=WORLD), "s1max", SEARCH_ONE),
    "s2-unstored": (dict(YONDER, world=stream(FIVES, False, 1000)), "s2max", SEARCH_FIVES),
    "s2-stored": (dict(YONDER, world=stream(FIVES, True, 1000), start=(0, 20e3)), "s2max", SEARCH_FIVES),
    "fixed-stored": (dict(YONDER, world=stream(ROOM, True)), "s1fixed", FIXED),
    "fixed-unstored": (dict(YONDER, world=stream(ROOM, False)), "s1fixed", FIXED),
    "fixed-world": (dict(YONDER, mode="sio", world=WORLD), "s1fixed", FIXED),
    "idle": (dict(YONDER, world=stream(store.TENS + "{room}", False, 1000)), "idle",
             ["--connections", "9900", "--idle", "2", "--settle", "1"]),
    "join1000": (dict(YONDER, mode="sio", world=WORLD), None, ["--connections", "1000", "--idle", "1", "--settle", "1"]),
}


def arguments(name, peer, load):
    """The generator's arguments for a case."""
    if name.startswith("s1"):
        return peer["world"] + load + run.search_args(peer, 0)
    if name.startswith("s2"):
        return peer["world"] + load + run.search_args(peer, 1)
    return peer["world"] + load


def start_yonder(template, folder):
    """A server on a copy of the filled data folder, with no limits in the generator's way."""
    data = pathlib.Path(folder) / "data"
    shutil.copytree(template, data, ignore=shutil.ignore_patterns("control"))
    peer = {"port": PORT, "cmd": store.serve_command(data, PORT)}
    return run.start(peer, folder)


def measure(repeat, name, template, out):
    """One case against Yonder."""
    peer, _, load = CASES[name]
    folder = tempfile.mkdtemp(prefix="fanout.", dir=template.parent)
    server = None
    try:
        server = start_yonder(template, folder)
        result = run.fanload(peer, server.pid, arguments(name, peer, load), 400)
        if result["connect"]["opened"] < result["connections"]:
            raise RuntimeError(f"only {result['connect']['opened']} of {result['connections']} connections were opened")
        keep(dict(result, peer="yonder", scenario=name, repeat=repeat, time=int(time.time())), out)
    except Exception as error:  # One failed case must not lose the others.
        print(repeat, "yonder", name, "FAILED", error, flush=True)
    finally:
        if server:
            run.stop(server)
        shutil.rmtree(folder, ignore_errors=True)


def keep(result, out):
    with open(out, "a") as lines:
        lines.write(json.dumps(result) + "\n")
    best = result.get("best", result)
    print(result["repeat"], result["peer"], result["scenario"], "max", result.get("max_sustained_deliveries_per_s"),
          "cpu/M", best.get("server_cpu_s_per_million"), "p50/99", best.get("p50_us"), best.get("p99_us"),
          "conn/s", result["connect"]["per_s"], "rss", result.get("rss_per_connection_bytes"),
          best.get("why"), flush=True)


# What a case is judged by: the figure, how it is shown, the first bar and the goal. `×` compares with `limit-tick`.
def most(result):
    return result["max_sustained_deliveries_per_s"]


def tail(result):
    return result["p99_us"] / 1000


def connects(result):
    return result["connect"]["per_s"]


def resident(result):
    return result["rss_per_connection_bytes"]


def joined(result):
    return result["connect"]["seconds"] + result["connect"]["settle_s"]


JUDGED = [
    ("s1-stored", "room of 1 000, stored, deliveries/s", most, "s1max", ">=", 0.25, "2 750 000"),
    ("s1-unstored", "room of 1 000, `keep: false`, deliveries/s", most, "s1max", ">=", 0.25, "2 750 000"),
    ("s1-world", "world over Socket.IO, deliveries/s", most, "s1max", ">=", 0.25, "within 25 % of the stream"),
    ("s2-unstored", "chats of 5, `keep: false`, deliveries/s", most, "s2max", ">=", 0.45, "620 000"),
    ("s2-stored", "chats of 5, stored, deliveries/s", most, "s2max", ">=", 0.12, "–"),
    ("idle", "connects/s", connects, "idle", ">=", 0.14, "20 000"),
    ("fixed-stored", "p99 at 50 000/s, stored, ms", tail, "s1fixed", "<=", 1.5, "8 ms"),
    ("fixed-unstored", "p99 at 50 000/s, `keep: false`, ms", tail, "s1fixed", "<=", 1.5, "8 ms"),
    ("fixed-world", "p99 at 50 000/s, world, ms", tail, "s1fixed", "<=", 1.5, "8 ms"),
    ("idle", "resident bytes per idle session", resident, None, "<=", 8192, "5 120"),
    ("join1000", "a thousand join the world, s", joined, None, "<=", 2, "0.5 s"),
]


def table(path):
    """Prints medians, ratios and whether each bar is reached, as Markdown. Answers whether all are."""
    with open(path) as lines:
        rows = [json.loads(line) for line in lines if line.strip()]

    def median(peer, scenario, figure):
        values = [figure(row) for row in rows if (row["peer"], row["scenario"]) == (peer, scenario)]
        return statistics.median(values) if values else None

    reached = True
    print("| what | Yonder | `limit-tick` | ratio | bar | reached | goal |\n|" + "---|" * 7)
    for case, title, figure, beside, relation, bar, goal in JUDGED:
        ours = median("yonder", case, figure)
        if ours is None:
            continue
        theirs = median("limit-tick", beside, figure) if beside else None
        judged = ours / theirs if theirs else ours
        good = judged >= bar if relation == ">=" else judged <= bar
        reached &= good
        shown = [f"{value:,.2f}" if value < 100 else f"{value:,.0f}" for value in (ours, theirs or 0)]
        print(f"| {title} | {shown[0]} | {shown[1] if theirs else '–'} | {f'{judged:.2f}' if theirs else '–'} "
              f"| {'≥' if relation == '>=' else '≤'} {bar} | {'yes' if good else '**no**'} | {goal} |")
    return reached


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--quick", action="store_true", help="one repeat")
    parser.add_argument("--out", default=str(HERE / "results.jsonl"))
    parser.add_argument("--table")
    asked = parser.parse_args()
    if asked.table:
        sys.exit(0 if table(asked.table) else 1)
    if os.path.exists(asked.out):
        os.replace(asked.out, asked.out + ".before")
    names = asked.cases.split(",")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="yonder-bench-"))
    try:
        template = store.make(folder / "template")
        for repeat in range(1 if asked.quick else asked.repeats):
            done = set()
            for name in names:
                beside = CASES[name][1]
                if beside and beside not in done:
                    run.measure(repeat, "limit-tick", beside, asked.out)
                    done.add(beside)
                measure(repeat, name, template, asked.out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print()
    sys.exit(0 if table(asked.out) else 1)


if __name__ == "__main__":
    main()
