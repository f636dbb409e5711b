"""Where CI is set, what wasn't tried counts as failed, whichever runner skipped it."""

import os
import shutil
import subprocess
import sys

import pytest
from yonder import ROOT

SKIPPED_IN_PYTHON = {
    "by a condition": "import pytest\n@pytest.mark.skipif(True, reason='no disk')\ndef test_it(): pass\n",
    "while it runs": "import pytest\ndef test_it(): pytest.skip('no disk')\n",
    "as a whole file": "import pytest\npytest.skip('no disk', allow_module_level=True)\n",
}
SKIPPED_IN_SWIFT = {
    "without a reason": "➜ Test \"a disk is full\" skipped.",
    "with a reason": "➜ Test \"a disk is full\" skipped: \"no disk\"",
    "as a suite": "➜ Suite DiskTests skipped.",
    "by XCTest": "Test Case 'DiskTests.testFull' skipped (0.001 seconds)",
}


def environment_for(ci):
    """Ours, with CI set or not set."""
    rest = {name: value for name, value in os.environ.items() if name not in ("CI", "ONLY_AS_ROOT")}
    return rest | {"CI": "true"} if ci else rest


def run_pytest(folder, source, ci, **more):
    """Runs one file beside a copy of our conftest, and answers the exit status and the output."""
    shutil.copy(ROOT / "Tests/Python/conftest.py", folder)
    (folder / "test_one.py").write_text(source)
    # The plugins of what is installed beside it take seconds to load.
    environment = environment_for(ci) | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **more}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout


def run_swift(folder, line, ci):
    """Runs Scripts/test-swift with a command that prints one line, and answers the exit status and the output."""
    swift = folder / "swift"
    swift.write_text(f"#!/bin/sh\necho '◇ Test run started.'\necho '{line}'\necho '✔ Test run with 1 test passed.'\n")
    swift.chmod(0o755)
    environment = environment_for(ci)
    environment["PATH"] = f"{folder}:{environment['PATH']}"
    command = [ROOT / "Scripts/test-swift", "swift", "test"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("source", SKIPPED_IN_PYTHON.values(), ids=SKIPPED_IN_PYTHON)
def test_a_skipped_python_test_fails_where_ci_is_set(tmp_path, source):
    status, output = run_pytest(tmp_path, source, ci=True)
    assert status != 0 and "no disk" in output, output
    status, output = run_pytest(tmp_path, source, ci=False)
    assert status in (0, 5) and "1 skipped" in output, output


def test_a_python_test_that_may_be_skipped_or_is_expected_to_fail_passes_where_ci_is_set(tmp_path):
    source = (
        "import pytest\n"
        "@pytest.mark.may_skip('no such device')\ndef test_one(): pytest.skip('no device')\n"
        "@pytest.mark.xfail\ndef test_other(): assert False\n"
    )
    status, output = run_pytest(tmp_path, source, ci=True)
    assert status == 0 and "1 skipped, 1 xfailed" in output, output


def test_a_test_that_needs_root_is_named_by_an_ordinary_users_run_and_run_by_roots(tmp_path):
    source = "import os\nos.geteuid = lambda: {}\ndef test_both(): pass\ndef test_a_full_disk_as_root(): pass\n"
    status, output = run_pytest(tmp_path, source.format(1000), ci=True)
    assert status == 0 and "1 passed, 1 deselected" in output, output
    assert "Left to make test-root: test_a_full_disk_as_root" in output, output
    status, output = run_pytest(tmp_path, source.format(0), ci=True)
    assert status == 0 and "2 passed" in output, output
    status, output = run_pytest(tmp_path, source.format(0), ci=True, ONLY_AS_ROOT="1")
    assert status == 0 and "1 passed, 1 deselected" in output, output


@pytest.mark.parametrize("line", SKIPPED_IN_SWIFT.values(), ids=SKIPPED_IN_SWIFT)
def test_a_skipped_swift_test_fails_where_ci_is_set(tmp_path, line):
    status, output = run_swift(tmp_path, line, ci=True)
    assert status == 1 and "Skipped, though CI is set" in output, output
    assert run_swift(tmp_path, line, ci=False)[0] == 0


def test_swift_tests_that_ran_pass_where_ci_is_set(tmp_path):
    line = '✔ Test "what was skipped: is counted" passed after 0.001 seconds.'
    assert run_swift(tmp_path, line, ci=True)[0] == 0


def test_a_swift_test_program_that_crashes_fails_its_step_at_once(tmp_path):
    # Swift's own handler for crashes may go on for ever, so it must be off.
    line = "passed'; test \"$SWIFT_BACKTRACE\" = enable=no && kill -SEGV $$; echo '"
    status, output = run_swift(tmp_path, line, ci=True)
    assert status in (139, 245) and "ended with status" in output, (status, output)
