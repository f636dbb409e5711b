"""Live regions of people with a client that others made: `websockets`, against `yonder serve`."""

import asyncio
import itertools
import random
import time

import pytest

from region_list import RegionList
from stream import Ended, Stream
from yonder import Server, limit, party

EARTH = {"south": -90, "west": -180, "north": 90, "east": 180}
FIJI = {"south": -20, "west": 176, "north": -15, "east": -178}
keys = itertools.count(1)


@pytest.fixture(scope="module")
def town():
    with Server() as server:
        ada, others = party(server, ["Ben", "Cleo", "Dag"])
        yield server, [ada, *others]


class People(RegionList):
    """A live region of people."""

    @classmethod
    async def watch(cls, stream, region=EARTH, seen=None, **more):
        """A region, once it shows what is `seen`: a position acknowledged just before may follow the first pages."""
        number, topic, pages = await stream.subscribe("people", region=region, **more)
        people = cls(stream, number, topic, region, pages)
        if seen is not None:
            await people.until(lambda: people.seen == seen)
            assert people.total == len(seen)
        return people

    @property
    def people(self):
        return self.things

    def moved(self, one):
        assert "name" not in one
        self.things[self.key(one)] = {**one, "name": self.things[self.key(one)]["name"]}

    @staticmethod
    def key(one):
        return f"{one['chat']}/{one['user']}"

    @property
    def seen(self):
        return sorted((one["name"], one["latitude"]) for one in self.people.values())


async def locate(stream, chat, latitude, longitude, **more):
    data = {"latitude": latitude, "longitude": longitude}
    return await stream.send(chat, f"k{next(keys)}", tag="Location", data=data, **more)


async def act(stream, kind, chat, **fields):
    key = f"k{next(keys)}"
    await stream.write(type=kind, key=key, chat=chat, **fields)
    answer = await stream.take(lambda frame: frame.get("key") == key)
    if answer["type"] == "error":
        raise Ended(answer)
    return answer


def opened(town, *indices):
    server, people = town
    return [Stream.open(server, people[index].bearer) for index in indices]


async def quiet(stream):
    """What was on its way to somebody, once all of it has come: the frames of regions."""
    await stream.write(type="ping")
    frames = []
    while True:
        frame = await stream.receive()
        if frame["type"] == "pong":
            return frames
        if frame["type"] == "region":
            frames.append(frame)


def test_a_participant_sees_another_s_position_within_a_second(town):
    _, (ada, ben, cleo, dag) = town
    chat = ada.start_chat([ben, cleo])

    async def run():
        a, b, c, d = [await stream for stream in opened(town, 0, 1, 2, 3)]
        oslo = {"south": 59, "west": 10, "north": 61, "east": 11}
        await locate(a, chat, "59.913900", "10.752200")
        viewers = [await People.watch(stream, oslo, seen=[("Owner", 59.9139)]) for stream in (b, c)]
        stranger = await People.watch(d, oslo)
        assert stranger.total == 0 and not stranger.people
        for viewer in viewers:
            (one,) = viewer.people.values()
            assert one["chat"] == chat and one["number"] == 1 and one["longitude"] == 10.7522
        start = time.monotonic()
        answer = await locate(a, chat, 60.5, 10.75)
        for viewer in viewers:
            frame = await viewer.next()
            assert [one["number"] for one in frame["moved"]] == [answer["number"]] and "total" not in frame
        assert time.monotonic() - start < limit(1)
        assert await quiet(d) == []
        own = await People.watch(a, oslo)
        assert own.total == 0

    asyncio.run(run())


def test_a_participant_who_leaves_is_no_longer_seen_and_sees_no_one(town):
    _, (ada, ben, cleo, _) = town
    chat = ada.start_chat([ben, cleo])

    async def run():
        a, b, c = [await stream for stream in opened(town, 0, 1, 2)]
        here = {"region": {"south": 1, "west": 1, "north": 9, "east": 9}}
        for number, stream in enumerate((a, b, c)):
            await locate(stream, chat, 2 + number, 2)
        leaving = await People.watch(b, **here, seen=[("Cleo", 4), ("Owner", 2)])
        staying = await People.watch(c, **here, seen=[("Ben", 3), ("Owner", 2)])
        await act(b, "leave", chat)
        await leaving.until(lambda: leaving.total == 0)
        await staying.until(lambda: staying.total == 1)
        assert not leaving.people and staying.seen == [("Owner", 2)]
        await locate(a, chat, 5, 5)
        await staying.until(lambda: staying.seen == [("Owner", 5)])
        assert await quiet(b) == []

    asyncio.run(run())


