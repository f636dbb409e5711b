"""What Documentation/on-the-internet.md has people write: the server starts with its settings, systemd knows its units."""

import json
import pathlib
import re
import shutil
import ssl
import subprocess
import urllib.request

import pytest

from yonder import ROOT, free_port, program, until

PAGE = (ROOT / "Documentation/on-the-internet.md").read_text()
SETTINGS = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
UNITS = re.findall(r"`/etc/systemd/system/([\w.-]+)`(?:(?!^```).)*?^```ini\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_page_has_both_ways_and_three_units():
    assert len(SETTINGS) == 2
    assert [name for name, _ in UNITS] == ["yonder.service", "yonder-backup.service", "yonder-backup.timer"]


def certificate(folder):
    """A key and a certificate for the loopback address."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "chain.pem"],
        check=True, capture_output=True,
    )


@pytest.mark.parametrize("number", [0, 1])
def test_the_server_starts_with_the_pages_settings(tmp_path, number):
    certificate(tmp_path)
    settings = json.loads(SETTINGS[number].replace("/etc/yonder", str(tmp_path)))
    settings |= {"data": str(tmp_path / "data"), "port": free_port(), "address": "127.0.0.1"}
    (tmp_path / "yonder.json").write_text(json.dumps(settings))
    trust = ssl.create_default_context(cafile=tmp_path / "chain.pem") if "tls-key" in settings else None
    address = f"http{'s' if trust else ''}://127.0.0.1:{settings['port']}/ready"
    command = [program(), "serve", "--config", tmp_path / "yonder.json"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def answer():
        assert server.poll() is None
        try:
            with urllib.request.urlopen(address, context=trust, timeout=30) as answered:
                return json.loads(answered.read())
        except OSError:
            return None

    try:
        assert until(answer, what="the server's readiness") == {"status": "ok"}
    finally:
        server.terminate()
        assert server.wait(60) == 0


@pytest.mark.may_skip("systemd isn't installed everywhere")
def test_systemd_knows_every_line_of_the_units(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze")
    paths = []
    for name, text in UNITS:
        # The program lies elsewhere here.
        (tmp_path / name).write_text(text.replace("/usr/local/bin/yonder", str(pathlib.Path(program()).resolve())))
        paths.append(tmp_path / name)
    done = subprocess.run(["systemd-analyze", "verify", *paths], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr
