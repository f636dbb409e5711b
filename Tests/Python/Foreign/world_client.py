"""A client of the world with python-socketio, of whichever generation is installed, driven by lines.

    world_client.py http://127.0.0.1:8080 polling|websocket|upgrade

Says what happens as a JSON array a line; takes a position a line, and ends at the input's end.
"""

import json
import sys
import threading

import socketio

one_line = threading.Lock()


def say(*what):
    with one_line:
        print(json.dumps(what), flush=True)


def main(url, way):
    client = socketio.Client(reconnection=False)
    for name in ("join", "update", "disappear"):
        client.on(name, lambda value, name=name: say(name, value))
    transports = ["polling", "websocket"] if way == "upgrade" else [way]
    client.connect(url, transports=transports)
    transport = client.transport() if hasattr(client, "transport") else client.eio.transport()
    say("connected", transport)
    for line in sys.stdin:
        client.emit("location", json.loads(line), callback=lambda *answer: say("acknowledged", *answer))
    client.disconnect()


main(*sys.argv[1:])
