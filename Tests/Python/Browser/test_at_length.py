"""What a page holds after many visits and after a long day: as much as after few and after an hour.

VISITS and EVERY (minutes between a person's positions) in the environment draw more.
"""

import os

from conftest import frames, location
# A server of these tests alone, as the page counts what is on it.
from own_server import owner, server
from playwright.sync_api import expect
from yonder import until

VISITS = int(os.environ.get("VISITS", 15))
EVERY = int(os.environ.get("EVERY", 1))
FEW = 2
PEOPLE = 20
MINUTES = 24 * 60
# So many minutes into the day, everything that is kept for some time is there.
EARLY = 6 * 60

# Keeps the page's socket where a test can reach it, and lets the server's clock be ahead by `ahead`.
SOCKET = """(() => {
  window.ahead = 0;
  window.subscribed = new Map();
  window.WebSocket = class extends WebSocket {
    constructor(...address) { super(...address); window.testedSocket = this; }
    get onmessage() { return super.onmessage; }
    set onmessage(heard) {
      super.onmessage = heard && ((event) => {
        const frame = JSON.parse(event.data);
        if (frame.type === 'message' && frame.tag === 'Location') subscribed.set(frame.sender, frame);
        if (frame.type === 'pong' || frame.type === 'hello') frame.time += ahead;
        heard.call(this, { data: JSON.stringify(frame) });
      });
    }
  };
})()"""

# The people's next positions, in the form in which the server sent theirs.
MOVE = """async ({ from, to, every }) => {
  for (let minute = from; minute < to; minute += every) {
    for (const frame of subscribed.values()) {
      // Real messages come meanwhile with smaller numbers.
      window.number = (window.number ?? 1_000_000) + 1;
      const time = frame.time + minute * 60_000;
      const at = Number(frame.number) + minute / 10;
      const data = { ...frame.data, timestamp: time, latitude: (59.91 + Math.sin(at) / 50).toFixed(6), longitude: (10.75 + Math.cos(at) / 30).toFixed(6) };
      testedSocket.onmessage({ data: JSON.stringify({ ...frame, data, time, number: window.number }) });
    }
    window.ahead = minute * 60_000;
  }
  // In view again a page asks for the server's time.
  document.dispatchEvent(new Event('visibilitychange'));
  await new Promise((resolve) => requestAnimationFrame(resolve));
}"""

# Goes to a view and away from it, so many times; each is there when an element that the selector names has the text.
VISIT = """async ({ address, selector, text, count }) => {
  const shows = async (address, selector, text) => {
    location.hash = address;
    const isShown = () => [...document.querySelectorAll(selector)].some((each) => each.textContent.includes(text));
    const end = performance.now() + 20_000;
    while (!isShown() && performance.now() < end) await new Promise((resolve) => requestAnimationFrame(resolve));
    if (!isShown()) throw new Error(`${address} doesn't show ${selector} with ${text}`);
  };
  for (let visit = 0; visit < count; visit += 1) {
    await shows(address, selector, text);
    await shows('#/seen', 'h1', 'Who can see me');
  }
}"""


class Held:
    """What a page holds after its garbage is gone."""

    def __init__(self, page):
        frames(page, 3)
        session = page.context.new_cdp_session(page)
        for _ in range(2):
            session.send("HeapProfiler.collectGarbage")
        counted = session.send("Memory.getDOMCounters")
        self.nodes, self.listeners = counted["nodes"], counted["jsEventListeners"]
        self.bytes = session.send("Runtime.getHeapUsage")["usedSize"]
        session.detach()

    def __repr__(self):
        return f"{self.nodes} nodes, {self.listeners} listeners, {self.bytes / 1e6:.2f} MB"


def test_fifteen_visits_of_each_view_leave_as_many_nodes_and_listeners_as_two(owner, friends, visit):
    ada, ben = friends
    owner.post("/v1/entities", {"name": "bench", "fields": [{"name": "name", "type": "text"}, {"name": "place", "type": "location"}], "readers": "anyone"})
    bench = owner.post("/v1/objects/bench", {"fields": {"name": "At the lake", "place": {"latitude": 59.9139, "longitude": 10.7522}}})["object"]["id"]
    chat = ada.start_chat([ben], "Sunday walk")
    for step in range(5):
        ben.send(chat, "Location", data=location(59.91 + step / 500, 10.75))
    ben.send(chat, "Text", "I am at the lake")
    views = [
        ("#/chats", "a", "Sunday walk"), (f"#/chats/{chat}", "#aside", "I am at the lake"), (f"#/chats/{chat}/day/{ben.user}", ".day-pieces li", ""),
        ("#/new", "label", "Ben Ohm"), ("#/contacts", ".row", "Ben Ohm"), ("#/you", "li", "This browser"), ("#/world", "h1", "World"),
        ("#/places", "h1", "Places"), (f"#/places/bench/{bench}", "h1", "At the lake"),
    ]
    visitor = visit(ada)
    # Software would draw each of the hundreds of maps.
    visitor.expected.append("net::ERR_FAILED")
    visitor.context.route("**/vendor/maplibre-gl.js", lambda route: route.abort())
    page = visitor.go("#/seen")
    grown = []
    for address, selector, text in views:
        task = {"address": address, "selector": selector, "text": text}
        page.evaluate(VISIT, {**task, "count": FEW})
        few = Held(page)
        page.evaluate(VISIT, {**task, "count": VISITS - FEW})
        many = Held(page)
        # Less than one a visit: now and then a word is announced, or a mark is drawn later.
        limit = VISITS - FEW
        if many.nodes - few.nodes >= limit or many.listeners - few.listeners >= limit:
            grown.append(f"{address}: {few} after {FEW} visits, {many} after {VISITS}")
    assert grown == []


def test_a_day_of_twenty_people_moving_leaves_the_memory_as_after_its_first_hours(owner, visit):
    ada, *others = [owner.add(f"Person {number}") for number in range(PEOPLE + 1)]
    ada.befriend(*others)
    chat = ada.start_chat(others, "Race")
    visitor = visit(ada)
    visitor.context.add_init_script(SOCKET)
    page = visitor.go(f"#/chats/{chat}")
    expect(page.get_by_role("heading", name="Race")).to_be_visible()
    for number, other in enumerate(others):
        other.send(chat, "Location", data=location(59.91, 10.75 + number / 1000))
    until(lambda: page.evaluate("subscribed.size") == PEOPLE, what="a position of everybody")

    def live_until(minute, since):
        for start in range(since, minute, 60):
            page.evaluate(MOVE, {"from": start, "to": min(start + 60, minute), "every": EVERY})
        until(lambda: page.get_by_role("list", name="People").get_by_role("button").count() >= PEOPLE, what="everybody in the list")
        return Held(page)

    early = live_until(EARLY, 0)
    late = live_until(MINUTES, EARLY)
    assert late.nodes - early.nodes < PEOPLE, f"{early}, then {late}"
    assert late.listeners - early.listeners < PEOPLE, f"{early}, then {late}"
    # A position that is kept needs some hundred bytes; the engine itself takes two megabytes more at times.
    assert late.bytes - early.bytes < PEOPLE * (MINUTES - EARLY) / EVERY * 200, f"{early}, then {late}"
