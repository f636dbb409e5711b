"""The older places API from outside: a client written after its description, and keys made on the command line."""

import base64
import concurrent.futures
import http.client
import subprocess
import time

import pytest
from places_client import PlacesClient, canonical, sign
from yonder import AS_NODE, Server, program

FIELDS = [
    {"name": "name", "type": "text", "required": True}, {"name": "rating", "type": "number"},
    {"name": "since", "type": "date"}, {"name": "open", "type": "boolean"}, {"name": "more", "type": "json"},
    {"name": "like", "type": "reference", "entity": "cafe"}, {"name": "at", "type": "location"},
]


def add_key(server, *more):
    printed = server.command("key", "add", "--data", server.data, "--name", "test", *more)
    words = dict(line.split(" ", 1) for line in printed.splitlines())
    return words["key"], words["secret"]


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        server.owner().post("/v1/entities", {"name": "cafe", "fields": FIELDS})
        yield server


@pytest.fixture(scope="module")
def client(server):
    return PlacesClient(server.port, *add_key(server))


def test_the_client_signs_as_the_description_says():
    parameters = {"q": "where rating >= ?", "params": ["b", "a"], "key": "9f86", "time": "1764000000000"}
    text = canonical(parameters, "GET", "/data/cafe")
    assert text == "key=9f86&method=GET&params=a&params=b&path=/data/cafe&q=where rating >= ?&time=1764000000000"
    done = subprocess.run(
        ["openssl", "dgst", "-sha1", "-hmac", "0123456789abcdef", "-binary"], input=text.encode(), capture_output=True,
        check=True,
    )
    assert sign(parameters, "GET", "/data/cafe", "0123456789abcdef") == base64.b64encode(done.stdout).decode()


def test_an_object_lives_and_dies(client):
    made = client.save("cafe", name="Café Ü & Söhne", rating=4.5, since=1764000000000, open="1", more='{"a": [1]}',
                       at="41.6436463,-0.8893991,208.5|Calle Mayor, 1")
    assert (made.code, made.status) == (201, "Success")
    values = made.objects[made.id]
    assert values["name#t"] == "Café Ü & Söhne" and values["rating#n"] == 4.5 and values["since#d"] == 1764000000000
    assert values["open#b"] is True and values["more#j"] == {"a": [1]} and values["type"] == "cafe"
    assert values["at#l"] == {"lat": 41.6436463, "lon": -0.8893991, "alt": 208.5, "addr": "Calle Mayor, 1"}
    other = client.save("cafe", name="Other", like=made.id)
    assert other.objects[other.id]["like#r"] == made.id
    assert client.fetch("cafe", q="where like is ?", params=[other.objects[other.id]["like#r"]]).ids == [other.id]
    assert client.remove("cafe", made.id).status == "ObjectInUse"
    changed = client.save("cafe", made.id, name="Bar", rating=None, at="|Calle Mayor, 2")
    assert changed.objects[made.id]["at#l"] == {"addr": "Calle Mayor, 2"} and "rating#n" not in changed.objects[made.id]
    assert client.read("cafe", made.id).objects == changed.objects
    bare = client.save("cafe", made.id, at="Address for " + made.id)
    assert bare.objects[made.id]["at#l"] == {"addr": "Address for " + made.id}
    assert client.save("cafe", made.id, at="95,200").status == "InvalidField"
    assert client.remove("cafe", other.id).id == other.id
    assert client.remove("cafe", made.id).objects[made.id]["name#t"] == "Bar"
    assert (client.read("cafe", made.id).code, client.read("cafe", made.id).status) == (404, "ObjectNotFound")


def test_numbers_are_increased_and_none_is_lost(client):
    made = client.save("cafe", name="Counted")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        path, commands = f"/data/cafe/{made.id}", {"incr-rating": "0.5"}
        answers = list(pool.map(lambda _: client.request("PUT", path, commands), range(40)))
    assert {answer.code for answer in answers} == {200}
    assert client.read("cafe", made.id).objects[made.id]["rating#n"] == 20
    assert client.request("PUT", path, {"incr-name": "1"}).status == "InvalidField"
    client.remove("cafe", made.id)


def test_a_key_is_tried_without_asking_for_anything(server, client):
    assert client.request("GET", "/test").body == {"status": "Success"}
    assert client.request("GET", "/test", time=None).status == "MissingTime"
    assert client.request("GET", "/test", signature="x" * 27 + "=").status == "InvalidSignature"
    assert PlacesClient(server.port).request("GET", "/test").status == "MissingApiKey"


