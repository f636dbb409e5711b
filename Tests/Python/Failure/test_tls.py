"""TLS of the server's own: what is spoken, and a certificate that is renewed while it runs."""

import contextlib
import http.client
import os
import socket
import ssl
import subprocess
import warnings

import pytest
from yonder import Server, program, until

warnings.filterwarnings("ignore", "ssl.TLSVersion", DeprecationWarning)


def write_certificate(folder, name, number):
    """A certificate of its own with a serial number, signed by nobody else; answers the paths of chain and key."""
    chain, key = folder / f"{name}.chain.pem", folder / f"{name}.key.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-set_serial", str(number),
            "-keyout", key, "-out", chain,
        ],
        check=True, capture_output=True,
    )
    return chain, key


class SecureServer(Server):
    """A server with a certificate; readiness is asked over TLS."""

    def __init__(self, chain, key):
        super().__init__(["--tls-certificate", str(chain), "--tls-key", str(key)])

    def _ready(self):
        assert self.process.poll() is None, self.errors[-2000:]
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.get("/ready").status == 200

    def get(self, path):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=context, timeout=120)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            return answer
        finally:
            connection.close()

    def connect(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), timeout=120))

    def serial(self):
        """The serial number of the certificate that a new connection is shown."""
        with self.connect() as connection:
            shown = ssl.DER_cert_to_PEM_cert(connection.getpeercert(binary_form=True))
        printed = subprocess.run(
            ["openssl", "x509", "-noout", "-serial"], input=shown, check=True, capture_output=True, text=True
        ).stdout
        return int(printed.strip().split("=")[1], 16)


@pytest.fixture
def files(tmp_path):
    chain, key = write_certificate(tmp_path, "used", 1)
    return tmp_path, chain, key


@pytest.fixture
def server(files):
    with SecureServer(*files[1:]) as running:
        yield running


def handshake(port, version):
    """What openssl agrees on when it offers this version alone; `None` if that is nothing."""
    done = subprocess.run(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", f"-{version}", "-cipher", "ALL:@SECLEVEL=0", "-brief"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )
    printed = done.stdout + done.stderr
    return next((line.split(":")[1].strip() for line in printed.splitlines() if line.startswith("Protocol version")), None)


@pytest.mark.parametrize("version, agreed", [("tls1", None), ("tls1_1", None), ("tls1_2", "TLSv1.2"), ("tls1_3", "TLSv1.3")])
def test_tls_before_1_2_is_not_spoken(server, version, agreed):
    assert handshake(server.port, version) == agreed


def test_browsers_are_told_to_stay_with_tls(server):
    for path in ["/", "/health", "/v1/me", "/nowhere", "/socket.io/?EIO=9"]:
        assert server.get(path).headers.get_all("Strict-Transport-Security") == ["max-age=31536000"], path


def test_without_tls_nobody_is_told_to_use_it():
    with Server() as plain:
        connection = http.client.HTTPConnection("127.0.0.1", plain.port, timeout=120)
        connection.request("GET", "/")
        assert connection.getresponse().headers["Strict-Transport-Security"] is None
        connection.close()


def test_a_renewed_certificate_is_used_without_a_restart(files, server):
    folder, chain, key = files
    new_chain, new_key = write_certificate(folder, "new", 2)
    with server.connect() as before:
        os.replace(new_chain, chain)
        # A chain without its key is nothing to speak TLS with: the old pair stays until both are there.
        until(lambda: "can't be used" in server.errors, what="a line in the log")
        assert server.serial() == 1
        os.replace(new_key, key)
        until(lambda: server.serial() == 2, what="the renewed certificate")
        # Who was connected before stays connected.
        before.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert before.recv(12) == b"HTTP/1.1 200"
    assert server.errors.count("can't be used") == 1
    assert server.errors.count("renewed certificate") == 1


def test_a_link_to_a_renewed_certificate_is_followed(tmp_path):
    for name, number in [("old", 1), ("new", 2)]:
        write_certificate(tmp_path, name, number)
    for part in ["chain", "key"]:
        os.symlink(f"old.{part}.pem", tmp_path / f"live.{part}.pem")
    with SecureServer(tmp_path / "live.chain.pem", tmp_path / "live.key.pem") as server:
        for part in ["chain", "key"]:
            os.symlink(f"new.{part}.pem", tmp_path / "next")
            os.replace(tmp_path / "next", tmp_path / f"live.{part}.pem")
        until(lambda: server.serial() == 2, what="the renewed certificate")


@pytest.mark.parametrize("damage", ["", "-----BEGIN CERTIFICATE-----\nnot base64\n", None], ids=["empty", "broken", "gone"])
def test_a_broken_certificate_on_disk_keeps_the_old_one_in_use(files, server, damage):
    folder, chain, key = files
    if damage is None:
        chain.unlink()
    else:
        chain.write_text(damage)
    until(lambda: "can't be used" in server.errors, what="a line in the log")
    assert server.serial() == 1
    new_chain, new_key = write_certificate(folder, "new", 3)
    os.replace(new_key, key)
    os.replace(new_chain, chain)
    until(lambda: server.serial() == 3, what="the renewed certificate")


def test_a_wrong_certificate_at_the_start_is_an_error(tmp_path):
    chain, _ = write_certificate(tmp_path, "one", 1)
    _, key = write_certificate(tmp_path, "other", 2)
    done = subprocess.run(
        [program(), "serve", "--data", tmp_path / "data", "--port", "0", "--tls-certificate", chain, "--tls-key", key],
        capture_output=True, text=True, timeout=120,
    )
    assert done.returncode != 0
