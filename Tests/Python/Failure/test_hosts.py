"""Links that carry a secret lead to this server, whatever `Host` a client names."""

import socket

import pytest
from yonder import Caller, Refusal, Server, party

FOREIGN = ["evil.example", "evil.example:80", "192.0.2.7", "localhost.evil.example", "localhost@evil.example", "[2001:db8::7]"]


def invite(owner, host, **headers):
    """Status, code or URL, of an invitation asked for at this host."""
    status, _, answer = owner.request("POST", "/v1/invitations", {}, {"Host": host, **headers})
    return status, answer.get("url") or answer["error"]["code"]


def add_person(owner, host):
    # A token, as a cookie would need the origin of the host.
    status, _, answer = owner.manager.request("POST", "/v1/users", {"name": "Ben"}, {"Host": host})
    return status, answer.get("link") or answer["error"]["code"]


@pytest.fixture
def owner(server):
    ada, _ = party(server, [])
    ada.token()
    token = server.command("user", "token", "--data", server.data, "Owner", "--may", "accounts").strip()
    ada.manager = Caller(server, token)
    return ada


def test_this_machine_is_called_as_it_is_asked(server, owner):
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    for host in [f"localhost:{server.port}", f"127.0.0.1:{server.port}", "[::1]:8080", name, short, f"{short}.local:8080"]:
        status, url = invite(owner, host)
        assert (status, url.split("#")[0]) == (201, f"http://{host}/"), host
        status, url = add_person(owner, host)
        assert (status, url.split("#")[0]) == (201, f"http://{host}/"), host


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_host_gets_no_link_and_everything_else(server, owner, host):
    assert invite(owner, host) == (421, "unknownHost")
    people = len(owner.get("/v1/users")["users"])
    assert add_person(owner, host) == (421, "unknownHost")
    assert len(owner.get("/v1/users")["users"]) == people
    assert owner.request("GET", "/v1/me", headers={"Host": host})[0] == 200
    assert "--origin" in server.errors


def test_a_configured_origin_is_what_links_are_made_of():
    with Server(["--origin", "https://map.example.org", "--origin", "http://map.lan:8080"]) as server:
        ada, _ = party(server, [])
        ada.token()
        for host, page in [
            ("evil.example", "https://map.example.org/"), (f"localhost:{server.port}", "https://map.example.org/"),
            ("map.lan:8080", "http://map.lan:8080/"),
        ]:
            status, url = invite(ada, host)
            assert (status, url.split("#")[0]) == (201, page)


def test_a_listed_proxy_vouches_for_its_host():
    with Server(["--proxy", "127.0.0.1"]) as server:
        ada, _ = party(server, [])
        ada.token()
        status, url = invite(ada, "map.example.org", **{"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"})
        assert (status, url.split("#")[0]) == (201, "https://map.example.org/")


def answer_to(server, request):
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
        connection.sendall(request)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    return received


@pytest.mark.parametrize("hosts", [
    b"", b"Host:\r\n", b"Host: localhost\r\nHost: localhost\r\n", b"Host: localhost, localhost\r\n",
], ids=["none", "an empty one", "two", "two in one field"])
def test_a_request_names_one_host(server, hosts):
    answer = answer_to(server, b"GET /health HTTP/1.1\r\n" + hosts + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'{"error":{"code":"invalidFrame"' in answer


def test_a_chunk_extension_without_end_is_refused(server):
    head = b"POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    answer = answer_to(server, head + b"Transfer-Encoding: chunked\r\n\r\n1;" + b"x" * 1_000_000)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'{"error":{"code":"invalidFrame"' in answer


def test_a_uri_over_the_limit_is_refused_with_a_code(server):
    answer = answer_to(server, b"GET /v1/geocoding/search?q=" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert b'{"error":{"code":"tooLarge"' in answer
