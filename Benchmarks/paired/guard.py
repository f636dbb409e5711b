#!/usr/bin/env python3
"""Guards what messages, deliveries, regions, connects, requests and idle sessions cost: at most 15 % more than at the baseline.

    make bench-guard
    .build-python/bin/python Benchmarks/paired/guard.py [--baseline PROGRAM] [--current PROGRAM] [--slowed 300]

Some seconds of each case of Benchmarks/paired, the two release programs in turns. The least of three runs is compared,
as other work on the machine only adds to a figure; of paced deliveries the median, because a server that has to wait for
its core joins messages. A case above the bar is measured three more times; where it is still above it with all six,
instructions decide, which valgrind counts in one run of each program. Memory has failed then.

`--slowed` shows that the guard can fail: each of the current program's calls that write or wait computes that many
thousand instructions more, and each of its connections keeps 4 KiB more.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True

import pairing  # noqa: E402
import programs  # noqa: E402
from work import READERS  # noqa: E402

BAR = 1.15
RUNS = 3
# Each a second or two of the server's time, and the paced deliveries two seconds by the clock.
COUNTS = {
    "message": 10_000, "delivery": 200 * READERS, "paced delivery": 200 * READERS, "region query": 2_000,
    "connect": 2_000, "cookie connect": 2_000, "request": 3_000, "cookie request": 3_000, "idle session": 1_000,
}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--baseline", type=pathlib.Path, help="a program; built from the baseline's commit without it")
    parser.add_argument("--current", type=pathlib.Path, help="a program; built from this folder without it")
    parser.add_argument("--slowed", type=int, metavar="THOUSANDS", help="slow the current program down")
    return parser.parse_args()


def above(figures, kinds):
    """The kinds of work whose figures are above the bar."""
    pairing.head(f"{len(figures[0])} runs", BAR)

    def holds(kind):
        reduce = statistics.median if kind == "paced delivery" else min
        return pairing.line(kind, *pairing.reduced(figures, kind, reduce), pairing.meter_of(kind, pairing.ByClock).unit, BAR)

    return [kind for kind in kinds if not holds(kind)]


def main():
    asked = parse()
    before, now = programs.pair(asked.baseline, asked.current)
    pairing.leave_core_0()
    with tempfile.TemporaryDirectory(prefix="yonder-guard-") as folder:
        pair = before, programs.slowed(now, folder, asked.slowed) if asked.slowed else now
        figures = pairing.in_turns(pair, COUNTS, RUNS)
        suspects = above(figures, COUNTS)
        if suspects:
            again = pairing.in_turns(pair, {kind: COUNTS[kind] for kind in suspects}, RUNS)
            suspects = above([one + more for one, more in zip(figures, again)], suspects)
        return 0 if pairing.hold_by_instructions(pair, suspects, COUNTS, BAR) else 1


if __name__ == "__main__":
    sys.exit(main())
