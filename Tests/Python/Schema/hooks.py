"""What schemathesis can't know of the server it asks: its data, and which refusals depend on them.

`Tests/Python/Foreign/test_schemathesis.py` starts the server and says in SCHEMATHESIS_WORLD what is in it.
"""

import json
import os
import zlib

import schemathesis

WORLD = json.loads(os.environ["SCHEMATHESIS_WORLD"])

# A schema says which requests are well formed. Whether an id is there, a secret is right or an entity has a field is not in
# it: with these codes the server says so.
DEPENDS_ON_DATA = {
    "unknownInvitee", "alreadyParticipant", "oneToOne", "unknownReference", "invitationUsed", "unknownField",
}

# By operation, refusals where one value decides over another, or the caller or an entity does: the code and some of the message.
BETWEEN_VALUES = {
    # A number in a condition has fewer digits than a parameter has room for.
    "objects": [("invalidField", "where: ")],
    "exportObjects": [("invalidField", "where: ")],
    "objectsInRegion": [
        ("invalidField", "where: "), ("invalidField", "sw must not be north of ne."), ("invalidField", "must have a location field"),
        ("invalidField", "must be a location field"),
    ],
    "objectsNear": [("invalidField", "where: "), ("invalidField", "must have a location field"), ("invalidField", "must be a location field")],
    "createEntity": [("invalidField", "is used twice;"), ("invalidField", "location")],
    "changeEntity": [("invalidField", "is used twice;"), ("invalidField", "name can't change;")],
    "acceptInvitation": [("invalidField", "you are signed in")],
    "importObjects": [("invalidFrame", "Content-Type must be"), ("invalidFile", ""), ("invalidField", "map")],
    "setUserPassword": [("invalidField", "password needs a login")],
    "tracks": [("invalidField", "from must not be later than to.")],
    "startShare": [("invalidField", "until must be a time in the future")],
    "changeShare": [("invalidField", "until must be a time in the future")],
    # A latitude and a longitude need each other, which schemathesis makes nothing of.
    "heartbeat": [("invalidField", "fix must have")],
    "addImage": [("invalidFile", "")],
    "createObject": [("missingField", ""), ("invalidField", "updated isn't allowed")],
}


def chosen(value, share=2):
    """Whether this is one of every `share` values, the same ones in every run."""
    return zlib.crc32(str(value).encode()) % share == 0


def is_positive(case):
    return case.meta is None or case.meta.generation.mode.is_positive


def is_stateful(case):
    return case.meta is not None and case.meta.phase.name.value.lower().startswith("stateful")


@schemathesis.hook
def map_case(context, case):
    """Sends about half of what is well formed to a chat, an entity and an object that are there, and spares what the run needs."""
    # A stateful case is about what the case before it has made.
    if not is_positive(case) or is_stateful(case):
        return spared(case)
    path, query = case.path_parameters or {}, case.query or {}
    seed = (case.body, query, path)
    if "chat" in path and chosen(seed):
        path["chat"] = WORLD["chat"]
    if "number" in path and chosen(seed, 3):
        path["number"] = 1
    if "entity" in path and chosen(seed):
        path["entity"] = WORLD["entity"]
        if "id" in path and chosen(seed, 4):
            path["id"] = WORLD["object"]
        for name in {"field", "where", "sort"} & set(query):
            query[name] = {"field": "at", "where": ["rating>=1"], "sort": "-rating,name"}[name]
    return spared(case)


def spared(case):
    """Keeps the run's own account, token and data: without these all that follows would be refused alike."""
    path = case.path_parameters or {}
    if case.method == "DELETE":
        if path.get("id") in WORLD["tokens"]:
            path["id"] = "0"
        if path.get("entity") == WORLD["entity"] and "id" not in path:
            path["entity"] = "nothing"
        if path.get("chat") == WORLD["chat"] and "number" not in path:
            path["chat"] = "1"
    if path.get("user") in WORLD["users"] and case.method != "GET":
        path["user"] = "1"
    return case


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Keeps every failure but a refusal, with its code, of what is well formed and doesn't fit the server's data."""
    try:
        answer = json.loads(response.content)
    except ValueError:
        return True
    operation = case.operation.definition.raw.get("operationId")
    kind = type(failure).__name__
    if kind == "UseAfterFree" and operation == "message":
        # A recalled message keeps its number, sender, tag and time.
        return answer.get("message", {}).get("recalled") is not True
    if kind == "UseAfterFree" and operation in ("userSessions", "ownShares"):
        # All of a list's items are deleted at the list's own address, where it is empty from then on.
        return list(answer.values()) != [[]]
    if kind == "AcceptedNegativeData" and operation == "importObjects" and case.media_type == "text/csv":
        # Whatever a table's bytes are made of, they are text.
        return "in body" not in failure.message
    if kind != "RejectedPositiveData" or not isinstance(answer, dict) or "error" not in answer:
        return True
    code, message = answer["error"]["code"], answer["error"]["message"]
    known = BETWEEN_VALUES.get(operation, [])
    return code not in DEPENDS_ON_DATA and not any(code == other and part in message for other, part in known)
