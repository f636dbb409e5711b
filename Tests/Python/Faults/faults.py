"""The test's side of the preloaded library in `shim/`: which call of the server fails, and whether it did."""

import dataclasses
import errno
import mmap
import os
import pathlib
import struct
import subprocess

from yonder import ROOT

# In the order of `enum call` and `enum role` in shim/faults.h.
CALLS = ["open", "read", "write", "flush", "truncate", "allocate", "rename", "unlink", "mkdir", "link", "chmod", "close",
         "lock", "map"]
ROLES = ["database", "log", "index", "journal", "folder", "other", "elsewhere"]

ERRORS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "EDQUOT": errno.EDQUOT, "short": 0}
TIMES = {"once": 1, "three": 3, "until": 2**64 - 1}

HEADER = struct.Struct("=IIIIII QQQQ")
COUNTS = struct.Struct(f"={len(CALLS) * len(ROLES)}Q")
MAGIC = 0x594E4446
# Offsets in `struct control`.
ARMED, SEEN, INJECTED = 4, 40, 48


def library():
    """The preloaded library, built."""
    build = ROOT / ".build-faults"
    subprocess.run(["make", "-s", "-C", ROOT / "Tests/Python/Faults/shim", f"BUILD={build}"], check=True)
    return build / "libfaults.so"


@dataclasses.dataclass(frozen=True)
class Fault:
    """The `at`-th call of a kind on a kind of file, counted from the moment it is armed, and those that follow."""

    call: str
    role: str
    at: int
    error: str
    times: str

    def __str__(self):
        return f"{self.call} {self.role} {self.at} {self.error} {self.times}"

    @property
    def stops_writing_alone(self):
        """Whether everything that was acknowledged can be read while it lasts."""
        return self.call in ("write", "flush", "truncate", "allocate") and self.role in ("database", "log", "other")


def variants(call):
    """The pairs of an error and a number of times that a kind of call can fail with."""
    errors = ["ENOSPC", "EIO", "EDQUOT", "short"] if call == "write" else ["ENOSPC", "EIO", "EDQUOT"]
    if call in ("read", "lock", "map", "close", "chmod"):
        errors = ["EIO"]
    # SQLite takes a lock that fails for one that another process has, and waits for it as long as it was told to.
    times = ["once", "three"] if call == "lock" else TIMES
    return [(error, number) for number in times for error in errors]


class Faults:
    """The files that the library shares with the test, in a folder of their own beside the data folder."""

    def __init__(self, folder, data, elsewhere=None, journal=True):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.data = pathlib.Path(data)
        self.elsewhere = elsewhere
        self.log = self.folder / "faults"
        self.journal = self.folder / "journal" if journal else None
        control = self.folder / "control"
        control.write_bytes(HEADER.pack(MAGIC, *[0] * 9) + bytes(COUNTS.size))
        with control.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def environment(self):
        """What the server is started with."""
        settings = {
            "LD_PRELOAD": str(library()), "FAULT_FOLDER": str(self.data), "FAULT_CONTROL": str(self.folder / "control"),
            "FAULT_LOG": str(self.log),
        }
        if self.journal:
            settings["FAULT_JOURNAL"] = str(self.journal)
        if self.elsewhere:
            settings["FAULT_OTHER"] = str(self.elsewhere)
        return settings

    def arm(self, fault):
        """From now on calls are counted, and fail as `fault` says."""
        self.clear()
        everywhere = fault.times == "until"
        self.memory[8:HEADER.size] = HEADER.pack(
            0, 0, CALLS.index(fault.call), ROLES.index(fault.role), ERRORS[fault.error], everywhere,
            fault.at, TIMES[fault.times], 0, 0,
        )[8:]
        struct.pack_into("=I", self.memory, ARMED, 1)

    def clear(self):
        """From now on nothing fails."""
        struct.pack_into("=I", self.memory, ARMED, 0)

    @property
    def injected(self):
        """How many calls have failed since `arm`."""
        return struct.unpack_from("=Q", self.memory, INJECTED)[0]

    @property
    def seen(self):
        """How many calls of the armed kind there were since `arm`."""
        return struct.unpack_from("=Q", self.memory, SEEN)[0]

    def counts(self):
        """All calls so far, by kind and file."""
        numbers = iter(COUNTS.unpack_from(self.memory, HEADER.size))
        return {(call, role): next(numbers) for call in CALLS for role in ROLES}

    def recorded(self):
        """The lines that the library wrote, one for each fault that reached the server."""
        return self.log.read_text().splitlines() if self.log.exists() else []


def difference(after, before):
    """The calls between two counts; kinds without any are left out."""
    return {kind: number - before[kind] for kind, number in after.items() if number > before[kind]}


def preloaded(environment):
    """An environment for a program of ours, whose compiler and make are not to be preloaded."""
    return {**os.environ, **environment}
