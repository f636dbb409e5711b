"""A Socket.IO server with python-socketio, of whichever generation is installed.

    socket_io_server.py [PING_INTERVAL PING_TIMEOUT]

Prints `listening on PORT`, and ends at the end of its input. What each event does is said beside its handler. The times are seconds.
"""

import asyncio
import os
import sys

from importlib.metadata import version

import socketio
from aiohttp import web

if int(version("python-socketio").split(".")[0]) < 5:
    # Made for a Python whose asyncio.wait took coroutines.
    wait = asyncio.wait
    asyncio.wait = lambda tasks, **more: wait([asyncio.ensure_future(task) for task in tasks], **more)

INTERVAL, TIMEOUT = (float(text) for text in sys.argv[1:3] or ("25", "20"))
server = socketio.AsyncServer(async_mode="aiohttp", ping_interval=INTERVAL, ping_timeout=TIMEOUT)


@server.on("echo")
async def echo(sid, *values):
    """Acknowledges with the same values."""
    return values


@server.on("silence")
async def silence(sid):
    """Never acknowledges."""
    await asyncio.Event().wait()


@server.on("count")
async def count(sid, number):
    """Sends so many `tick`s, and then acknowledges."""
    for value in range(number):
        await server.emit("tick", value, to=sid)
    return number


@server.on("ask")
async def ask(sid):
    """Asks a `question`, and sends the answer as `answered`."""
    async def asking():
        await server.emit("answered", await server.call("question", 42, to=sid), to=sid)
    server.start_background_task(asking)


@server.on("picture")
async def picture(sid):
    """Sends bytes, and then text."""
    await server.emit("picture", {"bytes": b"\x00\x01"}, to=sid)
    await server.emit("tick", "after", to=sid)


@server.on("close")
async def close(sid):
    """Closes the session, as a server does that stops."""
    sessions = list(server.eio.sockets)
    for session in sessions:
        server.start_background_task(server.eio.disconnect, session)


@server.on("dismiss")
async def dismiss(sid):
    """Disconnects the client from the namespace."""
    server.start_background_task(server.disconnect, sid)


@server.on("connect", namespace="/admin")
async def enter(sid, environ, auth=None):
    """Lets in a client with the right token, in generation 4, or with the right header."""
    if (auth or {}).get("token") != "open" and environ.get("HTTP_X_TOKEN") != "open":
        raise socketio.exceptions.ConnectionRefusedError("No entry.")


@server.on("echo", namespace="/admin")
async def echo_inside(sid, *values):
    """Acknowledges with the same values."""
    return values


async def main():
    app = web.Application()
    server.attach(app)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(f"listening on {site._server.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    # A handler may wait for ever.
    os._exit(0)


asyncio.run(main())
