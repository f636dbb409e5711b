"""`make bench-guard` fails where the current program computes more than 15 % longer, and only there."""

import pathlib
import sys

import pytest
from yonder import ROOT


@pytest.fixture
def guarded(monkeypatch):
    """Runs the guard over programs whose figures are given: what a kind of work costs, run by run."""
    monkeypatch.syspath_prepend(str(ROOT / "Benchmarks/paired"))
    import guard

    def guarded(now, before=(100,), kind="delivery"):
        taken = {"before": 0, "now": 0}
        asked = []

        def measure(program, _meter, counts, _environment):
            figures = {"before": before, "now": now}[program.name]
            figure = figures[min(taken[program.name], len(figures) - 1)]
            taken[program.name] += 1
            asked.append(set(counts))
            return {each: figure if each == kind else 100 for each in counts}

        monkeypatch.setattr(guard, "measure", measure)
        monkeypatch.setattr(guard.pairing, "leave_core_0", lambda: None)
        monkeypatch.setattr(sys, "argv", ["guard", "--baseline", "before", "--current", "now"])
        status = guard.main()
        assert taken["before"] == taken["now"]
        return status, asked

    assert pathlib.Path(guard.__file__).parent == ROOT / "Benchmarks/paired"
    return guarded


def test_the_bar_is_fifteen_percent_of_the_least_run(guarded):
    assert guarded([190, 115, 190])[0] == 0
    assert guarded([116])[0] == 1


def test_a_case_above_the_bar_is_measured_again_alone(guarded):
    status, asked = guarded([130, 130, 130, 110])
    assert status == 0 and len(asked) == 12
    assert asked[0] == {"message", "delivery", "region query"} and asked[-1] == {"delivery"}


@pytest.mark.parametrize("kind", ["message", "delivery", "region query"])
def test_every_case_can_fail(guarded, kind):
    assert guarded([200], kind=kind)[0] == 1
