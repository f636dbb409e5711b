"""Holds a running server to Documentation/openapi.yaml: requests that its schemas allow, and some that they don't."""

import zlib

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import checks
from yonder import ROOT, Caller, Server, party

# A WebSocket, and what would take the test's own token away.
LEFT_OUT = ["stream", "removeToken", "removeUserToken"]

schema = schemathesis.openapi.from_path(ROOT / "Documentation/openapi.yaml").exclude(operation_id=LEFT_OUT)


@pytest.fixture(scope="module")
def world():
    """A server with a chat and two messages in it, three cafés, and somebody signed in by a token."""
    with Server() as server:
        owner, (ben,) = party(server, ["Ben"])
        chat = owner.start_chat([ben])
        owner.send(chat, "Text", "Hello")
        owner.send(chat, "Location", data={"latitude": "59.913900", "longitude": "10.752200"})
        fields = [{"name": "name", "type": "text"}, {"name": "rating", "type": "number"}, {"name": "at", "type": "location"}]
        owner.post("/v1/entities", {"name": "cafe", "readers": "anyone", "fields": fields})
        for number in range(3):
            place = {"latitude": 59.9 + number, "longitude": 10.7, "altitude": 1.5, "address": "Main Street 1"}
            owner.post("/v1/objects/cafe", {"fields": {"name": f"Café {number}", "rating": number, "at": place}})
        yield server, owner, ben, chat


@schema.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_server_keeps_to_its_description(world, case):
    server, owner, ben, chat = world
    # Half of what is tried is about a chat that there is.
    if "chat" in case.path_parameters and case.method in ("GET", "POST", "PATCH") and zlib.crc32(str(case.body).encode()) % 2:
        case.path_parameters["chat"] = chat
    # So is what is asked for by place, and half of the other queries of objects.
    if "entity" in case.path_parameters and case.method in ("GET", "POST"):
        query = case.query or {}
        if "sw" in query or "at" in query or zlib.crc32(str(query or case.body).encode()) % 2:
            case.path_parameters["entity"] = "cafe"
            for name in {"field", "where", "sort"} & set(query):
                query[name] = {"field": "at", "where": ["rating>=1"], "sort": "-rating,name"}[name]
    if "number" in case.path_parameters and case.method == "GET":
        case.path_parameters["number"] = 1
    response = case.call(base_url=server.url, headers={"Authorization": f"Bearer {owner.bearer}"}, timeout=60)
    case.validate_response(response, checks=[
        checks.not_a_server_error, checks.CHECKS.get_one("status_code_conformance"),
        checks.CHECKS.get_one("content_type_conformance"), checks.CHECKS.get_one("response_schema_conformance"),
    ])


def test_the_server_is_well_afterwards(world):
    server, owner, ben, chat = world
    assert Caller(server).get("/ready")["status"] == "ok"
    assert server.errors.count("[error]") == 0 and " error " not in server.errors
