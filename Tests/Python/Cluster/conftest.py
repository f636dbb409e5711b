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
def cluster():
    """A cluster that each test leaves whole."""
    with Cluster(3) as running:
        yield running


@pytest.fixture(scope="session")
def owner(cluster):
    """The owner of that cluster, whose link is good once."""
    caller, _ = party(cluster.nodes[0], [])
    return caller
