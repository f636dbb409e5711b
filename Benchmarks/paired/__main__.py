#!/usr/bin/env python3
"""Compares what a message, a delivery and a region query cost the server now and at the commit in Benchmarks/baseline.

    make bench-paired
    .build-python/bin/python Benchmarks/paired [--runs 7] [--baseline PROGRAM] [--current PROGRAM] [--instructions]

Both release builds do the same work in turns: the server on core 0, this program on core 1. A figure is the server's
processor time for one operation, in microseconds, and the median of the runs. Each may be 5 % above the baseline's.
Where more than half of the runs lie farther than 5 % from their median, or a figure is above the bar, instructions are
counted by valgrind in one run of each program, and these decide: no other work on the machine changes them.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True

import pairing  # noqa: E402
from pairing import ByClock, ByInstructions, measure  # noqa: E402

BAR = 1.05


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="of each program; an odd number")
    parser.add_argument("--baseline", type=pathlib.Path, help="a program; built from the baseline's commit without it")
    parser.add_argument("--current", type=pathlib.Path, help="a program; built from this folder without it")
    parser.add_argument("--instructions", action="store_true", help="count instructions in any case")
    return parser.parse_args()


def is_noisy(values):
    """Whether more than half lie farther than 5 % from their median."""
    middle = statistics.median(values)
    return sum(abs(value / middle - 1) > BAR - 1 for value in values) > len(values) / 2


def main():
    asked = parse()
    programs = (asked.baseline or pairing.built_baseline(), asked.current or pairing.built_current())
    pairing.leave_core_0()
    figures = pairing.in_turns([lambda program=program: measure(program, ByClock) for program in programs], asked.runs)
    pairing.head(f"median of {asked.runs}")
    undecided = []
    for kind in pairing.COUNTS:
        before, now = pairing.medians(figures, kind)
        holds = pairing.line(kind, before, now, ByClock.unit, BAR)
        noisy = any(is_noisy([run[kind] for run in side]) for side in figures)
        if not holds or noisy or asked.instructions:
            undecided.append(kind)
    if not undecided:
        return 0
    print(f"\nInstructions decide: {', '.join(undecided)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="yonder-paired-") as folder:
        before, now = (measure(pairing.stripped(program, folder), ByInstructions) for program in programs)
    return 0 if all([pairing.line(kind, before[kind], now[kind], ByInstructions.unit, BAR) for kind in undecided]) else 1


if __name__ == "__main__":
    sys.exit(main())
