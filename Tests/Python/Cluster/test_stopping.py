"""A node that is stopped sends its people to the others first."""

import asyncio
import time

import pytest
from cluster import Cluster
from stream import BROKEN, Stream
from websockets.exceptions import ConnectionClosed
from yonder import Caller, party, until

DRAIN = 3


@pytest.fixture
def pair():
    with Cluster(2, ["--drain", str(DRAIN)]) as running:
        yield running


def test_a_node_that_stops_is_not_ready_first_and_then_closes_its_connections_one_after_the_other(pair):
    staying, leaving = pair.nodes
    owner, (ben,) = party(staying, ["Ben"])
    chat = owner.start_chat([ben])

    async def watch():
        streams = [await Stream.open(leaving, ben.token()) for _ in range(6)]
        begun = time.monotonic()
        leaving.process.terminate()
        await asyncio.to_thread(until, lambda: Caller(leaving).request("GET", "/ready")[0] == 503)
        # It still serves those who are there.
        sent = await streams[0].send(chat, "late")
        closed = await asyncio.gather(*(end(stream) for stream in streams))
        assert {code for code, _ in closed} == {1001}
        times = sorted(when - begun for _, when in closed)
        assert times[0] >= DRAIN / 3 * 0.9, times
        assert times[-1] - times[0] >= DRAIN / 3, times
        assert await asyncio.to_thread(leaving.process.wait, 60) == 0
        # What it acknowledged is there.
        stream = await Stream.open(staying, ben.token())
        _, _, pages = await stream.subscribe("messages", chat=chat, since=0)
        assert sent["number"] in [message["number"] for page in pages for message in page.get("messages", [])]

    asyncio.run(watch())


async def end(stream):
    try:
        while True:
            await stream.receive()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None, time.monotonic()
    except BROKEN:
        return None, time.monotonic()


def test_ready_names_the_bus_and_metrics_count_it(cluster):
    node = cluster.nodes[0]
    until(lambda: Caller(node).get("/ready") == {"status": "ok", "bus": "connected"})
    until(lambda: series(node, "yonder_bus_other_nodes") == 2)
    assert series(node, "yonder_bus_frames_received_total") > 0
    cluster.bus.kill()
    until(lambda: Caller(node).get("/ready") == {"status": "ok", "bus": "away"})
    assert series(node, "yonder_bus_connected") == 0
    cluster.bus.start()
    until(lambda: series(node, "yonder_bus_connected") == 1)
    assert series(node, "yonder_bus_reconnects_total") >= 1


def series(node, name):
    """The value of a series without labels."""
    status, _, body = Caller(node).request("GET", "/metrics")
    assert status == 200
    return next(float(line.split()[1]) for line in body.splitlines() if line.startswith(f"{name} "))
