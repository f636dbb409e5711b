#!/usr/bin/env python3
"""Guards what fan-out, durable messages and the index cost: at most 15 % more processor time than at the baseline.

    make bench-guard
    .build-python/bin/python Benchmarks/paired/guard.py [--baseline PROGRAM] [--current PROGRAM] [--slowed 20]

A few seconds of each case of Benchmarks/paired, the two release programs in turns. The least of three runs decides,
as other work on the machine only adds to a figure; a case above the bar is measured three more times, and fails if the
least of all six is still above it. `--slowed`
shows that the guard can fail: each of the current program's calls that write or wait takes that many microseconds of
processor time more.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import pairing  # noqa: E402
from pairing import ByClock, measure  # noqa: E402

BAR = 1.15
RUNS = 3
# Each a second or two of the server's time. A durable message, a delivery to one of a hundred readers, and a region
# query of the index with its answer.
COUNTS = {"message": 10_000, "delivery": 200 * pairing.READERS, "region query": 2_000}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--baseline", type=pathlib.Path, help="a program; built from the baseline's commit without it")
    parser.add_argument("--current", type=pathlib.Path, help="a program; built from this folder without it")
    parser.add_argument("--slowed", type=int, metavar="MICROSECONDS", help="slow the current program down")
    return parser.parse_args()


def slowing(folder, microseconds):
    """The environment of a program whose calls take longer."""
    library = pathlib.Path(folder) / "slow.so"
    options = ["-shared", "-fPIC", "-O1", f"-DMICROSECONDS={microseconds}"]
    subprocess.run(["cc", *options, "-o", library, pairing.HERE / "slow.c", "-ldl"], check=True)
    return {"LD_PRELOAD": str(library)}


def judged(figures, kinds):
    """The kinds of work whose figures are above the bar."""
    pairing.head(f"least of {len(figures[0])}")
    least = {kind: [min(run[kind] for run in side) for side in figures] for kind in kinds}
    return [kind for kind in kinds if not pairing.line(kind, *least[kind], ByClock.unit, BAR)]


def main():
    asked = parse()
    programs = (asked.baseline or pairing.built_baseline(), asked.current or pairing.built_current())
    pairing.leave_core_0()
    with tempfile.TemporaryDirectory(prefix="yonder-guard-") as folder:
        environments = (None, slowing(folder, asked.slowed) if asked.slowed else None)
        sides = list(zip(programs, environments))

        def turns(counts):
            ways = [lambda side=side: measure(side[0], ByClock, counts, side[1]) for side in sides]
            return pairing.in_turns(ways, RUNS)

        figures = turns(COUNTS)
        above = judged(figures, COUNTS)
        if not above:
            return 0
        again = turns({kind: COUNTS[kind] for kind in above})
        return 1 if judged([one + more for one, more in zip(figures, again)], above) else 0


if __name__ == "__main__":
    sys.exit(main())
