"""Starts `protocol-peer`, the test server whose handlers the protocols' suites expect."""

import os
import pathlib
import subprocess

import pytest

from yonder import ROOT, free_port, until


def peer_program():
    """The peer under test: what `PROTOCOL_PEER` names, or the debug build."""
    path = pathlib.Path(os.environ.get("PROTOCOL_PEER", ROOT / ".build/debug/protocol-peer"))
    return str(path if path.is_absolute() else ROOT / path)


def is_listening(port):
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def running_peer(subcommand):
    port = free_port()
    process = subprocess.Popen([peer_program(), subcommand, "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        until(lambda: is_listening(port), what="the peer's readiness")
        yield port
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="session")
def engine_io():
    """The port of an Engine.IO server that sends everything back."""
    yield from running_peer("engine-io")


@pytest.fixture(scope="session")
def socket_io():
    """The port of a Socket.IO server that answers `message` and `message-with-ack`."""
    yield from running_peer("socket-io")
