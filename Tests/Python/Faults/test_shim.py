"""The preloaded library itself, under programs of a few lines: a fault that doesn't reach its program proves nothing."""

import subprocess
import sys

import pytest
from disk import Disk
from faults import CALLS, Fault, Faults, preloaded

# Each does one call of its kind on the file `yonder.db`, or on a file beside it.
PROGRAMS = {
    "open": "os.open(db, os.O_RDONLY)",
    "read": "os.pread(open_db, 4, 0)",
    "write": "os.pwrite(open_db, b'abcd', 0)",
    "flush": "os.fdatasync(open_db)",
    "truncate": "os.ftruncate(open_db, 2)",
    "allocate": "os.posix_fallocate(open_db, 0, 10)",
    "rename": "os.rename(db, db)",
    "unlink": "os.unlink(db)",
    "mkdir": "os.mkdir(db + '/yonder.db')",
    "link": "os.link(other, db)",
    "chmod": "os.chmod(db, 0o600)",
    "close": "os.close(open_db)",
    "lock": "fcntl.lockf(open_db, fcntl.LOCK_EX)",
    "map": "mmap.mmap(open_db, 4)",
}
PREFIX = "import fcntl, mmap, os, sys; db = sys.argv[1]; other = db + '-other'; open_db = os.open(db, os.O_RDWR); "


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "yonder.db").write_bytes(b"0123456789")
    return folder


def run(faults, program, prefix=PREFIX):
    return subprocess.run(
        [sys.executable, "-c", prefix + program, str(faults.data / "yonder.db")],
        env=preloaded(faults.environment()), capture_output=True, text=True, timeout=60,
    )


@pytest.mark.parametrize("call", CALLS)
def test_a_fault_of_every_kind_reaches_its_program_and_is_recorded(data, tmp_path, call):
    faults = Faults(tmp_path / "faults", data)
    before = (data / "yonder.db").read_bytes()
    fault = Fault(call, "database", 2 if call == "open" else 1, "EIO", "once")
    faults.arm(fault)
    done = run(faults, PROGRAMS[call])
    assert "Input/output error" in done.stderr
    assert faults.injected == 1
    assert [line.split()[:2] for line in faults.recorded()] == [[call, "database"]]
    assert (data / "yonder.db").read_bytes() == before


def test_calls_are_counted_and_fail_no_more_once_the_fault_is_cleared(data, tmp_path):
    faults = Faults(tmp_path / "faults", data)
    faults.arm(Fault("write", "database", 1, "ENOSPC", "until"))
    faults.clear()
    done = run(faults, "[os.pwrite(open_db, b'x', 0) for _ in range(5)]")
    assert done.returncode == 0 and faults.injected == 0
    assert faults.counts()["write", "database"] == 5


@pytest.mark.parametrize("times, failed", [("once", [3]), ("three", [3, 4, 5]), ("until", [3, 4, 5, 6, 7])])
def test_the_third_call_fails_once_three_times_or_until_cleared(data, tmp_path, times, failed):
    faults = Faults(tmp_path / "faults", data)
    faults.arm(Fault("write", "database", 3, "EDQUOT", times))
    program = """
for number in range(1, 8):
    try: os.pwrite(open_db, b'x', 0)
    except OSError as error: print(number, error.errno)
"""
    done = run(faults, program, PREFIX + "\n")
    assert done.stdout.split("\n")[:-1] == [f"{number} 122" for number in failed]


def test_a_short_write_leaves_half_and_what_carries_on_fails(data, tmp_path):
    faults = Faults(tmp_path / "faults", data)
    faults.arm(Fault("write", "database", 1, "short", "once"))
    done = run(faults, "print(os.pwrite(open_db, b'abcd', 2)); os.pwrite(open_db, b'cd', 4)")
    assert done.stdout == "2\n" and "No space left" in done.stderr
    assert (data / "yonder.db").read_bytes() == b"01ab456789"


def test_data_of_a_failed_flush_is_lost_even_if_a_later_flush_succeeds(data, tmp_path):
    faults = Faults(tmp_path / "faults", data)
    disk = Disk(data, tmp_path / "copy")
    disk.begin(faults.journal)
    faults.arm(Fault("flush", "database", 2, "EIO", "once"))
    program = """
os.pwrite(open_db, b'AA', 0); os.fsync(open_db)
os.pwrite(open_db, b'BBBB', 2); os.pwrite(open_db, b'more', 10)
try: os.fsync(open_db)
except OSError: pass
os.fsync(open_db)
os.pwrite(open_db, b'CC', 4); os.fsync(open_db)
os.pwrite(open_db, b'D', 9)
"""
    assert run(faults, program, PREFIX + "\n").returncode == 0
    assert (data / "yonder.db").read_bytes() == b"AABBCC678Dmore"
    assert disk.restore(faults.journal) == [str(data / "yonder.db")]
    assert (data / "yonder.db").read_bytes() == b"AA23CC678D"
    assert disk.restore(faults.journal, is_cut_off=True)
    assert (data / "yonder.db").read_bytes() == b"AA23CC6789"
