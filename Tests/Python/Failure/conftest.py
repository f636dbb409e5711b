"""Options and fixtures of the tests that hurt the server."""

import os
import random
import subprocess

import pytest
from yonder import ROOT, Server, lift_write_limits


lift_write_limits()


def pytest_addoption(parser):
    parser.addoption("--rounds", type=int, default=int(os.environ.get("ROUNDS", 20)), help="how often to kill the server")
    parser.addoption("--seed", type=int, default=int(os.environ.get("SEED", 0)), help="0 takes a new one each time")


@pytest.fixture
def rounds(request):
    return request.config.getoption("--rounds")


@pytest.fixture
def chance(request):
    """A random generator whose seed stands in a failure's output."""
    seed = request.config.getoption("--seed") or random.SystemRandom().randrange(1, 1_000_000)
    print(f"--seed {seed}")
    return random.Random(seed)


@pytest.fixture
def server():
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def load_generator():
    """The C load generator of the benchmarks, built."""
    build = ROOT / ".build-bench"
    subprocess.run(["make", "-s", "-C", ROOT / "Benchmarks/fanout", f"BUILD={build}"], check=True)
    return build / "fanload"
