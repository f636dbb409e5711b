"""Promise 3: a slow reader harms nobody. A hundred of a thousand stop reading, and the others notice nothing."""

import json
import os
import subprocess

import pytest
from yonder import party

READERS = 1_000
STOPPED = 100
MESSAGE = 12_000
# Enough to fill the kernel's buffers of a reader who has stopped, so that the rest waits in the server.
FLOOD = 450
PER_SECOND = 5
SECONDS = 6
# What a stopped reader may hold: the outbox, the channel's own buffer, and the allocator's slack.
BOUND_PER_READER = 256 * 1024
# How much later than before messages may be, for a machine that does nothing else and for a busy one. Behind a reader who has
# stopped they would not arrive at all.
MOST = 1.5 if "EXACT" in os.environ else 4


@pytest.fixture
def room(server):
    """A chat, and the token of somebody in it."""
    ada, (ben,) = party(server, ["Ben"])
    return ada.start_chat([ben]), ben.token()


def measured(load_generator, server, room, stopped, query):
    """What the readers who read saw, with `stopped` others who don't."""
    chat, token = room
    subscribe = {"type": "subscribe", "id": 1, "query": "messages", "chat": chat, **query}
    send = {"type": "send", "key": "{i}-{ts}", "chat": chat, "tag": "Location", "content": "ts={ts},{pad}"}
    done = subprocess.run(
        [
            load_generator, "--mode", "ws", "--port", str(server.port), "--path", "/v1/stream",
            "--header", f"Authorization: Bearer {token}", "--header", "Sec-WebSocket-Protocol: yonder.v1",
            "--hello", json.dumps(subscribe), "--ready", '"current":true', "--echo",
            "--connections", str(READERS), "--publishers", "1", "--stalled", str(stopped), "--flood", str(FLOOD if stopped else 0),
            "--publish", json.dumps(send), "--payload-bytes", str(MESSAGE), "--rate", str(PER_SECOND),
            "--duration", str(SECONDS), "--warmup", "2", "--drain", "20", "--server-pid", str(server.process.pid),
        ],
        check=True, capture_output=True, text=True, timeout=500,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("query", [{"limit": 1}, {"limit": 1, "latest": True}], ids=["all", "latest"])
def test_readers_who_stop_harm_nobody(load_generator, server, room, query):
    ratios, growth = [], []
    # The ratio of two latencies on a shared machine: the best of four, as noise only ever adds.
    for _ in range(4):
        everybody = measured(load_generator, server, room, 0, query)
        most = measured(load_generator, server, room, STOPPED, query)
        assert everybody["connect"]["opened"] == most["connect"]["opened"] == READERS
        assert everybody["lost"] == most["lost"] == 0
        assert everybody["dropped_connections"] == most["dropped_connections"] == 0
        growth.append(1024 * (most["rss_after_kb"] - everybody["rss_after_kb"]))
        ratios.append(most["p99_us"] / everybody["p99_us"])
        if ratios[-1] <= MOST:
            break
    print(f"p99 with {STOPPED} stopped: {min(ratios):.2f} of before; memory {max(growth) // 1024} KiB more")
    assert min(ratios) <= MOST
    assert max(growth) <= STOPPED * BOUND_PER_READER
