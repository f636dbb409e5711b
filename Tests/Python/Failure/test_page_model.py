"""What the page holds after cuts, refusals and restarts is what a page holds that was just opened, over random operations."""

import json
import shutil
import subprocess

import pytest
from yonder import ROOT, party


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_a_page_holds_what_a_fresh_one_does(server, rounds):
    owner, others = party(server, ["Ben", "Cleo"])
    people = [{"user": caller.user, "token": caller.token()} for caller in [owner, *others]]
    task = {"port": server.port, "people": people, "seeds": list(range(rounds))}
    done, found = 0, []
    command = ["node", "Tests/Web/model/run.js"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as model:
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
    assert done == rounds
