"""The program from outside: its settings, its certificate, and looking after people while the server runs."""

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import urllib.request

import pytest

from yonder import AS_NODE, ROOT, Caller, Refusal, Server, free_port, program, until


def serve(*arguments, environment=None):
    """Runs `yonder serve` with arguments that it refuses, and answers how it ended."""
    return subprocess.run(
        [program(), "serve", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120, env={**os.environ, **(environment or {})},
    )


def test_the_version_is_that_of_the_changelogs_newest_release():
    printed = subprocess.run([program(), "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
    newest = re.search(r"^## ([0-9.]+) ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert printed.strip() == newest[1]


def test_a_debug_build_has_no_commit_and_says_what_is_built_in():
    printed = subprocess.run([program(), "version"], capture_output=True, text=True, timeout=60, check=True).stdout
    said = dict(line.split(": ", 1) for line in printed.splitlines())
    assert said["built in"] == "PostgreSQL, NATS"
    if "/release/" in program():
        assert re.fullmatch(r"[0-9a-f]{40}(\+changes)?", said["commit"]) and re.fullmatch(r"\S+T\S+Z", said["date"])
    else:
        assert said["commit"] == "none, a debug build" and "date" not in said


def test_a_key_for_the_bus_is_a_seed_below_its_public_half():
    made = subprocess.run([program(), "bus-key"], capture_output=True, text=True, timeout=60, check=True).stdout
    assert re.fullmatch(r"# U[A-Z2-7]{55}\nSU[A-Z2-7]{56}\n", made)


@pytest.mark.parametrize("arguments, complaint", [
    ([], "--data"),
    (["--data", "x", "--port", "70000"], "port"),
    (["--data", "x", "--world", "maybe"], "open, members, off"),
    (["--data", "x", "--origin", "example.org"], "origin"),
    (["--data", "x", "--proxy", "10.0.0.0/40"], "proxy"),
    (["--data", "x", "--tls-key", "key.pem"], "tls-certificate"),
    (["--data", "x", "--log-level", "loud"], "log-level"),
    (["--data", "x", "--tiles", "streets"], "NAME=FILE"),
    (["--data", "x", "--max-frame", "1"], "max-frame"),
    (["--data", "x", "--config", "/nonexistent.json"], "/nonexistent.json"),
])
def test_a_setting_that_can_not_be_is_refused_by_name(arguments, complaint):
    done = serve(*arguments)
    assert done.returncode != 0
    assert complaint in done.stderr


def test_a_file_with_a_misspelt_name_is_refused(tmp_path):
    file = tmp_path / "yonder.json"
    file.write_text(json.dumps({"data": str(tmp_path / "data"), "prot": 8080}))
    done = serve("--config", file)
    assert done.returncode != 0 and "prot" in done.stderr


@pytest.mark.parametrize("entry", [
    {"world": False}, {"world": None}, {"world": ["off"]}, {"address": ["0.0.0.0"]}, {"log-format": 1},
    {"origin": "https://map.example.org"}, {"origin": [1]}, {"proxy": "127.0.0.1"}, {"proxy": [1]}, {"map": "/nope.pmtiles"},
    {"tls-certificate": True}, {"tls-key": True}, {"place-names": {}},
    {"max-connections": 1.5}, {"max-connections": True}, {"message-rate": "5"}, {"port": [80]},
    {"geocode-people": 1}, {"geocode-people": "yes"},
], ids=json.dumps)
def test_a_value_of_the_wrong_kind_in_the_file_ends_the_start_with_a_sentence(tmp_path, entry):
    file = tmp_path / "yonder.json"
    file.write_text(json.dumps({"data": str(tmp_path / "data"), **entry}))
    done = serve("--config", file)
    [name] = entry
    kind = {
        "world": "text", "address": "text", "log-format": "text", "tls-certificate": "text", "tls-key": "text",
        "max-connections": "a whole number", "message-rate": "a whole number", "port": "a whole number",
        "geocode-people": "true or false",
    }.get(name, "a list of texts")
    assert done.returncode != 0
    assert f"yonder.json: {name} must be {kind}, as in \"{name}\": " in done.stderr, done.stderr


def test_flags_come_before_the_environment_and_that_before_the_file(tmp_path):
    file = tmp_path / "yonder.json"
    file.write_text(json.dumps({"world": "off", "log-format": "json", "origin": ["https://a.example"]}))
    environment = {"YONDER_CONFIG": str(file), "YONDER_WORLD": "members", "YONDER_LOG_LEVEL": "debug"}
    with Server(["--log-level", "info"], environment=environment) as server:
        assert server.link().startswith("https://a.example/#link=")
        status, _, answer = Caller(server).request("GET", "/v1/stream", headers={"Upgrade": "websocket"})
        assert (status, answer["error"]["code"]) == (401, "notSignedIn")
        lines = [json.loads(line) for line in server.errors.splitlines()]
        assert {line["level"] for line in lines} == {"info"}


def test_people_are_looked_after_while_the_server_runs():
    with Server() as server:
        data = ["--data", server.data]
        owner = server.owner()
        added = server.command("user", "add", *data, "--name", "Cleo", "--login", "cleo").split()
        cleo = server.sign_in(added[1])
        assert cleo.user == added[0]
        assert [entry["name"] for entry in cleo.get("/v1/contacts")["contacts"]] == ["Owner"]
        dan = server.command("user", "add", *data, "--name", "Dan", "--contact", "cleo").split()
        assert [entry["id"] for entry in server.sign_in(dan[1]).get("/v1/contacts")["contacts"]] == [cleo.user]
        server.command("user", "remove", *data, "Dan", "--yes")
        assert server.sign_in(server.command("user", "link", *data).strip()).user == owner.user
        invitation = server.command("user", "invite", *data, "cleo").strip().rsplit("=", 1)[1]
        assert owner.post("/v1/invitations/accept", {"invitation": invitation})["contact"]["id"] == cleo.user
        token = server.command("user", "token", *data, "Cleo", "--label", "tracker").strip()
        assert Caller(server, token).get("/v1/me")["user"]["name"] == "Cleo"
        assert "tracker" in {entry["label"] for entry in cleo.get("/v1/tokens")["tokens"]}
        assert {line.split("\t")[-1] for line in server.command("user", "list", *data).splitlines()} == {"Owner", "Cleo"}

        server.command("user", "password", *data, "cleo", typed="correct horse\n")
        Caller(server).post("/v1/session", {"login": "cleo", "password": "correct horse"})
        with pytest.raises(Refusal):
            Caller(server).post("/v1/session", {"login": "cleo", "password": "wrong horse"})
        refused = server.command("user", "token", *data, "nobody", check=False)
        assert refused.returncode != 0 and "nobody" in refused.stderr


def test_a_token_for_accounts_made_on_the_server_manages_accounts_and_opens_no_stream():
    with Server() as server:
        owner = server.owner()
        ben = owner.add("Ben")
        data = ["--data", server.data]
        token = Caller(server, server.command("user", "token", *data, "Owner", "--may", "accounts").strip())
        assert token.post("/v1/users", {"name": "Cleo"})["user"]["name"] == "Cleo"
        assert "#link=" in token.post(f"/v1/users/{ben.user}/links")["url"]
        upgrade = {
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "yonder.v1",
        }
        status, _, answer = token.request("GET", "/v1/stream", headers=upgrade)
        assert (status, answer["error"]["code"]) == (403, "notAllowed")
        refused = server.command("user", "token", *data, "Ben", "--may", "accounts", check=False)
        assert refused.returncode != 0 and "Only an operator" in refused.stderr
        events = owner.get("/v1/me/sessions")["events"]
        assert [(event["change"], event["by"]) for event in events] == [("token", "server")]


def test_a_text_that_can_be_no_login_signs_nobody_in():
    with Server() as server:
        owner = server.owner()
        # The shortest odd login that there may be.
        ada = owner.add("Ada", login="-")
        server.command("user", "password", "--data", server.data, ada.user, typed="correct horse\n")
        Caller(server).post("/v1/session", {"login": "-", "password": "correct horse"})
        for text in ("*", "a" * 65, "\u0301" * 20, ""):
            with pytest.raises(Refusal):
                Caller(server).post("/v1/session", {"login": text, "password": "correct horse"})


ASK_AS_NOBODY = """
import os, socket, sys
os.setgid(65534); os.setuid(65534)
control = socket.socket(socket.AF_UNIX)
control.settimeout(30)
try:
    control.connect(sys.argv[1])
    control.sendall(b"GET /v1/users HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    print(control.recv(4096).decode())
except ConnectionError as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(AS_NODE, reason="about a data folder")
def test_another_users_process_is_not_answered_over_the_control_socket_as_root():
    with Server() as server:
        control = server.data / "control"

        def ask():
            return subprocess.run(
                [sys.executable, "-c", ASK_AS_NOBODY, control], capture_output=True, text=True, timeout=60,
            )

        # The files' rights keep others out; should they be loosened, the server looks at who connects.
        assert control.stat().st_mode & 0o777 == 0o600
        control.chmod(0o666)
        for folder in (server.data, *server.data.parents):
            if folder.stat().st_mode & 0o001 == 0 and folder != folder.parent:
                folder.chmod(0o755)
        done = ask()
        assert "Owner" not in done.stdout and done.stdout.strip() in ("", "ConnectionResetError", "BrokenPipeError")
        assert done.stderr == "", "it is closed, not left open without an answer"
        assert Caller(server).get("/health") == {"status": "ok"}


def test_an_operator_takes_back_a_stolen_account_while_the_server_runs():
    with Server() as server:
        data = ["--data", server.data]
        owner = server.owner()
        ada = server.sign_in(server.command("user", "add", *data, "--name", "Ada", "--login", "ada").split()[1])
        stolen = [Caller(server, ada.post("/v1/tokens", {"label": "theirs"})["token"]), ada]
        listed = [line.split("\t") for line in server.command("user", "sessions", *data, "ada").splitlines()]
        assert [line[0] for line in listed] == ["session", "token"] and listed[0][4] == "127.0.0.1"
        assert [line.split("\t")[2] for line in server.command("user", "list", *data).splitlines()] == ["operator", "-"]

        server.command("user", "password", *data, "ada", "--tokens", typed="correct horse\n")
        for caller in stolen:
            assert caller.request("GET", "/v1/session")[0] == 401
        mine = Caller(server)
        assert mine.request("POST", "/v1/session", {"login": "ada", "password": "correct horse"})[0] == 201

        server.command("user", "disable", *data, "ada")
        status, _, answer = mine.request("POST", "/v1/session", {"login": "ada", "password": "correct horse"})
        assert (status, answer["error"]["code"]) == (403, "accountDisabled")
        server.command("user", "enable", *data, "ada")
        server.command("user", "rename", *data, "ada", "--name", "Ada Lovelace", "--login", "lovelace")
        assert mine.request("POST", "/v1/session", {"login": "lovelace", "password": "correct horse"})[0] == 201

        unasked = server.command("user", "remove", *data, "lovelace", check=False)
        assert unasked.returncode != 0 and "--yes" in unasked.stderr
        server.command("user", "remove", *data, "lovelace", "--yes")
        assert len(owner.get("/v1/users")["users"]) == 1
        last = server.command("user", "remove", *data, owner.user, "--yes", check=False)
        assert last.returncode != 0 and "last operator" in last.stderr


@pytest.mark.skipif(AS_NODE, reason="about a data folder")
def test_without_a_server_the_command_line_opens_the_folder_itself():
    with Server() as server:
        data = ["--data", server.data]
        owner = server.owner()
        ben = owner.add("Ben")
        owner.befriend(ben)
        chat = owner.start_chat([ben])
        owner.send(chat, "Text", "hello")
        server.stop()

        key = server.command("key", "add", *data, "--name", "App").split()[1]
        assert key in server.command("key", "list", *data)
        server.command("user", "remove", *data, "Ben", "--yes")
        assert server.command("user", "list", *data).count("\n") == 1
        server.command("key", "remove", *data, key)
        nothing = server.command("user", "list", "--data", server.data / "nowhere", check=False)
        assert nothing.returncode != 0 and "nowhere" in nothing.stderr

        server.start()
        assert [message["tag"] for message in owner.messages(chat)["messages"]] == ["Text", "Leave"]


@pytest.mark.skipif(AS_NODE, reason="about a data folder")
def test_after_a_kill_the_command_line_and_the_next_server_work(tmp_path):
    # Longer than the address of a socket.
    data = tmp_path / ("long" * 30) / "data"
    with Server(data=data) as server:
        server.owner()
        server.kill()
        assert (data / "control").exists()
        assert "Owner" in server.command("user", "list", "--data", data)
        server.start()
        assert "Owner" in server.command("user", "list", "--data", data)
        assert oct((data / "control").stat().st_mode & 0o777) == "0o600"


@pytest.mark.skipif(not shutil.which("openssl"), reason="makes a certificate with openssl")
def test_with_a_certificate_it_speaks_tls_and_binds_the_cookie_to_the_host(tmp_path):
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", chain],
        check=True, capture_output=True,
    )
    port = free_port()
    data = tmp_path / "data"
    process = subprocess.Popen(
        [program(), "serve", "--data", data, "--port", str(port), "--tls-certificate", chain, "--tls-key", key],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    try:
        first, second = process.stdout.readline(), process.stdout.readline()
        assert f"https://127.0.0.1:{port}/" in first
        context = ssl.create_default_context(cafile=str(chain))
        body = json.dumps({"link": second.strip().rsplit("=", 1)[1]}).encode()
        request = urllib.request.Request(
            f"https://127.0.0.1:{port}/v1/session", body, {"Content-Type": "application/json"},
        )
        cookie = until(lambda: urllib.request.urlopen(request, context=context)).headers["Set-Cookie"]
        assert cookie.startswith("__Host-yonder=") and cookie.endswith("; Secure")
    finally:
        process.terminate()
        assert process.wait(timeout=60) == 0
