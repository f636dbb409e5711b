"""A page or an app that opens the stream: bytes that are made once, on a socket that waits.

The upgrade carries the credential, so that a session is signed in when it opens.
"""
import socket

from raw_stream import frame

CLOSE = frame(b"\x03\xe8", 8)
# A frame of the server ends with it when a subscription's first answer is complete.
CURRENT = b'"current":true'


class Lacking(Exception):
    """The program is of a commit that doesn't have what is measured."""


class Visitor:
    """What one credential opens again and again."""

    def __init__(self, server, headers, chat):
        self.address = ("127.0.0.1", server.port)
        fields = {
            "Host": f"127.0.0.1:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Key": "c2l4dGVlbiBieXRlcyEhIQ==", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": "yonder.v1", **headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.upgrade = f"GET /v1/stream HTTP/1.1\r\n{lines}\r\n".encode()
        self.subscribe = frame(f'{{"type":"subscribe","id":1,"query":"messages","chat":"{chat}","limit":1}}')

    def open(self):
        """A socket whose session is signed in, subscribed and answered."""
        opened = socket.create_connection(self.address, timeout=600)
        opened.sendall(self.upgrade)
        head = received_until(opened, b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101 "):
            opened.close()
            raise Lacking("/v1/stream") if b" 404 " in head[:16] else AssertionError(head)
        opened.sendall(self.subscribe)
        received_until(opened, CURRENT)
        return opened

    def visit(self):
        """Opens a session, and closes it: the server has ended it afterward."""
        with self.open() as opened:
            opened.sendall(CLOSE)
            while opened.recv(65_536):
                pass


def received_until(opened, end):
    """What a socket receives, up to and beyond some bytes."""
    received = b""
    while end not in received:
        piece = opened.recv(65_536)
        assert piece, received
        received += piece
    return received
