"""The SDK has a call of its own for each call of the page: those of `openapi.yaml` and those of `stream.md`."""
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = sorted((ROOT / "Web/app").rglob("*.js")) + [ROOT / "Web/service-worker.js"]
REQUESTS = sorted((ROOT / "Sources/Client/YonderRequests").rglob("*.swift"))
CLIENT = sorted((ROOT / "Sources/Client/YonderClient").rglob("*.swift"))

# What the page asks over REST and the SDK over the stream: the call that does it.
OVER_THE_STREAM = {
    ("DELETE", "/v1/me/shares"): "public func stopShares()",
    ("GET", "/v1/me/shares"): "public func shares()",
}

# What a connection says by itself, whose frames no call sends.
OF_THE_CONNECTION = {"ping"}

# Where a frame's type isn't the name of the case that the SDK sends.
CASES = {"share": "startShare"}


@cache
def templates() -> list[str]:
    text = (ROOT / "Documentation/openapi.yaml").read_text()
    return [path for path in re.findall(r"(?m)^  (/[^:]*):$", text) if path.startswith("/v1/")]


def template(path: str) -> str:
    """The path of `openapi.yaml` that a path with `{…}` for each value means; one that names more of it comes first."""
    parts = path.split("?")[0].rstrip("/").split("/")

    def fits(known: str) -> bool:
        other = known.split("/")
        return len(other) == len(parts) and all(a == b or b.startswith("{") for a, b in zip(parts, other))

    found = [known for known in templates() if fits(known)]
    assert found, f"openapi.yaml has no {path}"
    return min(found, key=lambda known: known.count("{"))


def page_requests() -> set[tuple[str, str]]:
    """What the page and its worker ask: each path that stands in them, with the method in front of it or behind; else it is read."""
    parts = {path.split("/")[2] for path in templates()} - {"stream"}
    literal = re.compile(r"(?:'([A-Z]+)',\s*|\b(answered)\()?['`](?:/v1)?(/(?:" + "|".join(parts) + r")(?:/[^'`]*|\?[^'`]*)?)['`](?:, \{ method: '([A-Z]+)')?")
    asked = set()
    for file in PAGE:
        for before, ends, path, behind in literal.findall(file.read_text()):
            path = re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "{}", path)
            asked.add((before or behind or ("DELETE" if ends else "GET"), template("/v1" + path)))
    return asked


def sdk_requests() -> set[tuple[str, str]]:
    asked = set()
    for file in REQUESTS:
        for body in re.split(r"\n    (?:public |private |fileprivate |@\w+ )*(?=func |static func |public var )", file.read_text()):
            if "StoredImage.path(" in body:
                asked.add(("GET", "/v1/images/{image}"))
            for path in re.findall(r'"(/v1/(?:[^"\\]|\\\([^)]*\))*)', body):
                # A query is an interpolation behind the last part.
                path = re.sub(r"(?<!/)\\\([^)]*\)$", "", path)
                path = re.sub(r"\\\((?:[^()]|\([^()]*\))*\)?", "{}", path)
                for method in methods(body):
                    asked.add((method, template(path)))
    return asked


def methods(body: str) -> set[str]:
    found = {name.upper() for name in re.findall(r"\(\s*\.(get|post|put|patch|delete)\b", body)}
    if re.search(r"\b(get|objectsAnswer)\(", body):
        found.add("GET")
    if re.search(r"\bbegin\(", body):
        found.add("POST")
    return found


def test_each_request_of_the_page_has_its_own_in_the_sdk():
    page, sdk = page_requests(), sdk_requests()
    assert len(page) >= 25, page
    client = "".join(file.read_text() for file in CLIENT)
    for call in sorted(page - sdk):
        assert call in OVER_THE_STREAM, f"the page asks {' '.join(call)}, and the SDK can't"
        assert OVER_THE_STREAM[call] in client, call


@pytest.mark.parametrize("method, path", sorted(OVER_THE_STREAM))
def test_what_the_sdk_does_over_the_stream_is_asked_by_the_page(method, path):
    assert (method, path) in page_requests()


def test_each_frame_of_the_page_has_its_own_in_the_sdk():
    frame = (ROOT / "Sources/Shared/YonderWire/Stream/ClientFrame.swift").read_text()
    frames, queries = (set(re.findall(r"\n    (?:package |public )?case (\w+)", part)) for part in frame.split("enum StreamQuery"))
    documented = set(re.findall(r'"type":"(\w+)"', (ROOT / "Documentation/stream.md").read_text()))
    page = "".join(file.read_text() for file in PAGE)
    client = "".join(file.read_text() for file in CLIENT)
    sent = {CASES.get(name, name) for name in set(re.findall(r"\btype: '(\w+)'", page)) & documented} & frames - OF_THE_CONNECTION
    assert len(sent) >= 15, sent
    for name in sorted(sent):
        assert re.search(rf"\.{name}\b", client), f"the page sends {name}, and the SDK can't"
    subscribed = set(re.findall(r"\bquery: '(\w+)'", page)) & queries
    assert len(subscribed) >= 8, subscribed
    for name in sorted(subscribed):
        assert re.search(rf"\.{name}\b", client), f"the page subscribes to {name}, and the SDK can't"
