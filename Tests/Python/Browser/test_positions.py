"""View all locations: every position that a chat keeps is on the map, is reached by a tap, and goes when it may no longer be read."""

import datetime
import re
import time

import pytest
from conftest import CATCH, DESKTOP, PHONE, at_rest
from playwright.sync_api import expect
from yonder import until

# The keys of the dots on the map: of all, and of what is drawn apart as it is new.
DOTS = """() => ['old-stops', 'stops'].flatMap((name) => testedMap.querySourceFeatures(name)).map(({ properties }) => properties.key)"""
AT = """(point) => { const { x, y } = testedMap.project(point); return [x, y]; }"""
BOUNDS = "**/positions/bounds.js"
STEP = 60_000


def walk(sender, chat, count, begin, stay=(), step=STEP, east=10.75):
    """Sends positions `step` apart on a line; those in `stay` are where the one before was. Answers them by their times."""
    sent, place = {}, None
    for index in range(count):
        if index not in stay:
            place = (59.91 + index / 20_000, east + index / 10_000)
        time_there = begin + index * step
        data = {"latitude": f"{place[0]:.6f}", "longitude": f"{place[1]:.6f}", "timestamp": time_there}
        sent[time_there] = sender.send(chat, "Location", data=data), place
    return sent


def open_all(visit, caller, chat, size=DESKTOP, **bounds):
    """Opens the chat and views all locations, with other bounds than the page's where the test asks for them."""
    visitor = visit(caller, size=size)
    visitor.page.add_init_script(CATCH)
    if bounds:
        visitor.page.route(BOUNDS, lambda route: route.fulfill(content_type="text/javascript", body=lowered(route.fetch().text(), bounds)))
    page = visitor.go(f"#/chats/{chat}")
    page.get_by_label("View all locations").check()
    return page


def lowered(text, bounds):
    for name, value in bounds.items():
        text, count = re.subn(rf"(export const {name} = )[\d_]+;", rf"\g<1>{value};", text)
        assert count == 1
    return text


def look_at(page, place, zoom=17):
    latitude, longitude = place
    page.evaluate("([center, zoom]) => { testedMap.jumpTo({ center, zoom }); }", [[longitude, latitude], zoom])
    at_rest(page)


def dots(page):
    return sorted({int(key.split("/")[1]) for key in page.evaluate(DOTS)})


def callout(page):
    return page.get_by_role("group", name="Selected person")


def time_in(page):
    """When the position in the callout was, in milliseconds."""
    written = callout(page).locator("time").get_attribute("datetime")
    return int(datetime.datetime.fromisoformat(written.replace("Z", "+00:00")).timestamp() * 1_000)


def ago(minutes):
    return (int(time.time()) - minutes * 60) * 1_000


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_each_position_is_reached_at_the_nearest_zooms(friends, visit, check, size):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    sent = walk(ben, chat, 12, ago(60), stay={4, 5, 6, 9})
    page = open_all(visit, ada, chat, size=size)
    expect(page.get_by_text("12 positions")).to_be_visible()
    reached = set()
    for there, (_, place) in sent.items():
        look_at(page, place, zoom=18)
        if there in reached:
            continue
        # The callout of the one before may lie over this one.
        page.locator("canvas.maplibregl-canvas").press("Escape")
        expect(callout(page)).to_have_count(0)
        until(lambda: is_under(dots(page), sent, place), what="its dot")
        x, y = page.evaluate(AT, [place[1], place[0]])
        page.mouse.click(x, y)
        expect(callout(page)).to_contain_text("ben@example.org")
        until(lambda: place_of(sent, time_in(page)) == place, what="the callout of this place")
        reached.add(time_in(page))
        here = sum(other == place for _, other in sent.values())
        if here > 1:
            expect(callout(page)).to_contain_text(f"1 of {here} at this place")
        before = callout(page).get_by_role("button", name="The one before")
        while before.is_visible() and before.is_enabled():
            known = time_in(page)
            before.click()
            until(lambda: time_in(page) != known, what="the callout of the one before")
            reached.add(time_in(page))
    assert reached == set(sent)
    check(page, f"{'phone' if size is PHONE else 'desktop'}-position")


