"""Live regions with a client that others made: `websockets`, against `yonder serve`."""

import asyncio
import random
import time

import pytest

from region_list import RegionList
from stream import Ended, Stream
from yonder import Caller, Server, limit, party

FIELDS = [{"name": "name", "type": "text"}, {"name": "at", "type": "location"}]
FIJI = {"south": -20, "west": 176, "north": -15, "east": -178}
EARTH = {"south": -90, "west": -180, "north": 90, "east": 180}


@pytest.fixture(scope="module")
def town():
    with Server() as server:
        owner, (ben,) = party(server, ["Ben"])
        yield server, owner, ben


def entity(owner, name, readers="anyone"):
    owner.post("/v1/entities", {"name": name, "readers": readers, "fields": FIELDS})
    return name


def put(owner, name, latitude, longitude):
    fields = {"name": "x", "at": {"latitude": latitude, "longitude": longitude}}
    return owner.post(f"/v1/objects/{name}", {"fields": fields})["object"]


class Region(RegionList):
    """A live region of objects."""

    @classmethod
    async def watch(cls, stream, name, region, **more):
        return cls(stream, *(await cls.subscribe(stream, name, region, **more)))

    @staticmethod
    async def subscribe(stream, name, region, **more):
        number, topic, pages = await stream.subscribe("objects", entity=name, region=region, **more)
        return number, topic, region, pages

    @property
    def objects(self):
        return self.things

    @staticmethod
    def key(one):
        return one["id"]

    def moved(self, one):
        place = self.things[one["id"]]["fields"]["at"]
        place.pop("altitude", None)
        place.update({key: one[key] for key in ("latitude", "longitude", "altitude") if key in one})
        self.things[one["id"]]["updated"] = one["updated"]

    def fresh(self, caller, name):
        """What a query over REST says of the same region."""
        edges = self.region
        sw, ne = f"{edges['south']},{edges['west']}", f"{edges['north']},{edges['east']}"
        answer = caller.get(f"/v1/objects/{name}/region?sw={sw}&ne={ne}&limit=1000")
        return answer["total"], {one["id"]: one for one in answer["objects"]}


def test_two_viewers_see_a_change_within_a_second(town):
    server, owner, ben = town
    name = entity(owner, "cafe")

    async def run():
        async with await Stream.open(server) as nobody, await Stream.open(server, ben.bearer) as member:
            viewers = [await Region.watch(stream, name, EARTH) for stream in (nobody, member)]
            start = time.monotonic()
            made = await asyncio.to_thread(put, owner, name, 52.5, 13.4)
            for viewer in viewers:
                frame = await viewer.next()
                assert frame["total"] == 1 and frame["entered"] == [made] and "id" not in frame
            assert time.monotonic() - start < limit(1)

    asyncio.run(run())


def test_a_region_moves_over_the_antimeridian_and_gets_the_difference(town):
    server, owner, ben = town
    name = entity(owner, "reef", "members")
    west, east, line = (put(owner, name, -17, longitude)["id"] for longitude in (-179, 179, 180))

    async def run():
        async with await Stream.open(server, ben.bearer) as stream:
            region = await Region.watch(stream, name, FIJI, field="at", limit=100)
            assert set(region.objects) == {west, east, line} and region.total == 3
            answer = await region.move({**FIJI, "west": 180})
            assert answer["left"] == [east] and answer["total"] == 2 and "entered" not in answer
            answer = await region.move({**FIJI, "east": 180})
            assert answer["left"] == [west] and [one["id"] for one in answer["entered"]] == [east]

    asyncio.run(run())


def test_a_client_that_applies_the_frames_has_the_content_of_a_query(town):
    server, owner, ben = town
    name = entity(owner, "bike", "members")
    chance = random.Random(7)
    ids = []

    def change():
        where = {"latitude": round(chance.uniform(-1, 1), 7), "longitude": round(chance.uniform(-1, 1), 7)}
        draw = chance.random()
        if draw < 0.4 or not ids:
            ids.append(put(owner, name, where["latitude"], where["longitude"])["id"])
        elif draw < 0.75:
            owner.call("PATCH", f"/v1/objects/{name}/{chance.choice(ids)}", {"fields": {"at": where}})
        elif draw < 0.85:
            owner.call("PATCH", f"/v1/objects/{name}/{chance.choice(ids)}", {"fields": {"name": str(draw)}})
        else:
            owner.call("DELETE", f"/v1/objects/{name}/{ids.pop(chance.randrange(len(ids)))}")

    def somewhere():
        south, north = sorted(chance.uniform(-1, 1) for _ in range(2))
        west, east = sorted(chance.uniform(-1, 1) for _ in range(2))
        return {"south": south, "west": west, "north": north, "east": east}

    async def run():
        async with await Stream.open(server, ben.bearer) as stream:
            region = await Region.watch(stream, name, EARTH)
            for _ in range(20):
                await region.move(somewhere())
                for _ in range(10):
                    await asyncio.to_thread(change)
                total, truth = await asyncio.to_thread(region.fresh, ben, name)
                await region.until(lambda: region.total == total and region.objects == truth)

    asyncio.run(run())


def test_a_region_ends_with_its_entity(town):
    server, owner, ben = town
    name = entity(owner, "kiosk")

    async def run():
        async with await Stream.open(server) as nobody, await Stream.open(server, ben.bearer) as member:
            for stream in (nobody, member):
                await Region.watch(stream, name, EARTH)
            await asyncio.to_thread(owner.call, "PATCH", f"/v1/entities/{name}", {"readers": "members"})
            ended = await nobody.take(lambda frame: frame["type"] == "ended")
            assert ended["code"] == "unknownEntity"
            await asyncio.to_thread(owner.call, "DELETE", f"/v1/entities/{name}")
            ended = await member.take(lambda frame: frame["type"] == "ended")
            assert ended["code"] == "unknownEntity"
            with pytest.raises(Ended):
                await Region.watch(member, name, EARTH)

    asyncio.run(run())


def test_wrong_regions_are_refused_each_with_its_code(town):
    server, owner, ben = town
    name = entity(owner, "shop", "owners")
    cases = [
        ({"entity": name, "region": EARTH}, "unknownEntity"),
        ({"entity": name, "region": {**EARTH, "south": 1, "north": 0}}, "invalidField"),
        ({"entity": name, "region": {"south": 0}}, "missingField"),
        ({"entity": name, "region": EARTH, "limit": 1001}, "invalidField"),
        ({"entity": name, "region": EARTH, "where": "name=x"}, "unknownField"),
    ]

    async def run():
        async with await Stream.open(server, ben.bearer) as stream:
            for fields, code in cases:
                with pytest.raises(Ended) as refusal:
                    await stream.subscribe("objects", **fields)
                assert refusal.value.code == code
        async with await Stream.open(server, owner.bearer) as stream:
            await stream.subscribe("objects", **cases[0][0])

    asyncio.run(run())
    assert Caller(server).get("/ready")["status"] == "ok"
