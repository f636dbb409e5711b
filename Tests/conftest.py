"""What holds for every test in Python: where `CI` is set, a test that was skipped has failed.

A test that may be skipped even there says so: `@pytest.mark.may_skip("why")`.
"""

import os

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "may_skip(reason): is no failure when skipped, even where CI is set")


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
