"""One server after another, each with a fault at one point of its life, and the checks that follow."""

import dataclasses
import copy
import http.client
import json
import os
import pathlib
import pickle
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import traceback

from disk import Disk
from faults import Fault, Faults, difference
from ledger import Broken
from old_file import folder_for_faults
from workload import PATIENCE, Crowd, Gone, settle_down
from yonder import Caller, Refusal, Server, lift_write_limits, program, until

lift_write_limits()

# What a server does while the fault waits for it.
SCENARIOS = ["create", "migrate", "start", "steady", "pressure", "erase", "close", "backup"]

# Log pages with which the template for `pressure` begins: SQLite moves them into the database at 8 192.
FULL_LOG = 26 << 20


class Templates:
    """Data folders to copy, with what their people know, made once."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def make(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, make in [("used", self.make_used), ("full", self.make_full), ("old", self.make_old)]:
            knowledge = make(self.folder / name)
            (self.folder / f"{name}.pickle").write_bytes(pickle.dumps(knowledge))
        return self

    @staticmethod
    def make_used(folder):
        with Server(data=folder) as server:
            knowledge = settle_down(server)
            server.kill()
        return knowledge

    @staticmethod
    def make_full(folder):
        """Much in the log that isn't in the database yet."""
        with Server(data=folder) as server:
            knowledge = settle_down(server, messages=50)
            crowd = Crowd(knowledge)
            crowd.attach(server)
            log = folder / "yonder.db-wal"
            for _ in range(30):
                if log.stat().st_size >= FULL_LOG:
                    break
                crowd.pressure()
                crowd.check_reads()
            crowd.detach()
            server.kill()
            return crowd.knowledge()

    @staticmethod
    def make_old(folder):
        return folder_for_faults(folder)

    def copy(self, name, folder):
        """A copy of a template's folder, and of what its people know."""
        shutil.copytree(self.folder / name, folder, ignore=shutil.ignore_patterns("control"))
        return Crowd(pickle.loads((self.folder / f"{name}.pickle").read_bytes()))


TEMPLATE = {"create": None, "migrate": "old", "start": "used", "steady": "used", "pressure": "full", "erase": "used",
            "close": "used", "backup": "used"}
# How long after the last recall its content leaves the files, at most, when nothing fails.
UNTIL_ERASED = 10


@dataclasses.dataclass
class Outcome:
    """What came of some faults in one server's life."""

    scenario: str
    faults: list
    reached: int = 0
    missed: list = dataclasses.field(default_factory=list)
    recovery: float = 0
    refused_starts: int = 0
    failed_stops: int = 0
    restored: int = 0
    problem: str | None = None
    log: str = ""

    def __str__(self):
        return f"{self.scenario}: {'; '.join(map(str, self.faults))}: {self.problem}"


