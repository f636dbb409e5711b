"""The program from outside: where the device is, and a receiver that moves a pin."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
import xml.etree.ElementTree

import pytest

from yonder import ROOT, Server, party, program, until

LOGS = ROOT / "Tests/Fixtures/nmea"
TRACK = ROOT / "Tests/Fixtures/tracks/cerknicko-jezero.gpx"
# A moment is complete once the next begins.
RMC = (
    "$GPRMC,165007.000,A,4143.6058,N,08338.0778,W,0.55,36.58,180710,,,A*4F\r\n"
    "$GPRMC,165008.000,A,4143.6059,N,08338.0786,W,0.32,172.38,180710,,,A*76\r\n"
)
LATEST = 41 + 43.6059 / 60


def locate(*arguments, **others):
    return subprocess.run(
        [program(), "locate", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120, **others,
    )


@contextlib.contextmanager
def talker(says):
    """A server that says something to whoever connects and then keeps silent; answers its port and who connected."""
    listener = socket.create_server(("127.0.0.1", 0))
    connected = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                connected.append(connection)
                connection.sendall(says.encode())

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1], connected
    finally:
        listener.close()
        for connection in connected:
            connection.close()


def test_a_recorded_receiver_says_where_it_is_with_the_documented_keys():
    done = locate("--from", f"nmea:{LOGS / 'garmin-10x.log'}")
    assert done.returncode == 0 and done.stderr == ""
    position = json.loads(done.stdout)
    assert position["latitude"] == pytest.approx(41 + 43.6058 / 60, abs=1e-9)
    assert position["longitude"] == pytest.approx(-83 - 38.0778 / 60, abs=1e-9)
    assert (position["altitude"], position["course"]) == (204.3, 36.58)
    assert position["speed"] == pytest.approx(0.55 * 1852 / 3600)
    assert isinstance(position["timestamp"], int)
    assert set(position) <= {
        "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed", "timestamp",
        "magneticHeading", "trueHeading", "headingAccuracy",
    }


def test_a_live_receiver_says_where_it_is_now():
    with talker(RMC) as (port, _):
        done = locate("--from", f"nmea:tcp://127.0.0.1:{port}", "--timeout", 100)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["latitude"] == pytest.approx(LATEST, abs=1e-9)


@pytest.mark.parametrize("arguments, status, code", [
    (["--from", "track:{root}/README.md"], 65, "sourceUnreadable"),
    (["--from", "track:{root}/nothing.gpx"], 65, "sourceUnreadable"),
    (["--from", "nmea:{root}/README.md"], 65, "sourceUnreadable"),
    (["--from", "nmea:{root}/nothing"], 69, "sourceLost"),
    (["--from", "nmea:tcp://127.0.0.1:1"], 69, "sourceLost"),
    (["--from", "gpsd:127.0.0.1:1"], 69, "sourceLost"),
])
def test_without_a_position_the_status_and_standard_error_say_why(arguments, status, code):
    done = locate(*(argument.format(root=ROOT) for argument in arguments))
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert done.stderr.startswith(f"{code}: ")


def test_a_silent_receiver_is_waited_for_no_longer_than_asked():
    with talker("") as (port, _):
        done = locate("--from", f"nmea:tcp://127.0.0.1:{port}", "--timeout", 0.2)
    assert (done.returncode, done.stdout) == (75, "")
    assert done.stderr.startswith("timedOut: ")


@pytest.mark.parametrize("arguments", [
    [],
    ["--from", "sextant"],
    ["--from", "track:"],
    ["--from", "nmea:"],
    ["--from", "nmea:x#1234567"],
    ["--from", "gpsd:localhost:70000"],
    ["--from", "gpsd", "--timeout", "-1"],
    ["--from", "gpsd", "--timeout", "1", "--wait"],
    ["--from", "gpsd", "--speed", "0"],
    ["--from", "gpsd", "--minimum-distance", "5"],
])
def test_flags_that_make_no_sense_are_refused_as_usage(arguments):
    done = locate(*arguments)
    assert (done.returncode, done.stdout) == (64, "") and "Usage: yonder locate" in done.stderr


def test_with_wait_a_receiver_may_come_later():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    process = subprocess.Popen(
        [program(), "locate", "--from", f"nmea:tcp://127.0.0.1:{port}", "--wait"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    try:
        assert process.stderr.readline().startswith("sourceLost: ")
        with socket.create_server(("127.0.0.1", port)) as listener:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(RMC.encode())
                assert json.loads(process.stdout.readline())["latitude"] == pytest.approx(LATEST, abs=1e-9)
                assert process.wait(timeout=120) == 0
    finally:
        process.kill()
        process.communicate()


def test_with_follow_everything_is_printed_until_the_file_ends():
    done = locate("--from", f"nmea:{LOGS / 'haicom-305N.log'}", "--follow", "--speed", 20)
    assert done.returncode == 0, done.stderr
    positions = [json.loads(line) for line in done.stdout.splitlines()]
    last = (positions[-1]["latitude"], positions[-1]["longitude"])
    assert last == pytest.approx(logged("haicom-305N")[-1], abs=1e-8)
    times = [position["timestamp"] for position in positions]
    assert len(times) > 10 and times == sorted(times)


def test_a_closed_pipe_ends_it_as_any_other_program():
    command = f'"{program()}" locate --from "nmea:{LOGS}/haicom-305N.log" --follow --loop --speed 100 | head -n 1'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )
    assert len(done.stdout.splitlines()) == 1 and done.stderr == ""
    assert done.returncode == 128 + signal.SIGPIPE


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_full_disk_is_said():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [program(), "locate", "--from", f"nmea:{LOGS / 'haicom-305N.log'}"],
            stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
        )
    assert done.returncode == 74 and "No space left" in done.stderr


def written(places):
    """Places as they are shared: in six decimals, and not those that are as the one before."""
    texts = [(f"{latitude:.6f}", f"{longitude:.6f}") for latitude, longitude in places]
    return [text for text, before in zip(texts, [None, *texts]) if text != before]


def logged(name):
    return [(fix[1], fix[2]) for fix in json.loads((LOGS / f"{name}.json").read_text())]


def tracked(file):
    points = xml.etree.ElementTree.parse(file).iterfind(".//{*}trkpt")
    return [(float(point.get("lat")), float(point.get("lon"))) for point in points]


@pytest.mark.parametrize("source, places", [
    (f"nmea:{LOGS / 'haicom-305N.log'}", logged("haicom-305N")),
    (f"track:{TRACK}", tracked(TRACK)),
], ids=["nmea", "track"])
def test_every_position_of_a_recorded_file_reaches_the_chat_once_and_in_order(source, places):
    with Server() as server:
        owner, (ben,) = party(server, ["Ben"])
        chat = owner.start_chat([ben])
        subprocess.run(
            [program(), "share", "--server", server.url, "--chat", chat, "--from", source, "--speed", "1000000"],
            env={"YONDER_TOKEN": owner.token()}, stdin=subprocess.DEVNULL, check=True, timeout=300,
        )
        found = ben.messages(chat, tag="Location", limit=10000)["messages"]
        shared = [(message["data"]["latitude"], message["data"]["longitude"]) for message in found]
        expected = written(places)
        # gpsd leaves out what comes before the first date; the recording dates it by what follows.
        assert shared[-len(expected):] == expected and len(shared) <= len(expected) + 1


def test_a_live_receiver_moves_a_pin_on_the_map():
    sentences = (LOGS / "haicom-305N.log").read_text(errors="replace")
    with Server() as server, talker(sentences) as (port, _):
        watcher = subprocess.Popen(
            [program(), "watch", "--server", server.url, "--world", "--json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        )
        sharer = subprocess.Popen(
            [program(), "share", "--server", server.url, "--world", "--from", f"nmea:tcp://127.0.0.1:{port}"],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            last = written(logged("haicom-305N"))[-1]
            seen = []
            until(lambda: is_at(json.loads(watcher.stdout.readline()), last, seen), what=f"a pin at {last}")
        finally:
            for process in (sharer, watcher):
                process.kill()
                process.communicate()


def is_at(pin, place, seen):
    seen.append(pin)
    return "latitude" in pin and (f"{float(pin['latitude']):.6f}", f"{float(pin['longitude']):.6f}") == place
