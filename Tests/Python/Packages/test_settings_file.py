"""The settings file of the package: a NAME=VALUE a line, in a file whose name ends in .conf."""

import json
import os
import subprocess

import pytest

from yonder import Server, free_port, program


def serve(*arguments, environment=None):
    """Runs `yonder serve` with settings that it refuses, and answers how it ended."""
    return subprocess.run(
        [program(), "serve", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120, env={**os.environ, **(environment or {})},
    )


@pytest.fixture
def conf(tmp_path):
    """Writes a settings file; answers its path."""

    def write(text):
        file = tmp_path / "yonder.conf"
        file.write_text(text)
        return file

    return write


@pytest.mark.parametrize("line, complaint", [
    ("prot=80", "unknown setting prot; yonder serve --help lists all"),
    ("YONDER_PORT=80", "unknown setting YONDER_PORT; write port"),
    ("log_level=info", "unknown setting log_level; write log-level"),
    (" port=80", "unknown setting  port"),
    ("port", "the line must be NAME=VALUE, or begin with #; it is port"),
    ("port=eighty", "port must be a whole number, as in port=10; it is eighty"),
    ("port=\"80\"", "port must be a whole number, as in port=10; it is \"80\""),
    ("max-connections=1.5", "max-connections must be a whole number"),
    ("geocode-people=yes", "geocode-people must be true or false, as in geocode-people=true; it is yes"),
    ("world=", "world must be text, as in world=…; it is empty"),
    ("proxy=", "proxy must be texts with commas between, as in proxy=…,…; it is empty"),
    ("origin=https://a.example,,https://b.example", "origin must be texts with commas between"),
    ("data=y", "data may be set once; line 2 sets it, too"),
])
def test_a_line_that_can_not_be_is_refused_with_its_number(conf, line, complaint):
    file = conf(f"# Yonder\ndata=x\n\n{line}\n")
    done = serve("--config", file)
    assert done.returncode != 0
    assert f"{file}:4: {complaint}" in done.stderr, done.stderr


def test_a_value_out_of_its_range_is_refused_by_name(conf):
    done = serve("--config", conf("data=x\nport=70000\n"))
    assert done.returncode != 0 and "port must be in 0…65535; it is 70000." in done.stderr


def test_everything_behind_the_first_equals_sign_is_the_value(conf, tmp_path):
    folder = tmp_path / "a 'folder' = \"$HOME\" # of ours"
    port = free_port()
    file = conf(f"data={folder}\r\nport={port}\norigin=https://a.example,https://b.example\n")
    with Server(data=folder, port=port, environment={"YONDER_CONFIG": str(file)}) as server:
        server.command_line = lambda: [program(), "serve"]
        assert server.stop() == 0
        server.start()
        assert server.link().startswith("https://a.example/#link=")
        assert (folder / "yonder.db").is_file()


def test_flags_come_before_the_environment_and_that_before_the_file(conf):
    environment = {
        "YONDER_CONFIG": str(conf("world=off\nlog-format=json\norigin=https://a.example\n")),
        "YONDER_WORLD": "members", "YONDER_LOG_LEVEL": "debug",
    }
    with Server(["--log-level", "info"], environment=environment) as server:
        assert server.link().startswith("https://a.example/#link=")
        lines = [json.loads(line) for line in server.errors.splitlines()]
        assert {line["level"] for line in lines} == {"info"}


def test_a_name_with_another_ending_is_json_as_ever(tmp_path):
    file = tmp_path / "yonder.settings"
    file.write_text("data=x\n")
    done = serve("--config", file)
    assert done.returncode != 0 and "must hold a JSON object" in done.stderr


def test_where_output_goes_to_the_journal_the_way_to_the_link_stands_there_instead():
    with Server(environment={"JOURNAL_STREAM": "8:1234"}) as server:
        assert not any("#link=" in line for line in server.output), server.output
        [way] = [line for line in server.output if "sign in" in line.lower()]
        command = way.split("sudo yonder ")[1].split()
        assert command == ["user", "link", "--data", str(server.data)]
        owner = server.sign_in(server.command(*command).strip())
        assert owner.get("/v1/me")["user"]["name"] == "Owner"


def test_ready_is_status_0_only_while_the_server_answers(conf):
    with Server() as server:
        file = conf(f"data={server.data}\nport={server.port}\n")
        for arguments in (["--port", server.port], ["--config", file]):
            assert json.loads(server.command("ready", *arguments)) == {"status": "ok"}
        server.stop()
        done = server.command("ready", "--config", file, check=False)
        assert done.returncode == 1 and f"http://127.0.0.1:{server.port}/ready doesn't answer" in done.stderr
