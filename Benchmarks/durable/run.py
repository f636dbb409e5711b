#!/usr/bin/env python3
"""Durable messages acknowledged per second: every answer comes after the fdatasync that holds its message.

    run.py [--repeats 3] [--seconds 5]

50 and 1 000 sessions keep 32 sends in flight each, into one chat and into a thousand; then half of what was reached is
sent at an even pace, for the acknowledgement's p99. The server has core 0, the generator (that of ../fanout) core 1.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FANOUT = HERE.parent / "fanout"
os.environ.setdefault("FANOUT_BUILD", str(HERE.parent.parent / ".build-bench"))
sys.path.insert(0, str(FANOUT))
sys.dont_write_bytecode = True

import run  # noqa: E402
import store  # noqa: E402

PORT = 4121
PEER = {"mode": "ws", "port": PORT}
GOAL = 50_000
WINDOW = 32


def load(sessions, chat):
    """Each session is a room of its own in the generator's eyes: it expects its own answers alone."""
    send = (f'{{"type":"send","key":"{{ts}}-{{i}}-{{seq}}","chat":"{chat}","tag":"Location","content":"",'
            '"data":{"latitude":"{lat}","longitude":"{lon}"}}')
    return [
        "--path", "/v1/stream", "--header", "Sec-WebSocket-Protocol: yonder.v1",
        "--header", f"Authorization: Bearer {store.TOKEN}", "--connections", str(sessions), "--rooms", str(sessions),
        "--echo", "--publish", send, "--payload-bytes", "0", "--spread", "1000", "--marker", '"sent","key":"',
        "--drain", "20",
    ]


def with_server(template, action):
    folder = tempfile.mkdtemp(prefix="durable.", dir=template.parent)
    server = None
    try:
        data = pathlib.Path(folder) / "data"
        shutil.copytree(template, data, ignore=shutil.ignore_patterns("control"))
        server = run.start({"port": PORT, "cmd": store.serve_command(data, PORT)}, folder)
        return action(server)
    finally:
        if server:
            run.stop(server)
        shutil.rmtree(folder, ignore_errors=True)


def measured(template, sessions, chat, seconds):
    """Acknowledgements per second with full windows, then the latencies at half of it."""
    base = load(sessions, chat) + ["--duration", str(seconds), "--warmup", "1"]
    full = with_server(template, lambda server: run.fanload(PEER, server.pid, base + ["--window", str(WINDOW)], 200))
    if full["lost"]:
        raise RuntimeError(f"{full['lost']} messages were not acknowledged")
    pace = base + ["--rate", str(full["deliveries_per_s"] / 2)]
    half = with_server(template, lambda server: run.fanload(PEER, server.pid, pace, 200))
    return full, half


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    asked = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="yonder-bench-"))
    reached = True
    try:
        template = store.make(folder / "template")
        print("| sessions | chats | acknowledged/s | CPU µs each | p50 at half | p99 at half |\n|" + "---|" * 6)
        for sessions in (50, 1000):
            for chats, chat in ((1, store.ROOM), (1000, store.OWNED + "{spread}")):
                rows = [measured(template, sessions, chat, asked.seconds) for _ in range(asked.repeats)]
                rate = statistics.median(full["deliveries_per_s"] for full, _ in rows)
                cost = statistics.median(full["server_cpu_s_per_million"] for full, _ in rows)
                middle = statistics.median(half["p50_us"] for _, half in rows) / 1000
                tail = statistics.median(half["p99_us"] for _, half in rows) / 1000
                reached &= rate >= GOAL
                print(f"| {sessions} | {chats} | {rate:,.0f} | {cost:.1f} | {middle:.2f} ms | {tail:.2f} ms |", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if reached else 1)


if __name__ == "__main__":
    main()
