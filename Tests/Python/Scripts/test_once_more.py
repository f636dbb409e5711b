"""`Scripts/test-python` runs tests that failed once more, no more than that, and names those that passed only then."""

import os
import shutil
import subprocess

import pytest
from yonder import ROOT

STEADY = "def test_steady(): pass\n"
FAILS = "def test_{}(): assert False\n"
# Passes from its second run on.
LATE = """
import pathlib
import pytest
FLAG = pathlib.Path(__file__).with_name("flag")
@pytest.mark.xdist_group("late")
def test_late():
    was_there = FLAG.exists()
    FLAG.touch()
    assert was_there
"""


@pytest.fixture
def second_tries(tmp_path):
    """The file in which a run keeps the names of tests that needed a second try; another run has written into it."""
    path = tmp_path / "second-tries"
    path.write_text("test_other.py::test_other\n")
    return path


@pytest.fixture
def run(tmp_path, second_tries):
    def run(tests, *arguments):
        shutil.copy(ROOT / "Tests/Python/conftest.py", tmp_path)
        (tmp_path / "test_it.py").write_text(tests)
        command = [ROOT / "Scripts/test-python", "--rootdir", tmp_path, *arguments, tmp_path]
        environment = {**os.environ, "SECOND_TRIES": str(second_tries)}
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
        return done.returncode, done.stdout

    return run


@pytest.mark.parametrize("arguments", [[], ["-n", "2", "--dist", "loadgroup"]], ids=["one process", "two processes"])
def test_a_test_that_passes_by_itself_has_passed_and_is_named(run, tmp_path, second_tries, arguments):
    status, output = run(STEADY + LATE, *arguments)
    name = f"{tmp_path}/test_it.py::test_late"
    assert status == 0 and f"Once more, by themselves:\n  {name}\n" in output, output
    *_, before_last, last = output.rstrip().splitlines()
    assert "1 failed, 1 passed" in output and before_last.startswith("1 passed"), output
    assert last == f"Needed a second try: {name}"
    assert second_tries.read_text() == f"test_other.py::test_other\n{name}\n"


def test_a_test_that_fails_again_has_failed(run, second_tries):
    status, output = run(STEADY + FAILS.format("it") + LATE)
    assert status == 1 and "2 failed, 1 passed" in output and "1 failed, 1 passed" in output, output
    assert output.count("Needed a second try") == 1 and "test_late" in output.rstrip().splitlines()[-1], output
    assert "test_it.py::test_it" not in second_tries.read_text()


def test_more_than_three_failures_are_not_tried_again(run):
    status, output = run("".join(FAILS.format(name) for name in "abcd"))
    assert status == 1 and "Once more" not in output, output


def test_nothing_is_named_when_all_pass_at_once(run, second_tries):
    status, output = run(STEADY)
    assert status == 0 and output.rstrip().splitlines()[-1].startswith("1 passed"), output
    assert second_tries.read_text() == "test_other.py::test_other\n"
