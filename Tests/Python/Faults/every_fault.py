"""Every fault at every point: `make faults`. Prints what failed, and how much of what was tried."""

import argparse
import collections
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Support"))

from points import all_points, complete, jobs, perform_all, sampled, SHARES  # noqa: E402
from runs import SCENARIOS, Templates  # noqa: E402


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scenario", action="append", choices=SCENARIOS, help="only these")
    options.add_argument("--workers", type=int, help="servers side by side")
    options.add_argument("--every", type=int, default=1, help="only every n-th fault")
    options.add_argument("--sample", action="store_true", help="the sixty of `make test-faults`")
    options = options.parse_args()
    began = time.monotonic()

    with tempfile.TemporaryDirectory(prefix="yonder-faults-") as folder:
        templates = Templates(folder).make()
        points = all_points(templates, options.scenario or SCENARIOS)
        faults = {
            scenario: sampled(found, SHARES[scenario]) if options.sample else complete(found)[::options.every]
            for scenario, found in points.items()
        }
        wanted = [job for scenario, some in faults.items() for job in jobs(scenario, some)]
        print(f"{sum(map(len, points.values()))} points, {sum(map(len, faults.values()))} faults, {len(wanted)} servers:")
        for scenario, found in points.items():
            kinds = collections.Counter(f"{point.call} {point.role}" for point in found)
            print(f"  {scenario}: {len(found)} points, {len(faults[scenario])} faults "
                  f"({', '.join(f'{kind} {number}' for kind, number in kinds.items())})", flush=True)
        outcomes = perform_all(templates, wanted, options.workers, show)
    sys.exit(summary(outcomes, sum(map(len, faults.values())), time.monotonic() - began))


def show(outcome):
    if outcome.problem:
        print(outcome, f"\n    {outcome.log[-400:]}", flush=True)
    elif outcome.reached < len(outcome.faults):
        print(f"{outcome.scenario}: {'; '.join(map(str, outcome.faults))}: {outcome.reached} reached the server", flush=True)


def summary(outcomes, wanted, seconds):
    problems = [outcome for outcome in outcomes if outcome.problem]
    reached = sum(outcome.reached for outcome in outcomes)
    print(f"{reached} of {wanted} faults reached the server, {len(problems)} problems, "
          f"slowest recovery {max(outcome.recovery for outcome in outcomes):.1f} s, "
          f"{sum(outcome.refused_starts for outcome in outcomes)} starts and "
          f"{sum(outcome.failed_stops for outcome in outcomes)} stops ended with an error, "
          f"{sum(outcome.restored for outcome in outcomes)} files lost flushed bytes, {seconds / 60:.1f} min")
    return 1 if problems or reached < wanted else 0


if __name__ == "__main__":
    main()
