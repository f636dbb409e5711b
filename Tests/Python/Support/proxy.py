"""A TCP proxy on loopback whose link can be held or delayed in either direction, and cut.

    proxy = Proxy(port)
    proxy.outward.hold()        # what clients send stays in the proxy, as behind a router that lost its route
    proxy.inward.delay = 0.2    # what the server sends arrives that many seconds later
    proxy.cut()                 # connections break, and none can be made
    proxy.heal()
"""

import contextlib
import queue
import socket
import threading
import time

# How many chunks may wait in one direction of a connection; then the sender waits, as with TCP's flow control.
CHUNKS = 256


class Direction:
    """One direction of the link, for all connections."""

    def __init__(self):
        self.delay = 0
        self._open = threading.Event()
        self._open.set()

    def hold(self):
        self._open.clear()

    def release(self):
        self.delay = 0
        self._open.set()

    def admit(self, arrived):
        """Waits until a chunk that arrived at a time may pass."""
        time.sleep(max(0, arrived + self.delay - time.monotonic()))
        self._open.wait()


class Proxy:
    """Listens on a free port and passes connections on to another."""

    def __init__(self, target):
        self.target = target
        self.outward, self.inward = Direction(), Direction()
        self._sockets = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                if self._is_cut:
                    raise OSError
                server = socket.create_connection(("127.0.0.1", self.target), timeout=5)
                server.settimeout(None)
            except OSError:
                client.close()
                continue
            with self._lock:
                self._sockets |= {client, server}
            for source, sink, direction in ((client, server, self.outward), (server, client, self.inward)):
                arrived = queue.Queue(CHUNKS)
                threading.Thread(target=self._read, args=(source, arrived), daemon=True).start()
                threading.Thread(target=self._write, args=(arrived, sink, direction), daemon=True).start()

    def _read(self, source, arrived):
        data = b"-"
        while data:
            try:
                data = source.recv(65_536)
            except OSError:
                data = b""
            arrived.put((time.monotonic(), data))

    def _write(self, arrived, sink, direction):
        data = b"-"
        while data:
            when, data = arrived.get()
            direction.admit(when)
            try:
                if data:
                    sink.sendall(data)
                else:
                    sink.shutdown(socket.SHUT_WR)
            except OSError:
                self._close(sink)
                # Drops further chunks, because the receiver is gone.
                while data:
                    _, data = arrived.get()
        with self._lock:
            self._sockets.discard(sink)

    def _close(self, connection):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    def cut(self):
        """Breaks every connection, and refuses new ones."""
        self._is_cut = True
        with self._lock:
            broken = list(self._sockets)
        for connection in broken:
            self._close(connection)
        # Held chunks are lost with their connection.
        self.outward.release()
        self.inward.release()

    def heal(self):
        """Passes held chunks on, and accepts connections again."""
        self._is_cut = False
        self.outward.release()
        self.inward.release()

    def close(self):
        self.cut()
        self._listener.close()
