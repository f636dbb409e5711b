"""What a page pays for all positions of a chat: drawn, tapped and held.

    Benchmarks/page/all-positions.py [--positions 100000] [--reach 200] [--screens FOLDER]

Fills a chat of ten people with positions, opens it at a phone's size, and switches to *View all locations*. Prints how long the first
picture and all positions took, milliseconds of the main thread's processor until then, the longest task, the delay of taps on the map meanwhile and
afterwards, and the memory of the page's objects. Compares what the page holds with the store, and reaches `--reach` of them by a tap at the
nearest zoom. With more positions than are held it goes to the earliest stretch, and says what the words say.
"""

import argparse
import os
import pathlib
import random
import shutil
import sqlite3
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Tests" / "Python" / "Support"), str(ROOT / "Tests" / "Python" / "Browser")]

from conftest import CATCH  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from positions import fill  # noqa: E402
from yonder import Server  # noqa: E402

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
HELD_AT_MOST = 200_000

# Reports each column that the page makes, each task over 50 ms, and how long a tap waits before it is handled.
PROBE = """(() => {
  const probe = window.probe = { tasks: [], taps: [] };
  new PerformanceObserver((list) => { for (const each of list.getEntries()) probe.tasks.push(each.duration); }).observe({ entryTypes: ['longtask'] });
  new PerformanceObserver((list) => {
    for (const { name, processingEnd, startTime } of list.getEntries()) if (name === 'click') probe.taps.push(processingEnd - startTime);
  }).observe({ type: 'event', durationThreshold: 0, buffered: false });
})()"""
DRAWN = "() => ['old-stops', 'stops'].some((name) => testedMap.getSource(name) && testedMap.querySourceFeatures(name).length > 0)"
# The newest columns that the page has made: those that are on the map.
HELD = """() => {
  const columns = testedColumns.at(-1);
  return Array.from({ length: columns.count }, (_, index) => columns.position(index)).filter(Boolean)
    .map(({ number, sender, latitude, longitude, time }) => [number, sender, latitude, longitude, time]);
}"""
# Whether a dot is drawn at a place.
NEAR = """(place) => {
  const { x, y } = testedMap.project(place);
  return testedMap.loaded() && testedMap.queryRenderedFeatures([[x - 4, y - 4], [x + 4, y + 4]], { layers: ['stops', 'old-stops'] }).length > 0;
}"""
STEP = """async (there) => {
  const shown = () => document.querySelector('.callout-card.position time')?.dataset.at;
  for (;;) {
    const now = shown();
    if (now === String(there)) return true;
    const before = document.querySelector('.callout-pile:not([hidden]) button');
    if (!before || before.disabled) return false;
    before.click();
    for (let frame = 0; shown() === now && frame < 600; frame += 1) await new Promise(requestAnimationFrame);
  }
}"""
WORDS = ".chat-settings .toggle .hint"


def open_chat(browser, server, owner, chat, size):
    context = browser.new_context(**size, reduced_motion="reduce", locale="en-GB", service_workers="block")
    name, value = owner.cookie.split("=", 1)
    context.add_cookies([{"name": name, "value": value, "url": server.url}])
    page = context.new_page()
    page.add_init_script(CATCH + ";" + PROBE + "; window.testedColumns = [];")
    page.route("**/positions/position-columns.js", lambda route: route.fulfill(content_type="text/javascript", body=route.fetch().text().replace(
        "    this.#capacity = capacity;\n", "    this.#capacity = capacity;\n    globalThis.testedColumns = [...globalThis.testedColumns.slice(-1), this];\n")))
    page.goto(f"{server.url}/#/chats/{chat}")
    page.wait_for_selector("html[data-ready]")
    page.wait_for_selector('#map[data-map="idle"]', timeout=120_000)
    return page


class Meter:
    """Milliseconds of the main thread's processor, and the memory of the page's objects."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        # Of its own processor, so that other programs don't count.
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def _metrics(self):
        return {each["name"]: each["value"] for each in self.session.send("Performance.getMetrics")["metrics"]}

    @property
    def busy(self):
        return self._metrics()["TaskDuration"] * 1_000

    @property
    def megabytes(self):
        self.session.send("HeapProfiler.enable")
        self.session.send("HeapProfiler.collectGarbage")
        used = self.session.send("Runtime.getHeapUsage")
        return (used["usedSize"] + used.get("backingStorageSize", 0)) / (1 << 20)


def switch_on(page, meter):
    """Views all locations, and answers when the first picture and all positions were there, with a tap on the map in between."""
    page.evaluate("() => { probe.tasks = []; probe.taps = []; }")
    before, began = meter.busy, time.monotonic()
    page.get_by_label("View all locations").check()
    page.wait_for_function(DRAWN, timeout=120_000, polling=20)
    first, first_busy = time.monotonic() - began, meter.busy - before
    taps = 0
    while "so far" in page.locator(WORDS).first.text_content():
        page.mouse.click(60, 60 + taps % 5)
        taps += 1
        page.wait_for_timeout(100)
    return {"first picture, s": first, "main thread until then, ms": first_busy, "all positions, s": time.monotonic() - began,
            "main thread in all, ms": meter.busy - before}


def reach(page, chosen):
    """Goes to each position at the nearest zoom and taps there until the callout says its time; answers those that it didn't."""
    missed = []
    for number, _, latitude, longitude, there in chosen:
        page.evaluate("(center) => testedMap.jumpTo({ center, zoom: 19 })", [longitude, latitude])
        page.wait_for_function(NEAR, arg=[longitude, latitude], timeout=20_000)
        x, y = page.evaluate("(place) => { const { x, y } = testedMap.project(place); return [x, y]; }", [longitude, latitude])
        page.locator("canvas.maplibregl-canvas").press("Escape")
        page.mouse.click(x, y)
        page.wait_for_selector(".callout-card.position", timeout=10_000)
        page.wait_for_timeout(200)
        if not stepped_to(page, there):
            missed.append(number)
    return missed


