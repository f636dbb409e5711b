"""The cases of the Socket.IO protocol's suites, revisions 4 and 5, against `protocol-peer socket-io`."""

import asyncio
import contextlib
import json

import pytest
from engine import Engine, is_closed, run

both = pytest.mark.parametrize("version", [3, 4])
PLACES = '{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}'


@contextlib.asynccontextmanager
async def opened(port, version):
    """A WebSocket after the Engine.IO handshake."""
    async with Engine(port, version, "socket.io") as engine, engine.socket() as socket:
        await socket.receive_str()
        yield socket


@contextlib.asynccontextmanager
async def connected(port, version):
    """A WebSocket in the main namespace."""
    async with opened(port, version) as socket:
        if version == 4:
            await socket.send_str("40")
        assert (await socket.receive_str()).startswith("40")
        assert await socket.receive_str() == '42["auth",{}]'
        yield socket


def binary(version, *numbers):
    return bytes(numbers) if version == 4 else bytes([4, *numbers])


class TestConnect:
    @pytest.mark.parametrize("namespace", ["", "/custom"])
    @pytest.mark.parametrize("handshake", ["", '{"token":"123"}'])
    @run
    async def test_a_client_enters_a_namespace(self, socket_io, namespace, handshake):
        async with opened(socket_io, 4) as socket:
            comma = "," if namespace else ""
            await socket.send_str(f"40{namespace}{comma}{handshake}")
            answer = await socket.receive_str()
            assert answer.startswith(f"40{namespace}{comma}")
            value = json.loads(answer[len(f"40{namespace}{comma}"):])
            assert list(value) == ["sid"] and isinstance(value["sid"], str)
            assert await socket.receive_str() == f'42{namespace}{comma}["auth",{handshake or "{}"}]'

    @run
    async def test_generation_3_is_in_the_main_namespace_at_once(self, socket_io):
        async with opened(socket_io, 3) as socket:
            assert await socket.receive_str() == "40"
            assert await socket.receive_str() == '42["auth",{}]'
            await socket.send_str('42["message","message to main namespace"]')
            assert await socket.receive_str() == '42["message-back","message to main namespace"]'

    @run
    async def test_generation_3_greets_who_polls_in_the_first_poll(self, socket_io):
        async with Engine(socket_io, 3, "socket.io") as engine:
            sid = await engine.sid()
            assert await engine.post(sid, b"1:2") == (200, b"ok")
            assert await engine.poll(sid) == (200, b'2:4013:42["auth",{}]1:3')

    @pytest.mark.parametrize("name", ["/custom", "/custom,", "/custom?token=abc,"])
    @run
    async def test_generation_3_enters_a_namespace(self, socket_io, name):
        async with connected(socket_io, 3) as socket:
            await socket.send_str(f"40{name}")
            assert await socket.receive_str() == "40/custom"
            assert await socket.receive_str() == '42/custom,["auth",{}]'

    @both
    @run
    async def test_an_unknown_namespace_is_refused(self, socket_io, version):
        async with connected(socket_io, version) as socket:
            await socket.send_str("40/random")
            assert await socket.receive_str() == '44/random,{"message":"Invalid namespace"}'

    @both
    @run
    async def test_a_malformed_handshake_ends_the_connection(self, socket_io, version):
        async with opened(socket_io, version) as socket:
            await socket.send_str("4abc")
            assert await is_closed(socket)

    @run
    async def test_a_connection_without_a_namespace_is_closed_after_a_second(self, strict_socket_io):
        started = asyncio.get_running_loop().time()
        async with opened(strict_socket_io, 4) as socket:
            assert await is_closed(socket)
            assert asyncio.get_running_loop().time() - started > 0.99


class TestDisconnect:
    @run
    async def test_leaving_the_main_namespace_keeps_the_connection(self, socket_io):
        async with connected(socket_io, 4) as socket:
            await socket.send_str("41")
            await socket.send_str("40")
            assert (await socket.receive_str()).startswith("40{")

    @both
    @run
    async def test_leaving_a_namespace_keeps_the_other(self, socket_io, version):
        async with connected(socket_io, version) as socket:
            await socket.send_str("40/custom")
            assert (await socket.receive_str()).startswith("40/custom")
            assert await socket.receive_str() == '42/custom,["auth",{}]'
            await socket.send_str("41/custom")
            await socket.send_str('42["message","message to main namespace"]')
            assert await socket.receive_str() == '42["message-back","message to main namespace"]'


@both
class TestMessage:
    @run
    async def test_an_event_is_answered_byte_for_byte(self, socket_io, version):
        async with connected(socket_io, version) as socket:
            await socket.send_str('42["message",1,"2",{"3":[true]}]')
            assert await socket.receive_str() == '42["message-back",1,"2",{"3":[true]}]'
            await socket.send_str('42["message"]')
            assert await socket.receive_str() == '42["message-back"]'

    @run
    async def test_an_event_with_attachments_is_answered(self, socket_io, version):
        async with connected(socket_io, version) as socket:
            await socket.send_str(f'452-["message",{PLACES}]')
            await socket.send_bytes(binary(version, 1, 2, 3))
            await socket.send_bytes(binary(version, 4, 5, 6))
            assert await socket.receive_str() == f'452-["message-back",{PLACES}]'
            assert await socket.receive_bytes() == binary(version, 1, 2, 3)
            assert await socket.receive_bytes() == binary(version, 4, 5, 6)

    @run
    async def test_an_event_is_acknowledged(self, socket_io, version):
        async with connected(socket_io, version) as socket:
            await socket.send_str('42456["message-with-ack",1,"2",{"3":[false]}]')
            assert await socket.receive_str() == '43456[1,"2",{"3":[false]}]'

    @run
    async def test_an_event_with_attachments_is_acknowledged(self, socket_io, version):
        async with connected(socket_io, version) as socket:
            await socket.send_str(f'452-789["message-with-ack",{PLACES}]')
            await socket.send_bytes(binary(version, 1, 2, 3))
            await socket.send_bytes(binary(version, 4, 5, 6))
            assert await socket.receive_str() == f"462-789[{PLACES}]"
            assert await socket.receive_bytes() == binary(version, 1, 2, 3)
            assert await socket.receive_bytes() == binary(version, 4, 5, 6)

    @pytest.mark.parametrize("text", [
        "4abc", "42{}", '42abc["message-with-ack",1,"2",{"3":[false]}]', "42", "42[]", "42[1]", '42["connect"]',
        '42["a",]', "45[]", '4565-["message"]', "4", "49", '41["x"]', "40[]", "43{}", '42["message"] x',
    ])
    @run
    async def test_an_invalid_packet_ends_the_connection(self, socket_io, version, text):
        async with connected(socket_io, version) as socket:
            await socket.send_str(text)
            assert await is_closed(socket)

    @run
    async def test_text_where_an_attachment_was_due_ends_the_connection(self, socket_io, version):
        async with connected(socket_io, version) as socket:
            await socket.send_str('451-["message",{"_placeholder":true,"num":0}]')
            await socket.send_str('42["message"]')
            assert await is_closed(socket)

    @run
    async def test_bytes_where_none_were_due_end_the_connection(self, socket_io, version):
        async with connected(socket_io, version) as socket:
            await socket.send_bytes(binary(version, 1, 2, 3))
            assert await is_closed(socket)
