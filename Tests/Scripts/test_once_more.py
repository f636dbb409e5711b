"""`Scripts/test-python` runs tests that failed once more, and no more than that."""

import shutil
import subprocess

import pytest
from yonder import ROOT

STEADY = "def test_steady(): pass\n"
FAILS = "def test_{}(): assert False\n"
# Passes from its second run on.
LATE = """
import pathlib
FLAG = pathlib.Path(__file__).with_name("flag")
def test_late():
    was_there = FLAG.exists()
    FLAG.touch()
    assert was_there
"""


@pytest.fixture
def run(tmp_path):
    def run(tests):
        shutil.copy(ROOT / "Tests/conftest.py", tmp_path)
        (tmp_path / "test_it.py").write_text(tests)
        command = [ROOT / "Scripts/test-python", "--rootdir", tmp_path, tmp_path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout

    return run


def test_a_test_that_passes_by_itself_has_passed_and_is_listed(run):
    status, output = run(STEADY + LATE)
    assert status == 0 and "Once more" in output and "test_it.py::test_late" in output, output
    assert "1 failed, 1 passed" in output and output.rstrip().splitlines()[-1].startswith("1 passed"), output


def test_a_test_that_fails_again_has_failed(run):
    status, output = run(STEADY + FAILS.format("it"))
    assert status == 1 and output.count("1 failed") == 2, output


def test_more_than_three_failures_are_not_tried_again(run):
    status, output = run("".join(FAILS.format(name) for name in "abcd"))
    assert status == 1 and "Once more" not in output, output
