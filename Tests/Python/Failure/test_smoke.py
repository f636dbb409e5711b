"""The first minute with a server: start it, sign in, talk, stop it. Also run against the release build."""

import asyncio
import http.client
import json
import re

import pytest
from stream import Ended, Stream, messages_in
from yonder import Caller, Refusal, Server, party, program, secret_of


def test_an_empty_folder_is_enough(server):
    owner = server.owner()
    assert owner.get("/v1/session")["operator"] is True
    assert Caller(server).get("/health") is not None
    assert "yonder" in Caller(server).get("/metrics").lower()
    assert "<html" in Caller(server).get("/").lower()


def test_the_page_has_all_that_it_asks_for_and_a_release_asks_for_little(server):
    page, is_release = Caller(server).get("/"), "/release/" in program()
    files = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
    for path in files:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        assert answer.status == 200, path
        assert not is_release or answer.headers["Content-Encoding"] == "gzip", path
        connection.close()
    assert (len(files) == 2) == is_release, files
    assert any("/bundle/" in path for path in files) == is_release


def test_a_link_is_good_once(server):
    secret = secret_of(server.link())
    Caller(server).redeem(secret)
    with pytest.raises(Refusal) as refused:
        Caller(server).redeem(secret)
    assert refused.value.status == 401
    assert refused.value.code == "invalidCredentials"


def test_two_people_meet_and_talk(server):
    ada, (ben,) = party(server, ["Ben"])
    chat = ada.start_chat([ben], subject="Sunday walk")
    number = ada.send(chat, "Location", data={"latitude": "59.913900", "longitude": "10.752200"})
    read = ben.messages(chat)["messages"]
    assert [message["number"] for message in read] == list(range(1, number + 1))
    assert read[-1]["data"] == {"latitude": "59.913900", "longitude": "10.752200"}


def test_the_stream_answers_and_then_says_what_changed(server):
    ada, (ben,) = party(server, ["Ben"])
    chat = ada.start_chat([ben])

    async def talk():
        async with await Stream.open(server, ada.token()) as writer, await Stream.open(server, ben.token()) as reader:
            _, topic, pages = await reader.subscribe("messages", chat=chat)
            last = pages[-1]["through"]
            sent = await writer.send(chat, "k1", content="Here")
            change = await reader.take(lambda frame: bool(messages_in(frame)))
            assert change["topic"] == topic
            assert sent["number"] == last + 1 == messages_in(change)[0]["number"]

    asyncio.run(talk())


def test_a_stranger_sees_nothing(server):
    ada, (ben, eve) = party(server, ["Ben", "Eve"])
    chat = ada.start_chat([ben])
    ada.send(chat, "Text", "Between us")
    with pytest.raises(Refusal):
        eve.messages(chat)

    async def listen():
        async with await Stream.open(server, eve.token()) as stream:
            with pytest.raises(Ended):
                await stream.subscribe("messages", chat=chat)

    asyncio.run(listen())


def test_a_second_process_on_the_folder_is_refused(server):
    with pytest.raises(RuntimeError):
        with Server(data=server.data):
            pass
    assert Caller(server).get("/ready") is not None


def test_it_ends_when_asked_and_goes_on_where_it_was(server):
    ada, (ben,) = party(server, ["Ben"])
    chat = ada.start_chat([ben])
    number = ada.send(chat, "Text", "Before")
    assert server.stop() == 0
    server.start()
    assert ada.messages(chat)["messages"][-1]["number"] == number
    assert ada.send(chat, "Text", "After") == number + 1


def test_a_connection_is_told_that_the_server_goes(server):
    async def wait():
        stream = await Stream.open(server)
        server.process.terminate()
        await stream.socket.wait_closed()
        return stream.socket.close_code

    assert asyncio.run(wait()) == 1001


def test_the_command_line_adds_people_while_the_server_runs(server):
    data = ["--data", server.data]
    server.link()
    added = server.command("user", "add", *data, "--name", "Cleo").split()
    assert server.sign_in(added[-1]).user == added[0]
    assert server.sign_in(server.command("user", "link", *data)).get("/v1/session")["operator"] is True
    token = server.command("user", "token", *data, "Cleo").strip()
    assert Caller(server, token).get("/v1/session")["user"]["id"] == added[0]


@pytest.mark.parametrize("request_bytes", [
    b"nonsense\r\n\r\n",
    b"GET /v1/stream HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n",
])
def test_odd_requests_are_answered_and_harm_nobody(server, request_bytes):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    connection.connect()
    try:
        connection.sock.sendall(request_bytes)
        assert connection.sock.recv(4096)[:5] in (b"HTTP/", b"")
    except (ConnectionResetError, BrokenPipeError):
        pass
    finally:
        connection.close()
    assert Caller(server).get("/ready") is not None


def test_bad_frames_are_refused_and_the_session_lives_on(server):
    ada, (ben,) = party(server, ["Ben"])
    chat = ada.start_chat([ben])

    async def provoke():
        async with await Stream.open(server, ada.token()) as stream:
            for text, code in [
                ("{", "invalidJSON"),
                ("[]", "invalidFrame"),
                ('{"type":"nonsense"}', "invalidFrame"),
                ('{"type":"ping","more":1}', "unknownField"),
                ('{"type":"subscribe","id":1,"query":"weather"}', "unknownQuery"),
                (json.dumps({"type": "send", "key": "a", "chat": chat}), "missingField"),
                (json.dumps({"type": "send", "key": "b", "chat": "1", "tag": "Text"}), "unknownChat"),
                (json.dumps({"type": "send", "key": "c", "chat": chat, "tag": "Text", "content": "x" * 71_681}),
                 "messageTooLarge"),
            ]:
                await stream.socket.send(text)
                refusal = await stream.take(lambda frame: frame["type"] == "error")
                assert refusal["code"] == code, (text[:80], refusal)
            assert (await stream.send(chat, "d", content="still here"))["number"] > 0

    asyncio.run(provoke())
