"""Two release programs that do the same work in turns: what Benchmarks/paired and its guard share.

The server is on core 0, this program on core 1. A figure is the server's processor time for one operation, in
microseconds.
"""
import asyncio
import http.client
import itertools
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / ".build-bench"
sys.path.insert(0, str(ROOT / "Tests/Support"))
sys.dont_write_bytecode = True

import yonder  # noqa: E402
from stream import Stream, messages_in  # noqa: E402

PLACES = 20_000
READERS = 100
# Operations of one run; a hundredth of the processor time of a run is what the clock can tell apart.
COUNTS = {"message": 20_000, "delivery": 500 * READERS, "region query": 4_000}
# For the instructions, which are counted exactly and fifty times slower.
FEWER = 10
IN_FLIGHT = 64


# The two programs.


def baseline():
    lines = (ROOT / "Benchmarks/baseline").read_text().splitlines()
    return next(line for line in lines if line and not line.startswith("#"))


def built(folder, scratch):
    """The program of a working copy, built in release mode."""
    options = ["--package-path", folder, "--scratch-path", scratch, "-c", "release", "--product", "yonder"]
    subprocess.run(["swift", "build", *options], check=True)
    return scratch / "release/yonder"


def built_current():
    """The program of this working copy."""
    return built(ROOT, ROOT / ".build")


def built_baseline():
    """The program at the baseline's commit, from a working copy of its own."""
    commit, folder = baseline(), BUILD / "baseline"
    if not folder.exists():
        subprocess.run(["git", "-C", ROOT, "worktree", "prune"], check=True)
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", folder, commit], check=True)
    subprocess.run(["git", "-C", folder, "checkout", "--quiet", "--detach", commit], check=True)
    return built(folder, BUILD / "baseline-build")


def stripped(program, folder):
    """A copy that valgrind can load: it gives up at the debug information of Swift's compiler."""
    copy = pathlib.Path(folder) / f"yonder-{len(os.listdir(folder))}"
    subprocess.run(["strip", "--strip-debug", "-o", copy, program], check=True)
    return copy


# A server, and how much it has computed.


class ByClock:
    """Counts processor time, of all threads and the kernel on their behalf, in microseconds."""

    unit = "µs"
    fewer = 1

    wrapper = ("taskset", "-c", "0")

    def __init__(self, _folder):
        pass

    def begin(self, process):
        # The clock of another process: clock_getcpuclockid(3) makes its number so.
        self.clock = ~process << 3 | 2
        self.begun = time.clock_gettime_ns(self.clock)

    def end(self, _process):
        return (time.clock_gettime_ns(self.clock) - self.begun) / 1000


class ByInstructions:
    """Counts instructions outside the kernel, in thousands."""

    unit = "thousand instructions"
    fewer = FEWER

    def __init__(self, folder):
        self.folder = folder
        library = pathlib.Path(folder) / "sigsuspend.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, HERE / "sigsuspend.c"], check=True)
        self.wrapper = ["env", f"LD_PRELOAD={library}", *ByClock.wrapper, "valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet",
                        f"--callgrind-out-file={folder}/callgrind.%p"]

    def begin(self, process):
        self.control(process, "--instr=on")
        self.control(process, "--zero")

    def end(self, process):
        self.control(process, "--dump")
        dumps = pathlib.Path(self.folder).glob(f"callgrind.{process}.*")
        newest = max(dumps, key=lambda dump: int(dump.suffix[1:])).read_text(errors="replace")
        return int(re.search(r"^(?:summary|totals): (\d+)", newest, re.MULTILINE)[1]) / 1000

    def control(self, process, option):
        subprocess.run(["callgrind_control", option, str(process)], check=True, capture_output=True, timeout=600)


