"""Fixtures of the tests that make calls fail."""

import pytest
from runs import Templates


@pytest.fixture(scope="session")
def templates(tmp_path_factory):
    return Templates(tmp_path_factory.mktemp("templates")).make()
