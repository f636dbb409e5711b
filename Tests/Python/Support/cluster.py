"""Starts PostgreSQL, NATS and nodes of a cluster on free ports, from Debian's packages, in a temporary folder.

    with Cluster(3) as cluster:
        ada = cluster.nodes[0].owner()
        cluster.nodes[1].kill()
        cluster.bus.kill()
"""

import glob
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile

from proxy import Proxy
from yonder import Server, free_port, program, until

CLUSTER_NAME = "test"


def answers(port):
    """Whether somebody listens on a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


class Postgres:
    """A PostgreSQL server with a cluster of its own. As root everything runs as Debian's user `postgres`."""

    def __init__(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
        if not found:
            raise RuntimeError("PostgreSQL is missing: run Scripts/setup-system postgresql")
        self.programs = pathlib.Path(found[-1])
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="yonder-postgres-"))
        self.port = free_port()
        self.process = None
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)

    def run(self, name, *arguments):
        """Runs one of PostgreSQL's programs to its end."""
        subprocess.run(
            [self.programs / name, *map(str, arguments)], check=True, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, cwd=self.folder, timeout=300, **self._identity(),
        )

    def _identity(self):
        if not self.user:
            return {}
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    @property
    def data(self):
        return self.folder / "data"

    def make(self):
        """Makes the cluster and its database."""
        self.run("initdb", "--pgdata", self.data, "--username", "yonder", "--auth", "trust", "--encoding", "UTF8",
                 "--locale", "C")
        self.start()
        self.run("createdb", "--host", "127.0.0.1", "--port", self.port, "--username", "yonder", "yonder")

    def follow(self, port):
        """Makes this server a standby of the one at a port: a copy, which then receives the write-ahead log."""
        source = f"host=127.0.0.1 port={port} user=yonder application_name={self.name}"
        self.run("pg_basebackup", "--dbname", source, "--pgdata", self.data, "--checkpoint", "fast", "--wal-method", "stream",
                 "--write-recovery-conf")

    @property
    def name(self):
        """The `application_name` of this standby's connection to its primary."""
        return f"standby{self.port}"

    def processes(self):
        """The server's processes: one for each connection, too."""
        listed = subprocess.run(["pgrep", "--parent", str(self.process.pid)], capture_output=True, text=True, timeout=60)
        return [self.process.pid, *map(int, listed.stdout.split())]

    def promote(self):
        self.run("pg_ctl", "promote", "--pgdata", self.data)

    def session(self, address):
        """A running psql, which takes statements by its input."""
        return subprocess.Popen(
            [self.programs / "psql", "--no-psqlrc", "--tuples-only", "--no-align", "--dbname", address],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder,
            start_new_session=True, **self._identity(),
        )

    def query(self, statement, address=None):
        """The answer to one statement, as psql prints it."""
        return subprocess.run(
            [self.programs / "psql", "--no-psqlrc", "--tuples-only", "--no-align", "--dbname", address or self.address,
             "--command", statement], check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
            cwd=self.folder, **self._identity(),
        ).stdout.strip()

    def start(self, **more):
        settings = {
            "port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": self.folder, "fsync": "on",
            "max_connections": 100, "shared_buffers": "64MB", "log_min_messages": "fatal", **more,
        }
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self.process = subprocess.Popen(
            [self.programs / "postgres", "-D", self.data, *flags], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder, start_new_session=True,
            **self._identity(),
        )
        until(lambda: self._accepts(), what="PostgreSQL's answer")

    def _accepts(self):
        done = subprocess.run(
            [self.programs / "pg_isready", "--host", "127.0.0.1", "--port", str(self.port)], capture_output=True,
        )
        return done.returncode == 0

    def stop(self, how=signal.SIGINT):
        """Ends the server: at once with SIGQUIT, as if the machine had failed."""
        if self.process is None:
            return
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
        self.process.wait(120)
        self.process = None

    def close(self):
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def address(self):
        return f"postgres://yonder@127.0.0.1:{self.port}/yonder"

    def database(self, name):
        """Makes a further database, and answers its address."""
        self.run("createdb", "--host", "127.0.0.1", "--port", self.port, "--username", "yonder", name)
        return f"postgres://yonder@127.0.0.1:{self.port}/{name}"


class Nats:
    """A nats-server."""

    def __init__(self):
        self.port = free_port()
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            ["nats-server", "--addr", "127.0.0.1", "--port", str(self.port)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
        until(lambda: answers(self.port), what="nats-server's answer")

    def kill(self):
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        self.process = None

    @property
    def address(self):
        return f"nats://127.0.0.1:{self.port}"


class Node(Server):
    """One `yonder serve` of a cluster."""

    def __init__(self, store, bus, arguments=(), **options):
        super().__init__(arguments, **options)
        self.store = store
        self.bus = bus

    def command_line(self):
        bus = ["--bus", self.bus, "--cluster", CLUSTER_NAME] if self.bus else []
        return [program(), "serve", "--store", self.store, *bus, "--port", str(self.port), "--drain", "0", *self.arguments]

    def pause(self):
        """Stops the process where it is, as a machine that is suspended."""
        self._signal(signal.SIGSTOP)

    def resume(self):
        self._signal(signal.SIGCONT)


def end(nodes):
    """Kills servers and removes their files."""
    for node in nodes:
        node.kill()
        node._clean_up()


class Cluster:
    """PostgreSQL, NATS and some nodes.

    With `proxied`, the last node reaches both through `store_link` and `bus_link`. With `standby`, `postgres` is the primary of
    `standby`, and sends its log through `log_link`: synchronous, as the promises need it, or not, to see the tests fail. The nodes
    know both hosts.
    """

    def __init__(self, count=3, arguments=(), proxied=False, standby=None):
        self.postgres = Postgres()
        self.bus = Nats()
        self.standby = Postgres() if standby else None
        self.is_synchronous = standby == "synchronous"
        self.store_link = self.bus_link = self.log_link = None
        store = self.postgres.address
        if self.standby:
            store = f"postgres://yonder@127.0.0.1:{self.postgres.port},127.0.0.1:{self.standby.port}/yonder"
        self.nodes = [Node(store, self.bus.address, arguments) for _ in range(count)]
        self._is_proxied = proxied

    def _proxy(self):
        node = self.nodes[-1]
        self.store_link, self.bus_link = Proxy(self.postgres.port), Proxy(self.bus.port)
        node.store = node.store.replace(str(self.postgres.port), str(self.store_link.port))
        node.bus = node.bus.replace(str(self.bus.port), str(self.bus_link.port))

    def _make_standby(self):
        """Starts the standby, and waits until the primary replicates to it, synchronously if the cluster is synchronous."""
        self.log_link = Proxy(self.postgres.port)
        self.standby.follow(self.log_link.port)
        if self.is_synchronous:
            self.postgres.query(f"ALTER SYSTEM SET synchronous_standby_names = '{self.standby.name}'")
            self.postgres.query("SELECT pg_reload_conf()")
        self.standby.start()
        state = "sync" if self.is_synchronous else "async"
        until(lambda: self.postgres.query("SELECT sync_state FROM pg_stat_replication") == state, what="the standby")

    def __enter__(self):
        try:
            self.postgres.make()
            self.bus.start()
            if self.standby:
                self._make_standby()
            if self._is_proxied:
                self._proxy()
            # The first node makes the tables and the owner.
            for node in self.nodes:
                node.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        end(self.nodes)
        for link in (self.store_link, self.bus_link, self.log_link):
            if link:
                link.close()
        self.bus.kill()
        for postgres in (self.postgres, self.standby):
            if postgres:
                postgres.close()
