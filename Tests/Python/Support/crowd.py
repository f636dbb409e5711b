"""Thousands of sockets that stay open, from addresses of one's choice, and come back when the server closes them.

    with Crowd(server.port, 5_000, ["127.0.0.2"], idle) as crowd:
        crowd.wait_until_tried()
        ...

Loopback only. A kind of socket is a function of its port that answers what each sends first; sockets read and forget.
"""

import base64
import errno
import resource
import selectors
import socket
import threading
import time

# So many attempts a second at most, once all were open: the sockets that insist must not take the machine.
PACE = 100
BATCH = 20


def idle(port):
    """Connects, and says nothing."""
    return b""


def half_head(port):
    """Begins a request, and never ends its head."""
    return b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


def half_body(port):
    """Sends a head, and half of the body that it promises."""
    return (
        b"POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n{\"link\":"
    )


def anonymous_stream(port):
    """Opens the stream without an account."""
    key = base64.b64encode(b"sixteen bytes!!!").decode()
    return (
        f"GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    ).encode()


def polling(port):
    """Opens a Socket.IO session that polls; ``Crowd`` goes on with a poll."""
    return b"GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Crowd:
    """Keeps `count` sockets open from `addresses` in turn, in a thread of its own."""

    def __init__(self, port, count, addresses, kind):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < count + 200:
            raise RuntimeError(f"{count} sockets need a limit of open files above {hard}")
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.port, self.count, self.addresses, self.kind = port, count, addresses, kind
        self.tried = 0
        self.closed = 0
        self.failure = None
        self._sockets = set()
        self._selector = selectors.DefaultSelector()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        for connection in self._sockets:
            connection.close()
        self._selector.close()

    @property
    def open(self):
        return len(self._sockets)

    def _run(self):
        try:
            while not self._ended.is_set():
                began = time.monotonic()
                missing = self.count - len(self._sockets)
                for _ in range(min(BATCH, missing)):
                    self._connect()
                self._take(0 if missing > BATCH else 0.02)
                if self.tried >= self.count:
                    self._ended.wait(max(0, began + BATCH / PACE - time.monotonic()))
        except BaseException as failure:  # The test that waits has to hear of it.
            self.failure = failure

    def _connect(self):
        connection = socket.socket()
        connection.setblocking(False)
        # With the source's port left to the connect, as many fit as there are ports for each pair.
        connection.setsockopt(socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
        connection.bind((self.addresses[self.tried % len(self.addresses)], 0))
        self.tried += 1
        if connection.connect_ex(("127.0.0.1", self.port)) not in (0, errno.EINPROGRESS):
            return connection.close()
        self._sockets.add(connection)
        self._selector.register(connection, selectors.EVENT_WRITE)

    def _take(self, timeout):
        for key, events in self._selector.select(timeout):
            connection = key.fileobj
            try:
                if events & selectors.EVENT_WRITE:
                    self._selector.modify(connection, selectors.EVENT_READ)
                    connection.sendall(self.kind(self.port))
                elif not self._read(connection):
                    self._drop(connection)
            except OSError:
                self._drop(connection)

    def _read(self, connection):
        received = connection.recv(65_536)
        if b'"sid":"' in received:
            sid = received.split(b'"sid":"', 1)[1].split(b'"', 1)[0]
            connection.sendall(
                b"GET /socket.io/?EIO=4&transport=polling&sid=" + sid + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
        return bool(received)

    def _drop(self, connection):
        self._selector.unregister(connection)
        self._sockets.discard(connection)
        connection.close()
        self.closed += 1
