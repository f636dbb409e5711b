"""Runs the example of *Your first app* against a demo until it prints that a pin moved."""

import contextlib
import json
import os
import pty
import queue
import signal
import subprocess
import threading
import time
import urllib.request

import yonder


def has_chat(server, token):
    """Whether the demo's owner has a chat already: its people start one once they are connected."""
    request = urllib.request.Request(f"{server.url}/v1/chats", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return bool(json.loads(answer.read())["chats"])


def lines_of(command, environment):
    """Starts a command at a terminal, where it prints line by line; answers its process and a queue of its lines."""
    terminal, end = pty.openpty()
    app = subprocess.Popen(command, cwd=yonder.ROOT, stdin=subprocess.DEVNULL, stdout=end, stderr=end,
                           env=environment, start_new_session=True)
    os.close(end)
    lines = queue.Queue()

    def read():
        # Reading fails once the program has ended.
        with contextlib.suppress(OSError), open(terminal, errors="replace") as output:
            for line in output:
                lines.put(line.rstrip())
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return app, lines


def lines_until_a_pin_moves(command, seconds):
    """What a command prints that ends in running the example, up to the first pin that moved."""
    with yonder.Server(["--demo"]) as server:
        token = server.command("user", "token", "--data", server.data, "--label", "first app").strip()
        yonder.until(lambda: has_chat(server, token), seconds, "a chat of the demo's owner")
        app, printed = lines_of(command, {**os.environ, "YONDER_SERVER": server.url, "YONDER_TOKEN": token})
        lines, end = [], time.monotonic() + seconds
        try:
            while not any(" moved to " in line for line in lines):
                line = printed.get(timeout=max(0.1, end - time.monotonic()))
                if line is None:
                    raise AssertionError("\n".join(["The example ended:", *lines]))
                lines.append(line)
        except queue.Empty:
            raise AssertionError("\n".join([f"No pin moved within {seconds} s:", *lines])) from None
        finally:
            # The command may be a script whose build would go on.
            os.killpg(app.pid, signal.SIGKILL)
            app.wait()
    return lines
