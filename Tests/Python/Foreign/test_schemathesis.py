"""Schemathesis against a running server: every check it has, stateful too, with a fixed seed, and nothing may be reported.

A minute in `make test`; `make schemathesis MINUTES=10` sets SCHEMATHESIS_SECONDS for longer ones. What it can't know of the
server's data is in Tests/Python/Schema/hooks.py.
"""

import json
import os
import subprocess
import sys

import pytest
from yonder import ROOT, Caller, Server, party

SECONDS = int(os.environ.get("SCHEMATHESIS_SECONDS", "60"))
SEED = os.environ.get("SCHEMATHESIS_SEED", "8119")

# A WebSocket, which HTTP requests can't speak.
LEFT_OUT = ["stream"]


@pytest.fixture(scope="module")
def world():
    """A server with a chat and two messages in it and three cafés, an operator with a token and a member with one."""
    with Server() as server:
        owner, (ben,) = party(server, ["Ben"])
        chat = owner.start_chat([ben])
        owner.send(chat, "Text", "Hello")
        owner.send(chat, "Location", data={"latitude": "59.913900", "longitude": "10.752200"})
        fields = [{"name": "name", "type": "text"}, {"name": "rating", "type": "number"}, {"name": "at", "type": "location"}]
        owner.post("/v1/entities", {"name": "cafe", "readers": "anyone", "fields": fields})
        for number in range(3):
            place = {"latitude": 59.9 + number, "longitude": 10.7, "altitude": 1.5, "address": "Main Street 1"}
            made = owner.post("/v1/objects/cafe", {"fields": {"name": f"Café {number}", "rating": number, "at": place}})
        facts = {
            "chat": chat, "entity": "cafe", "object": made["object"]["id"], "users": [owner.user, ben.user],
            "tokens": [token["id"] for caller in (owner, ben) for token in caller.get("/v1/tokens")["tokens"]],
        }
        yield server, facts, {"operator": owner, "member": ben}


@pytest.mark.timeout(SECONDS * 3 + 300)
@pytest.mark.parametrize(("who", "share"), [("operator", 0.75), ("member", 0.25)])
def test_nothing_is_reported_to(world, tmp_path, who, share):
    server, facts, callers = world
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", str(ROOT / "Documentation/openapi.yaml"), "--url", server.url,
        "--header", f"Authorization: Bearer {callers[who].bearer}", "--checks", "all", "--seed", SEED, "--continue-on-failure",
        "--max-time", str(max(1, int(SECONDS * share))), "--request-timeout", "60", "--suppress-health-check", "all",
        "--output-sanitize", "false", "--no-color", "--workers", "1",
    ]
    for operation in LEFT_OUT:
        command += ["--exclude-operation-id", operation]
    environment = {
        **os.environ, "SCHEMATHESIS_WORLD": json.dumps(facts), "SCHEMATHESIS_HOOKS": "hooks",
        "PYTHONPATH": str(ROOT / "Tests/Python/Schema"), "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path / "hypothesis"),
    }
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    report = done.stdout + done.stderr
    print("\n".join(report.splitlines()[-40:]))
    assert done.returncode == 0, report[-20_000:]


def test_the_server_is_well_after_schemathesis(world):
    server, _, callers = world
    assert Caller(server).get("/ready")["status"] == "ok"
    assert callers["operator"].get("/v1/session")["operator"] is True
    assert server.errors.count("[error]") == 0 and " error " not in server.errors
