#!/usr/bin/env python3
"""A primary of PostgreSQL is lost, and Patroni has a standby take over: by hand, `make try-patroni`.

Starts etcd, three members of Patroni from Debian's packages (`Scripts/setup-system patroni etcd-server`), NATS and three nodes on
loopback, in a temporary folder; kills the primary and its Patroni at once while everybody sends, and checks what `crew.py` checks.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "Tests/Python/Support"), str(ROOT / "Tests/Python/Cluster")]

from cluster import Nats, Node, Postgres, answers, end  # noqa: E402
from crew import Crew  # noqa: E402
from yonder import free_port, lift_write_limits, party, until  # noqa: E402

# Patroni's own defaults are 30, 10 and 10 s.
TIMES = {"ttl": 30, "loop_wait": 10, "retry_timeout": 10}


def settings(times):
    """What all members have in common, written to etcd by the first."""
    return {
        **times, "maximum_lag_on_failover": 1_048_576,
        # Without both a failover can lose acknowledged messages.
        "synchronous_mode": True, "synchronous_mode_strict": True,
        "postgresql": {"use_pg_rewind": True, "parameters": {"max_connections": 200, "shared_buffers": "64MB"}},
    }


class Group:
    """etcd, and members of Patroni. As root everything runs as Debian's user `postgres`."""

    def __init__(self, times, count=3):
        self.times = times
        self.programs = Postgres().programs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="yonder-patroni-"))
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.etcd = None
        self.etcd_port = free_port()
        self.members = [Member(self, f"m{number}") for number in range(count)]

    def launch(self, name, *command):
        """Starts a program whose output goes to a file."""
        identity = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen(
                list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                start_new_session=True, env={"PATH": os.environ["PATH"], "HOME": str(self.folder)}, **identity,
            )

    def start(self):
        client = f"http://127.0.0.1:{self.etcd_port}"
        peer = f"http://127.0.0.1:{free_port()}"
        self.etcd = self.launch(
            "etcd", "etcd", "--data-dir", self.folder / "etcd", "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}",
        )
        until(lambda: answers(self.etcd_port), what="etcd's answer")
        for member in self.members:
            member.start()
        until(lambda: self.roles() == ["replica", "replica", "sync_standby", "primary"][-len(self.members):], 180, "the members")

    def roles(self):
        """The members' roles, the primary last."""
        named = [member.role() for member in self.members]
        return sorted(named, key=["", "replica", "sync_standby", "primary"].index)

    def primary(self):
        return next((member for member in self.members if member.role() == "primary"), None)

    def query(self, statement, database="yonder"):
        done = subprocess.run(
            [self.programs / "psql", "--no-psqlrc", "--tuples-only", "--no-align", "--dbname", self.address(database),
             "--command", statement], check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        )
        return done.stdout.strip()

    def address(self, database="yonder"):
        hosts = ",".join(f"127.0.0.1:{member.port}" for member in self.members)
        return f"postgres://yonder@{hosts}/{database}?target_session_attrs=read-write"

    def store(self):
        hosts = ",".join(f"127.0.0.1:{member.port}" for member in self.members)
        return f"postgres://yonder@{hosts}/yonder"

    def close(self):
        for member in self.members:
            member.kill()
        if self.etcd:
            self.etcd.kill()
            self.etcd.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Member:
    """One Patroni with its PostgreSQL."""

    def __init__(self, group, name):
        self.group, self.name = group, name
        self.port, self.rest_port = free_port(), free_port()
        self.data = group.folder / name
        self.process = None

    def configuration(self):
        login = {"username": "yonder", "password": "hush"}
        return {
            "scope": "yonder", "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest_port}", "connect_address": f"127.0.0.1:{self.rest_port}"},
            "etcd3": {"hosts": f"127.0.0.1:{self.group.etcd_port}"},
            "bootstrap": {"dcs": settings(self.group.times), "initdb": [{"encoding": "UTF8"}, {"locale": "C"}]},
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}", "data_dir": str(self.data),
                "bin_dir": str(self.group.programs), "pgpass": str(self.group.folder / f"{self.name}.pgpass"),
                "authentication": {"superuser": login, "replication": login},
                "parameters": {"unix_socket_directories": str(self.group.folder)},
                "pg_hba": ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust", "local all all trust"],
            },
        }

    def start(self):
        file = self.group.folder / f"{self.name}.yml"
        # JSON is YAML.
        file.write_text(json.dumps(self.configuration()))
        file.chmod(0o644)
        self.process = self.group.launch(self.name, "/usr/bin/patroni", file)

    def role(self):
        """`primary`, `sync_standby` or `replica`; empty while it doesn't answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest_port}/patroni", timeout=5) as answer:
                state = json.load(answer)
        except (OSError, ValueError):
            return ""
        if state.get("state") != "running":
            return ""
        if state["role"] in ("master", "primary"):
            return "primary"
        return "sync_standby" if state.get("sync_standby") else "replica"

    def kill(self):
        """Ends Patroni, the server and all its processes at once, as a machine that loses its power."""
        if self.process is None:
            return
        processes = [self.process.pid]
        with contextlib.suppress(OSError, ValueError):
            server = int((self.data / "postmaster.pid").read_text().split()[0])
            children = pathlib.Path(f"/proc/{server}/task/{server}/children").read_text().split()
            processes += [server, *map(int, children)]
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()
        self.process = None


class Cluster:
    """Nodes over the group and a NATS."""

    def __init__(self, times, count=3):
        self.group, self.bus = Group(times), Nats()
        self.nodes = [Node(self.group.store(), self.bus.address) for _ in range(count)]

    def __enter__(self):
        try:
            self.group.start()
            self.group.query("CREATE DATABASE yonder", "postgres")
            self.bus.start()
            for node in self.nodes:
                node.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        end(self.nodes)
        self.bus.kill()
        self.group.close()


async def primary_lost(crew):
    """Kills the primary and waits until another member is it."""
    group = crew.cluster.group
    lost = group.primary()
    begun = time.monotonic()
    lost.kill()
    while not (new := await asyncio.to_thread(group.primary)):
        await asyncio.sleep(0.1)
    print(f"{lost.name} killed; {new.name} is the primary after {time.monotonic() - begun:.1f} s", flush=True)
    crew.lost = lost


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--ttl", type=int, default=TIMES["ttl"], help="seconds until a silent primary loses its place")
    parser.add_argument("--loop-wait", type=int, default=TIMES["loop_wait"])
    parser.add_argument("--retry-timeout", type=int, default=TIMES["retry_timeout"])
    parser.add_argument("--rounds", type=int, default=1)
    asked = parser.parse_args()
    times = {"ttl": asked.ttl, "loop_wait": asked.loop_wait, "retry_timeout": asked.retry_timeout}
    lift_write_limits()
    with Cluster(times) as cluster:
        group = cluster.group
        owner, (ben, guest) = party(cluster.nodes[0], ["Ben", "Guest"])
        for _ in range(asked.rounds):
            crew = Crew(cluster, owner, owner.start_chat([ben]), guest)
            asyncio.run(crew.work(primary_lost))
            crew.check()
            gaps = ", ".join(f"{reader.longest:.1f}" for reader in crew.readers)
            print(f"{crew.answered} acknowledged, all stored; longest gaps at the readers {gaps} s", flush=True)
            begun = time.monotonic()
            crew.lost.start()
            until(lambda: group.roles() == ["replica", "sync_standby", "primary"], 180, "the lost member's return")
            print(f"{crew.lost.name} follows again {time.monotonic() - begun:.1f} s after its start", flush=True)


if __name__ == "__main__":
    main()
