"""What holds for every test in Python: where `CI` is set, a test that was skipped has failed.

A test that may be skipped even there says so: `@pytest.mark.may_skip("why")`. A test that only root can run has a name that ends with
`_as_root`; an ordinary user's run leaves it out and names it, and `make test-root` runs these alone (ONLY_AS_ROOT=1). With
FAILED_TESTS=FILE in the environment, a run writes the names of the tests that failed into that file, for Scripts/test-python.
`--times N` runs each test N times, `--busy` beside a process that never rests.
"""

import os
import pathlib
import subprocess
import sys

import pytest

LEFT_TO_ROOT = pytest.StashKey()


class Busy:
    """Keeps one processor busy for as long as the tests run."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"])

    def pytest_unconfigure(self):
        self.process.kill()
        self.process.wait()


def pytest_addoption(parser):
    parser.addoption("--times", type=int, default=1, help="how many times each test runs")
    parser.addoption("--busy", action="store_true", help="keeps one processor busy meanwhile")


def pytest_configure(config):
    config.addinivalue_line("markers", "may_skip(reason): is no failure when skipped, even where CI is set")
    if config.getoption("busy") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Busy())


def pytest_generate_tests(metafunc):
    times = metafunc.config.getoption("times")
    if times > 1:
        metafunc.fixturenames.append("repetition")
        metafunc.parametrize("repetition", range(1, times + 1))


def is_for_root(item):
    """Whether a test says by its name that only root can run it."""
    return getattr(item, "originalname", item.name).endswith("_as_root")


def pytest_collection_modifyitems(config, items):
    left_out = [item for item in items if is_for_root(item) and os.geteuid() != 0]
    if os.environ.get("ONLY_AS_ROOT"):
        left_out = [item for item in items if not is_for_root(item)]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
        config.stash[LEFT_TO_ROOT] = [item.name for item in left_out if is_for_root(item)]


def pytest_terminal_summary(terminalreporter, config):
    for name in config.stash.get(LEFT_TO_ROOT, []):
        terminalreporter.write_line(f"Left to make test-root: {name}")


def pytest_sessionfinish(session):
    path = os.environ.get("FAILED_TESTS")
    # With `-n` the processes that run the tests have no terminal; the one that hands them out has all reports.
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if path and terminal:
        reports = [report for kind in ("failed", "error") for report in terminal.stats.get(kind, [])]
        failed = {str(session.config.rootpath / without_group(report.nodeid)) for report in reports}
        pathlib.Path(path).write_text("".join(f"{name}\n" for name in sorted(failed)))


def without_group(name):
    """A test's name without the `@GROUP` that pytest-xdist puts behind it; an `@` in brackets belongs to the test."""
    return name[:name.rfind("@")] if name.rfind("@") > name.rfind("]") else name


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if item.get_closest_marker("may_skip") is None:
        fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    fail_if_skipped(report)
    return report


def fail_if_skipped(report):
    # An expected failure is reported as skipped, too.
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        *_, reason = report.longrepr if isinstance(report.longrepr, tuple) else (report.longrepr,)
        report.outcome = "failed"
        report.longrepr = f"Skipped, though CI is set: {reason}"
