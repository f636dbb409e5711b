"""Promise 1 for objects: kill the process at any instant, and every acknowledged change is there, and so on the map."""

import http.client
import math
import threading
import time

from yonder import Caller, party

WRITERS = 4
# All objects are compared after each kill: a new entity after so many.
ROUNDS_PER_ENTITY = 50
FIELDS = [{"name": "name", "type": "text"}, {"name": "at", "type": "location"}]
GONE = None


class Writer:
    """Makes, moves and deletes objects one after another, and remembers how each may be now."""

    def __init__(self, token, chance, entity="cafe"):
        self.token = token
        self.path = f"/v1/objects/{entity}"
        self.chance = chance
        # By id: the versions that may be there. More than one only while an answer is missing.
        self.known = {}
        self.unanswered = 0
        self.answered = 0

    def place(self):
        return {"latitude": round(self.chance.uniform(-90, 90), 7), "longitude": round(self.chance.uniform(-179, 179), 7)}

    def step(self, caller):
        number = self.chance.random()
        alive = [id for id, versions in self.known.items() if versions != [GONE]]
        if number < 0.6 or not alive:
            fields = {"name": f"{self.chance.random()}", "at": self.place()}
            self.unanswered += 1
            made = caller.post(self.path, {"fields": fields})["object"]
            self.unanswered -= 1
            self.known[made["id"]] = [made["fields"]]
        else:
            id = self.chance.choice(alive)
            fields = self.known[id][-1]
            wish = {**fields, "at": self.place()} if number < 0.9 else GONE
            self.known[id] = [fields, wish]
            if wish is GONE:
                caller.call("DELETE", f"{self.path}/{id}")
            else:
                caller.call("PATCH", f"{self.path}/{id}", {"fields": wish})
            self.known[id] = [wish]
        self.answered += 1

    def load(self, server):
        """Writes until the server is gone."""
        caller = Caller(server, self.token)
        try:
            while True:
                self.step(caller)
        except (OSError, http.client.HTTPException):
            pass

    def make(self, server, steps):
        """Writes so many times."""
        caller = Caller(server, self.token)
        for _ in range(steps):
            self.step(caller)

    def settle(self, there):
        """Checks what is there, and takes it as known."""
        for id, versions in self.known.items():
            assert there.get(id) in versions, f"{id} is {there.get(id)}, not {versions}"
            self.known[id] = [there.get(id)]


def everything(caller, entity="cafe"):
    """All objects of an entity, page by page."""
    found, cursor = {}, ""
    while True:
        page = caller.get(f"/v1/objects/{entity}?limit=1000{cursor}")
        for one in page["objects"]:
            assert one["id"] not in found, "an object twice"
            found[one["id"]] = one["fields"]
        if "cursor" not in page:
            return found
        cursor = f"&cursor={page['cursor']}"


EARTH = 6_371_008.8


def distance(fields, latitude, longitude):
    """Meters along a great circle."""
    north, other = math.radians(fields["at"]["latitude"]), math.radians(latitude)
    east = math.radians(fields["at"]["longitude"] - longitude)
    haversine = math.sin((north - other) / 2) ** 2 + math.cos(north) * math.cos(other) * math.sin(east / 2) ** 2
    return 2 * EARTH * math.asin(min(1, math.sqrt(haversine)))


def check_nearest(caller, there, chance, entity):
    """Asks for the nearest, and compares with all that is there."""
    for _ in range(10):
        latitude, longitude = round(chance.uniform(-90, 90), 7), round(chance.uniform(-180, 180), 7)
        reach = chance.choice([1e5, 1e6, 2.1e7])
        answer = caller.get(f"/v1/objects/{entity}/near?at={latitude:.7f},{longitude:.7f}&within={reach:.0f}&limit=50")
        all_of_them = sorted(distance(fields, latitude, longitude) for fields in there.values())
        expected = [one for one in all_of_them if one <= reach][:50]
        assert len(answer["distances"]) == len(answer["objects"]) == len(expected)
        for one, found, meters in zip(answer["objects"], answer["distances"], expected):
            assert abs(found - meters) < 0.01
            assert one["fields"] == there[one["id"]]
            assert abs(distance(one["fields"], latitude, longitude) - meters) < 0.01


