"""What one caller can do, as fast as they can, costs others nothing: the rows of Documentation/what-it-costs.md.

Each row is a loop over a few connections, for COST_SECONDS, of a tenth of a second without it. Beside it a neighbor, another member,
asks for their own profile; the times before and during the loop are compared in one run, the slowest hundredth of them in a loop of
ten seconds and more, else the median. `make test-costs` has a minute a row.
"""

import json
import os
import pathlib
import re
import socket
import statistics
import threading
import time

import pytest
from raw_stream import RawStream, frame
from yonder import AS_NODE, ROOT, WITHOUT_PERSON_LIMITS, Server, party

pytestmark = pytest.mark.skipif(AS_NODE, reason="measures one process")

SECONDS = float(os.environ.get("COST_SECONDS", 0.1))
IS_LONG = SECONDS >= 10
# A busy machine adds this to an answer's time, in seconds.
ADDED = 0.02 if IS_LONG else 0.1
MEMORY = 64 * 1024
CONNECTIONS = 3
MARKS = ("a" + "\u0315\u0300\u0327" * 5_000).encode()[:29_000]
PASSWORD = "correct horse battery"


class Wire:
    """One connection on which requests are written as bytes, and answers are read whole."""

    def __init__(self, server, caller=None, cookie=False):
        self.server, self.caller, self.cookie = server, caller, cookie
        self.socket = None

    def ask(self, method, path, body=None, headers=()):
        """Answers the status; after an answer that ends the connection the next request has a new one."""
        if not self.socket:
            self.socket = socket.create_connection(("127.0.0.1", self.server.port), timeout=60)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.bytes = b""
        self.socket.sendall(self.request(method, path, body, headers))
        head = self.until(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        rest = int(length[1]) if length else 0
        while len(self.bytes) < rest:
            self.more()
        self.body, self.bytes = self.bytes[:rest], self.bytes[rest:]
        if re.search(rb"(?i)\r\nconnection: close", head):
            self.close()
        return int(head[9:12])

    def request(self, method, path, body, headers):
        fields = {"Host": f"127.0.0.1:{self.server.port}"}
        if self.caller and self.cookie:
            fields |= {"Cookie": self.caller.cookie, "Origin": self.server.url}
        elif self.caller:
            fields["Authorization"] = f"Bearer {self.caller.bearer}"
        data = b"" if body is None else json.dumps(body).encode()
        if method != "GET":
            fields |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        fields |= dict(headers)
        lines = [f"{method} {path} HTTP/1.1".encode()]
        lines += [name.encode() + b": " + (value if isinstance(value, bytes) else value.encode()) for name, value in fields.items()]
        return b"\r\n".join([*lines, b"", data])

    def until(self, mark):
        while mark not in self.bytes:
            self.more()
        head, _, self.bytes = self.bytes.partition(mark)
        return head

    def more(self):
        received = self.socket.recv(65_536)
        if not received:
            raise ConnectionError("the server closed the connection")
        self.bytes += received

    def close(self):
        self.socket.close()
        self.socket = None


@pytest.fixture(scope="module")
def town():
    """A server with its usual limits, four people, two of them in a chat, and an entity that anyone reads."""
    server = Server(["--password-memory", "8"])
    for name in WITHOUT_PERSON_LIMITS:
        server.environment.pop(name)
    with server:
        owner, (ann, ben) = party(server, ["Ann", "Ben"])
        owner.ann, owner.ben, owner.chat = ann, ben, ann_and_ben(owner, ann, ben)
        owner.post("/v1/entities", {
            "name": "cafe", "readers": "anyone",
            "fields": [{"name": "title", "type": "text"}, {"name": "at", "type": "location"}],
        })
        for number in range(50):
            owner.post("/v1/objects/cafe", {
                "fields": {"title": f"Cafe {number}", "at": {"latitude": 52 + number / 100, "longitude": 13}},
            })
        if IS_LONG:
            owner.call("PATCH", f"/v1/users/{ann.user}", {"login": "ann"})
            ann.call("PUT", "/v1/me/password", {"password": PASSWORD})
        yield server, owner


def ann_and_ben(owner, ann, ben):
    ann.befriend(ben)
    chat = ann.start_chat([ben])
    for number in range(20):
        ann.send(chat, "Text", f"Message {number}")
    return chat


def times(server, caller, seconds, least):
    """How long answers to the neighbor took, at least so many."""
    wire, measured = Wire(server, caller), []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(measured) < least:
        begin = time.perf_counter()
        assert wire.ask("GET", "/v1/me") == 200
        measured.append(time.perf_counter() - begin)
        time.sleep(0.002)
    wire.close()
    return measured


def worst(measured):
    return sorted(measured)[-1 - len(measured) // 100] if IS_LONG else statistics.median(measured)


def loop(server, owner, ask, connections=CONNECTIONS):
    """Runs `ask(wire, number)` on a few connections while the neighbor is measured; answers the statuses with their counts."""
    caller = ask.caller and getattr(owner, ask.caller)
    counts, failures, stop = {}, [], threading.Event()
    before = times(server, owner, SECONDS / 2, 30)
    memory, log = server.resident_kilobytes(), len(server.errors)

    def run():
        wire, number = Wire(server, caller, ask.cookie), 0
        while not stop.is_set():
            try:
                status = ask(wire, number)
            except (ConnectionError, TimeoutError) as error:
                failures.append(error)
                return
            counts[status] = counts.get(status, 0) + 1
            number += 1

    threads = [threading.Thread(target=run, daemon=True) for _ in range(connections)]
    for thread in threads:
        thread.start()
    during = times(server, owner, SECONDS, 30)
    stop.set()
    for thread in threads:
        thread.join(60)
    assert not failures, failures
    print(f"{ask.__name__}: {counts}, {worst(before) * 1e3:.1f} to {worst(during) * 1e3:.1f} ms")
    assert worst(during) <= 3 * worst(before) + ADDED, f"{worst(before)} s, then {worst(during)} s"
    assert server.resident_kilobytes() - memory < MEMORY
    # A burst of sixty lines, and then one a second, each of some 300 bytes.
    assert len(server.errors) - log < (90 + SECONDS) * 400
    assert not [status for status in counts if status >= 500], counts
    return counts


def row(caller=None, cookie=False, is_quick=True):
    def of(ask):
        ask.caller, ask.cookie = caller, cookie
        if is_quick or IS_LONG:
            ROWS.append(ask)
        return ask

    return of


ROWS = []


@row()
def a_probe(wire, number):
    return wire.ask("GET", "/health")


@row()
def the_metrics(wire, number):
    return wire.ask("GET", "/metrics")


@row()
def the_page(wire, number):
    return wire.ask("GET", "/")


@row()
def a_tile(wire, number):
    return wire.ask("GET", "/tiles/towns/5/17/10.mvt")


@row()
def nothing_at_all(wire, number):
    return wire.ask("GET", f"/nothing/{number}")


@row()
def upgrade_with_marks(wire, number):
    return wire.ask("GET", "/health", headers={"Upgrade": MARKS})


@row()
def connection_with_marks(wire, number):
    return wire.ask("GET", "/health", headers={"Connection": MARKS})


@row()
def host_with_marks(wire, number):
    return wire.ask("GET", "/health", headers={"Host": MARKS})


@row()
def a_malformed_upgrade(wire, number):
    fields = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "short"}
    return wire.ask("GET", "/v1/stream", headers=fields)


@row()
def a_wrong_link(wire, number):
    return wire.ask("POST", "/v1/session", {"link": "A" * 43}, {"Origin": wire.server.url})


@row()
def a_wrong_password(wire, number):
    return wire.ask("POST", "/v1/session", {"login": "ann", "password": "wrong horse"}, {"Origin": wire.server.url})


@row()
def a_wrong_invitation(wire, number):
    return wire.ask("POST", "/v1/invitations/view", {"invitation": "A" * 43}, {"Origin": wire.server.url})


@row()
def objects_in_an_order(wire, number):
    return wire.ask("GET", "/v1/objects/cafe?sort=title")


@row()
def objects_with_a_condition(wire, number):
    return wire.ask("GET", "/v1/objects/cafe?where=title=zz")


@row()
def an_export_with_a_condition(wire, number):
    status = wire.ask("GET", "/v1/objects/cafe/export?format=csv&where=title=zz")
    if wire.socket:
        wire.close()
    return status


@row()
def objects_of_a_region(wire, number):
    return wire.ask("GET", "/v1/objects/cafe/region?sw=50,10&ne=55,15&where=title=Cafe%201")


@row()
def an_older_apps_query(wire, number):
    return wire.ask("GET", "/api/data/cafe?q=where%20title%20%3D%20%3F&params=Cafe")


@row("ann")
def the_same_profile(wire, number):
    return wire.ask("PATCH", "/v1/me", {"reads": True})


@row("ann")
def another_hue(wire, number):
    return wire.ask("PATCH", "/v1/me", {"hue": 30 + number % 300})


# A debug build takes seconds for a hash.
@row("ann", cookie=True, is_quick=False)
def a_new_password(wire, number):
    return wire.ask("PUT", "/v1/me/password", {"password": PASSWORD, "current": PASSWORD})


@row("ann")
def an_invitation_for_a_foreign_host(wire, number):
    return wire.ask("POST", "/v1/invitations", {}, {"Host": b"evil.example/\xc2\x9b2J" + b"h" * 200})


@row("ann", cookie=True)
def ended_sessions(wire, number):
    return wire.ask("DELETE", "/v1/me/sessions", {})


@row("ann")
def a_blocked_stranger(wire, number):
    return wire.ask("PUT", "/v1/blocks/1234", {})


@row("ann")
def a_strangers_contact(wire, number):
    return wire.ask("DELETE", "/v1/contacts/1234", {})


@row("ann")
def ones_chats(wire, number):
    return wire.ask("GET", "/v1/chats")


@row("ann")
def a_search(wire, number):
    return wire.ask("GET", "/v1/geocoding/search?q=ber")


@row("ann")
def names_of_places(wire, number):
    return wire.ask("POST", "/v1/geocoding/names", {"positions": [{"latitude": 52.5, "longitude": 13.4}]})


@row("ann")
def an_image_that_is_none(wire, number):
    return wire.ask("POST", "/v1/images", {}, {"Content-Type": "image/png"})


def over_the_stream(wire, *frames):
    """Writes frames at once, each of which is answered with one, and answers 200 once all answers are there."""
    if not wire.socket:
        wire.stream = RawStream(wire.server, token=wire.caller and wire.caller.bearer)
        wire.stream.read_until(lambda payload: b'"hello"' in payload)
        wire.socket = wire.stream.socket
    wire.stream.write(b"".join(frame(json.dumps(fields)) for fields in frames))
    answers = 0
    while answers < len(frames):
        answers += len(wire.stream.read())
    return 200


@row()
def frames_that_cant_be_read(wire, number):
    return over_the_stream(wire, *[{}] * 100)


@row()
def frames_of_members_without_an_account(wire, number):
    return over_the_stream(wire, *[{"type": "send", "chat": "1", "key": "k", "tag": "Text", "content": "x" * 1_000}] * 100)


@row()
def pings(wire, number):
    return over_the_stream(wire, *[{"type": "ping", "id": number}] * 100)


@row("ann")
def messages_into_a_foreign_chat(wire, number):
    return over_the_stream(wire, *[{"type": "send", "chat": "1", "key": f"{number} {n}", "tag": "Text", "content": "x"} for n in range(20)])


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ask", ROWS, ids=lambda ask: ask.__name__)
def test_a_loop_costs_a_neighbor_nothing(town, ask):
    server, owner = town
    loop(server, owner, ask)


def test_each_row_has_its_limit(town):
    """What is bounded by a count is refused from then on, and what can't succeed is refused for good."""
    server, owner = town

    def statuses(ask, count):
        wire = Wire(server, ask.caller and getattr(owner, ask.caller), ask.cookie)
        return [ask(wire, number) for number in range(count)]

    for ask in (upgrade_with_marks, connection_with_marks, host_with_marks):
        assert set(statuses(ask, 3)) == {431}, ask
    assert set(statuses(a_malformed_upgrade, 3)) == {400}
    assert set(statuses(the_same_profile, 30)) == {200}
    for ask, count in [(another_hue, 12), (an_invitation_for_a_foreign_host, 52), (a_search, 60)]:
        assert statuses(ask, count)[-1] == 429, ask


def test_a_hosts_text_in_the_log_is_escaped_and_cut(town):
    server, owner = town
    log = len(server.errors)
    host = b"evil.example/\xc2\x9b2J" + b"h" * 200
    for _ in range(3):
        Wire(server, owner.ben).ask("POST", "/v1/invitations", {}, {"Host": host})
    lines = [line for line in server.errors[log:].splitlines() if "evil.example" in line]
    assert len(lines) == 3 and all(r"evil.example/\xc2\x9b2J" in line and "h" * 60 not in line for line in lines), lines


def test_members_queries_are_answered_beside_ninety_anonymous_connections(town):
    server, owner = town
    refused = loop(server, owner, objects_in_an_order, connections=90 if IS_LONG else 30)
    wire = Wire(server, owner.ben)
    assert refused and {wire.ask("GET", "/v1/objects/cafe?sort=title") for _ in range(20)} == {200}


def test_a_stranger_is_sent_nothing_when_a_contact_is_removed_that_is_none(town):
    server, owner = town
    carl = owner.add("Carl")
    carl.token()
    with RawStream(server, token=owner.ben.bearer) as stream:
        stream.send(type="subscribe", id=1, query="contacts")
        until_frame(stream, lambda frame: frame.get("current"))
        for _ in range(20):
            assert carl.request("DELETE", f"/v1/contacts/{owner.ben.user}")[0] == 204
        # A change that Ben is sent comes behind what those would have caused.
        owner.befriend(carl)
        carl.befriend(owner.ben)
        seen = until_frame(stream, lambda frame: frame["type"] == "contact" and frame["contact"]["id"] == carl.user)
        assert not [frame for frame in seen if frame["type"] == "contactGone"], seen


def test_a_settings_loop_sends_a_contact_one_frame(town):
    server, owner = town
    with RawStream(server, token=owner.bearer) as stream:
        stream.send(type="subscribe", id=1, query="contacts")
        until_frame(stream, lambda frame: frame.get("current"))
        for _ in range(50):
            assert owner.ben.call("PATCH", "/v1/me", {"reads": True, "name": "Ben"})
        owner.ben.call("PATCH", "/v1/me", {"name": "Benjamin"})
        seen = until_frame(stream, lambda frame: frame["type"] == "contact" and frame["contact"]["name"] == "Benjamin")
        assert len([frame for frame in seen if frame["type"] == "contact"]) == 1, seen
        owner.ben.call("PATCH", "/v1/me", {"name": "Ben"})


def until_frame(stream, found):
    """Reads until a frame is found; answers all that were read."""
    seen = []
    while True:
        for payload in stream.read():
            seen.append(json.loads(payload))
            if found(seen[-1]):
                return seen


def test_the_table_names_every_route():
    """Each path of the API is in the table, by itself or by the beginning of its kind."""
    table = (ROOT / "Documentation/what-it-costs.md").read_text()
    patterns = [name for name in re.findall(r"`(/[^` ]*)`", table)]
    paths = re.findall(r"^  (/\S+):$", (ROOT / "Documentation/openapi.yaml").read_text(), re.MULTILINE)
    assert len(paths) > 40
    missing = [path for path in paths if not any(covers(pattern, path) for pattern in patterns)]
    assert not missing, missing


def covers(pattern, path):
    return path.startswith(pattern[:-1]) if pattern.endswith("*") else pattern == path
