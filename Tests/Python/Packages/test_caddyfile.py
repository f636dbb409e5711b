"""The package's Caddyfile: HTTPS in front of a server with the package's proxy setting, and no phone's path in the log."""

import http.client
import os
import shutil
import ssl
import subprocess

import pytest
from yonder import ROOT, Server, free_port, secret_of, until

TEXT = (ROOT / "Packaging/Caddyfile").read_text()


@pytest.fixture
def caddy(tmp_path):
    """Starts Caddy with the package's file, on other ports and with a certificate of its own authority."""
    started = []

    def start(upstream):
        port = free_port()
        text = TEXT.replace("{\n\t#", f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {free_port()}\n\thttps_port {port}\n\t#", 1)
        text = text.replace("{$NAME:map.example.org} {", "localhost {\n\ttls internal").replace("{$UPSTREAM:127.0.0.1:8080}", f"127.0.0.1:{upstream}")
        (tmp_path / "Caddyfile").write_text(text)
        with open(tmp_path / "log", "w") as log:
            started.append(subprocess.Popen(
                ["caddy", "run", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"], stdout=log, stderr=log,
                env={**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "caddy-data")}))
        request.port = port
        until(lambda: answers(), what="an answer of Caddy")
        return request

    def request(method, path, body=None, **headers):
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("localhost", request.port, context=trust, timeout=60)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def answers():
        try:
            return request("GET", "/health")[0]
        except OSError:
            return None

    request.log = lambda: (tmp_path / "log").read_text()
    yield start
    for process in started:
        process.terminate()
        process.wait(60)


def test_caddy_takes_the_file(tmp_path):
    shutil.copy(ROOT / "Packaging/Caddyfile", tmp_path)
    done = subprocess.run(["caddy", "validate", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"],
                          capture_output=True, text=True, timeout=60, env={**os.environ, "HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr


def test_a_person_signs_in_over_https_and_nobody_outside_reads_the_figures(caddy):
    with Server(["--proxy", "127.0.0.1", "--proxy", "::1"]) as server:
        request = caddy(server.port)
        body = '{"link": "%s"}' % secret_of(server.link())
        origin = f"https://localhost:{request.port}"
        headers = {"Content-Type": "application/json", "Origin": origin}
        status, answered, _ = request("POST", "/v1/session", body, **headers)
        assert status == 201 and answered["Set-Cookie"].startswith("__Host-yonder=") and "Secure" in answered["Set-Cookie"]
        assert answered["Strict-Transport-Security"] == "max-age=31536000"
        assert request("GET", "/metrics")[0] == 403


def test_a_request_that_fails_leaves_neither_path_nor_address_in_the_log(caddy):
    request = caddy(free_port())
    status, _, _ = request("GET", "/v1/addresses?latitude=47.14&longitude=9.52", Cookie="__Host-yonder=secret")
    assert status == 502
    log = until(lambda: "connection refused" in request.log() and request.log())
    assert "47.14" not in log and "/v1/addresses" not in log and "secret" not in log and "remote_ip" not in log
