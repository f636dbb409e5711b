"""A WebSocket client for tests that send more than a library for Python can: frames are bytes that are made once.

Blocking, on one socket. The mask of every frame is zero, which RFC 6455 allows and which leaves the payload as it is.
"""

import base64
import json
import os
import socket
import struct


def frame(text, opcode=1):
    """The bytes of a frame from a client."""
    payload = text if isinstance(text, bytes) else text.encode()
    head = bytes([0x80 | opcode])
    if len(payload) < 126:
        head += bytes([0x80 | len(payload)])
    elif len(payload) < 65_536:
        head += b"\xfe" + struct.pack(">H", len(payload))
    else:
        head += b"\xff" + struct.pack(">Q", len(payload))
    return head + b"\0\0\0\0" + payload


class Closed(Exception):
    """The server closed the connection."""


class RawStream:
    """One WebSocket: `write` takes bytes of `frame`, `read` answers the payloads that have arrived."""

    def __init__(self, server, path="/v1/stream", token=None, subprotocol="yonder.v1", timeout=120):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._bytes = bytearray()
        self.pongs = []
        headers = [
            f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13",
        ]
        if subprotocol:
            headers.append(f"Sec-WebSocket-Protocol: {subprotocol}")
        if token:
            headers.append(f"Authorization: Bearer {token}")
        self.write("\r\n".join([*headers, "", ""]).encode())
        while b"\r\n\r\n" not in self._bytes:
            self._receive()
        head, _, rest = bytes(self._bytes).partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Closed(head.decode(errors="replace"))
        self._bytes = bytearray(rest)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.abort()

    def write(self, data):
        self.socket.sendall(data)

    def send(self, **fields):
        self.write(frame(json.dumps(fields)))

    def read(self):
        """Waits for payloads, and answers those of all frames that are there in full."""
        while True:
            payloads = self._payloads()
            if payloads:
                return payloads
            self._receive()

    def read_until(self, matches):
        """Reads until a payload matches, and answers it and those before it."""
        seen = []
        while True:
            for payload in self.read():
                seen.append(payload)
            if any(matches(payload) for payload in seen):
                return seen

    def ping(self, text):
        """Pings, and waits for the pong; answers what arrived before it."""
        self.write(frame(text, 9))
        seen = []
        while text not in self.pongs:
            self._receive()
            seen += self._payloads()
        return seen

    def abort(self):
        """Cuts the connection by a reset, so that this end keeps no port in TIME_WAIT."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def _receive(self):
        piece = self.socket.recv(262_144)
        if not piece:
            raise Closed("The server closed the connection.")
        self._bytes += piece

    def _payloads(self):
        payloads = []
        data, start = self._bytes, 0
        while len(data) - start >= 2:
            opcode, length, head = data[start] & 15, data[start + 1], 2
            if length == 126 and len(data) - start >= 4:
                length, head = struct.unpack_from(">H", data, start + 2)[0], 4
            elif length == 127 and len(data) - start >= 10:
                length, head = struct.unpack_from(">Q", data, start + 2)[0], 10
            elif length >= 126:
                break
            if len(data) - start < head + length:
                break
            payload = bytes(data[start + head:start + head + length])
            start += head + length
            if opcode == 1:
                payloads.append(payload)
            elif opcode == 9:
                self.write(frame(payload, 10))
            elif opcode == 10:
                self.pongs.append(payload)
            elif opcode == 8:
                raise Closed(f"The server closed the connection: {payload[2:].decode(errors='replace')}")
        del data[:start]
        return payloads
