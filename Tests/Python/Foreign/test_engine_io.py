"""The cases of the Engine.IO protocol's suites, of both generations, against `protocol-peer engine-io`."""

import asyncio

import aiohttp
import pytest
from engine import MAX_PAYLOAD, PATIENT, Engine, is_closed, run

both = pytest.mark.parametrize("version", [3, 4])


def check_handshake(value, upgrades):
    assert sorted(value) == ["maxPayload", "pingInterval", "pingTimeout", "sid", "upgrades"]
    assert isinstance(value["sid"], str) and len(value["sid"]) >= 22
    assert value["upgrades"] == upgrades
    assert (value["pingInterval"], value["pingTimeout"]) == PATIENT
    assert value["maxPayload"] == MAX_PAYLOAD


@both
class TestHandshake:
    @run
    async def test_polling_opens_a_session(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            check_handshake(await engine.open(), ["websocket"])

    @run
    async def test_a_web_socket_opens_a_session(self, engine_io, version):
        import json

        async with Engine(engine_io, version) as engine, engine.socket() as socket:
            text = await socket.receive_str()
            assert text[0] == "0"
            check_handshake(json.loads(text[1:]), [])

    @pytest.mark.parametrize("query, code", [
        ("transport=polling", 5), ("EIO=abc&transport=polling", 5), ("EIO=2&transport=polling", 5),
        ("EIO={}", 0), ("EIO={}&transport=abc", 0), ("EIO={}&transport=polling&sid=nobody", 1),
        ("EIO={}&transport=websocket", 3),
    ])
    @run
    async def test_a_wrong_query_is_refused_with_its_code(self, engine_io, version, query, code):
        import json

        async with Engine(engine_io, version) as engine:
            status, body = await engine.request("GET", query.format(version))
            assert status == 400
            assert json.loads(body)["code"] == code

    @pytest.mark.parametrize("method", ["POST", "PUT"])
    @run
    async def test_a_wrong_method_is_refused(self, engine_io, version, method):
        async with Engine(engine_io, version) as engine:
            status, body = await engine.request(method, engine.query())
            assert (status, body) == (400, b'{"code":2,"message":"Bad handshake method"}')

    @pytest.mark.parametrize("query", [
        "transport=websocket", "EIO=abc&transport=websocket", "EIO={}", "EIO={}&transport=abc",
        "EIO={}&transport=websocket&sid=nobody",
    ])
    @run
    async def test_a_wrong_web_socket_is_refused(self, engine_io, version, query):
        async with Engine(engine_io, version) as engine:
            assert await engine.refuses_socket(query.format(version))

    @run
    async def test_any_origin_may_ask(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            async with engine.http.get(engine.url(engine.query())) as response:
                assert response.headers["Access-Control-Allow-Origin"] == "*"
                assert "Access-Control-Allow-Credentials" not in response.headers
            async with engine.http.options(engine.url(engine.query())) as response:
                assert response.status == 204
                assert response.headers["Access-Control-Allow-Origin"] == "*"
                assert "POST" in response.headers["Access-Control-Allow-Methods"]
            async with engine.http.get(engine.url("EIO=9&transport=polling")) as response:
                assert response.headers["Access-Control-Allow-Origin"] == "*"


@both
class TestPolling:
    @run
    async def test_a_packet_of_text_comes_back(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            assert await engine.post(sid, engine.pack("4hello")) == (200, b"ok")
            assert await engine.poll(sid) == (200, engine.pack("4hello"))

    @run
    async def test_several_packets_come_back(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            assert await engine.post(sid, engine.pack("4test1", "4test2", "4test3")) == (200, b"ok")
            assert await engine.poll(sid) == (200, engine.pack("4test1", "4test2", "4test3"))

    @run
    async def test_characters_beyond_ascii_come_back(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid("&b64=1")
            text = "4Köln 東京 🚲"
            length = len(text.encode("utf-16-le")) // 2
            body = text.encode() if version == 4 else f"{length}:{text}".encode()
            assert await engine.post(sid, body) == (200, b"ok")
            assert await engine.poll(sid) == (200, body)

    @run
    async def test_text_and_bytes_come_back_as_text(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid("&b64=1")
            body = engine.pack("4hello", "bAQIDBA==" if version == 4 else "b4AQIDBA==")
            assert await engine.post(sid, body) == (200, b"ok")
            assert await engine.poll(sid) == (200, body)

    @pytest.mark.parametrize("body", [b"abc", b"", b"4\xff", b"9:4hello", b"1:44", b"\x00\x09\xff4", b"b!!"])
    @run
    async def test_an_invalid_payload_ends_the_session(self, engine_io, version, body):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            if version == 4 and body == b"4\xff" or version == 3 or body[:1] in (b"a", b"", b"9", b"b"):
                assert (await engine.post(sid, body))[0] == 400
                assert (await engine.poll(sid))[0] == 400

    @run
    async def test_a_body_that_is_too_big_ends_the_session(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            assert (await engine.post(sid, b"4" * (MAX_PAYLOAD + 1)))[0] == 413
            assert (await engine.poll(sid))[0] == 400

    @run
    async def test_two_polls_at_once_end_the_session(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            answers = await asyncio.gather(engine.poll(sid), engine.poll(sid, "&t=burst"))
            waited, refused = sorted(answers)
            assert waited == (200, engine.pack("1"))
            assert refused[0] == 400
            assert (await engine.poll(sid))[0] == 400

    @run
    async def test_a_poll_that_is_abandoned_ends_the_session(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            await engine.abandon_poll(sid)
            await engine.forgotten(sid)
            assert (await engine.poll(sid))[0] == 400


@run
async def test_generation_3_answers_bytes_with_a_binary_body(engine_io):
    async with Engine(engine_io, 3) as engine:
        sid = await engine.sid()
        binary = bytes([0, 6, 255]) + b"4hello" + bytes([1, 5, 255, 4, 1, 2, 3, 4])
        assert await engine.post(sid, b"6:4hello10:b4AQIDBA==") == (200, b"ok")
        assert await engine.poll(sid) == (200, binary)
        assert await engine.post(sid, binary) == (200, b"ok")
        assert await engine.poll(sid) == (200, binary)


@both
class TestWebSocket:
    @run
    async def test_text_comes_back(self, engine_io, version):
        async with Engine(engine_io, version) as engine, engine.socket() as socket:
            await socket.receive_str()
            await socket.send_str("4hello")
            assert await socket.receive_str() == "4hello"

    @run
    async def test_bytes_come_back(self, engine_io, version):
        async with Engine(engine_io, version) as engine, engine.socket() as socket:
            await socket.receive_str()
            sent = bytes([1, 2, 3, 4]) if version == 4 else bytes([4, 1, 2, 3, 4])
            await socket.send_bytes(sent)
            assert await socket.receive_bytes() == sent

    @pytest.mark.parametrize("text", ["abc", "", "7", "4\udcff"])
    @run
    async def test_an_invalid_packet_ends_the_session(self, engine_io, version, text):
        async with Engine(engine_io, version) as engine, engine.socket() as socket:
            await socket.receive_str()
            if text == "4\udcff":
                from aiohttp import WSMsgType

                await socket.send_frame(b"4\xff", WSMsgType.TEXT)
            else:
                await socket.send_str(text)
            assert await is_closed(socket)


class TestHeartbeat:
    @run
    async def test_the_server_pings_who_polls(self, lively_engine_io):
        async with Engine(lively_engine_io, 4) as engine:
            sid = await engine.sid()
            for _ in range(3):
                assert await engine.poll(sid) == (200, b"2")
                assert await engine.post(sid, b"3") == (200, b"ok")

    @run
    async def test_the_server_pings_a_web_socket(self, lively_engine_io):
        async with Engine(lively_engine_io, 4) as engine, engine.socket() as socket:
            await socket.receive_str()
            for _ in range(3):
                assert await socket.receive_str() == "2"
                await socket.send_str("3")

    @run
    async def test_generation_3_answers_pings_of_who_polls(self, engine_io):
        async with Engine(engine_io, 3) as engine:
            sid = await engine.sid()
            for _ in range(3):
                assert await engine.post(sid, b"1:2") == (200, b"ok")
                assert await engine.poll(sid) == (200, b"1:3")

    @run
    async def test_generation_3_answers_pings_of_a_web_socket(self, engine_io):
        async with Engine(engine_io, 3) as engine, engine.socket() as socket:
            await socket.receive_str()
            for _ in range(3):
                await socket.send_str("2")
                assert await socket.receive_str() == "3"

    @both
    @run
    async def test_a_polling_session_without_a_heartbeat_is_removed(self, strict_engine_io, version):
        async with Engine(strict_engine_io, version) as engine:
            sid = await engine.sid()
            said = []
            while (answer := await engine.poll(sid))[0] == 200:
                said.append(answer[1])
            assert answer[0] == 400
            assert len(said) <= 2 and set(said) <= {engine.pack("2"), engine.pack("1")}

    @both
    @run
    async def test_a_session_that_is_not_polled_is_removed_whatever_it_posts(self, strict_engine_io, version):
        async with Engine(strict_engine_io, version) as engine:
            sid = await engine.sid()
            alive, posts = engine.pack("2" if version == 3 else "3"), 0
            while (await engine.post(sid, alive))[0] == 200:
                posts += 1
            # More would fill what may wait for a client.
            assert posts < 7_000

    @both
    @run
    async def test_a_web_socket_without_a_heartbeat_is_closed(self, strict_engine_io, version):
        async with Engine(strict_engine_io, version) as engine, engine.socket() as socket:
            assert await is_closed(socket)


@both
class TestClose:
    @run
    async def test_a_polling_session_can_close(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            # Nothing says when the server has the poll: where the goodbye overtook it, there is more time the next try.
            for seconds in (0.05, 0.5, 5):
                sid = await engine.sid()
                poll = asyncio.create_task(engine.poll(sid))
                await asyncio.sleep(seconds)
                assert (await engine.post(sid, engine.pack("1")))[0] == 200
                answer = await poll
                assert (await engine.poll(sid))[0] == 400
                if answer[0] == 200:
                    break
            assert answer == (200, engine.pack("6"))

    @run
    async def test_a_web_socket_says_goodbye(self, engine_io, version):
        async with Engine(engine_io, version) as engine, engine.socket() as socket:
            await socket.receive_str()
            await socket.send_str("1")
            assert await is_closed(socket)


@both
class TestUpgrade:
    @run
    async def test_a_polling_session_goes_on_as_a_web_socket(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            async with engine.socket(sid) as socket:
                await engine.probe(socket)
                for _ in range(3):
                    assert await engine.poll(sid) == (200, engine.pack("6"))
                await socket.send_str("5")
                await socket.send_str("4hello")
                assert await socket.receive_str() == "4hello"

    @run
    async def test_a_waiting_poll_is_released(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            poll = asyncio.create_task(engine.poll(sid))
            async with engine.socket(sid) as socket:
                await engine.probe(socket)
                assert await poll == (200, engine.pack("6"))

    @run
    async def test_packets_sent_before_an_upgrade_arrive_after_it(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            async with engine.socket(sid) as socket:
                await engine.probe(socket)
                await engine.post(sid, engine.pack("4one", "4two"))
                await socket.send_str("5")
                assert await socket.receive_str() == "4one"
                assert await socket.receive_str() == "4two"

    @run
    async def test_no_polling_after_the_upgrade(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            async with engine.socket(sid) as socket:
                await engine.probe(socket)
                await socket.send_str("5")
                await socket.send_str("4ready")
                assert await socket.receive_str() == "4ready"
                assert (await engine.poll(sid))[0] == 400
                await socket.send_str("4hello")
                assert await socket.receive_str() == "4hello"

    @run
    async def test_no_second_web_socket_after_the_upgrade(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            async with engine.socket(sid) as socket:
                await engine.probe(socket)
                await socket.send_str("5")
                await socket.send_str("4ready")
                assert await socket.receive_str() == "4ready"
                # Accepted, and closed: the protocol's suites wait for that, and count a refused handshake as an error.
                async with engine.socket(sid) as second:
                    assert await is_closed(second)
                await socket.send_str("4hello")
                assert await socket.receive_str() == "4hello"

    @run
    async def test_no_second_candidate_beside_the_first(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            async with engine.socket(sid) as socket:
                await engine.probe(socket)
                async with engine.socket(sid) as second:
                    assert await is_closed(second)
                await socket.send_str("5")
                await socket.send_str("4hello")
                assert await socket.receive_str() == "4hello"

    @run
    async def test_no_second_web_socket_beside_one_that_began_the_session(self, engine_io, version):
        import json

        async with Engine(engine_io, version) as engine, engine.socket() as socket:
            sid = json.loads((await socket.receive_str())[1:])["sid"]
            async with engine.socket(sid) as second:
                assert await is_closed(second)
            await socket.send_str("4hello")
            assert await socket.receive_str() == "4hello"

    @run
    async def test_a_web_socket_for_nobody_is_no_web_socket(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                async with engine.socket("nobody"):
                    pass
            assert refused.value.status == 400

    @run
    async def test_a_candidate_that_goes_away_harms_nothing(self, engine_io, version):
        async with Engine(engine_io, version) as engine:
            sid = await engine.sid()
            async with engine.socket(sid) as socket:
                await engine.probe(socket)
            async with engine.socket(sid) as socket:
                await socket.send_str("4hello")
                assert await is_closed(socket)
            assert await engine.post(sid, engine.pack("4hello")) == (200, b"ok")
            assert await engine.poll(sid) == (200, engine.pack("4hello"))
