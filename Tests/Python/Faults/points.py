"""Which calls fail, and with what: chosen from the calls that a dry run counts, evenly and the same each time."""

import concurrent.futures
import dataclasses
import math
import os

from faults import Fault, variants
from runs import SCENARIOS, Run

# At most so many points of one kind of call on one kind of file; those of `pressure` take seconds each.
MOST = {"write": 30, "flush": 16, "read": 6, "lock": 4}
MOST_UNDER_PRESSURE = {"write": 10, "flush": 6, "read": 2, "lock": 2}
OTHERS = 3
# How many of the sixty points fall to each scenario.
SHARES = {"create": 7, "migrate": 7, "start": 10, "steady": 20, "pressure": 3, "erase": 4, "close": 4, "backup": 5}
STEPS = {12: 5, 9: 4, 3: 1, 2: 1}
GOLDEN = (math.sqrt(5) - 1) / 2
# Faults in one server's life, where it needn't start anew for each.
TOGETHER = 12
# How often a fault that was not reached is tried again.
ATTEMPTS = 5
ENDINGS = ["kill", "power", "stop"]
# The calls of this scenario depend on how many requests the server has at once.
DRY_RUNS = {"steady": 3}


@dataclasses.dataclass(frozen=True)
class Point:
    scenario: str
    call: str
    role: str
    at: int

    def fault(self, error, times):
        return Fault(self.call, self.role, self.at, error, times)


def spread(count, most):
    """Up to `most` of the numbers 1…count, evenly."""
    return sorted({1 + round(index * (count - 1) / max(1, most - 1)) for index in range(min(count, most))})


def points_of(scenario, counts):
    """The points of a scenario: of each kind of call on each kind of file."""
    limits = MOST_UNDER_PRESSURE if scenario == "pressure" else MOST
    return [
        Point(scenario, call, role, at)
        for (call, role), count in sorted(counts.items())
        for at in spread(count, limits.get(call, OTHERS))
    ]


def sure_counts(templates, scenario):
    """How often each call is made in every dry run: what a busy server opens or locks once more, an idle one doesn't."""
    runs = [Run(templates, scenario, []).count() for _ in range(DRY_RUNS.get(scenario, 1))]
    least = {kind: min(counts.get(kind, 0) for counts in runs) for kind in runs[0]}
    return {kind: count for kind, count in least.items() if count}


def all_points(templates, scenarios=SCENARIOS):
    """All points, after the dry runs of each scenario."""
    return {scenario: points_of(scenario, sure_counts(templates, scenario)) for scenario in scenarios}


def chosen(points, share):
    """So many points of a scenario, evenly over the kinds of calls and, within each, over its calls."""
    kinds = {}
    for point in points:
        kinds.setdefault((point.call, point.role), []).append(point)
    # Writes and flushes first: where there are fewer points than kinds, those count most.
    order = sorted(kinds, key=lambda kind: (kind[0] not in ("write", "flush", "truncate"), kind))
    found = []
    for turn in range(len(points)):
        for kind in order:
            # The middle, then always a place in the widest gap between those before.
            place = math.modf((turn + 1) * GOLDEN - GOLDEN + 0.5)[0]
            point = kinds[kind][int(place * len(kinds[kind]))]
            if point not in found and len(found) < share:
                found.append(point)
    return found


@dataclasses.dataclass
class Job:
    """Faults for one server's life."""

    scenario: str
    faults: list
    ending: str


def jobs(scenario, faults):
    """The lives of servers in which these faults happen."""
    together = TOGETHER if scenario == "steady" else 1
    groups = [faults[start:start + together] for start in range(0, len(faults), together)]
    return [Job(scenario, group, ENDINGS[index % len(ENDINGS)]) for index, group in enumerate(groups)]


def sampled(points, share):
    """A fault at each chosen point; every error and number of times has its turn."""
    faults, turns = [], {}
    for point in chosen(points, share):
        kind = (point.call, point.role)
        possible = variants(point.call)
        first = SCENARIOS.index(point.scenario) + len(turns)
        turn = turns[kind] = turns.get(kind, first) + 1
        # A step that has no divisor with the number of variants meets all of them before one comes again.
        faults.append(point.fault(*possible[turn * STEPS[len(possible)] % len(possible)]))
    return faults


def complete(points):
    """Every fault at every point."""
    return [point.fault(*variant) for point in points for variant in variants(point.call)]


def perform(templates, job):
    """Runs a job. A fault that its run didn't reach is tried alone, at earlier and earlier calls."""
    outcome = Run(templates, job.scenario, job.faults, job.ending).perform()
    if outcome.problem:
        return outcome
    for fault in outcome.missed:
        again = perform_earlier(templates, job, fault)
        if again.problem:
            return again
        outcome.reached += again.reached
    return outcome


def perform_earlier(templates, job, fault):
    """What came of one fault in a server's life of its own: the calls that a run makes differ a little each time."""
    for _ in range(ATTEMPTS):
        fault = earlier(fault)
        outcome = Run(templates, job.scenario, [fault], job.ending).perform()
        if outcome.problem or outcome.reached:
            break
    return outcome


def earlier(fault):
    return dataclasses.replace(fault, at=max(1, fault.at * 7 // 10))


def perform_all(templates, wanted, workers=None, report=None):
    """Runs jobs side by side; the faults of a job that failed are tried again one by one, to find which it was."""
    outcomes = []
    with concurrent.futures.ProcessPoolExecutor(workers or os.cpu_count() or 2) as pool:
        waiting = {pool.submit(perform, templates, job): job for job in wanted}
        while waiting:
            done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                job, outcome = waiting.pop(future), future.result()
                if outcome.problem and len(job.faults) > 1:
                    single = [Job(job.scenario, [fault], job.ending) for fault in job.faults]
                    waiting |= {pool.submit(perform, templates, one): one for one in single}
                    outcome.reached = 0
                outcomes.append(outcome)
                if report:
                    report(outcome)
    return outcomes
