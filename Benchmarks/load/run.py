#!/usr/bin/env python3
"""How long the page takes to open over a slow mobile connection: 1.6 Mbit/s and 150 ms, on a phone's screen.

Measured with a browser that is slowed by its own means; a server of its own with a person in twelve chats. `YONDER` names
the program; run it against a release build, which serves the page as a bundle. `--rounds` visits, of which the median counts.
"""

import argparse
import pathlib
import shutil
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Tests" / "Python" / "Support")]

from playwright.sync_api import sync_playwright  # noqa: E402
from yonder import Server, party, until  # noqa: E402

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
BUDGET = {"chats": 2.0, "map": 3.5, "kilobytes": 400, "map again": 1.0}

# Notes, by the page's own clock, when the list of chats is there and when the map has drawn first.
WATCH = """() => {
  window.seen = {};
  const look = () => {
    const row = document.querySelector('#view .rows a.row');
    if (row && !seen.chats) seen.chats = performance.now();
    if (document.querySelector('#map[data-map="idle"]') && !seen.map) seen.map = performance.now();
    if (!seen.chats || !seen.map) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""

KEPT = """async () => {
  const name = (await caches.keys()).find((each) => each.startsWith('yonder-shell'));
  return name !== undefined && (await (await caches.open(name)).match('/')) !== undefined;
}"""


def visit(context, url):
    """Seconds until chats and map, kilobytes and requests until then."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    size, requests = [0], [0]
    session.on("Network.loadingFinished", lambda event: size.__setitem__(0, size[0] + event["encodedDataLength"]))
    session.on("Network.requestWillBeSent", lambda event: requests.__setitem__(0, requests[0] + 1))
    page.add_init_script(f"({WATCH})()")
    page.goto(url)
    seen = until(lambda: page.evaluate("seen.chats && seen.map ? seen : null"), what="the list and the map")
    weight, asked = size[0], requests[0]
    # The worker keeps the page for the second visit.
    until(lambda: page.evaluate(KEPT), what="a kept page")
    page.close()
    return {"chats": seen["chats"] / 1000, "map": seen["map"] / 1000, "kilobytes": weight / 1000, "requests": asked}


def measure(rounds):
    with Server() as server, sync_playwright() as playwright:
        owner, others = party(server, [f"Person {number}" for number in range(12)])
        for number, other in enumerate(others):
            chat = owner.start_chat([other], f"Chat {number}")
            other.send(chat, "Location", data={"latitude": f"59.9{number:02}", "longitude": "10.75"})
        arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        name, value = owner.cookie.split("=", 1)
        first, second = [], []
        for _ in range(rounds):
            context = browser.new_context(**PHONE, reduced_motion="reduce")
            context.add_cookies([{"name": name, "value": value, "url": server.url}])
            first.append(visit(context, server.url))
            second.append(visit(context, server.url))
            context.close()
        browser.close()
    return first, second


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=3)
    first, second = measure(parser.parse_args().rounds)
    median = {name: statistics.median(visit[name] for visit in first) for name in first[0]}
    again = {name: statistics.median(visit[name] for visit in second) for name in second[0]}
    print(f"first visit   chats {median['chats']:.2f} s, map {median['map']:.2f} s, "
          f"{median['kilobytes']:.0f} kB, {median['requests']:.0f} requests")
    print(f"second visit  chats {again['chats']:.2f} s, map {again['map']:.2f} s, "
          f"{again['kilobytes']:.0f} kB, {again['requests']:.0f} requests")
    result = {**{name: median[name] for name in ("chats", "map", "kilobytes")}, "map again": again["map"]}
    for name, most in BUDGET.items():
        if result[name] > most:
            print(f"over budget: {name} {result[name]:.2f} of {most}")


if __name__ == "__main__":
    main()
