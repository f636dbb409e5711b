"""A family's server in a control group with 96 MB: everybody signs in, and nothing is killed.

The usual run has 150 000 positions: a database of just under 64 MiB, all of which is read at the start. `POSITIONS=1000000`, or
`make test-small`, is the family after a year; that takes half a minute. Where no control group can be made, as in most containers, the
test says so and ends.
"""

import os
import re
import sqlite3
import threading
import time

import pytest
from memory_group import MemoryGroup
from positions import fill_at_once
from yonder import AS_NODE, Caller, Refusal, Server, party, until

POSITIONS = int(os.environ.get("POSITIONS", 150_000))
MEGABYTES = 96
PASSWORD = "correct horse"
FAMILY = ["Ben", "Cem", "Dea", "Eve"]


def sign_in(server, login, password=PASSWORD):
    """Signs in with a password, and answers the session."""
    caller = Caller(server)
    status, headers, answer = caller.request("POST", "/v1/session", {"login": login, "password": password})
    if status >= 400:
        raise Refusal(status, answer)
    caller.cookie = headers["Set-Cookie"].split(";", 1)[0]
    caller.user = answer["user"]["id"]
    return caller


def refusal(action):
    """The code of the refusal that the action ends with, or `None`."""
    try:
        action()
    except Refusal as error:
        return error.code
    return None


def hash_of(server, login):
    with sqlite3.connect(server.data / "yonder.db") as database:
        return database.execute("SELECT password FROM account WHERE login = ?", (login,)).fetchone()[0]


def at_once(actions):
    """Runs all actions at the same time, and answers what they returned or raised."""
    answers = []

    def run(action):
        try:
            answers.append(action())
        except (OSError, Refusal) as error:
            answers.append(error)

    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def line(server, text):
    """The newest line of the log that has a text."""
    return next((line for line in reversed(server.errors.splitlines()) if text in line), "")


class Peak:
    """The most anonymous memory that a group had meanwhile, in bytes."""

    def __init__(self, group):
        self.group = group
        self.bytes = 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        while not self.is_over.wait(0.005):
            self.bytes = max(self.bytes, self.group.anonymous)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()


@pytest.mark.may_skip("a container may make no control group")
@pytest.mark.skipif(AS_NODE, reason="it measures one process")
def test_a_family_with_many_positions_signs_in_within_96_megabytes():
    if MemoryGroup.parent() is None:
        pytest.skip("this process may make no control group with a memory limit")
    # What a developer's shell sets must not decide here.
    with Server(environment={"YONDER_PASSWORD_MEMORY": "256"}) as server:
        # Given a server with much memory, on which the family sets passwords.
        owner, others = party(server, FAMILY)
        people = [owner, *others]
        chat = owner.start_chat(others)
        for number, person in enumerate(people):
            owner.call("PATCH", f"/v1/users/{person.user}", {"login": f"person-{number}"})
            person.call("PUT", "/v1/me/password", {"password": PASSWORD})
        server.stop()
        assert hash_of(server, "person-0").startswith("$scrypt$ln=17,")
        fill_at_once(server.data / "yonder.db", chat, [person.user for person in people], POSITIONS, int(time.time() * 1_000))

        # When it starts on a small machine.
        del server.environment["YONDER_PASSWORD_MEMORY"]
        with MemoryGroup(MEGABYTES) as group, Peak(group) as peak:
            server.wrapper = group.wrapper
            server.start()

            # Then it says what it does with passwords,
            limit = line(server, "Memory for passwords is limited")
            assert re.search(rf"by=container .*memory={MEGABYTES}MiB", limit) and "limit=24MiB" in limit, server.errors
            unchecked = line(server, "set on a larger server aren't checked")
            assert "accounts=5" in unchecked and "needed=128MiB" in unchecked, server.errors

            # doesn't check those passwords, neither with many at once nor for strangers,
            assert refusal(lambda: sign_in(server, "person-0")) == "passwordNotChecked"
            assert refusal(lambda: sign_in(server, "unknown")) == "invalidCredentials"
            answers = at_once([lambda number=number: sign_in(server, f"person-{number % 5}") for number in range(10)])
            assert {getattr(answer, "code", answer) for answer in answers} == {"passwordNotChecked"}, answers

            # signs in with links, which set new passwords,
            for person in people:
                link = owner.post(f"/v1/users/{person.user}/links")["link"]
                server.sign_in(link).call("PUT", "/v1/me/password", {"password": "another horse"})
            # and checks those, four at once, while the family reads and writes.
            sessions = at_once(
                [lambda number=number: sign_in(server, f"person-{number}", "another horse") for number in range(4)]
                + [lambda: others[0].messages(chat, limit=1_000), lambda: others[1].messages(chat, tag="Location", limit=5_000)]
                + [lambda number=number: others[2].send(chat, "Text", f"{number}" * 1_000) for number in range(4)]
            )
            assert not [answer for answer in sessions if isinstance(answer, Exception)], sessions
            until(lambda: server.process.poll() is None and Caller(server).get("/ready"), what="the server's readiness")
            assert group.killed == 0
            print(f"{POSITIONS} positions: at most {peak.bytes / 1e6:.0f} MB beside copies of files")
            server.stop()
        assert hash_of(server, "person-0").startswith("$scrypt$ln=14,r=8,p=8$")

        # Where there is more memory, a sign-in stores the hash anew.
        server.wrapper = []
        server.environment["YONDER_PASSWORD_MEMORY"] = "256"
        server.start()
        sign_in(server, "person-0", "another horse")
        server.stop()
        assert hash_of(server, "person-0").startswith("$scrypt$ln=17,r=8,p=1$")
        assert "aren't checked" not in server.errors.split("limit=256MiB")[-1]
