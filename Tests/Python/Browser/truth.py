"""What a page of somebody who shares goes through while a test looks at what it says: the states, and what the tests ask.

A test of `test_truth.py` runs in each state: `plain`, in which nothing happens beside, `TRUTH_ROUNDS` times, and three times
in each other one, which `make test-truth` alone does.
"""

import json
import os

from conftest import OSLO, PHONE
from playwright.sync_api import expect
from yonder import until

ROUNDS = int(os.environ.get("TRUTH_ROUNDS", 1))
TROUBLES = ["restarted", "offline", "tabs", "full", "closed", "version"]
IN_EACH_TROUBLE = 3
TRIALS = [("plain", turn) for turn in range(ROUNDS)] + [(name, turn) for name in TROUBLES if ROUNDS > 1 for turn in range(IN_EACH_TROUBLE)]

# What a browser says of a connection that is lost, of a server that is gone, and of a file that its worker can't bring.
LOST = ["ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_FAILED", "WebSocket connection to"]
# Whether any tab of the browser has the sensor, or waits for it.
SENSORS = """async () => {
  const { held, pending } = await navigator.locks.query();
  return [...held, ...pending].filter(({ name }) => name === 'yonder.sharer').length;
}"""
# Ends the page's connection; it makes another one.
CUT = """() => {
  const before = sockets.length;
  for (const socket of sockets) socket.close();
  return before;
}"""
KEPT = """async () => {
  for (const name of await caches.keys()) if (await (await caches.open(name)).match('/')) return true;
  return false;
}"""
COUNT = """(name) => new Promise((resolve) => {
  const opening = indexedDB.open('yonder');
  opening.onsuccess = () => {
    const { result } = opening;
    if (!result.objectStoreNames.contains(name)) { result.close(); resolve(0); return; }
    result.transaction(name).objectStore(name).count().onsuccess = ({ target }) => { result.close(); resolve(target.result); };
  };
})"""
# Between a page and its stream: the first subscription of a query is refused once, and the greeting names another version of the page.
BETWEEN = """((refused) => {
  const Native = WebSocket;
  window.sockets = [];
  window.WebSocket = class extends Native {
    constructor(...parts) { super(...parts); sockets.push(this); }
    set onmessage(receive) {
      super.onmessage = receive && (({ data }) => {
        const frame = JSON.parse(data);
        const version = localStorage.getItem('tested.version');
        receive({ data: version && frame.type === 'hello' ? JSON.stringify({ ...frame, page: version }) : data });
      });
      this.receive = receive ?? (() => {});
    }
    send(text) {
      const { type, query, id } = JSON.parse(text);
      if (sessionStorage.getItem('tested.refused') || type !== 'subscribe' || query !== refused) return super.send(text);
      sessionStorage.setItem('tested.refused', query);
      const refusal = { type: 'error', id, code: 'unavailable', message: 'Not now.', retryAfter: 1000 };
      setTimeout(() => this.receive({ data: JSON.stringify(refusal) }));
    }
  };
})"""
# The map is drawn by software, and what is tried here is beside it.
WITHOUT_MAP = """(() => {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest); };
})()"""


class Browsers:
    """The browsers of a module's tests: one for each kind, with another person and nothing kept in each test, but the page's files."""

    def __init__(self, server, visit):
        self.server = server
        self._visit = visit
        self._left = {}

    def visitor(self, caller, scripts, options, is_fresh):
        key = repr((scripts, options))
        visitor = None if is_fresh else self._left.get(key)
        if visitor:
            self._become(visitor, caller)
            return visitor
        visitor = self._visit(caller, size=PHONE, **options)
        visitor.expected += [*LOST, "WebGL"]
        for script in scripts:
            visitor.context.add_init_script(script)
        if not is_fresh:
            self._left[key] = visitor
        return visitor

    def _become(self, visitor, caller):
        page = visitor.open()
        name, value = caller.cookie.split("=", 1)
        page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": self.server.url, "storageTypes": "all"})
        visitor.context.clear_cookies()
        visitor.context.add_cookies([{"name": name, "value": value, "url": self.server.url}])

    def leave(self, visitor):
        visitor.context.set_offline(False)
        visitor.move(OSLO["latitude"], OSLO["longitude"])
        for page in visitor.context.pages:
            page.close()
        complaints = visitor.unexpected()
        visitor.complaints.clear()
        assert complaints == []


