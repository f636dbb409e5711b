"""Starts `protocol-peer`, the test server whose handlers the protocols' suites expect."""

import os
import pathlib
import subprocess

import pytest

from engine import LIVELY, PATIENT, STRICT
from yonder import ROOT


def peer_program():
    """The peer under test: what `PROTOCOL_PEER` names, or the debug build."""
    path = pathlib.Path(os.environ.get("PROTOCOL_PEER", ROOT / ".build/debug/protocol-peer"))
    return str(path if path.is_absolute() else ROOT / path)


def running_peer(subcommand, times, *more):
    interval, timeout = times
    command = [peer_program(), subcommand, "--port", "0", "--ping-interval", str(interval), "--ping-timeout", str(timeout)]
    process = subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True)
    try:
        said = process.stdout.readline()
        assert said.startswith("listening on port "), said
        yield int(said.split()[-1])
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


@pytest.fixture(scope="session")
def engine_io():
    """The port of an Engine.IO server that sends everything back, and pings nobody while a test lasts."""
    yield from running_peer("engine-io", PATIENT)


@pytest.fixture(scope="session")
def lively_engine_io():
    """The port of one that pings often, and waits long for the answer."""
    yield from running_peer("engine-io", LIVELY)


@pytest.fixture(scope="session")
def strict_engine_io():
    """The port of one that soon gives up who doesn't answer a ping."""
    yield from running_peer("engine-io", STRICT)


@pytest.fixture(scope="session")
def socket_io():
    """The port of a Socket.IO server that answers `message` and `message-with-ack`."""
    yield from running_peer("socket-io", PATIENT, "--connect-timeout", "60000")


@pytest.fixture(scope="session")
def strict_socket_io():
    """The port of one that closes who enters no namespace within a second."""
    yield from running_peer("socket-io", PATIENT, "--connect-timeout", "1000")