@pytest.mark.parametrize("brackets", [False, True])
def test_places_are_found_by_box_by_distance_and_by_query(server, client, brackets):
    client = PlacesClient(server.port, client.key, client.secret, brackets=brackets)
    made = [client.save("cafe", name=f"{n}", rating=n, at=f"-17,{longitude}|Fiji").id
            for n, longitude in enumerate(["178", "179.9", "180", "-179.9", "-178"])]
    try:
        box = client.bounding("cafe", "at", (-18, 179), (-16, -179), limit=2)
        assert box.count == 3 and len(box.ids) == 2
        best = client.bounding("cafe", "at", (-18, 179), (-16, -179), q="where rating in ? sort by rating desc",
                               params=["2\n3\n4"])
        assert best.names() == ["3", "2"] and best.count == 2
        near = client.near("cafe", "at", -17, -179.94, limit=3)
        assert near.names()[:2] == ["3", "2"] and near.count == 5
        assert near.distances == sorted(near.distances) and 4_200 < near.distances[0] < 4_300
        listed = client.fetch("cafe", limit=2, offset=1, q="where rating >= ? and rating < ? sort by rating",
                              params=["1", "4"])
        assert listed.names() == ["2", "3"] and listed.count == 3
    finally:
        for id in made:
            client.remove("cafe", id)


def test_an_invalid_request_is_refused_by_name(server, client):
    nonce = "0123456789abcdef0123456789abcdef"
    assert client.request("GET", "/data/cafe", nonce=nonce).status == "Success"
    assert client.request("GET", "/data/cafe", nonce=nonce).status == "UsedNonce"
    old = str(int(time.time() * 1000) - 301_000)
    assert client.request("GET", "/data/cafe", time=old).status == "ExpiredTime"
    assert client.request("GET", "/data/cafe", signature="x" * 27 + "=").status == "InvalidSignature"
    assert client.request("GET", "/data/cafe", nonce=None).status == "MissingNonce"
    stranger = PlacesClient(server.port)
    assert stranger.save("cafe", name="x").status == "MissingApiKey"
    assert stranger.fetch("cafe").status == "MissingApiKey"
    assert PlacesClient(server.port, "nobody", "0123456789abcdef").fetch("cafe").status == "InvalidApiKey"
    assert PlacesClient(server.port, client.key, "0123456789abcdef").fetch("cafe").status == "InvalidSignature"
    assert client.save("cafe", name="x", at="91,0").status == "InvalidField"
    assert client.fetch("cafe", q="join like").status == "UnsupportedQuery"
    assert client.fetch("cafe").count == 0


def test_keys_are_looked_after_while_the_server_runs(server):
    key, secret = add_key(server, "--read-only")
    reader = PlacesClient(server.port, key, secret)
    assert reader.fetch("cafe").status == "Success"
    assert reader.save("cafe", name="x").status == "NotAllowed"
    listed = [line.split("\t") for line in server.command("key", "list", "--data", server.data).splitlines()]
    mine = next(line for line in listed if line[0] == key)
    assert mine[1] == "read" and mine[3] == "test" and mine[2].endswith("Z")
    assert secret not in server.command("key", "list", "--data", server.data)
    server.command("key", "remove", "--data", server.data, key)
    assert reader.fetch("cafe").status == "InvalidApiKey"
    gone = server.command("key", "remove", "--data", server.data, key, check=False)
    assert gone.returncode != 0 and key in gone.stderr
    assert secret not in server.errors


@pytest.mark.skipif(AS_NODE, reason="about a data folder")
def test_keys_are_made_before_the_first_start_and_survive_another(tmp_path):
    server = Server(data=tmp_path / "data")
    (tmp_path / "data").mkdir()
    key, secret = add_key(server)
    assert (tmp_path / "data/yonder.db").stat().st_mode & 0o777 == 0o600
    with server:
        client = PlacesClient(server.port, key, secret)
        assert client.fetch("cafe").status == "EntityNotFound"
        server.kill()
        server.start()
        assert client.fetch("cafe").status == "EntityNotFound"


def test_a_folder_or_a_name_that_can_not_be_is_refused(tmp_path):
    for arguments in (["--data", tmp_path / "nothing/there", "--name", "x"], ["--data", tmp_path, "--name", ""]):
        done = subprocess.run([program(), "key", "add", *map(str, arguments)], capture_output=True, text=True, timeout=120)
        assert done.returncode != 0 and "secret" not in done.stdout


def test_pages_of_listed_origins_alone_may_read_the_answers():
    listed = "https://map.example.org"
    with Server(["--origin", listed]) as server:
        for origin, allowed in ((listed, listed), ("https://elsewhere.example", None)):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            connection.request("GET", "/api/data/cafe", headers={"Origin": origin})
            response = connection.getresponse()
            assert response.getheader("Access-Control-Allow-Origin") == allowed
            connection.close()
