#!/usr/bin/env python3
"""Compares what messages, deliveries, regions, connects, requests and idle sessions cost now and at the baseline's commit.

    make bench-paired
    .build-python/bin/python Benchmarks/paired [--runs 7] [--baseline PROGRAM] [--current PROGRAM] [--instructions]

Both release builds do the same work in turns: the server on core 0, this program on core 1. A figure is the server's
processor time for one operation, in microseconds, or the memory that one idle session holds, and the median of the runs.
Each may be 5 % above the baseline's. Where more than half of the runs lie farther than 5 % from their median, or a figure
is above the bar, instructions are counted by valgrind in one run of each program, and these decide: no other work on the
machine changes them. Memory is judged by its median alone.
"""
import argparse
import pathlib
import statistics
import sys

sys.dont_write_bytecode = True

import pairing  # noqa: E402
import programs  # noqa: E402

BAR = 1.05


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="of each program; an odd number")
    parser.add_argument("--baseline", type=pathlib.Path, help="a program; built from the baseline's commit without it")
    parser.add_argument("--current", type=pathlib.Path, help="a program; built from this folder without it")
    parser.add_argument("--instructions", action="store_true", help="count instructions in any case")
    return parser.parse_args()


def is_decided(figures, kind):
    """Whether a kind of work holds by the clock, or by memory."""
    unit = pairing.meter_of(kind, pairing.ByClock).unit
    holds = pairing.line(kind, *pairing.reduced(figures, kind, statistics.median), unit, BAR)
    is_scattered = any(pairing.is_scattered([run[kind] for run in side], BAR) for side in figures)
    return holds and (kind in pairing.RESIDENT or not is_scattered)


def main():
    asked = parse()
    pair = programs.pair(asked.baseline, asked.current)
    pairing.leave_core_0()
    figures = pairing.in_turns(pair, pairing.COUNTS, asked.runs)
    pairing.head(f"median of {asked.runs}", BAR)
    undecided = [kind for kind in pairing.COUNTS if not is_decided(figures, kind)]
    if asked.instructions:
        undecided = [kind for kind in pairing.COUNTS if kind in undecided or kind not in pairing.RESIDENT]
    return 0 if pairing.hold_by_instructions(pair, undecided, pairing.COUNTS, BAR) else 1


if __name__ == "__main__":
    sys.exit(main())
