"""`Scripts/step` and `Scripts/show-steps` print what a run took, what took too long, and what was left out."""

import os
import re
import subprocess
import time

import pytest
from yonder import ROOT


def step(folder, *arguments, **environment):
    """Runs one step, and answers its status, its output and what it noted."""
    notes = folder / "steps"
    done = subprocess.run([ROOT / "Scripts/step", *arguments], env={**os.environ, "STEPS": str(notes), **environment},
                          capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr, notes.read_text().splitlines()[-1].split("\t")


def shown(folder, steps, second_tries=(), failures=()):
    """The lines that are printed about these steps."""
    (folder / "steps").write_text("".join("\t".join(map(str, each)) + "\n" for each in steps))
    (folder / "tries").write_text("".join(f"{name}\n" for name in second_tries))
    (folder / "failures").write_text("".join(f"{line}\n" for line in failures))
    command = [ROOT / "Scripts/show-steps", folder / "steps", folder / "tries", folder / "failures"]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def usual(title):
    """The processor seconds of a step in the table of CONTRIBUTING.md."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    return next(int(line.split("|")[3].replace(" ", "")) for line in text.splitlines() if line.startswith(f"| {title} |"))


def test_a_step_that_fails_is_noted_and_keeps_its_status(tmp_path):
    status, output, note = step(tmp_path, "Broken", "sh", "-c", "exit 7")
    assert status == 7 and "FAILED (status 7)" in output
    assert note[0] == "Broken" and note[3] == "FAILED (status 7)"


def test_a_deep_step_that_would_begin_too_late_is_left_out_and_named(tmp_path):
    late, early = str(int(time.time()) - 1), str(int(time.time()) + 3_600)
    status, _, note = step(tmp_path, "--deep", "Fuzzing", "false", DEEP_UNTIL=late)
    assert status == 0 and note[3] == "left out"
    assert step(tmp_path, "--deep", "Fuzzing", "sh", "-c", "exit 7", DEEP_UNTIL=early)[0] == 7
    assert step(tmp_path, "Swift tests", "sh", "-c", "exit 7", DEEP_UNTIL=late)[0] == 7, "only deep steps are left out"
    assert "run by hand: Fuzzing" in shown(tmp_path, [("Fuzzing", 0, 0, "left out")])


def test_a_step_that_takes_a_third_more_processor_time_than_the_table_is_marked(tmp_path):
    spent = usual("Browser")
    assert "times the processor time" not in shown(tmp_path, [("Browser", 9, round(spent * 1.3), "passed")]).splitlines()[1]
    assert "1.4 times the processor time" in shown(tmp_path, [("Browser", 9, round(spent * 1.4), "passed")]).splitlines()[1]


def test_every_step_that_takes_its_time_has_a_row_in_the_table():
    titles = set(re.findall(r'\$\(STEP\) (?:--deep )?"([^"$]+)"', (ROOT / "Makefile").read_text()))
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("| step |")[2].partition("\n\n")[0]
    rows = set(re.findall(r"^\| ([^|]+?) \| *[\d ]+ \| *[\d ]+ \|", table, re.MULTILINE))
    assert rows <= titles, f"no step has the title of {rows - titles}"
    run = "Debug build", "Your first app", "Debug build with tests", "Swift tests", "Swift tests of PostgreSQL", "Foreign clients", \
        "Browser", "Failures", "Cluster", "Faults", "Thread sanitizer", "Address sanitizer", "Fuzzing"
    assert set(run) <= rows, f"the table lacks {set(run) - rows}"


def test_tests_that_needed_a_second_try_are_named(tmp_path):
    assert "needed a second try: 0" in shown(tmp_path, [])
    assert "needed a second try: 1\n  Tests/x.py::test_y" in shown(tmp_path, [], ["Tests/x.py::test_y"])


def failures_of(folder, script):
    """What is kept of a step for the end of the run, and what the step printed."""
    failures = folder / "failures"
    _, output, _ = step(folder, "Some tests", "sh", "-c", script, FAILURES=str(failures))
    return failures.read_text(), output


@pytest.mark.parametrize("line", [
    'FAILED Tests/x.py::test_y - AssertionError: no pin',
    '✘ Test "a stop is kept" recorded an issue at StopTests.swift:4:5: Expectation failed',
    '↳ No question runs this: SELECT 1',
    'Sources/A/B.swift:1:2: error: cannot find it',
    '==4==ERROR: AddressSanitizer: heap-use-after-free',
])
def test_the_lines_that_say_why_a_step_failed_are_printed_at_the_end(tmp_path, line):
    kept, output = failures_of(tmp_path, f"echo first; echo '{line}'; echo last; echo '{line}' >&2; exit 1")
    assert kept == f"Some tests:\n  {line}\n" and "first" in output and "last" in output
    assert f"Why tests failed:\n  Some tests:\n    {line}" in shown(tmp_path, [], failures=kept.splitlines())


def test_a_failure_without_such_a_line_is_told_by_its_last_lines(tmp_path):
    kept, _ = failures_of(tmp_path, "seq 1 100; exit 1")
    assert kept.splitlines()[0] == "Some tests:" and kept.splitlines()[1:] == [f"  {number}" for number in range(93, 101)]


def test_colors_are_left_out(tmp_path):
    kept, _ = failures_of(tmp_path, r"printf '\033[91m✘\033[0m Test it recorded an issue at A.swift:1:2\n'; exit 1")
    assert kept == 'Some tests:\n  ✘ Test it recorded an issue at A.swift:1:2\n'


def test_many_and_long_failures_are_cut(tmp_path):
    kept, _ = failures_of(tmp_path, "for n in $(seq 1 100); do printf 'FAILED %0500d\\n' $n; done; exit 1")
    assert len(kept.splitlines()) == 14 and max(map(len, kept.splitlines())) < 300 and "88 more lines" in kept


def test_of_a_step_that_passed_only_a_second_try_is_printed(tmp_path):
    assert failures_of(tmp_path, "echo 'FAILED Tests/x.py::test_y'")[0] == ""
    kept, _ = failures_of(tmp_path, "echo 'FAILED Tests/x.py::test_y - late'; echo 'Needed a second try: Tests/x.py::test_y'")
    assert kept == "Some tests, passed at the second try:\n  FAILED Tests/x.py::test_y - late\n"
    assert "Why tests failed" not in shown(tmp_path, [])


def test_a_command_that_a_step_runs_keeps_no_failures_itself(tmp_path):
    kept, _ = failures_of(tmp_path, 'test -z "$FAILURES" || echo "FAILED it has the name"; exit 1')
    assert "it has the name" not in kept
