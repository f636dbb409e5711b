"""Text of a peer takes the server time in proportion to its bytes, whatever characters it has.

Every place where text comes in, read from the documents that describe them, is sent its longest text five times, with the same number
of bytes on the wire. The server's processor time says what it took: texts that are compared or hashed by characters take hundreds of
times that of ASCII, so four times, and what a busy machine adds, is bar enough.
"""

import itertools
import json
import re
import socket
import time
import urllib.parse

import pytest
import yaml
from raw_stream import Closed, RawStream, frame
from yonder import AS_NODE, ROOT, Server, lift_write_limits

pytestmark = pytest.mark.skipif(AS_NODE, reason="measures one process")

# Bytes in a body or a frame, in a header or the target, and in a query of the older API.
LONG, SHORT = 24_000, 6_000
BAR, ADDED = 4, 0.03

PLACEHOLDERS = {"{chat}": "CHAT", "{user}": "USER", "{entity}": "cafe"}


def repeated(unit, size):
    return unit * (size // len(unit)) + b"a" * (size % len(unit))


# Bytes of UTF-8, and those that are none.
TEXTS = {
    "ascii": lambda size: b"a" * size,
    # Marks whose order a comparison of characters has to mend.
    "marks": lambda size: repeated("\u0301".encode(), size // 2) + repeated("\u0323".encode(), size - size // 2),
    "one character": lambda size: b"a" + repeated("\u0308".encode(), size - 1),
    "invalid": lambda size: b"\xff" * size,
}
KINDS = [*TEXTS, "half pairs"]


def in_json(kind, size):
    """A JSON string's inside; half a surrogate pair is an escape there."""
    return repeated(rb"\ud800", size) if kind == "half pairs" else TEXTS[kind](size)


def in_target(kind, size):
    """Percent-encoded, three bytes for each; half a pair as UTF-8 has none."""
    text = repeated(b"\xed\xa0\x80", size // 3) if kind == "half pairs" else TEXTS[kind](size // 3)
    return "".join(f"%{byte:02X}" for byte in text).encode()


def in_header(kind, size):
    return repeated(b"\xed\xa0\x80", size) if kind == "half pairs" else TEXTS[kind](size)


# The places.


def headers_in_sources():
    """The names of headers in the server's sources, in small letters: those by which fields of a head are taken out."""
    in_quotes = r'(?:headers|headerFields)(?:\.(?:first|contains)\(name: |\[(?:canonicalForm: )?)"([\w-]+)"'
    as_members = r"(?:headers|headerFields)\[(?:values: )?\.(\w+)\]"
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        if file.relative_to(ROOT / "Sources").parts[1] in CLIENTS:
            continue
        source = file.read_text()
        yield from (name.lower() for name in re.findall(in_quotes, source))
        for member in re.findall(as_members, source):
            yield "etag" if member == "eTag" else re.sub(r"[A-Z]", lambda capital: "-" + capital[0].lower(), member)


def openapi():
    return yaml.safe_load((ROOT / "Documentation/openapi.yaml").read_text())


def resolved(document, schema):
    while "$ref" in schema:
        place = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        schema = place
    return schema


def texts_of(document, schema, depth=0):
    """Bodies of a schema, each with `TEXT` in another place: each text, and the name of an unknown member."""
    schema = resolved(document, schema)
    for part in schema.get("allOf", []) + schema.get("oneOf", []) + schema.get("anyOf", []):
        yield from texts_of(document, part, depth)
    kind = schema.get("type")
    if kind == "string" or isinstance(kind, list) and "string" in kind:
        yield "TEXT"
    elif kind == "array":
        for value in texts_of(document, schema.get("items", {}), depth + 1):
            yield [value]
    elif kind == "object" and depth < 4:
        yield {"TEXT": 1}
        for name, member in schema.get("properties", {}).items():
            for value in texts_of(document, member, depth + 1):
                yield {name: value}


def operations():
    """Method, path, and the parts of each operation in which text stands."""
    document = openapi()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            parameters = [resolved(document, each) for each in item.get("parameters", []) + operation.get("parameters", [])]
            content = resolved(document, operation.get("requestBody", {})).get("content", {})
            yield method.upper(), path, parameters, content.get("application/json", {}).get("schema"), document


def rest_places():
    """Method, path with query, and body, each with one `TEXT`."""
    for method, path, parameters, schema, document in operations():
        plain = re.sub(r"\{\w+\}", lambda found: PLACEHOLDERS.get(found[0], "1"), path)
        for name in re.findall(r"\{\w+\}", path):
            rest = re.sub(r"\{\w+\}", lambda found: PLACEHOLDERS.get(found[0], "1"), path.replace(name, "TEXT"))
            yield method, rest, None
        yield method, f"{plain}?TEXT=1", None
        for parameter in parameters:
            if parameter["in"] == "query":
                yield method, f"{plain}?{parameter['name']}=TEXT", None
        if schema:
            yield from ((method, plain, json.dumps(body)) for body in texts_of(document, schema))


def frames():
    """The frames of the stream's document, each with `TEXT` in place of one of its texts or names."""
    for line in (ROOT / "Documentation/stream.md").read_text().splitlines():
        if not line.startswith('{"type":'):
            continue
        try:
            shown = json.loads(line)
        except ValueError:
            continue
        yield json.dumps({**shown, "TEXT": 1})
        for name, value in shown.items():
            if isinstance(value, str):
                yield json.dumps({**shown, name: "TEXT"})
            elif isinstance(value, list) and value and isinstance(value[0], str):
                yield json.dumps({**shown, name: ["TEXT"]})
            elif isinstance(value, dict):
                yield json.dumps({**shown, name: {"TEXT": 1}})


# The headers that the server reads.
HEADERS = [
    "Host", "Origin", "Authorization", "Cookie", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version",
    "Sec-WebSocket-Protocol", "Content-Type", "Content-Encoding", "Content-Length", "Transfer-Encoding", "Expect",
    "Accept-Encoding", "If-None-Match", "User-Agent", "X-Forwarded-For", "X-Forwarded-Proto", "Access-Control-Request-Method",
    "Access-Control-Request-Headers",
]
# Those that the server only writes into its answers.
WRITTEN = {
    "access-control-allow-credentials", "access-control-allow-headers", "access-control-allow-methods", "access-control-allow-origin",
    "access-control-max-age", "allow", "cache-control", "content-security-policy", "etag", "retry-after", "vary", "www-authenticate",
}
# The targets that read headers of other servers' answers.
CLIENTS = {"YonderClient", "YonderGeocoding", "YonderNATS", "YonderTiles"}
# What stands in front of the text in some.
BEFORE = {"Authorization": b"Bearer ", "Cookie": b"yonder=", "Origin": b"https://", "If-None-Match": b'"'}

SOCKET_IO = [b'421["TEXT","1,2"]', b'421["location","TEXT"]', b"40/TEXT,", b"42/TEXT,1[\"location\",\"1,2\"]", b"4TEXT", b"TEXT"]

OLDER = [
    ("GET", "/api/data/cafe?q=TEXT", None), ("GET", "/api/data/cafe?q=where+name+%3D+%3F&params=TEXT", None),
    ("GET", "/api/data/cafe?q=where+name+like+%3F&params=TEXT", None), ("GET", "/api/data/cafe?TEXT=1", None),
    *(("GET", f"/api/data/cafe?{name}=TEXT", None)
      for name in ("limit", "offset", "key", "nonce", "time", "signature", "method", "path", "_method", "_")),
    ("GET", "/api/data/TEXT", None), ("GET", "/api/data/cafe/TEXT", None), ("GET", "/TEXT", None),
    ("POST", "/api/data/cafe", "set-name=TEXT"), ("POST", "/api/data/cafe", "TEXT=1"),
    ("POST", "/api/data/cafe", "set-at=TEXT"), ("POST", "/api/data/cafe", "_method=TEXT"),
]

FILES = [
    ("/v1/objects/cafe/import?format=csv", b"text/csv", b"name,TEXT\na,b\n"),
    ("/v1/objects/cafe/import?format=csv&dryRun=true", b"text/csv", b"name\nTEXT\n"),
    ("/v1/objects/cafe/import?format=geojson", b"application/geo+json",
     b'{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{"TEXT":1}}]}'),
    ("/v1/objects/cafe/import?format=geojson", b"application/geo+json",
     b'{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"TEXT"},"properties":{}}]}'),
    ("/v1/objects/cafe/import?format=geojson", b"application/geo+json", b'{"type":"TEXT"}'),
]


class Line:
    """A connection for requests of bytes that no library would send."""

    def __init__(self, port):
        self.port = port
        self.socket = None

    def ask(self, method, target, headers, body=b""):
        """Sends a request, and waits for the beginning of its answer or its end."""
        self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        head = [method.encode() + b" " + target + b" HTTP/1.1"]
        names = {name.lower() for name, _ in headers}
        if b"host" not in names:
            head.append(f"Host: 127.0.0.1:{self.port}".encode())
        if body and b"content-length" not in names:
            head.append(f"Content-Length: {len(body)}".encode())
        head += [name + b": " + value for name, value in headers]
        self.socket.sendall(b"\r\n".join(head) + b"\r\n\r\n" + body)
        try:
            return self.socket.recv(65_536)
        except ConnectionError:
            return b""

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None


class Meter:
    """The processor time of a process."""

    def __init__(self, process):
        # The clock of another process: clock_getcpuclockid(3) makes its number so.
        self.clock = ~process << 3 | 2

    def cost(self, work):
        begun = time.clock_gettime(self.clock)
        work()
        return time.clock_gettime(self.clock) - begun


@pytest.fixture(scope="module")
def world():
    lift_write_limits()
    with Server(["--proxy", "127.0.0.1"]) as server:
        owner = server.owner()
        owner.token("hostile")
        ben = owner.add("Ben")
        owner.befriend(ben)
        owner.post("/v1/entities", {
            "name": "cafe", "readers": "anyone",
            "fields": [{"name": "name", "type": "text"}, {"name": "at", "type": "location"}],
        })
        owner.post("/v1/objects/cafe", {"fields": {"name": "a"}})
        yield server, owner, owner.start_chat([ben])


def hold(meter, work, places):
    """Performs `work(place, kind)` for all, and fails with the places that took longer than they may."""
    slow = []
    for place in places:
        for kind in KINDS[1:]:
            # A busy machine can only add: what holds once, holds.
            for _ in range(3):
                usual = max(meter.cost(lambda: work(place, "ascii")) for _ in range(2))
                taken = meter.cost(lambda: work(place, kind))
                if taken <= BAR * usual + ADDED:
                    break
            else:
                slow.append(f"{place} with {kind}: {taken:.3f} s, ASCII {usual:.3f} s")
    assert not slow, "\n".join(slow)


def filled(text, chat, owner):
    return text.replace("CHAT", chat).replace("USER", owner.user)


def test_texts_in_targets_and_bodies_of_rest_take_time_in_proportion_to_their_bytes(world):
    server, owner, chat = world
    places = list(rest_places())
    assert len(places) > 200 and len({(method, path) for method, path, _, _, _ in operations()}) > 50
    line = Line(server.port)
    headers = [(b"Authorization", f"Bearer {owner.bearer}".encode())]

    def work(place, kind):
        method, path, body = place
        target = filled(path, chat, owner).encode().replace(b"TEXT", in_target(kind, SHORT))
        if body is None:
            return line.ask(method, target, headers)
        content = filled(body, chat, owner).encode().replace(b"TEXT", in_json(kind, LONG))
        return line.ask(method, target, [*headers, (b"Content-Type", b"application/json")], content)

    # What removes something comes last, as the others need it.
    hold(Meter(server.process.pid), work, sorted(places, key=lambda place: place[0] == "DELETE"))
    line.close()


def test_texts_of_files_and_the_older_api_take_time_in_proportion_to_their_bytes(world):
    server, owner, chat = world
    line = Line(server.port)
    headers = [(b"Authorization", f"Bearer {owner.bearer}".encode())]

    def file(place, kind):
        path, media, content = place
        text = TEXTS["invalid"](LONG) if kind == "half pairs" and media == b"text/csv" else in_json(kind, LONG)
        line.ask("POST", path.encode(), [*headers, (b"Content-Type", media)], content.replace(b"TEXT", text))

    def older(place, kind):
        method, path, body = place
        target = path.encode().replace(b"TEXT", in_target(kind, SHORT))
        if body is None:
            return line.ask(method, target, [])
        content = body.encode().replace(b"TEXT", in_target(kind, LONG))
        return line.ask(method, target, [(b"Content-Type", b"application/x-www-form-urlencoded")], content)

    meter = Meter(server.process.pid)
    hold(meter, file, FILES)
    hold(meter, older, OLDER)
    line.close()


def test_every_header_that_the_server_reads_is_among_those_tried():
    found = set(headers_in_sources())
    assert len(found) > 20
    assert found - {name.lower() for name in HEADERS} - WRITTEN == set()


def test_headers_take_time_in_proportion_to_their_bytes(world):
    server, owner, chat = world
    line = Line(server.port)
    upgrade = [
        (b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"), (b"Sec-WebSocket-Version", b"13"),
        (b"Sec-WebSocket-Key", b"dGhlIHNhbXBsZSBub25jZQ=="), (b"Sec-WebSocket-Protocol", b"yonder.v1"),
    ]

    def work(place, kind):
        name, method, path, others = place
        value = BEFORE.get(name, b"") + in_header(kind, SHORT)
        headers = [(other, text) for other, text in others if other.decode() != name]
        line.ask(method, path.encode(), [*headers, (name.encode(), value)])

    places = [(name, *request) for name in HEADERS for request in [
        ("GET", "/v1/session", []), ("GET", "/v1/stream", upgrade), ("GET", "/", []), ("POST", "/v1/session", []),
        ("OPTIONS", "/v1/session", [(b"Origin", b"https://a.example")]),
    ]]
    hold(Meter(server.process.pid), work, places)
    line.close()


def test_frames_of_the_stream_take_time_in_proportion_to_their_bytes(world):
    server, owner, chat = world
    places = list(frames())
    assert len(places) > 100
    streams, pings = [], (b"%d" % number for number in itertools.count())

    def work(place, kind):
        content = place.encode().replace(b"TEXT", in_json(kind, LONG))
        if not streams:
            streams.append(RawStream(server, token=owner.bearer))
        try:
            streams[0].write(frame(content))
            streams[0].ping(next(pings))
        except (Closed, ConnectionError):
            streams.clear()

    hold(Meter(server.process.pid), work, places)


def test_packets_of_socket_io_take_time_in_proportion_to_their_bytes(world):
    server, owner, chat = world
    queries = ["EIO=TEXT&transport=polling", "EIO=4&transport=TEXT", "EIO=4&transport=polling&sid=TEXT", "TEXT=1&EIO=4"]
    line = Line(server.port)
    streams, pings = [], (b"%d" % number for number in itertools.count())

    def packet(place, kind):
        if not streams:
            streams.append(RawStream(server, "/socket.io/?EIO=4&transport=websocket", subprotocol=None))
            streams[0].write(frame("40"))
        try:
            streams[0].write(frame(place.replace(b"TEXT", in_json(kind, LONG))))
            streams[0].ping(next(pings))
        except (Closed, ConnectionError):
            streams.clear()

    def query(place, kind):
        line.ask("GET", b"/socket.io/?" + place.encode().replace(b"TEXT", in_target(kind, SHORT)), [])

    meter = Meter(server.process.pid)
    hold(meter, query, queries)
    hold(meter, packet, SOCKET_IO)
    line.close()
