"""A person who shares and stops, and a second person who sees on a stream of their own when it ends."""

import json
import threading
import time

from conftest import PHONE
from raw_stream import Closed, RawStream
from truth import LOST, WITHOUT_MAP, share
from yonder import until

# When the button was pressed, by the clock that the viewer has, too.
TAPS = "addEventListener('click', () => { window.tapped = Date.now(); }, true)"


class Viewer:
    """A second person, who sees on a stream of their own what ends in a chat and in the world."""

    def __init__(self, caller, chat):
        self.pins = set()
        self.shares = []
        self._ended = {}
        self._stream = RawStream(caller.server, token=caller.token())
        self._stream.send(type="subscribe", id=1, query="world")
        self._chats = 1
        self.follow(chat)
        threading.Thread(target=self._read, daemon=True).start()

    def follow(self, chat):
        self._chats += 1
        self._stream.send(type="subscribe", id=self._chats, query="freshness", chat=chat)

    def _read(self):
        try:
            while True:
                for payload in self._stream.read():
                    self._receive(json.loads(payload), time.time() * 1_000)
        except (Closed, OSError):
            pass

    def _receive(self, frame, now):
        if frame["type"] == "freshness":
            for each in frame["shares"]:
                if each["share"] not in self.shares:
                    self.shares.append(each["share"])
                if each["freshness"]["state"] == "ended":
                    self._ended.setdefault(each["share"], now)
        elif frame["type"] == "pin" and "at" in frame:
            self.pins.add(frame["pin"])
        elif frame["type"] == "gone" and frame["pin"] in self.pins:
            self.pins.discard(frame["pin"])
            self._ended.setdefault(frame["pin"], now)

    def end(self, name):
        """When the end of a share, or of a pin, was received, in milliseconds; waits for it."""
        return until(lambda: self._ended.get(name), what="the end")

    def close(self):
        self._stream.abort()


class Walk:
    """A person who shares in a chat and in the world, a browser of theirs, and a viewer."""

    def __init__(self, ada, ben, chat, visit, **options):
        self.ada = ada
        self.chat = chat
        self.viewer = Viewer(ben, chat)
        self.visitor = visit(ada, size=PHONE, **options)
        # A page that is left at once doesn't get what it asked for.
        self.visitor.expected += [*LOST, "WebGL", "ERR_ABORTED", "404"]
        self.visitor.context.add_init_script(WITHOUT_MAP)
        self.visitor.context.add_init_script(TAPS)

    @property
    def in_chat(self):
        return f"#/chats/{self.chat}"

    def begin(self, page):
        """Shares in the chat from a page, and answers the share's id."""
        show(page, self.in_chat)
        return share(page, self.ada)["share"]

    def begin_in_world(self, page):
        """Shows the person in the world, and answers the pin's name."""
        show(page, "#/world")
        page.get_by_label("Show me in the world").check()
        return until(lambda: next(iter(self.viewer.pins), None), what="a pin")

    def taken(self, page, button, name):
        """Presses a button, and answers how long it took until the viewer received the end."""
        button.evaluate("(button) => button.click()")
        tapped = page.evaluate("window.tapped")
        return self.viewer.end(name) - tapped


def show(page, fragment):
    page.evaluate("(fragment) => { location.hash = fragment; }", fragment)
