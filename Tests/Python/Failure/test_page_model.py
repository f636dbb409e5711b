"""What the page holds and says after cuts, refusals, restarts and wrong clocks, over random operations."""

import json
import os
import shutil
import subprocess

import pytest
from yonder import ROOT, party

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def run(server, program, task):
    """Hands a task to a model, and answers what it found, of each of its seeds."""
    done, found = 0, []
    with subprocess.Popen(["node", program], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as model:
        print(json.dumps(task), file=model.stdin, flush=True)
        for line in model.stdout:
            answer = json.loads(line)
            if answer == "restart":
                server.kill()
                server.start()
                print(file=model.stdin, flush=True)
                continue
            done += 1
            found += [f"seed {answer['seed']}: {difference}" for difference in answer["differences"]]
    assert not found, "\n".join(found[:40])
    assert done == len(task["seeds"])


def accounts(*callers):
    return [{"user": caller.user, "token": caller.token()} for caller in callers]


def test_a_page_holds_what_a_fresh_one_does(server, rounds):
    owner, others = party(server, ["Ben", "Cleo"])
    run(server, "Tests/Web/model/run.js", {"port": server.port, "people": accounts(owner, *others), "seeds": list(range(rounds))})


def test_what_tabs_say_of_sharing_is_what_the_server_has(server, rounds):
    owner, others = party(server, ["Ben"])
    chats = [owner.start_chat(others, subject) for subject in ("Walk", "Hike")]
    first = int(os.environ.get("FIRST_SEED", 0))
    task = {"port": server.port, "people": accounts(owner, *others), "chats": chats, "seeds": list(range(first, first + rounds))}
    run(server, "Tests/Web/model/sharing.js", task)
