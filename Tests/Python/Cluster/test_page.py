"""Two people's pages on two nodes, in a real browser."""

import asyncio
import re
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright
from stream import Stream
from yonder import guests

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
OSLO = {"latitude": 59.9139, "longitude": 10.7522, "accuracy": 8}


@pytest.fixture
def browser():
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("Chromium is missing; Scripts/setup-browser installs it")
    arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


async def names(cluster, token):
    """What the nodes call themselves in their greetings."""
    found = []
    for node in cluster.nodes:
        async with await Stream.open(node, token) as stream:
            found.append(stream.hello["node"])
    return found


def open_page(browser, caller, node, chat):
    context = browser.new_context(
        **PHONE, locale="en-GB", geolocation=OSLO, permissions=["geolocation"], reduced_motion="reduce",
        service_workers="block",
    )
    context.set_default_timeout(60_000)
    name, value = caller.cookie.split("=", 1)
    context.add_cookies([{"name": name, "value": value, "url": node.url}])
    page = context.new_page()
    page.goto(f"{node.url}/#/chats/{chat}", timeout=120_000)
    page.wait_for_selector("html[data-ready]", timeout=120_000)
    return page


@pytest.fixture
def walk(cluster, owner):
    ada, ben = guests(owner, ["Ada Lovelace", "Ben Ohm"])
    ada.befriend(ben)
    return ada, ben, ada.start_chat([ben], "Walk"), asyncio.run(names(cluster, owner.token()))


def test_a_page_on_one_node_and_a_page_on_another_see_each_other_move(cluster, walk, browser):
    ada, ben, chat, nodes = walk
    assert len(set(nodes)) == 3, "each page is on a node of its own"
    pages = [open_page(browser, ada, cluster.nodes[0], chat), open_page(browser, ben, cluster.nodes[1], chat)]
    for page in pages:
        page.get_by_role("button", name="Share my position · 1 hour").click()
    for page, place in zip(pages, (59.9150, 59.9120)):
        page.context.set_geolocation({"latitude": place, "longitude": 10.7540, "accuracy": 8})
    for page, other, place in zip(pages, ("Ben Ohm", "Ada Lovelace"), ("59.912", "59.915")):
        row = page.get_by_role("list", name="People").get_by_role("button", name=other).first
        expect(row.locator("[title]")).to_have_attribute("title", re.compile(place), timeout=60_000)
