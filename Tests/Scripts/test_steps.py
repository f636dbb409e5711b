"""`Scripts/step` and `Scripts/show-steps` print what a run took, what took too long, and what was left out."""

import os
import re
import subprocess
import time

from yonder import ROOT


def step(folder, *arguments, **environment):
    """Runs one step, and answers its status, its output and what it noted."""
    notes = folder / "steps"
    done = subprocess.run([ROOT / "Scripts/step", *arguments], env={**os.environ, "STEPS": str(notes), **environment},
                          capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr, notes.read_text().splitlines()[-1].split("\t")


def shown(folder, steps, second_tries=()):
    """The lines that are printed about these steps."""
    (folder / "steps").write_text("".join("\t".join(map(str, each)) + "\n" for each in steps))
    (folder / "tries").write_text("".join(f"{name}\n" for name in second_tries))
    command = [ROOT / "Scripts/show-steps", folder / "steps", folder / "tries"]
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
