"""Fixtures in place of those of conftest.py: a server for the tests of one module, where they are about all that is on it."""

import pytest
from yonder import Server


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


@pytest.fixture(scope="module")
def owner(server):
    return server.owner()
