"""Two programs that do the same work in turns: what Benchmarks/paired and its guard share.

The server is on core 0, this program on core 1. The clock judges first. Where its figures are above the bar, or
scattered, instructions decide, as no other work on the machine changes them. Memory is measured on a server of its own,
which has done nothing else, and is judged by itself.
"""
import os
import shutil
import statistics
import tempfile

import programs
import work
import yonder
from meters import ByClock, ByInstructions, ByMemory
from visitor import Lacking
from work import READERS

# Operations of one run; a hundredth of the processor time of a run is what the clock can tell apart.
COUNTS = {
    "message": 20_000, "delivery": 500 * READERS, "paced delivery": 400 * READERS, "region query": 4_000,
    "connect": 4_000, "cookie connect": 4_000, "request": 6_000, "cookie request": 6_000, "idle session": 2_000,
}
RESIDENT = {"idle session"}


def meter_of(kind, usual):
    """How a kind of work is measured: `usual`, unless it is about memory."""
    return ByMemory if kind in RESIDENT else usual


# One program.


def measure(program, counts=COUNTS, usual=ByClock):
    """What each kind of work costs once; `None` where the program doesn't have it yet."""
    os.environ["YONDER"] = str(program.path)
    yonder.lift_write_limits()
    figures = {}
    for meter in (ByMemory, usual):
        part = {kind: count for kind, count in counts.items() if meter_of(kind, usual) is meter}
        if part:
            figures |= measured_on_one_server(program, part, meter)
    return figures


def measured_on_one_server(program, counts, meter_kind):
    folder = tempfile.mkdtemp(prefix="yonder-paired-")
    try:
        meter = meter_kind(folder)
        libraries = ":".join(map(str, [*program.libraries, *meter.libraries]))
        with yonder.Server(wrapper=meter.wrapper, environment={"LD_PRELOAD": libraries}) as server:
            people = work.Work(server, meter.pace)
            figures = {kind: cost(people, meter, kind, count // meter.fewer) for kind, count in counts.items()}
            people.end()
            return figures
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def cost(people, meter, kind, count):
    """What one operation of a kind costs."""
    perform = getattr(people, kind.replace(" ", "_"))
    try:
        # The first ones fill caches and make what is made once.
        perform(min(count, max(READERS, count // 20)))
        meter.begin(people.server.process.pid)
        perform(count)
        return meter.end(people.server.process.pid) / count
    except Lacking:
        return None


# Two programs.


def in_turns(pair, counts, runs):
    """The figures of two programs by the clock, a list a program; each is first in every other turn."""
    figures = ([], [])
    for number in range(runs):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            figures[side].append(measure(pair[side], counts))
    return figures


def hold_by_instructions(pair, kinds, counts, bar):
    """Whether kinds of work that the clock didn't clear are below the bar by instructions."""
    counted = {kind: counts[kind] for kind in kinds if kind not in RESIDENT}
    if not counted:
        return not kinds
    print(f"\nInstructions decide: {', '.join(counted)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="yonder-paired-") as folder:
        before, now = (measure(programs.stripped(program, folder), counted, ByInstructions) for program in pair)
    verdicts = [line(kind, before[kind], now[kind], ByInstructions.unit, bar) for kind in counted]
    return all(verdicts) and len(counted) == len(kinds)


def reduced(figures, kind, reduce):
    """One figure of each program from those of its runs, or `None` if it doesn't have this kind of work."""
    sides = [[run[kind] for run in side] for side in figures]
    return [None if None in side else reduce(side) for side in sides]


def is_scattered(values, bar):
    """Whether more than half lie farther from their median than the bar allows."""
    if None in values:
        return False
    middle = statistics.median(values)
    return sum(abs(value / middle - 1) > bar - 1 for value in values) > len(values) / 2


def leave_core_0():
    """The server has core 0, where there are two."""
    os.sched_setaffinity(0, {1} if os.cpu_count() > 1 else {0})


# What is printed.


def line(kind, before, now, unit, bar):
    """Prints one comparison, and answers whether it holds. What only the baseline has, doesn't."""
    if before is None or now is None:
        holds = before is None
        ratio, verdict = "", "not in the baseline" if holds else "gone"
    else:
        holds = now / before <= bar
        ratio, verdict = f"{now / before:6.3f}", "holds" if holds else "above the bar"
    print(f"{kind:14} {shown(before)} {shown(now)} {unit:22} {ratio:6}  {verdict}", flush=True)
    return holds


def shown(figure):
    return f"{'–':>10}" if figure is None else f"{figure:10.2f}"


def head(figures, bar):
    print(f"\n{'':14} {'baseline':>10} {'now':>10}   {figures}, bar {bar}, baseline {programs.baseline()}")
