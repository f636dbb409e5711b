"""How often one person may do what reaches other people: the limits that a server has without a setting."""

import json

import pytest

from raw_stream import RawStream
from yonder import WITHOUT_PERSON_LIMITS, Server, party


@pytest.fixture
def town():
    server = Server()
    for name in WITHOUT_PERSON_LIMITS:
        server.environment.pop(name)
    with server:
        ada, others = party(server, ["Ben", "Cleo"])
        yield server, ada, *others


def test_a_contact_puts_another_into_ten_groups_a_day_by_rest_and_by_the_stream(town):
    server, ada, ben, cleo = town
    stream = RawStream(server, token=ada.bearer)

    def ask(**frame):
        stream.send(key="k", **frame)
        while True:
            for payload in stream.read():
                answer = json.loads(payload)
                if answer.get("key") == "k":
                    return answer

    other = ada.start_chat([cleo])
    for number in range(10):
        if number % 2:
            ada.start_chat([ben])
        else:
            stream.send(type="start", key=f"s{number}", invitees=[ben.user], subject="", oneToOne=False)
    stream.send(type="ping")
    while len(ben.get("/v1/chats")["chats"]) < 10:
        stream.read()
    status, headers, answer = ada.request("POST", "/v1/chats", {"invitees": [ben.user]})
    assert (status, answer["error"]["code"]) == (429, "tooManyRequests")
    assert 0 < int(headers["Retry-After"]) <= 86_400
    for frame in (
        {"type": "start", "invitees": [ben.user, cleo.user], "subject": "", "oneToOne": False},
        {"type": "add", "chat": other, "users": [ben.user]},
    ):
        refused = ask(**frame)
        assert refused["code"] == "tooManyRequests" and refused["retryAfter"] > 0, refused
    assert len(ben.get("/v1/chats")["chats"]) == 10
    assert len(cleo.get("/v1/chats")["chats"]) == 1
    # Ben may do the same, and Ada may write.
    ben.start_chat([ada])
    ada.send(other, "Text", "still here")
    stream.abort()


def test_names_blocks_and_invitations_are_counted_by_the_hour(town):
    server, ada, ben, _ = town
    for number in range(10):
        ben.call("PATCH", "/v1/me", {"name": f"Ben {number}"})
    assert ben.request("PATCH", "/v1/me", {"name": "Ben 10"})[0] == 429
    ada.start_chat([ben])
    for number in range(60):
        ada.call("DELETE" if number % 2 else "PUT", f"/v1/blocks/{ben.user}")
    assert ada.request("PUT", f"/v1/blocks/{ben.user}")[0] == 429
    for _ in range(50):
        ben.post("/v1/invitations")
    assert ben.request("POST", "/v1/invitations")[0] == 429
