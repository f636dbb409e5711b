"""Rights that end on one node while another receives a request by them: see *Where a right is judged* in ARCHITECTURE.md."""

import json
import os
import socket
import threading

import pytest
from yonder import Caller, Refusal

WALK = os.environ.get("RIGHTS") == "all"
"""Whether everything is tried, as by `make test-rights`, in place of a few."""

ROUNDS = 12 if WALK else 2


def begin(node, caller, method, path, body):
    """Sends a request but for the last byte of its body; answers the connection and that byte."""
    data = json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{node.port}", "Content-Type: application/json",
             f"Content-Length: {len(data)}", f"Cookie: {caller.cookie}", f"Origin: {node.url}"]
    connection = socket.create_connection(("127.0.0.1", node.port), timeout=120)
    connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + data[:-1])
    return connection, data[-1:]


def end_of(connection, last):
    """Sends the last byte, and answers the status; `None` if the connection was closed."""
    received = b""
    try:
        connection.sendall(last)
        while b"\r\n" not in received and (more := connection.recv(4096)):
            received += more
    except (BrokenPipeError, ConnectionResetError):
        pass
    connection.close()
    return int(received.split(b" ", 2)[1]) if received else None


def end_sessions(owner, user):
    owner.call("DELETE", f"/v1/users/{user}/sessions", {"tokens": True})


def disable(owner, user):
    owner.call("PATCH", f"/v1/users/{user}", {"disabled": True})


def remove(owner, user):
    owner.call("DELETE", f"/v1/users/{user}")


def demote(owner, user):
    owner.call("PATCH", f"/v1/users/{user}", {"operator": False})


def requests(ben):
    """Requests of an operator, each with whether it needs the role."""
    every = [
        ("POST", "/v1/tokens", {"label": "stolen"}, False),
        ("POST", "/v1/users", {"name": "Mallory", "operator": True}, True),
        ("PUT", "/v1/me/password", {"password": "correct horse battery"}, False),
        ("PATCH", "/v1/me", {"name": "Eve"}, False),
        ("PATCH", f"/v1/users/{ben}", {"operator": True}, True),
        ("POST", f"/v1/users/{ben}/links", {}, True),
        ("POST", "/v1/keys", {"name": "App"}, True),
        ("POST", "/v1/entities", {"name": "mallory", "fields": []}, True),
        ("PUT", f"/v1/blocks/{ben}", {"leave": False}, False),
    ]
    return every if WALK else every[:3]


@pytest.mark.parametrize("end", [end_sessions, disable, remove, demote])
def test_a_request_whose_right_ends_on_another_node_changes_nothing(cluster, owner, end):
    first, second, third = cluster.nodes
    ben = owner.add("Ben")
    here = Caller(second)
    here.cookie, here.user = owner.cookie, owner.user
    for method, path, body, needs_operator in requests(ben.user):
        if end is demote and not needs_operator:
            continue
        ada = owner.add("Ada", operator=True)
        connection, last = begin(first, ada, method, path, body)
        before = picture(third, owner)
        end(here, ada.user)
        assert end_of(connection, last) in (None, 401, 403), (method, path)
        after = picture(third, owner)
        known = {user for user in before if user != ada.user}
        assert {user: after[user] for user in known} == {user: before[user] for user in known}, (method, path)
        assert set(after) <= set(before), (method, path)


def picture(node, owner):
    """The accounts, each with its sign-ins, as a node answers them."""
    reader = Caller(node)
    reader.cookie = owner.cookie
    users = {}
    for entry in reader.get("/v1/users?limit=1000")["users"]:
        user = entry["user"]["id"]
        entry.pop("lastSeen", None)
        tokens = [token["id"] for token in reader.get(f"/v1/users/{user}/tokens")["tokens"]]
        users[user] = (json.dumps(entry, sort_keys=True), sorted(tokens))
    return users


def test_a_token_that_makes_tokens_on_every_node_does_not_survive_the_end_of_everything(cluster, owner):
    for _ in range(ROUNDS):
        ada = owner.add("Ada")
        made, lock, is_over = [Caller(cluster.nodes[0], ada.post("/v1/tokens")["token"])], threading.Lock(), threading.Event()

        def make(node):
            while not is_over.is_set():
                with lock:
                    newest = made[-1].bearer
                try:
                    token = Caller(node, newest).post("/v1/tokens")["token"]
                except Refusal:
                    return
                with lock:
                    made.append(Caller(node, token))

        makers = [threading.Thread(target=make, args=(node,)) for node in cluster.nodes]
        for maker in makers:
            maker.start()
        while len(made) < 6:
            pass
        owner_here = Caller(cluster.nodes[1])
        owner_here.cookie = ada.cookie
        assert owner_here.request("DELETE", "/v1/me/sessions", {"tokens": True})[0] == 204
        for maker in makers:
            maker.join(60)
        is_over.set()
        for caller in made:
            with pytest.raises(Refusal):
                caller.get("/v1/me")