def check_map(caller, there, chance, entity="cafe"):
    """Asks for regions and the nearest, and compares with all that is there."""
    check_nearest(caller, there, chance, entity)
    for _ in range(20):
        south, north = sorted(chance.uniform(-90, 90) for _ in range(2))
        west, east = (chance.uniform(-180, 180) for _ in range(2))
        inside = {
            id for id, fields in there.items()
            if south <= fields["at"]["latitude"] <= north
            and (west <= fields["at"]["longitude"] <= east if west <= east
                 else fields["at"]["longitude"] >= west or fields["at"]["longitude"] <= east)
        }
        answer = caller.get(f"/v1/objects/{entity}/region?sw={south:.7f},{west:.7f}&ne={north:.7f},{east:.7f}&limit=1000")
        found = {one["id"] for one in answer["objects"]}
        assert answer["total"] == len(inside)
        assert found == inside if len(inside) <= 1000 else found < inside
        assert all(one["fields"] == there[one["id"]] for one in answer["objects"])


def kill_round(server, owner, writers, chance, entity):
    """Loads the server, kills it at some moment, and checks what is left. Answers what is there."""
    aim = sum(writer.answered for writer in writers) + chance.randint(5, 200)
    threads = [threading.Thread(target=writer.load, args=(server,)) for writer in writers]
    for thread in threads:
        thread.start()
    while sum(writer.answered for writer in writers) < aim and any(thread.is_alive() for thread in threads):
        time.sleep(0.001)
    server.kill()
    for thread in threads:
        thread.join()

    server.start()
    there = everything(owner, entity)
    for writer in writers:
        writer.settle(there)
    known = {id for writer in writers for id, versions in writer.known.items() if versions != [GONE]}
    # What was made without an answer is there or isn't, but nothing else is.
    strangers = set(there) - known
    assert len(strangers) <= sum(writer.unanswered for writer in writers)
    check_map(owner, there, chance, entity)
    return there


def test_every_acknowledged_change_of_an_object_is_there_and_on_the_map(server, rounds, chance):
    owner, _ = party(server, [])
    answered, known = 0, {}
    for first in range(0, rounds, ROUNDS_PER_ENTITY):
        entity = f"cafe{first}"
        owner.post("/v1/entities", {"name": entity, "fields": FIELDS})
        writers = [Writer(owner.token(), type(chance)(chance.random()), entity) for _ in range(WRITERS)]
        for _ in range(first, min(rounds, first + ROUNDS_PER_ENTITY)):
            known[entity] = kill_round(server, owner, writers, chance, entity)
        answered += sum(writer.answered for writer in writers)
    for entity, there in known.items():
        assert everything(owner, entity) == there, f"{entity} has changed since"
    assert answered > rounds, "there was hardly any load"
    print(f"{rounds} kills, {answered} acknowledged changes")


def questions(chance):
    """Paths of regions from a city to a hemisphere, with every object of most, and of nearest ones."""
    for _ in range(100):
        width, height = chance.choice([0.5, 5, 50]), chance.choice([0.5, 5, 50])
        south, west = chance.uniform(-90, 90 - height), chance.uniform(-180, 180)
        east = west + width - 360 if west + width > 180 else west + width
        yield f"region?sw={south:.7f},{west:.7f}&ne={south + height:.7f},{east:.7f}&limit=1000"
        yield f"near?at={south:.7f},{west:.7f}&limit=20&within={chance.choice(['1000', '500000', '20100000'])}"


def answers(caller, paths):
    """What the map says; of a region with more than a list may have, the number alone."""
    for path in paths:
        answer = caller.get(f"/v1/objects/cafe/{path}")
        if path.startswith("region"):
            objects = sorted(answer["objects"], key=lambda one: int(one["id"]))
            yield answer["total"], objects if answer["total"] <= 1000 else None
        else:
            yield answer["distances"], answer["objects"]


def test_the_map_after_a_kill_is_the_one_before(server, chance):
    owner, _ = party(server, [])
    owner.post("/v1/entities", {"name": "cafe", "fields": FIELDS})
    writers = [Writer(owner.token(), type(chance)(chance.random())) for _ in range(WRITERS)]
    threads = [threading.Thread(target=writer.make, args=(server, 1_500)) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    there, paths = everything(owner), list(questions(chance))
    for writer in writers:
        writer.settle(there)
    check_map(owner, there, chance)
    before = list(answers(owner, paths))
    assert any(total for total, _ in before[::2]), "nothing is asked for"

    server.kill()
    server.start()
    assert list(answers(owner, paths)) == before
    assert everything(owner) == there
