"""The client of NATS beside NATS' own client for Python, over one nats-server: `protocol-peer nats` sends everything back."""

import asyncio
import os
import shutil
import ssl
import subprocess

import nats
import pytest
from conftest import peer_program
from yonder import free_port, until

PROGRAM = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/bin")
PAYLOADS = [b"", b"hello", b"\r\n\r\n", bytes(range(256)), b"PUB from.swift 3\r\nabc\r\n", b"x" * 500_000]


@pytest.fixture
def server(tmp_path):
    """Starts nats-server with more lines of configuration; answers its port."""
    if PROGRAM is None:
        pytest.skip("nats-server isn't installed; make setup-tests does it")
    started = []

    def start(configuration=""):
        port = free_port()
        path = tmp_path / "server.conf"
        path.write_text(f"host: 127.0.0.1\nport: {port}\n{configuration}\n")
        log = tmp_path / "log"
        started.append(subprocess.Popen([PROGRAM, "--config", path, "--log", log]))
        until(lambda: log.exists() and "Server is ready" in log.read_text(), what="nats-server")
        return port

    yield start
    for process in started:
        process.kill()
        process.wait()


class Peer:
    """Our client, until the block ends."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        command = [peer_program(), "nats", *self.options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "subscribed\n"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        assert self.process.wait(timeout=60) == 0
        self.process.stdout.close()


async def exchange(address, **options):
    """Publishes to our client, and answers what it publishes."""
    client = await nats.connect(address, **options)
    back = await client.subscribe("from.swift")
    await client.flush()
    for payload in PAYLOADS:
        await client.publish("to.swift.x", payload)
    heard = [(await back.next_msg(timeout=60)).data for _ in PAYLOADS]
    await client.close()
    return heard


def test_messages_are_the_same_in_both_directions(server):
    address = f"nats://127.0.0.1:{server()}"
    with Peer("--server", address):
        assert asyncio.run(exchange(address)) == PAYLOADS


def test_messages_are_the_same_over_tls_with_a_token(server, tmp_path):
    key, certificate = tmp_path / "server.key", tmp_path / "server.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    port = server(f'tls {{ cert_file: "{certificate}", key_file: "{key}" }}\nauthorization {{ token: s3cret }}')
    with Peer("--server", f"tls://s3cret@127.0.0.1:{port}", "--certificates", certificate):
        context = ssl.create_default_context(cafile=certificate)
        assert asyncio.run(exchange(f"tls://127.0.0.1:{port}", tls=context, token="s3cret")) == PAYLOADS
