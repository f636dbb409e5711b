"""Servers that are each one node of two, over a PostgreSQL database and a NATS cluster name of their own.

With `AS_NODE` in the environment, `yonder.Server` is the class of this module, so that tests of a server with a data folder run against
a cluster: `make test-cluster-foreign`. Each data folder is replaced by a database, also in the arguments of commands.
"""

import atexit

import cluster
from yonder import Server as Alone


class Ground:
    """PostgreSQL and NATS, started for the first server and ended with the program."""

    def __init__(self):
        self.postgres, self.bus = cluster.Postgres(), cluster.Nats()
        atexit.register(self.close)
        self.postgres.make()
        # Each node has a dozen connections, and tests keep several servers.
        self.postgres.stop()
        self.postgres.start(max_connections=500)
        self.bus.start()
        self.names = {}

    def close(self):
        self.bus.kill()
        self.postgres.close()

    def name(self, data):
        """The database and cluster name that stand for a data folder."""
        known = self.names.get(str(data))
        if known is None:
            known = self.names[str(data)] = f"d{len(self.names)}"
            self.postgres.database(known)
        return known

    def store(self, data):
        return f"postgres://yonder@127.0.0.1:{self.postgres.port}/{self.name(data)}"


class Server(Alone):
    """A node, with a second node that starts and ends with it."""

    ground = None

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._neighbor = None

    def _place(self):
        if Server.ground is None:
            Server.ground = Ground()
        return Server.ground

    def _in_database(self, arguments):
        """The same arguments with `--store` for `--data`."""
        arguments = [str(argument) for argument in arguments]
        if "--data" in arguments:
            at = arguments.index("--data")
            arguments[at:at + 2] = ["--store", self._place().store(arguments[at + 1])]
        return arguments

    def command_line(self):
        ground = self._place()
        bus = ["--bus", ground.bus.address, "--cluster", ground.name(self.data), "--drain", "0"]
        return [*self._in_database(super().command_line()), *bus]

    def start(self, seconds=120):
        super().start(seconds)
        self._neighbor = Neighbor(self)
        self._neighbor.start(seconds)
        return self

    def stop(self, seconds=60):
        self._end_neighbor()
        return super().stop(seconds)

    def kill(self):
        self._end_neighbor()
        super().kill()

    def _end_neighbor(self):
        neighbor, self._neighbor = self._neighbor, None
        if neighbor:
            neighbor.kill()
            neighbor._clean_up()

    def command(self, *arguments, **options):
        return super().command(*self._in_database(arguments), **options)


class Neighbor(Alone):
    """The second node beside a server, with the same settings."""

    def __init__(self, server):
        super().__init__(server.arguments, environment=server.environment)
        self.first = server

    def command_line(self):
        line = self.first.command_line()
        line[line.index("--port") + 1] = str(self.port)
        return line
