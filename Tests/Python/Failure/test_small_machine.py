"""A family's server in a control group with 96 MB: its members sign in, and nothing is killed.

The usual run has 150 000 positions: a database of just under 64 MiB, all of which is read at the start. `make test-small` has a million,
as the family has after a year, and more sign-ins. Where no control group can be made, as in most containers, the test says so and ends.
"""

import os
import sqlite3
import threading
import time

import pytest
from memory_group import MemoryGroup
from passwords import scrypt
from positions import fill_at_once
from yonder import AS_NODE, Caller, Refusal, Server, party

POSITIONS = int(os.environ.get("POSITIONS", 150_000))
# How many sign in at once; each takes seconds of a debug build.
AT_ONCE = 4 if "POSITIONS" in os.environ else 2
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


def set_hash(server, hashes):
    """Writes the hashes of passwords into a stopped server's database, each for the user whose name in small letters is its login."""
    with sqlite3.connect(server.data / "yonder.db") as database:
        for login, text in hashes.items():
            database.execute("UPDATE account SET login = ?, password = ? WHERE lower(name) = ?", (login, text, login))


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
    """The last line of the log that has a text."""
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
    with Server() as server:
        # Given a family's server, of which two members set their passwords on a larger one,
        owner, others = party(server, FAMILY)
        people = [owner, *others]
        chat = owner.start_chat(others)
        server.stop()
        large, small = scrypt(PASSWORD, 17), scrypt(PASSWORD, 14, 8)
        set_hash(server, {"ben": large, "cem": large, "dea": small, "eve": small})
        fill_at_once(server.data / "yonder.db", chat, [person.user for person in people], POSITIONS, int(time.time() * 1_000))
        with MemoryGroup(MEGABYTES) as group, Peak(group) as peak:
            # when it starts on a small machine,
            server.wrapper = group.wrapper
            server.start()
            resting = group.anonymous

            # then it says what it does with passwords,
            limit = line(server, "Memory for passwords is limited")
            assert all(part in limit for part in ("by=container", f"memory={MEGABYTES}MiB", "limit=24MiB", "hash=16MiB")), limit
            unchecked = line(server, "set on a larger server aren't checked")
            assert "accounts=2" in unchecked and "needed=128MiB" in unchecked, server.errors

            # doesn't check those that need more,
            assert refusal(lambda: sign_in(server, "ben")) == "passwordNotChecked"
            link = owner.post(f"/v1/users/{others[0].user}/links")["url"]
            server.sign_in(link).call("PUT", "/v1/me/password", {"password": PASSWORD})

            # and checks the others, while the family reads and writes.
            answers = at_once(
                [lambda name=name: sign_in(server, name) for name in ["ben", "dea", "eve", "dea"][:AT_ONCE]]
                + [lambda: others[1].messages(chat, limit=1_000), lambda: others[2].messages(chat, tag="Location", limit=5_000)]
                + [lambda number=number: others[3].send(chat, "Text", f"{number}" * 1_000) for number in range(4)]
            )
            assert not [answer for answer in answers if isinstance(answer, Exception)], answers
            assert group.killed == 0 and Caller(server).get("/ready"), server.errors
            print(f"{POSITIONS} positions: {resting / 1e6:.0f} MB at rest, at most {peak.bytes / 1e6:.0f} MB, copies of files excluded")
            assert server.stop() == 0