def test_a_later_participant_sees_from_their_join_on_and_a_fresh_connection_gets_the_same(town):
    _, (ada, ben, cleo, dag) = town
    chat = ada.start_chat([ben])
    here = {"region": {"south": 20, "west": 20, "north": 29, "east": 29}}

    async def run():
        a, b, d = [await stream for stream in opened(town, 0, 1, 3)]
        await locate(a, chat, 21, 21)
        await locate(b, chat, 22, 22)
        newcomer = await People.watch(d, **here)
        await act(a, "add", chat, users=[dag.user])
        await locate(b, chat, 23, 23)
        await newcomer.until(lambda: newcomer.seen == [("Ben", 23)])
        assert newcomer.total == 1
        d.drop()
        (again,) = [await stream for stream in opened(town, 3)]
        await People.watch(again, **here, seen=[("Ben", 23)])

    asyncio.run(run())


def test_two_chats_a_recall_an_expiry_and_what_is_not_kept(town):
    _, (ada, ben, cleo, _) = town
    chats = [ada.start_chat([ben, cleo]), ada.start_chat([ben, cleo])]
    here = {"region": {"south": 40, "west": 40, "north": 49, "east": 49}}

    async def run():
        a, b = [await stream for stream in opened(town, 0, 1)]
        for number, chat in enumerate(chats):
            await locate(a, chat, 41 + number, 41)
        viewer = await People.watch(b, **here, seen=[("Owner", 41), ("Owner", 42)])
        newest = await locate(a, chats[0], 43, 43)
        await viewer.until(lambda: viewer.seen == [("Owner", 42), ("Owner", 43)])
        await act(a, "recall", chats[0], number=newest["number"])
        await viewer.until(lambda: viewer.seen == [("Owner", 41), ("Owner", 42)])
        await locate(a, chats[1], 44, 44, expires=b.hello["time"] + 60_000)
        await viewer.until(lambda: viewer.seen == [("Owner", 41), ("Owner", 44)])
        soon = await locate(a, chats[1], 45, 45)
        await locate(a, chats[1], 46, 46, expires=soon["time"] + 4_000)
        await viewer.until(lambda: viewer.seen == [("Owner", 41), ("Owner", 46)])
        await viewer.until(lambda: viewer.seen == [("Owner", 41), ("Owner", 45)])
        await locate(a, chats[1], 47, 47, keep=False)
        await locate(a, chats[0], 48, 48)
        await viewer.until(lambda: viewer.seen == [("Owner", 45), ("Owner", 48)])
        assert viewer.total == 2

    asyncio.run(run())


def test_a_region_that_crosses_the_antimeridian_moves(town):
    _, (ada, ben, _, _) = town
    chat = ada.start_chat([ben])

    async def run():
        a, b = [await stream for stream in opened(town, 0, 1)]
        await locate(a, chat, -17, 179.9999)
        viewer = await People.watch(b, FIJI, seen=[("Owner", -17)])
        await locate(a, chat, -17.5, -179.9999)
        frame = await viewer.next()
        assert len(frame["moved"]) == 1 and "total" not in frame
        answer = await viewer.move({**FIJI, "east": 180})
        assert len(answer["left"]) == 1 and answer["total"] == 0
        answer = await viewer.move({**FIJI, "west": 180})
        assert len(answer["entered"]) == 1 and answer["total"] == 1

    asyncio.run(run())


def test_for_any_changes_a_viewer_has_the_content_of_a_fresh_answer(town):
    server, (ada, ben, cleo, dag) = town
    everyone = [ada, ben, cleo, dag]
    chats = [ada.start_chat([ben, cleo, dag]), ada.start_chat([ben]), ada.start_chat([cleo, dag])]
    chance = random.Random(11)

    async def run():
        streams = [await stream for stream in opened(town, 0, 1, 2, 3)]
        viewers = [await People.watch(stream, limit=1000) for stream in streams]
        for step in range(300):
            who, chat, draw = chance.randrange(4), chance.choice(chats), chance.random()
            try:
                if draw < 0.75:
                    await locate(streams[who], chat, chance.uniform(-90, 90), chance.uniform(-180, 180))
                elif draw < 0.85:
                    await act(streams[who], "recall", chat, number=chance.randint(1, 60))
                elif draw < 0.9 and who > 0:
                    await act(streams[who], "leave", chat)
                elif draw < 0.95:
                    await act(streams[0], "add", chat, users=[everyone[who].user])
            except Ended:
                pass  # What somebody may not do is refused, and nothing happens.
            if step % 60 == 59:
                await settle(viewers)

    async def settle(viewers):
        for viewer, person in zip(viewers, everyone):
            stream = await Stream.open(server, person.bearer)
            fresh = await People.watch(stream, limit=1000)
            await viewer.until_agreed(fresh)
            await stream.close()

    asyncio.run(run())
