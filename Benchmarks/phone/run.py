#!/usr/bin/env python3
"""What a phone pays for an hour of sharing or of watching others, beside the table of Documentation/benchmarks.md.

    make bench-phone

Runs PhoneCostTests with an hour in place of five minutes. The time is moved by hand, so an hour takes seconds, and every run counts the
same frames; identifiers and keys are random, so bytes differ by less than a hundredth. Fails where a figure is over 3 % from the
table's.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / ".build/debug/yonderPackageTests.xctest"
GUIDE = ROOT / "Documentation/benchmarks.md"
SECONDS = 3_600
MOST = 0.03
ROW = re.compile(r"^\| ([a-z, ]+) \| ([\d |%]+?) \|$", re.MULTILINE)


def rows(text):
    return {name: [int(number) for number in re.findall(r"\d+", figures)] for name, figures in ROW.findall(text)}


def measured():
    command = [TESTS, "--testing-library", "swift-testing", "--filter", "PhoneCostTests"]
    run = subprocess.run(command, env={**os.environ, "PHONE_SECONDS": str(SECONDS)}, capture_output=True, text=True, timeout=900)
    print("\n".join(line for line in run.stdout.splitlines() if line.startswith("| ")))
    if run.returncode != 0:
        sys.exit(run.stdout[-4_000:])
    return rows(run.stdout)


def main():
    section = GUIDE.read_text().split("## What a phone pays", 1)[1].split("\n## ", 1)[0]
    written = rows(section)
    far = [name for name, figures in measured().items() if not is_near(figures, written.get(name))]
    if far:
        sys.exit(f"{GUIDE.name} has other figures of: {', '.join(far)}")


def is_near(figures, written):
    return written is not None and all(abs(a - b) <= max(1, MOST * b) for a, b in zip(figures, written, strict=True))


if __name__ == "__main__":
    main()
