"""What a page pays for fifty people who move once a second: with the last positions, and with all of them.

    Benchmarks/page/run.py [--seconds 30] [--movers 50]

Prints main-thread milliseconds a change and a frame, frames a second and the delay of clicks, for *last* and *all* in
one run. Both run one after the other in one browser, with the same people moving. Needs Scripts/setup-browser and a
build; YONDER=.build/release/yonder measures a release. Under software rendering frames a second are for comparing only.
"""

import argparse
import math
import os
import pathlib
import shutil
import statistics
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "Python" / "Support"))

from playwright.sync_api import sync_playwright  # noqa: E402
from yonder import Server  # noqa: E402

PROBE = """() => {
  const probe = window.probe = { frames: 0, delays: [] };
  const frame = () => { probe.frames += 1; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const { name, processingStart, startTime } of list.getEntries()) if (name === 'pointerdown') probe.delays.push(processingStart - startTime);
  }).observe({ type: 'event', durationThreshold: 0, buffered: false });
}"""


class Walkers:
    """People who each send a position a second, by REST, from a few threads."""

    def __init__(self, people, chat):
        self.people = people
        self.chat = chat
        self.sent = 0
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.walk, args=(people[part::5],), daemon=True) for part in range(5)]

    def walk(self, people):
        step = 0
        while not self.is_over.is_set():
            began = time.monotonic()
            for index, person in enumerate(people):
                angle = step / 40 + index
                data = {"latitude": f"{59.915 + 0.01 * math.sin(angle) + index / 2000:.6f}", "longitude": f"{10.75 + 0.02 * math.cos(angle):.6f}", "speed": 2, "course": step * 7 % 360}
                person.send(self.chat, "Location", data=data)
                self.sent += 1
            step += 1
            self.is_over.wait(max(0, began + 1 - time.monotonic()))


def measured(page, session, walkers, seconds):
    """One stretch of time, with a click every second."""

    def busy():
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"]

    page.evaluate("() => { probe.frames = 0; probe.delays = []; }")
    before, sent, began = busy(), walkers.sent, time.monotonic()
    while time.monotonic() - began < seconds:
        page.mouse.click(200, 60)
        page.wait_for_timeout(1_000)
    took = time.monotonic() - began
    main = (busy() - before) * 1000
    frames, delays = page.evaluate("() => [probe.frames, probe.delays]")
    changes = walkers.sent - sent
    return {
        "ms a change": main / changes, "ms a frame": main / max(1, frames), "frames a second": frames / took,
        "input delay, median": statistics.median(delays), "worst": max(delays), "main thread": main / took / 10,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--movers", type=int, default=50)
    options = parser.parse_args()
    with Server() as server, sync_playwright() as playwright:
        owner = server.owner()
        people = [owner.add(f"Walker {number:02}") for number in range(options.movers)]
        for person in people:
            owner.befriend(person)
        chat = owner.start_chat(people, "Walk")
        walkers = Walkers(people, chat)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        name, value = owner.cookie.split("=", 1)
        context.add_cookies([{"name": name, "value": value, "url": server.url}])
        page = context.new_page()
        page.goto(f"{server.url}/#/chats/{chat}")
        page.wait_for_selector("html[data-ready]")
        session = context.new_cdp_session(page)
        session.send("Performance.enable")
        page.evaluate(PROBE)
        for thread in walkers.threads:
            thread.start()
        page.wait_for_timeout(5_000)
        last = measured(page, session, walkers, options.seconds)
        page.get_by_role("switch", name="View all locations").check()
        page.wait_for_timeout(5_000)
        every = measured(page, session, walkers, options.seconds)
        walkers.is_over.set()
        print(f"{options.movers} movers at 1 Hz, {options.seconds} s each, {os.environ.get('YONDER', 'debug build')}")
        print(f"{'':22}{'last':>10}{'all':>10}{'all / last':>12}")
        for key in last:
            print(f"{key:22}{last[key]:10.2f}{every[key]:10.2f}{every[key] / last[key] if last[key] else 0:12.2f}")
        browser.close()
    assert every["ms a change"] <= 1.5 * last["ms a change"], "all costs more than 1.5 times last"


if __name__ == "__main__":
    main()
