"""`make bench-guard` fails where the current program costs more than 15 % more, and only there.

Most tests give the figures. The last one measures a program: the one that `YONDER` names, or the debug build.
"""

import pathlib
import sys

import pytest
from yonder import ROOT, program

KINDS = [
    "message", "delivery", "paced delivery", "region query", "connect", "cookie connect", "request", "cookie request",
    "idle session",
]
# What a debug build does in a few seconds.
FEW = {
    "message": 300, "delivery": 300, "paced delivery": 300, "region query": 10, "connect": 60, "cookie connect": 60,
    "request": 100, "cookie request": 100, "idle session": 200,
}


@pytest.fixture
def guard(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "Benchmarks/paired"))
    import guard

    assert pathlib.Path(guard.__file__).parent == ROOT / "Benchmarks/paired"
    monkeypatch.setattr(guard.pairing, "leave_core_0", lambda: None)
    return guard


@pytest.fixture
def guarded(guard, monkeypatch):
    """Runs the guard over programs whose figures are given: what a kind of work costs, run by run, and its instructions."""

    def guarded(now, before=(100,), kind="delivery", instructions=(100, 100)):
        asked = {"before": [], "now": []}
        counted = []

        def measure(program, counts, usual=guard.pairing.ByClock):
            name = program.path.name
            if usual is guard.pairing.ByInstructions:
                counted.append(set(counts))
                figure = instructions[name == "now"]
            else:
                figures = {"before": before, "now": now}[name]
                figure = figures[min(len(asked[name]), len(figures) - 1)]
                asked[name].append(set(counts))
            return {each: figure if each == kind else 100 for each in counts}

        monkeypatch.setattr(guard.pairing, "measure", measure)
        monkeypatch.setattr(guard.programs, "stripped", lambda program, _folder: program)
        monkeypatch.setattr(sys, "argv", ["guard", "--baseline", "before", "--current", "now"])
        status = guard.main()
        assert len(asked["before"]) == len(asked["now"])
        return status, asked["now"], counted

    return guarded


def test_a_case_below_the_bar_in_its_least_run_holds_without_instructions(guarded):
    status, asked, counted = guarded([190, 115, 190])
    assert status == 0 and asked == [set(KINDS)] * 3 and counted == []


def test_a_case_above_the_bar_is_measured_again_alone(guarded):
    status, asked, counted = guarded([130, 130, 130, 110])
    assert status == 0 and asked == [set(KINDS)] * 3 + [{"delivery"}] * 3 and counted == []


def test_instructions_decide_about_a_case_that_stays_above_the_bar(guarded):
    assert guarded([200], instructions=(100, 115)) == (0, [set(KINDS)] * 3 + [{"delivery"}] * 3, [{"delivery"}] * 2)
    assert guarded([200], instructions=(100, 116))[0] == 1


def test_memory_above_the_bar_fails_without_instructions(guarded):
    status, _, counted = guarded([116], kind="idle session", instructions=(100, 100))
    assert status == 1 and counted == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_case_can_fail(guarded, kind):
    assert guarded([200], kind=kind, instructions=(100, 200))[0] == 1


def test_a_case_that_only_the_baseline_lacks_holds(guarded):
    assert guarded([100], before=[None], kind="connect")[0] == 0
    assert guarded([None], kind="connect", instructions=(100, None))[0] == 1


def test_the_guard_and_the_paired_run_measure_the_same_cases(guard):
    assert list(guard.COUNTS) == list(guard.pairing.COUNTS) == KINDS


def test_every_case_is_measured_on_a_real_server_and_a_slowed_program_costs_more(guard, monkeypatch, tmp_path):
    equal = guard.programs.Program(pathlib.Path(program()))
    slowed = guard.programs.slowed(equal, tmp_path, 20_000, kept=16_384)
    monkeypatch.setattr(guard.pairing.work, "PLACES", 100)

    figures = guard.pairing.measure(equal, FEW)
    more = guard.pairing.measure(slowed, {kind: FEW[kind] for kind in ("connect", "cookie request", "idle session")})

    assert set(figures) == set(KINDS) and all(figure > 0 for figure in figures.values())
    assert [kind for kind in more if more[kind] <= guard.BAR * figures[kind]] == []
