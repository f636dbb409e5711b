"""What a server has used for a piece of work: processor time, instructions, or memory."""
import pathlib
import re
import shutil
import subprocess
import sys
import time

import programs
from yonder import until

ON_CORE_0 = ("taskset", "-c", "0")


class ByClock:
    """Counts processor time, of all threads and the kernel on their behalf, in microseconds."""

    unit = "µs"
    # One of so many operations is performed, and so many messages a second are sent where the rate is fixed.
    fewer = 1
    pace = 100

    wrapper = ON_CORE_0
    libraries = ()

    def __init__(self, _folder):
        pass

    def begin(self, process):
        # The clock of another process: clock_getcpuclockid(3) makes its number so.
        self.clock = ~process << 3 | 2
        self.begun = time.clock_gettime_ns(self.clock)

    def end(self, _process):
        return (time.clock_gettime_ns(self.clock) - self.begun) / 1000


class ByInstructions:
    """Counts instructions outside the kernel, in thousands, exactly and fifty times slower.

    What the server does every second, whatever is asked of it, is counted first without work, and subtracted: an operation
    that takes fifty times longer would have fifty times its share of it.
    """

    unit = "thousand instructions"
    fewer = 10
    pace = 10
    # Seconds without work.
    rest = 10

    def __init__(self, folder):
        if not shutil.which("valgrind"):
            sys.exit("valgrind, which counts instructions, isn't installed: Scripts/setup-system valgrind")
        self.folder = folder
        self.libraries = (programs.library_of("sigsuspend.c", folder),)
        self.wrapper = [*ON_CORE_0, "valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet",
                        f"--callgrind-out-file={folder}/callgrind.%p"]
        self.each_second = None

    def begin(self, process):
        if self.each_second is None:
            self._start(process)
            time.sleep(self.rest)
            self.each_second = self._stop(process) / self.seconds
        self._start(process)

    def end(self, process):
        counted = self._stop(process)
        return counted - self.each_second * self.seconds

    def _start(self, process):
        self._control(process, "--instr=on")
        self._control(process, "--zero")
        self.seconds = -time.monotonic()

    def _stop(self, process):
        self._control(process, "--dump")
        self.seconds += time.monotonic()
        self._control(process, "--instr=off")
        dumps = pathlib.Path(self.folder).glob(f"callgrind.{process}.*")
        newest = max(dumps, key=lambda dump: int(dump.suffix[1:])).read_text(errors="replace")
        return int(re.search(r"^(?:summary|totals): (\d+)", newest, re.MULTILINE)[1]) / 1000

    def _control(self, process, option):
        subprocess.run(["callgrind_control", option, str(process)], check=True, capture_output=True, timeout=600)


class ByMemory:
    """Counts resident bytes, once their number stays the same for half a second."""

    unit = "bytes"
    fewer = 1
    pace = ByClock.pace

    wrapper = ON_CORE_0
    libraries = ()

    def __init__(self, _folder):
        pass

    def begin(self, process):
        self.begun = settled(process)

    def end(self, process):
        return settled(process) - self.begun


def settled(process):
    """The resident bytes of a process, once they have been the same for half a second."""
    last, since = resident(process), time.monotonic()

    def is_settled():
        nonlocal last, since
        now = resident(process)
        if now != last:
            last, since = now, time.monotonic()
        return time.monotonic() - since > 0.5

    until(is_settled, what="resident memory that stays the same")
    return last


def resident(process):
    """The bytes of a process that are in memory, counted page by page."""
    rollup = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    return int(re.search(r"^Rss:\s+(\d+) kB", rollup, re.MULTILINE)[1]) * 1024
