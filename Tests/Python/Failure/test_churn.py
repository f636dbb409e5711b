"""Promise 7, with few pairs: `make churn` has the full counts."""

import json

import pytest
from churn import GROWTH, MANNERS, Town, measured, queries_of_the_stream, socket_io
from raw_stream import frame
from soak import soak
from yonder import Server, until

PAIRS = {"answered": 150, "flood": 5_000, "sessions": 5_000, "disconnects": 50}
# A debug build on a slow machine; a release build is held to 1 s.
SLOWEST = 10


@pytest.fixture(scope="module")
def town():
    with Server(["--world-rate", "1000000"]) as server:
        yield Town(server)


def released(memory, base):
    """Waits until what was used for the churn is given back."""
    until(lambda: memory.now() - base < GROWTH, 60, "the memory being given back")
    return memory.now()


def check(town, manner, query, pairs):
    peak, after, slowest, _ = measured(town, manner, query, pairs, pairs // 5, released)
    print(f"{peak >> 10} KiB more at the peak, {after >> 10} after; slowest message {slowest * 1000:.0f} ms")
    assert peak < GROWTH
    assert slowest < SLOWEST


@pytest.mark.parametrize("query", queries_of_the_stream())
@pytest.mark.parametrize("manner", MANNERS)
def test_subscribing_and_unsubscribing_keeps_nothing_and_delays_nobody(town, query, manner):
    check(town, MANNERS[manner], query, PAIRS[manner])


def test_entering_and_leaving_the_world_keeps_nothing_and_delays_nobody(town):
    check(town, socket_io, "world", 5_000)


def test_a_session_with_more_to_read_than_its_bound_is_answered_its_pings_and_everything(town):
    queries = 250
    with town.open() as stream:
        for number in range(1, queries + 1):
            fields = {**town.fields("messages"), "tag": f"T{number}"}
            stream.write(frame(json.dumps({"type": "subscribe", "id": number, "query": "messages", **fields})))
        payloads = stream.ping(b"are you there")
        while len(payloads) < queries:
            payloads += stream.read()
    assert sorted(json.loads(payload)["id"] for payload in payloads) == list(range(1, queries + 1))


def test_a_short_soak_sees_every_message_once_and_in_order(town):
    soak(town, seconds=6, people=6, seed=1)