class State:
    """What befalls a browser in one trial of a case."""

    def __init__(self, name, browsers):
        self.name = name
        self.other = None
        self.server = browsers.server
        self._browsers = browsers
        self._visitor = None

    def visit(self, caller, refused=None, scripts=(WITHOUT_MAP,), **options):
        """A person's browser. That of an earlier test is taken again, as it has the page's files."""
        if refused or self.name == "version":
            scripts = (*scripts, f"{BETWEEN}({json.dumps(refused)})")
        options["service_workers"] = "allow" if self.name == "offline" else "block"
        self._visitor = self._browsers.visitor(caller, scripts, options, is_fresh=self.name == "full")
        return self._visitor

    def end(self):
        """Looks at what the browser wrote down, and leaves it for the next test."""
        if self._visitor:
            self._browsers.leave(self._visitor)

    def spoil(self, page):
        """The browser's storage is full from now on, or was closed and erased by the browser."""
        if self.name == "full":
            limit_storage(self.server, page, quotaSize=1)
        if self.name == "closed":
            erase_database(self.server, page)

    def disturb(self, visitor, page, reloads=False):
        """The server is started anew, the connection is lost and comes back, another tab is opened, or the page is of an older version.

        An older page loads itself anew where nothing is shared: `reloads`.
        """
        if self.name == "restarted":
            self.restart(page)
        if self.name == "offline":
            visitor.context.set_offline(True)
            lost(page)
            visitor.context.set_offline(False)
            connected(page)
        if self.name == "tabs":
            self.other = visitor.open()
            visitor.go("#" + page.url.partition("#")[2])
        if self.name == "version":
            self.outdate(page)
            if reloads:
                with page.expect_event("load"):
                    page.evaluate(CUT)
            else:
                sockets = page.evaluate(CUT)
                page.wait_for_function("(before) => sockets.length > before", arg=sockets)
            ready(page)
            connected(page)

    def restart(self, page=None):
        """Starts the server anew; an open page notices it."""
        if self.name != "restarted":
            return
        self.server.stop()
        if page:
            lost(page)
        self.server.start()
        if page:
            connected(page)

    def outdate(self, page):
        """From the next connection on the server says that the page is of an older version."""
        if self.name == "version":
            page.evaluate("localStorage.setItem('tested.version', 'anotherVersion')")


def erase_database(server, page):
    """The browser closes and erases the database under the page, as it does when it runs out of space."""
    page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": server.url, "storageTypes": "indexeddb"})


def limit_storage(server, page, **size):
    """No more than so many bytes may be kept; without a size, as many as before."""
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", {"origin": server.url, **size})


def bar(page):
    return page.get_by_role("group", name="Sharing here")


def pill(page):
    """What says on every screen but the chat's own that this browser shares."""
    return page.locator(".pill.sharing")


def ready(page):
    page.wait_for_selector("html[data-ready]", timeout=120_000)


def lost(page):
    expect(page.locator(".pill.trouble")).to_be_visible()


def connected(page):
    expect(page.locator(".pill.trouble")).to_be_hidden()


def kept(page):
    """Waits until the worker opens the page without a connection."""
    until(lambda: page.evaluate(KEPT), what="a kept page")


def running(caller):
    """The caller's running shares, as the server keeps them."""
    return caller.get("/v1/me/shares")["shares"]


def positions(caller, chat):
    return len(caller.messages(chat, tag="Location")["messages"])


def texts(caller, chat):
    return [message["content"] for message in caller.messages(chat)["messages"] if message["tag"] == "Text"]


def write(page, text):
    page.get_by_label("Message", exact=True).fill(text)
    page.keyboard.press("Enter")


def share(page, caller):
    """Shares in the chat that is open, and answers the share."""
    bar(page).get_by_role("button", name="Share my position").click()
    expect(bar(page)).to_contain_text("You share here")
    return until(lambda: running(caller), what="a running share")[0]


def unseen(page):
    """Waits until no tab of the browser has the sensor."""
    until(lambda: page.evaluate(SENSORS) == 0, what="a sensor at rest")
