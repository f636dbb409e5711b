"""Promise 6: whatever fails, what was acknowledged stays, reading goes on, and writing resumes by itself.

Sixty points of those that `make faults` tries, evenly chosen over what a server does and which calls that makes.
"""

import pytest
from faults import Fault
from points import SHARES, all_points, jobs, perform_all, sampled
from runs import SCENARIOS, Run


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_call_that_fails_loses_nothing_that_was_acknowledged(templates, scenario):
    points = all_points(templates, [scenario])[scenario]
    faults = sampled(points, SHARES[scenario])
    assert len(faults) == min(SHARES[scenario], len(points))
    outcomes = perform_all(templates, jobs(scenario, faults))
    assert [str(outcome) for outcome in outcomes if outcome.problem] == []
    # A fault that doesn't reach the server proves nothing.
    assert [str(outcome) for outcome in outcomes if outcome.reached < len(outcome.faults)] == []


def test_a_log_survives_an_index_that_cannot_be_opened(templates):
    # SQLite, closing the connection that failed, takes a log without an index for one that was moved, and removes it.
    outcome = Run(templates, "start", [Fault("open", "index", 1, "ENOSPC", "three")]).perform()
    assert outcome.problem is None and outcome.reached == 1


def test_sixty_points_are_tried():
    assert sum(SHARES.values()) == 60 and list(SHARES) == SCENARIOS
