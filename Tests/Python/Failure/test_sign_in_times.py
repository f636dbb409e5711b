"""A failed sign-in takes as long for an unknown name, an old hash and a new one.

Without the work that makes them alike, an old hash would take a quarter of a new one's time. So the usual run compares the least
times of a few attempts, to which other programs add least, and allows twice as much. SIGN_INS=40 compares medians and allows 10 %; it is
for a machine that does nothing else.
"""

import os
import pathlib
import sqlite3
import statistics

from passwords import scrypt
from yonder import Caller, Server

ROUNDS = int(os.environ.get("SIGN_INS", 5))
IS_EXACT = "SIGN_INS" in os.environ


def processor_seconds(server):
    """The server's own time, so that whatever else the machine does is left out."""
    fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_failed_sign_in_takes_as_long_for_an_unknown_name_an_old_hash_and_a_new_one():
    with Server() as server:
        owner = server.owner()
        logins = {"old": 15, "new": 17}
        for login in logins:
            owner.post("/v1/users", {"name": login, "login": login})
        server.stop()
        with sqlite3.connect(server.data / "yonder.db") as database:
            for login, exponent in logins.items():
                database.execute("UPDATE account SET password = ? WHERE login = ?", (scrypt("correct horse", exponent), login))
        server.start()

        def attempt(login):
            before = processor_seconds(server)
            status = Caller(server).request("POST", "/v1/session", {"login": login, "password": "wrong horse"})[0]
            assert status == 401
            return processor_seconds(server) - before

        times = {"unknown": [], "old": [], "new": []}
        for _ in range(ROUNDS):
            for login, taken in times.items():
                taken.append(attempt(login))
        typical = {login: statistics.median(taken) if IS_EXACT else min(taken) for login, taken in times.items()}
        print(typical)
        assert max(typical.values()) <= (1.1 if IS_EXACT else 2) * min(typical.values()), times

        # The old hash is raised by the next good sign-in.
        assert Caller(server).request("POST", "/v1/session", {"login": "old", "password": "correct horse"})[0] == 201
        server.stop()
        with sqlite3.connect(server.data / "yonder.db") as database:
            raised = database.execute("SELECT password FROM account WHERE login = 'old'").fetchone()[0]
        assert raised.startswith("$scrypt$ln=17,r=8,p=1$")
