"""A control group in which a program has a memory limit, as a container has one.

    with MemoryGroup(96) as group:
        server = Server(wrapper=group.wrapper)

Needs a machine on which a control group can be made: `MemoryGroup.parent()` is `None` elsewhere.
"""

import os
import pathlib
import signal
import uuid

# The name of the file with the limit, by the version of control groups.
LIMIT = {1: "memory.limit_in_bytes", 2: "memory.max"}


class MemoryGroup:
    """A group of so many MiB, without swap. The processes that are left in it at the end are killed."""

    def __init__(self, mebibytes):
        self.bytes = mebibytes << 20
        version, parent = self.parent()
        self.version = version
        self.folder = parent / f"yonder-test-{uuid.uuid4().hex[:12]}"

    @staticmethod
    def parent():
        """The version, and the nearest group above this process in which a group with a limit can be made; or `None`."""
        for version, folder, top in memberships():
            while True:
                if can_limit(version, folder):
                    return version, folder
                if folder == top:
                    break
                folder = folder.parent
        return None

    def __enter__(self):
        self.folder.mkdir()
        self.write(LIMIT[self.version], self.bytes)
        if self.version == 2 and (self.folder / "memory.swap.max").exists():
            self.write("memory.swap.max", 0)
        return self

    def __exit__(self, *_):
        for process in self.processes():
            os.kill(process, signal.SIGKILL)
        while self.processes():
            pass
        self.folder.rmdir()

    @property
    def wrapper(self):
        """What stands before a command that is to run in the group."""
        return ["sh", "-c", f"echo $$ > {self.folder}/cgroup.procs && exec \"$@\"", "sh"]

    def processes(self):
        return [int(line) for line in self.read("cgroup.procs").split()]

    @property
    def killed(self):
        """How many processes the kernel has ended because the group had no memory left."""
        events = self.read("memory.events" if self.version == 2 else "memory.oom_control")
        return next((int(line.split()[1]) for line in events.splitlines() if line.startswith("oom_kill ")), 0)

    @property
    def anonymous(self):
        """The bytes in use that aren't copies of files, which the kernel can drop."""
        name = "anon " if self.version == 2 else "rss "
        return next(int(line.split()[1]) for line in self.read("memory.stat").splitlines() if line.startswith(name))

    def read(self, name):
        return (self.folder / name).read_text()

    def write(self, name, value):
        (self.folder / name).write_text(str(value))


def memberships():
    """Of this process: the version, the folder of its group, and the folder of the topmost group that it sees."""
    groups = [line.split(":", 2) for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()]
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        root, point = before.split()[3:5]
        kind, _, options = after.split()[:3]
        for _, controllers, path in groups:
            is_first = kind == "cgroup" and "memory" in options.split(",") and "memory" in controllers.split(",")
            if not is_first and not (kind == "cgroup2" and not controllers):
                continue
            inside = path[len(root):] if root != "/" and (path + "/").startswith(root + "/") else path
            folder = pathlib.Path(point + inside)
            yield 1 if is_first else 2, folder if folder.is_dir() else pathlib.Path(point), pathlib.Path(point)


def can_limit(version, folder):
    """Whether a group with a limit can be made there."""
    child = folder / f"yonder-try-{uuid.uuid4().hex[:12]}"
    try:
        child.mkdir()
    except OSError:
        return False
    try:
        (child / LIMIT[version]).write_text(str(96 << 20))
        return True
    except OSError:
        return False
    finally:
        child.rmdir()
