"""Objects that are written through every node while parts of the cluster fail: each node's live regions are the database."""

import asyncio
import random

import pytest
from stream import BROKEN, Stream
from yonder import Caller, until

WORLD = {"south": -90, "west": -180, "north": 90, "east": 180}
CAFE = {"name": "cafe", "fields": [{"name": "name", "type": "text"}, {"name": "at", "type": "location"}]}


class Viewer:
    """A live region of everything on one node, kept as Documentation/stream.md says; begun again when its connection breaks."""

    def __init__(self, node, token):
        self.node, self.token = node, token
        self.objects, self.total, self.isCurrent = {}, None, False

    async def run(self):
        """Follows the region until it is canceled."""
        while True:
            try:
                async with await Stream.open(self.node, self.token, open_timeout=5) as stream:
                    self.objects, self.total, self.isCurrent = {}, None, False
                    await stream.write(
                        type="subscribe", id=1, query="objects", entity="cafe", region=WORLD, limit=1000
                    )
                    while True:
                        self._take(await stream.receive())
            except (*BROKEN, TimeoutError):
                await asyncio.sleep(0.05)

    def _take(self, frame):
        assert frame["type"] in ("region", "ping"), frame
        for key in frame.get("left", []):
            del self.objects[key]
        for item in frame.get("entered", []):
            assert item["id"] not in self.objects, "entered twice"
            self.objects[item["id"]] = item
        for item in frame.get("changed", []):
            assert item["id"] in self.objects, "changed and not there"
            self.objects[item["id"]] = item
        for move in frame.get("moved", []):
            item = self.objects[move["id"]]
            item["fields"]["at"] = {**item["fields"]["at"], "latitude": move["latitude"], "longitude": move["longitude"]}
            item["updated"] = move["updated"]
        self.total = frame.get("total", self.total)
        self.isCurrent = frame.get("current", self.isCurrent)


class Writer:
    """Creates, moves, renames and deletes objects of its own over REST on one node."""

    def __init__(self, node, token, seed):
        self.caller = Caller(node, token=token)
        self.random = random.Random(seed)
        self.ids = []
        self.done = 0
        self.stops = False

    async def run(self):
        """Writes until told to stop. What breaks may have been written or not: the database knows."""
        while not self.stops:
            try:
                await asyncio.to_thread(self._write)
                self.done += 1
            except (OSError, EOFError, ValueError):
                await asyncio.sleep(0.05)

    def _write(self):
        place = {"latitude": self.random.uniform(-89, 89), "longitude": self.random.uniform(-179, 179)}
        step = self.random.random()
        if step < 0.5 or len(self.ids) < 3:
            status, answer = self._ask("POST", "", {"fields": {"name": "a", "at": place}})
            if status == 201:
                self.ids.append(answer["object"]["id"])
        elif step < 0.7:
            self._ask("PATCH", f"/{self.random.choice(self.ids)}", {"fields": {"at": place}})
        elif step < 0.8:
            self._ask("PATCH", f"/{self.random.choice(self.ids)}", {"fields": {"name": str(step)}})
        else:
            self._ask("DELETE", f"/{self.ids.pop(self.random.randrange(len(self.ids)))}")

    def _ask(self, method, path, body=None):
        status, _, answer = self.caller.request(method, f"/v1/objects/cafe{path}", body)
        # 404: it was deleted by a request whose answer was lost.
        assert status < 400 or status in (404, 503), answer
        return status, answer


async def nothing(cluster):
    await asyncio.sleep(0.5)


async def node_killed(cluster):
    cluster.nodes[1].kill()
    await asyncio.sleep(1)
    await asyncio.to_thread(cluster.nodes[1].start)


async def bus_killed(cluster):
    cluster.bus.kill()
    await asyncio.sleep(3)
    await asyncio.to_thread(cluster.bus.start)


async def node_frozen(cluster):
    cluster.nodes[2].pause()
    await asyncio.sleep(4)
    cluster.nodes[2].resume()


def stored(caller):
    """All objects as the database has them."""
    found, cursor = {}, ""
    while cursor is not None:
        page = caller.get(f"/v1/objects/cafe?limit=1000{cursor}")
        found.update((item["id"], item) for item in page["objects"])
        cursor = f"&cursor={page['cursor']}" if "cursor" in page else None
    return found


def knows(node, token, path="/v1/objects/cafe/region?sw=-90,-180&ne=90,180&limit=0"):
    return Caller(node, token=token).request("GET", path)[0] == 200


@pytest.mark.parametrize("trouble", [nothing, node_killed, bus_killed, node_frozen], ids=lambda trouble: trouble.__name__)
def test_live_regions_and_totals_of_every_node_are_the_databases(cluster, owner, rounds, trouble):
    token = owner.token()
    for round in range(rounds):
        owner.post("/v1/entities", CAFE)
        for node in cluster.nodes:
            until(lambda: knows(node, token), what="the entity on every node")
        asyncio.run(work(cluster, token, trouble, round))
        owner.call("DELETE", "/v1/entities/cafe")
        for node in cluster.nodes:
            until(lambda: not knows(node, token), what="the deletion on every node")


async def work(cluster, token, trouble, seed):
    viewers = [Viewer(node, token) for node in cluster.nodes]
    writers = [Writer(node, token, seed * 10 + index) for index, node in enumerate(cluster.nodes)]
    following = [asyncio.create_task(viewer.run()) for viewer in viewers]
    writing = [asyncio.create_task(writer.run()) for writer in writers]

    async def wait(condition, seconds=120):
        async with asyncio.timeout(seconds):
            while not condition():
                for task in following + writing:
                    if task.done():
                        task.result()
                await asyncio.sleep(0.02)

    def count():
        return sum(writer.done for writer in writers)

    await wait(lambda: count() > 30)
    await trouble(cluster)
    before = count()
    await wait(lambda: count() > before + 30)
    for writer in writers:
        writer.stops = True
    await asyncio.gather(*writing)
    truth = await asyncio.to_thread(stored, Caller(cluster.nodes[0], token=token))
    assert 0 < len(truth) <= 1000
    await wait(lambda: all(viewer.isCurrent and viewer.objects == truth and viewer.total == len(truth) for viewer in viewers))
    for node in cluster.nodes:
        region = Caller(node, token=token).get("/v1/objects/cafe/region?sw=-90,-180&ne=90,180&limit=1000")
        assert region["total"] == len(truth) and {item["id"]: item for item in region["objects"]} == truth
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)


def test_what_one_node_answers_is_in_its_next_query_and_soon_on_the_others(cluster, owner):
    token = owner.token()
    owner.post("/v1/entities", {**CAFE, "name": "bench"})
    path = "/v1/objects/bench/region?sw=-90,-180&ne=90,180"
    for node in cluster.nodes:
        until(lambda: knows(node, token, path), what="the entity on every node")
    for index in range(20):
        callers = [Caller(node, token=token) for node in cluster.nodes]
        writer = callers.pop(index % 3)
        made = writer.post("/v1/objects/bench", {"fields": {"at": {"latitude": index, "longitude": 1}}})["object"]
        assert writer.get(path)["total"] == index + 1
        for other in callers:
            until(lambda: made in other.get(path)["objects"], what="the object on the other node")
    owner.call("DELETE", "/v1/entities/bench")
    for node in cluster.nodes:
        until(lambda: not knows(node, token, path), what="the deletion on every node")