def stepped_to(page, there):
    """Steps through the positions of a place until the callout says a time; answers whether it did."""
    return page.evaluate(STEP, there)


def report(figures):
    for name, value in figures.items():
        print(f"{name:34}{value:>12.2f}" if isinstance(value, float) else f"{name:34}{value:>12}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--reach", type=int, default=200)
    parser.add_argument("--screens", type=pathlib.Path)
    options = parser.parse_args()
    with Server() as server, sync_playwright() as playwright:
        owner = server.owner()
        people = [owner.add(f"Walker {index:02}", email=f"walker{index}@example.org") for index in range(10)]
        for person in people:
            owner.befriend(person)
        chat = owner.start_chat(people, "Walk")
        made = fill(server, chat, people, options.positions, int(time.time() * 1_000))
        print(f"{options.positions} positions of ten people, {os.environ.get('YONDER', 'debug build')}")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        page = open_chat(browser, server, owner, chat, PHONE)
        meter = Meter(page)
        empty = meter.megabytes
        figures = switch_on(page, meter)
        page.wait_for_timeout(2_000)
        figures |= {"longest task, ms": max(page.evaluate("() => probe.tasks"), default=0.0)}
        taps = page.evaluate("() => probe.taps")
        figures |= {"taps meanwhile": len(taps), "longest answer to one, ms": float(max(taps, default=0)), "memory before, MiB": empty, "memory with all, MiB": meter.megabytes}
        report(figures)
        print(page.locator(WORDS).first.text_content())
        held = [tuple(each) for each in page.evaluate(HELD)]
        assert held == made[-HELD_AT_MOST:], "the page holds something else than the store has"
        print(f"the page holds the newest {len(held)} of the store's {stored(server, chat)}")
        picture(page, options.screens, "phone")
        page.get_by_role("button", name="Show everybody").click()
        page.wait_for_timeout(2_000)
        picture(page, options.screens, "phone-everybody")
        page.evaluate("() => { probe.taps = []; }")
        chosen = random.Random(1).sample(held, min(options.reach, len(held)))
        missed = reach(page, chosen)
        taps = page.evaluate("() => probe.taps")
        report({"reached by a tap": len(chosen) - len(missed), "missed": len(missed), "median answer to a tap, ms": float(sorted(taps)[len(taps) // 2]),
                "longest, ms": float(max(taps))})
        picture(page, options.screens, "phone-nearest")
        earliest(page, made)
        page.get_by_label("View all locations").uncheck()
        page.evaluate("() => { testedColumns = []; }")
        page.wait_for_timeout(1_000)
        report({"memory with the last alone, MiB": meter.megabytes})
        if options.screens:
            desk(browser, server, owner, chat, options.screens)
        browser.close()
    assert not missed, f"not reached: {missed}"


def earliest(page, made):
    """Goes to earlier stretches until there is none, and compares each with the store."""
    end = len(made) - HELD_AT_MOST
    button = page.get_by_role("button", name="Show earlier ones")
    while end > 0:
        said = page.locator(WORDS).first.text_content()
        button.click()
        page.wait_for_function(f"(said) => {{ const {{ textContent }} = document.querySelector('{WORDS}'); return textContent !== said && textContent.includes(' from '); }}",
                               arg=said, timeout=300_000)
        held = [tuple(each) for each in page.evaluate(HELD)]
        assert held == made[max(0, end - HELD_AT_MOST):end], "an earlier stretch holds something else than the store has"
        print(page.locator(WORDS).first.text_content())
        end -= HELD_AT_MOST


def stored(server, chat):
    with sqlite3.connect(f"file:{server.data / 'yonder.db'}?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM message WHERE chat = ? AND tag = 'Location'", (int(chat),)).fetchone()[0]


def desk(browser, server, owner, chat, folder):
    page = open_chat(browser, server, owner, chat, DESK)
    page.get_by_label("View all locations").check()
    page.wait_for_function(f"() => /^Everywhere/.test(document.querySelector('{WORDS}').textContent)", timeout=300_000)
    page.get_by_role("button", name="Show everybody").click()
    page.wait_for_timeout(2_000)
    picture(page, folder, "desk")


def picture(page, folder, name):
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"positions-{name}.png")


if __name__ == "__main__":
    main()