def is_under(drawn, sent, place):
    """Whether a dot is drawn that stands for all positions of a place."""
    return any(number in drawn for number, there in sent.values() if there == place)


def place_of(sent, there):
    return sent[there][1] if there in sent else None


def test_beyond_what_is_held_the_words_say_since_when_and_earlier_ones_come_in_their_place(friends, visit, check):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    sent = walk(ben, chat, 50, ago(300))
    numbers = [number for number, _ in sent.values()]
    page = open_all(visit, ada, chat, HELD_AT_MOST=20, FIRST_PAGE=5, PAGE=10)
    expect(page.get_by_text(re.compile(r"^Everywhere since .*: 20 positions. There are earlier ones."))).to_be_visible()
    page.get_by_role("button", name="Show everybody").click()
    look_at(page, sent[list(sent)[25]][1], zoom=16)
    until(lambda: dots(page) == numbers[30:], what="the newest positions")
    check(page, "desktop-positions-earlier")
    page.get_by_role("button", name="Show earlier ones").click()
    expect(page.get_by_text(re.compile("^20 positions from .* until .*. There are earlier ones."))).to_be_visible()
    until(lambda: dots(page) == numbers[10:30], what="the positions before")
    page.get_by_role("button", name="Show earlier ones").click()
    expect(page.get_by_text(re.compile("^10 positions from .* until .*, the first ones."))).to_be_visible()
    until(lambda: dots(page) == numbers[:10], what="the first positions")
    expect(page.get_by_role("button", name="Show earlier ones")).to_be_hidden()
    page.get_by_role("button", name="Show the newest").click()
    until(lambda: dots(page) == numbers[30:], what="the newest positions again")


def test_positions_that_may_no_longer_be_read_leave_the_map_and_new_ones_come_onto_it(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    kept = [number for number, _ in walk(ada, chat, 4, ago(30)).values()]
    share = ben.post(f"/v1/chats/{chat}/shares", {"keep": "expiring"})["share"]["share"]
    walk(ben, chat, 4, ago(0) + 1_000, step=1_000, east=10.7503)
    page = open_all(visit, ada, chat)
    look_at(page, (59.91, 10.75))
    until(lambda: len(dots(page)) == 8, what="all positions")
    new = ada.send(chat, "Location", data={"latitude": "59.910500", "longitude": "10.750500"})
    until(lambda: new in dots(page), what="the new position")
    ada.call("DELETE", f"/v1/chats/{chat}/messages/{kept[1]}")
    until(lambda: kept[1] not in dots(page), what="a position that was taken back")
    ben.call("DELETE", f"/v1/chats/{chat}/shares/{share}")
    until(lambda: dots(page) == [kept[0], *kept[2:], new], what="the end of an expiring share")
    page.get_by_label("View all locations").uncheck()
    until(lambda: dots(page) == [], what="the last locations alone")


def test_where_the_owner_keeps_less_the_words_say_so(friends, visit, server, owner):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    walk(ben, chat, 3, ago(60))
    ada.call("PATCH", f"/v1/chats/{chat}", {"positions": "day"})
    # The chat is as old as the page is told.
    visitor = visit(ada)
    visitor.page.route(re.compile("/positions/stretch.js"), lambda route: route.fulfill(
        content_type="text/javascript", body=route.fetch().text().replace("created < end", "created < Infinity")))
    page = visitor.go(f"#/chats/{chat}")
    page.get_by_label("View all locations").check()
    expect(page.get_by_text(re.compile("^Everywhere since .*: 3 positions. This chat keeps positions for one day."))).to_be_visible()