class Work:
    """A server with people, a chat and places, and the three kinds of work."""

    def __init__(self, server):
        self.server = server
        # A key that was used before makes no message.
        self.keys = map(str, itertools.count(1))
        self.loop = asyncio.new_event_loop()
        self.readers = []
        self.owner, (self.friend,) = yonder.party(server, ["Ben"])
        self.chat = self.owner.start_chat([self.friend])
        self.owner.post("/v1/entities", {"name": "stop", "readers": "members", "fields": [
            {"name": "name", "type": "text"}, {"name": "at", "type": "location"}]})
        chance = random.Random(1)
        rows = "".join(f"Stop {number},{chance.uniform(-60, 60)},{chance.uniform(-180, 180)}\n" for number in range(PLACES))
        path = "/v1/objects/stop/import?format=csv&map=lat:at.latitude&map=lon:at.longitude"
        status, _, answer = self.owner.request("POST", path, f"name,lat,lon\n{rows}", {"Content-Type": "text/csv"})
        assert status == 200, answer

    def message(self, count):
        """Sends messages that nobody listens to, some in flight."""
        self.loop.run_until_complete(self._send(count))

    async def _send(self, count):
        limit = asyncio.Semaphore(IN_FLIGHT)
        async with await Stream.open(self.server, self.owner.token()) as stream:

            async def read_answers():
                for _ in range(count):
                    await stream.take(lambda frame: frame["type"] == "sent")
                    limit.release()

            answers = asyncio.create_task(read_answers())
            for _ in range(count):
                await limit.acquire()
                await stream.write(type="send", key=next(self.keys), chat=self.chat, tag="Text", content="x" * 150)
            await answers

    def delivery(self, count):
        """Sends messages to everybody's stream, each after all have the one before.

        The streams of the warm-up stay, as to open one costs as much as many deliveries.
        """
        self.loop.run_until_complete(self._deliver(count // READERS))

    async def _deliver(self, count):
        while len(self.readers) < READERS:
            reader = await Stream.open(self.server, self.friend.token())
            await reader.subscribe("messages", chat=self.chat, limit=1)
            self.readers.append(reader)
        async with await Stream.open(self.server, self.owner.token()) as sender:
            for _ in range(count):
                await sender.send(self.chat, next(self.keys), content="x" * 150)
                await asyncio.gather(*(reader.take(lambda frame: bool(messages_in(frame))) for reader in self.readers))

    def region_query(self, count):
        """Asks about regions of ten degrees by ten, over one connection."""
        chance = random.Random(2)
        headers = {"Authorization": f"Bearer {self.owner.token()}"}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=600)
        for _ in range(count):
            south, west = chance.uniform(-60, 50), chance.uniform(-180, 170)
            path = f"/v1/objects/stop/region?sw={south:.5f},{west:.5f}&ne={south + 10:.5f},{west + 10:.5f}"
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == 200, body
        connection.close()

    def end(self):
        """Closes what the work has opened."""
        for reader in self.readers:
            reader.drop()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()


def measure(program, meter_kind, counts=COUNTS, environment=None):
    """What each kind of work costs once, on a server of its own."""
    os.environ["YONDER"] = str(program)
    yonder.lift_write_limits()
    folder = tempfile.mkdtemp(prefix="yonder-paired-")
    figures = {}
    try:
        meter = meter_kind(folder)
        with yonder.Server(wrapper=meter.wrapper, environment=environment) as server:
            work = Work(server)
            for kind, count in counts.items():
                perform = getattr(work, kind.replace(" ", "_"))
                # The first ones fill caches and make what is made once.
                perform(max(READERS, count // meter.fewer // 20))
                meter.begin(server.process.pid)
                perform(count // meter.fewer)
                figures[kind] = meter.end(server.process.pid) / (count // meter.fewer)
            work.end()
        return figures
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def in_turns(measures, runs):
    """The figures of two programs, each of which is first in every other turn."""
    figures = ([], [])
    for number in range(runs):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            figures[side].append(measures[side]())
    return figures


def leave_core_0():
    """The server has core 0, where there are two."""
    os.sched_setaffinity(0, {1} if os.cpu_count() > 1 else {0})


def line(kind, before, now, unit, bar):
    """Prints one comparison, and answers whether it holds."""
    ratio = now / before
    verdict = "holds" if ratio <= bar else "above the bar"
    print(f"{kind:14} {before:10.2f} {now:10.2f} {unit:22} {ratio:6.3f}  {verdict}", flush=True)
    return ratio <= bar


def head(figures):
    print(f"\n{'':14} {'baseline':>10} {'now':>10}   {figures}, baseline {baseline()}")


def medians(figures, kind):
    return [statistics.median([run[kind] for run in side]) for side in figures]
