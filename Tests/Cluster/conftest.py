"""Options and fixtures of the tests that hurt a cluster."""

import os

import pytest
from cluster import Cluster
from yonder import lift_write_limits, party

lift_write_limits()


def pytest_addoption(parser):
    parser.addoption("--rounds", type=int, default=int(os.environ.get("ROUNDS", 1)), help="how often each thing fails")


@pytest.fixture
def rounds(request):
    return request.config.getoption("--rounds")


@pytest.fixture(scope="session")
def shared():
    """A cluster for tests that leave it whole."""
    with Cluster(3) as running:
        yield running


@pytest.fixture(scope="session")
def owner(shared):
    """The owner of the shared cluster, whose link is good once."""
    caller, _ = party(shared.nodes[0], [])
    return caller


@pytest.fixture
def cluster():
    with Cluster(3) as running:
        yield running