class Run:
    """One data folder and the servers on it."""

    def __init__(self, templates, scenario, faults, ending="kill"):
        self.templates = templates
        self.outcome = Outcome(scenario, faults)
        self.ending = ending
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="yonder-faults-"))
        self.data = self.folder / "data"
        self.shim = Faults(self.folder / "shim", self.data, elsewhere=self.folder / "backups")
        self.disk = Disk(self.data, self.folder / "copy")
        self.server = None
        self.crowd = None

    def perform(self):
        """Runs the scenario with each of the faults, and all checks."""
        try:
            self.prepare()
            getattr(self, self.outcome.scenario)()
            self.finish()
        except Exception as error:  # Whatever it is belongs into the report, with its point.
            known = isinstance(error, (Broken, Gone))
            self.outcome.problem = f"{type(error).__name__}: {error}" if known else traceback.format_exc()
            self.outcome.log = self.server.errors[-1500:] if self.server else ""
        finally:
            self.clean_up()
        return self.outcome

    def prepare(self):
        template = TEMPLATE[self.outcome.scenario]
        if template:
            self.crowd = self.templates.copy(template, self.data)
        self.server = Server(data=self.data, environment=self.shim.environment())
        self.disk.begin(self.shim.journal)

    def clean_up(self):
        if self.server:
            self.server.kill()
            self.server._clean_up()
        shutil.rmtree(self.folder, ignore_errors=True)

    # The server's life.

    def launch(self):
        """Starts the server; `False` if it ends before it listens."""
        self.server._launch()

        def listens():
            if self.server.process.poll() is not None:
                return True
            try:
                return Caller(self.server).get("/health") is not None
            except (OSError, http.client.HTTPException, Refusal):
                return False

        until(listens, PATIENCE, "the server's answer at /health")
        return self.server.process.poll() is None

    def attach(self):
        self.crowd.attach(self.server)

    def count(self):
        """The calls of the scenario when nothing fails."""
        try:
            self.prepare()
            if self.outcome.scenario in ("steady", "pressure", "erase", "close", "backup"):
                self.launch()
                self.attach()
                self.crowd.check_reads()
                if self.outcome.scenario in ("erase", "close"):
                    self.crowd.round()
                    self.crowd.detach()
            before = self.shim.counts()
            getattr(self, f"count_{self.outcome.scenario}")()
            return difference(self.shim.counts(), before)
        finally:
            self.clean_up()

    # Counting.

    def count_create(self):
        self.server.start()
        self.server.link()

    def count_migrate(self):
        self.server.start()

    count_start = count_migrate

    def count_steady(self):
        self.crowd.round()

    def count_pressure(self):
        before = self.shim.counts()["flush", "database"]
        for _ in range(25):
            self.crowd.pressure()
            if self.shim.counts()["flush", "database"] > before:
                return

    def count_erase(self):
        before = self.shim.counts()["truncate", "log"]
        end = time.monotonic() + UNTIL_ERASED
        while self.shim.counts()["truncate", "log"] == before and time.monotonic() < end:
            time.sleep(0.1)

    def count_close(self):
        self.server.stop()

    def count_backup(self):
        done = self.back_up("first")
        if done.returncode:
            raise Broken(f"a backup failed where nothing else did: {done.stderr}")

    # With faults.

    def create(self):
        fault, = self.outcome.faults
        self.shim.arm(fault)
        runs = self.launch()
        self.note_reached(fault)
        self.shim.clear()
        if runs:
            until(self.is_ready, PATIENCE, "readiness after the fault")
            if not self.has_link():
                self.server.kill()
                runs = False
        self.start_again(runs)
        if not self.has_link(PATIENCE):
            raise Broken("no sign-in link after the fault was cleared and the server started again")
        self.crowd = Crowd(settle_down(self.server, messages=20))
        self.attach()
        self.crowd.check()

    def has_link(self, seconds=3):
        try:
            return self.server.link(seconds)
        except TimeoutError:
            return False

    def is_ready(self):
        return Caller(self.server).request("GET", "/ready")[0] == 200

    def start_again(self, runs):
        if runs:
            return
        self.outcome.refused_starts += 1
        if self.server.process and self.server.process.returncode in (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGILL,
                                                                       -signal.SIGBUS, -signal.SIGTRAP):
            raise Broken(f"the server crashed at its start: {self.server.process.returncode}")
        self.server.kill()
        self.server.start(seconds=PATIENCE)

    def start(self):
        fault, = self.outcome.faults
        self.shim.arm(fault)
        runs = self.launch()
        if not runs and fault.stops_writing_alone and not self.is_refused_for_room():
            raise Broken(f"the server didn't start: {self.server.errors[-500:]}")
        if runs:
            self.attach()
            self.under(fault)
        self.note_reached(fault)
        self.shim.clear()
        self.start_again(runs)
        self.attach()
        self.recover()
        self.crowd.round()
        self.recover()

    def is_refused_for_room(self):
        """Whether a schema that must change before it can be read was refused, with the bytes needed."""
        return re.search(r"Nothing was changed\. Make \d+ bytes of room", self.server.errors)

    migrate = start

    def steady(self):
        self.begin()
        self.meet_faults(self.crowd.round, rounds=12)

    def pressure(self):
        self.begin()
        self.meet_faults(self.crowd.pressure, rounds=25)

    def erase(self):
        self.begin()
        self.crowd.round()
        self.meet_faults(self.wait_for_erasing, rounds=10)

    def wait_for_erasing(self):
        end = time.monotonic() + UNTIL_ERASED
        while not self.shim.injected and time.monotonic() < end:
            time.sleep(0.02)

    def begin(self):
        if not self.launch():
            raise Broken(f"the server didn't start: {self.server.errors[-500:]}")
        self.attach()
        self.crowd.check_reads()

    def meet_faults(self, work, rounds):
        for fault in self.outcome.faults:
            self.shim.arm(fault)
            for _ in range(rounds):
                work()
                if self.shim.injected:
                    break
            self.under(fault)
            self.note_reached(fault)
            self.shim.clear()
            self.recover()

    def under(self, fault):
        """While the fault lasts: reading goes on, and the server says that it can't write."""
        if fault.times != "until" or not self.shim.injected:
            return
        self.crowd.refused = 0
        self.crowd.send([self.crowd.message(self.crowd.old, sender) for sender in (0, 1)])
        was_refused = self.crowd.refused > 0
        if fault.stops_writing_alone:
            self.crowd.check_reads()
            if was_refused and self.crowd.is_ready():
                raise Broken("/ready says 200 while messages are refused")

    def close(self):
        fault, = self.outcome.faults
        self.begin()
        self.crowd.round()
        self.crowd.detach()
        self.shim.arm(fault)
        began = time.monotonic()
        status = self.server.stop(seconds=PATIENCE)
        if time.monotonic() - began >= PATIENCE:
            raise Broken("the server didn't end")
        if status not in (0, 1):
            raise Broken(f"the server ended with {status}")
        self.outcome.failed_stops += status != 0
        self.note_reached(fault)
        self.shim.clear()

    def backup(self):
        """A backup is whole or not there, and the server goes on whatever becomes of it."""
        fault, = self.outcome.faults
        self.begin()
        self.crowd.round()
        before = copy.deepcopy(self.crowd.knowledge())
        self.shim.arm(fault)
        done = self.back_up("first")
        self.note_reached(fault)
        self.shim.clear()
        self.crowd.round()
        self.recover()
        restored = self.restore("first")
        if done.returncode == 0 and restored.returncode:
            raise Broken(f"a backup was made that can't be restored: {restored.stderr}")
        if done.returncode and not done.stderr.strip():
            raise Broken("a backup failed without a word")
        if restored.returncode == 0:
            self.check_restored("first", before)
        done = self.back_up("second")
        if done.returncode:
            raise Broken(f"no backup can be made after the fault: {done.stderr}")
        done = self.restore("second")
        if done.returncode:
            raise Broken(f"a backup can't be restored: {done.stderr}")
        self.check_restored("second", copy.deepcopy(self.crowd.knowledge()))

    def back_up(self, name):
        """Runs `yonder backup` beside the server, with the same faults."""
        (self.folder / "backups").mkdir(exist_ok=True)
        environment = {**self.shim.environment()}
        environment.pop("FAULT_JOURNAL", None)
        return subprocess.run(
            [program(), "backup", str(self.folder / "backups" / name), "--data", str(self.data)],
            capture_output=True, text=True, timeout=2 * PATIENCE, env={**os.environ, **environment},
        )

    def restored(self, name):
        return self.folder / f"restored-{name}"

    def restore(self, name):
        return subprocess.run(
            [program(), "restore", str(self.folder / "backups" / name), "--data", str(self.restored(name)), "--keep-tokens"],
            capture_output=True, text=True, timeout=2 * PATIENCE,
        )

    def check_restored(self, name, knowledge):
        """All that was acknowledged before the backup is in it. Sessions end when it is restored, tokens are kept."""
        crowd = Crowd(knowledge)
        crowd.cookies = []
        with Server(data=self.restored(name)) as server:
            crowd.attach(server)
            crowd.check()
            crowd.round()
            crowd.check()
            crowd.detach()

    def note_reached(self, fault):
        if self.shim.injected:
            self.outcome.reached += 1
        else:
            self.outcome.missed.append(fault)

    def recover(self):
        self.outcome.recovery = max(self.outcome.recovery, self.crowd.settle())
        if self.outcome.scenario == "pressure":
            self.crowd.check_reads()
        else:
            self.crowd.check()

    # The end of every run: the power is cut, or the process killed, or asked to end; and all is there.

    def finish(self):
        if self.server.process is not None:
            self.crowd.detach()
            if self.ending == "stop":
                self.stop()
            else:
                self.server.kill()
        self.outcome.restored = len(self.disk.restore(self.shim.journal, is_cut_off=self.ending == "power"))
        self.server.environment = dict(os.environ)
        self.server.start(seconds=PATIENCE)
        self.attach()
        self.recover()
        self.crowd.round()
        self.crowd.detach()
        self.stop()
        self.check_file()

    def stop(self):
        status = self.server.stop(seconds=PATIENCE)
        if status != 0:
            raise Broken(f"the server ended with {status} after the fault was cleared")

    def check_file(self):
        connection = sqlite3.connect(self.data / "yonder.db")
        try:
            finding = connection.execute("PRAGMA integrity_check").fetchall()
            if finding != [("ok",)]:
                raise Broken(f"integrity_check: {finding[:3]}")
            for chat, log in self.crowd.chats.items():
                log.check(in_file(connection, chat))
        finally:
            connection.close()


def in_file(connection, chat):
    """A chat's messages as they stand in the database of a server that has ended."""
    rows = {}
    for table in ("recent", "message"):
        columns = "number, tag, CAST(content AS TEXT), CAST(data AS TEXT)"
        for number, tag, content, data in connection.execute(f"SELECT {columns} FROM {table} WHERE chat = ?", (int(chat),)):
            rows[number] = {"number": number, "tag": tag, "content": content, "data": json.loads(data) if data else None}
    return [rows[number] for number in sorted(rows)]
