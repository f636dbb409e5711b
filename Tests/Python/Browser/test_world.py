"""The world: seen without an account, shown oneself only if one asks for it."""

import json
import re
import time

import pytest
from conftest import PHONE, Visitor
# A server of these tests alone, as they count who is in its world.
from own_server import owner, server
from playwright.sync_api import expect
from yonder import Server, until

MINUTE = 60_000

pytestmark = pytest.mark.xdist_group("world")


def strangers(page):
    return page.get_by_role("list", name="People in the world").get_by_role("listitem")


def test_a_pin_in_the_world_is_seen_by_an_anonymous_visitor(owner, visit):
    visitor = visit()
    page = visitor.go()
    page.get_by_role("link", name="Look at the world").click()
    expect(page.get_by_text("Nobody else is connected now")).to_be_visible()

    sharer = visit(owner.add("Sam"))
    hers = sharer.go("#/world")
    expect(page.get_by_text("One other is connected now")).to_be_visible()
    expect(hers.get_by_label("Show me in the world")).not_to_be_checked()
    expect(strangers(page)).to_contain_text(["Shows no position"])

    hers.get_by_label("Show me in the world").check()
    expect(strangers(page)).to_contain_text(["59.91390° N, 10.75220° E"])
    expect(hers.locator("#status").get_by_text("You share with the world")).to_be_visible()
    sharer.move(59.92, 10.76)
    expect(strangers(page)).to_contain_text(["59.92000° N, 10.76000° E"])
    strangers(page).get_by_role("button").click()
    expect(page.get_by_role("group", name="Selected person")).to_contain_text("59.92000° N")
    assert "Sam" not in page.content()

    hers.get_by_label("Show me in the world").uncheck()
    expect(strangers(page)).to_contain_text(["Shows no position"])
    sharer.context.close()
    expect(page.get_by_text("Nobody else is connected now")).to_be_visible()
    page.get_by_text("Who came and left").click()
    expect(page.get_by_role("list", name="Who came and left").get_by_text("left").first).to_be_visible()


def test_sharing_into_the_world_goes_on_after_a_lost_connection(owner, visit):
    watcher = visit().go("#/world")
    sharer = visit(owner.add("Tom"))
    sharer.expected.append("ERR_INTERNET_DISCONNECTED")
    page = sharer.go("#/world")
    page.get_by_label("Show me in the world").check()
    expect(strangers(watcher)).to_contain_text(["59.91390° N"])
    sharer.context.set_offline(True)
    expect(watcher.get_by_text("Nobody else is connected now")).to_be_visible()
    sharer.context.set_offline(False)
    expect(strangers(watcher)).to_contain_text(["59.91390° N"])


def stand(page, state):
    """Puts the page into the background, or back, as far as it can tell."""
    page.evaluate("""(state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    }""", state)


def test_a_page_that_lost_the_world_in_the_background_asks_before_it_shows_its_person_again(owner, visit):
    """Rule 1: the page remembers on this device that it was there, and asks on return."""
    watcher = visit().go("#/world")
    sharer = visit(owner.add("Una"), size=PHONE)
    sharer.expected.append("ERR_INTERNET_DISCONNECTED")
    page = sharer.go("#/world")
    page.get_by_label("Show me in the world").check()
    expect(strangers(watcher)).to_contain_text(["59.91390° N"])
    stand(page, "hidden")
    sharer.context.set_offline(True)
    expect(watcher.get_by_text("Nobody else is connected now")).to_be_visible()
    sharer.context.set_offline(False)
    expect(strangers(watcher)).to_contain_text(["Shows no position"])
    stand(page, "visible")
    expect(page.locator("#toasts").get_by_role("button", name="Go on")).to_be_visible()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_text(re.compile("^You were to be shown until"))).to_be_visible()
    expect(page.get_by_label("Show me in the world")).to_be_hidden()
    page.get_by_role("button", name="Go on").click()
    expect(strangers(watcher)).to_contain_text(["59.91390° N"])
    expect(page.get_by_label("Show me in the world")).to_be_checked()


def test_a_page_that_comes_back_asks_a_world_again_that_refused_it(browser):
    with Server(["--world", "off"]) as server:
        visitor = Visitor(browser, server)
        page = visitor.go("#/world")
        expect(page.get_by_role("heading", name="This world is not open")).to_be_visible()
        opened = []
        page.on("websocket", lambda socket: opened.append(socket))
        stand(page, "hidden")
        assert opened == []
        stand(page, "visible")
        until(lambda: page.evaluate("1") and opened != [], what="another connection")
        visitor.context.close()


def test_in_the_world_a_pin_says_when_it_ends_and_members_see_names_of_places(owner, visit):
    """Rules 1 and 6."""
    watcher = visit(owner.add("Uma"), size=PHONE).go("#/world")
    sharer = visit(owner.add("Vic"), size=PHONE)
    sharer.page.clock.install()
    pins = []
    sharer.page.on("websocket", lambda socket: socket.on("framesent", lambda data: pins.append(data) if '"pin"' in data else None))
    page = sharer.go("#/world")
    page.get_by_text("15 min", exact=True).click()
    page.get_by_label("Show me in the world").check()
    expect(page.get_by_text(re.compile("^On until"))).to_be_visible()
    expect(strangers(watcher)).to_contain_text(["Oslo"])
    expect(strangers(watcher).locator(".place")).to_have_attribute("title", "59.91390° N, 10.75220° E")
    left = json.loads(pins[0])["until"] - time.time() * 1000
    assert 14 * MINUTE < left <= 15 * MINUTE
    page.clock.fast_forward(16 * MINUTE)
    expect(page.get_by_label("Show me in the world")).not_to_be_checked()
    expect(strangers(watcher)).to_contain_text(["Shows no position"])


@pytest.mark.parametrize("setting", ["members", "off"])
def test_a_world_that_is_not_open_says_so(browser, setting):
    with Server(["--world", setting]) as server:
        anonymous = Visitor(browser, server)
        page = anonymous.go("#/world")
        expect(page.get_by_role("heading", name="This world is not open")).to_be_visible()
        expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
        anonymous.context.close()

        member = Visitor(browser, server)
        page = member.go("#" + server.link().split("#", 1)[1])
        page.get_by_role("link", name="World").click()
        says = "Show me in the world" if setting == "members" else "This world is closed"
        expect(page.get_by_text(says)).to_be_visible()
        member.context.close()
