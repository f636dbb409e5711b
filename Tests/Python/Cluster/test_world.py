"""The world map of three nodes is one: while nothing fails, when a node is killed, and when NATS comes back."""

import asyncio
import json
import time

import aiohttp
import pytest
import socketio
from stream import BROKEN, Stream

SILENCE = 3
"""Seconds until a silent node's pins go (`NodeRoll.patience`)."""

MARGIN = 10
"""Seconds more, for a slow machine: heartbeats are a second apart."""


class Guest:
    """A member of a node's world over the stream: its name, and the pins that it is shown."""

    def __init__(self, stream):
        self.stream = stream
        self.name = None
        self.pins = {}

    @classmethod
    async def enter(cls, node):
        guest = cls(await Stream.open(node))
        _, _, pages = await guest.stream.subscribe("world")
        guest.name = pages[0]["you"]
        for page in pages:
            guest.pins |= {pin["pin"]: pin.get("at") for pin in page["pins"]}
        return guest

    async def move(self, at):
        await self.stream.write(type="pin", at=at)

    async def until(self, matches, seconds=120):
        """Receives until the pins match; answers how long that took."""
        start = time.monotonic()
        async with asyncio.timeout(seconds):
            while not matches(self.pins):
                frame = await self.stream.receive()
                if frame["type"] == "pin":
                    self.pins[frame["pin"]] = frame.get("at")
                elif frame["type"] == "gone":
                    self.pins.pop(frame["pin"], None)
        return time.monotonic() - start


class Visitor:
    """A member of a node's world over Socket.IO."""

    def __init__(self, transports):
        self.transports = transports
        self.client = socketio.AsyncClient(reconnection=False)
        self.pins = {}
        self.changed = asyncio.Event()
        self.client.on("join", lambda name: self._set(name, None))
        self.client.on("update", lambda text: self._set(*text.split(":", 1)))
        self.client.on("disappear", self._remove)

    async def enter(self, node):
        await self.client.connect(node.url, transports=self.transports)
        return self

    def _set(self, name, at):
        self.pins[name] = at
        self.changed.set()

    def _remove(self, name):
        self.pins.pop(name, None)
        self.changed.set()

    async def move(self, at):
        await self.client.call("location", at, timeout=120)

    async def until(self, matches, seconds=120):
        async with asyncio.timeout(seconds):
            while not matches(self.pins):
                await self.changed.wait()
                self.changed.clear()


async def close(*guests):
    """Takes guests off the map, which other tests look at."""
    for guest in guests:
        try:
            await guest.stream.close()
        except BROKEN:
            pass


async def agree(nodes, truth):
    """Waits until a newcomer on every node is shown these positions, and no others."""
    async with asyncio.timeout(120):
        for node in nodes:
            shown = None
            while shown != sorted(truth):
                newcomer = await Guest.enter(node)
                shown = sorted(at for at in newcomer.pins.values() if at)
                await newcomer.stream.close()


@pytest.mark.parametrize("transports", [["websocket"], ["polling"]], ids=lambda transports: transports[0])
def test_members_on_two_nodes_see_each_other_move(cluster, transports):
    async def watch():
        guest = await Guest.enter(cluster.nodes[0])
        visitor = await Visitor(transports).enter(cluster.nodes[1])
        await guest.move("1.5,2")
        await visitor.until(lambda pins: pins.get(guest.name) == "1.5,2")
        await visitor.move("3,4")
        await guest.until(lambda pins: "3,4" in pins.values())
        await visitor.move("3,5")
        await guest.until(lambda pins: "3,5" in pins.values() and "3,4" not in pins.values())
        await visitor.client.disconnect()
        await guest.until(lambda pins: "3,5" not in pins.values())
        await guest.stream.close()

    asyncio.run(watch())


def test_a_client_that_polls_may_reach_any_node(cluster):
    first, second, third = cluster.nodes

    async def watch():
        async with aiohttp.ClientSession() as session:
            guest = await Guest.enter(third)

            async def request(node, method, data=None):
                url = f"{node.url}/socket.io/?EIO=4&transport=polling{sid}"
                async with session.request(method, url, data=data) as answer:
                    return answer.status, await answer.text()

            async def say(node, packet):
                assert await request(node, "POST", packet) == (200, "ok")

            async def hear(node, part):
                heard = ""
                while part not in heard:
                    status, heard = await request(node, "GET")
                    assert status == 200, heard
                    if heard == "2":
                        await say(node, "3")

            sid = ""
            _, greeting = await request(first, "GET")
            sid = f"&sid={json.loads(greeting[1:])['sid']}"
            await say(second, "40")
            await hear(third, "40{")
            await say(third, '42["location","7,8"]')
            await guest.until(lambda pins: "7,8" in pins.values())
            await guest.move("8,9")
            await hear(second, "8,9")
            # The client begins anew when the node of its session is gone.
            first.kill()
            await guest.until(lambda pins: not pins, SILENCE + MARGIN)
            status, refusal = await request(second, "POST", "3")
            assert status == 400 and json.loads(refusal)["message"] == "Session ID unknown"
            await guest.stream.close()
            await asyncio.to_thread(first.start)

    asyncio.run(watch())


def test_the_pins_of_a_killed_node_leave_the_others(cluster):
    async def watch():
        guest = await Guest.enter(cluster.nodes[0])
        viewers = [await Guest.enter(node) for node in cluster.nodes[1:]]
        await guest.move("1,2")
        for viewer in viewers:
            await viewer.until(lambda pins: "1,2" in pins.values())
        cluster.nodes[0].kill()
        for viewer in viewers:
            took = await viewer.until(lambda pins: guest.name not in pins, SILENCE + MARGIN)
            print(f"gone after {took:.1f} s")
        # The node that comes back gets the pins of the others.
        await viewers[0].move("5,6")
        await asyncio.to_thread(cluster.nodes[0].start)
        await agree(cluster.nodes, ["5,6"])
        await close(guest, *viewers)

    asyncio.run(watch())


def test_all_nodes_show_the_same_when_nats_is_back(cluster):
    async def watch():
        leaves, stays = [await Guest.enter(node) for node in cluster.nodes[:2]]
        await leaves.move("1,1")
        await stays.move("2,2")
        await agree(cluster.nodes, ["1,1", "2,2"])
        cluster.bus.kill()
        await leaves.stream.close()
        await stays.move("2,3")
        comes = await Guest.enter(cluster.nodes[2])
        await comes.move("3,3")
        # Long enough that the nodes take one another for dead.
        viewer = await Guest.enter(cluster.nodes[2])
        await viewer.until(lambda pins: stays.name not in pins, SILENCE + MARGIN)
        await asyncio.to_thread(cluster.bus.start)
        await agree(cluster.nodes, ["2,3", "3,3"])
        # What is away for a moment only brings nobody back, either.
        cluster.bus.kill()
        await comes.stream.close()
        await asyncio.to_thread(cluster.bus.start)
        await agree(cluster.nodes, ["2,3"])
        await close(stays, viewer)

    asyncio.run(watch())
