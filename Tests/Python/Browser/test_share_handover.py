"""A share that another tab, another opening or another device goes on with, and one that waits for the connection; on a phone."""

import time

from conftest import PHONE
from playwright.sync_api import expect
from truth import LOST, bar, connected, kept, lost, pill, positions, running, share
from unseen import show
from yonder import until


def sharer(visit, ada, chat):
    """A page of a chat in which its person shares for an hour."""
    visitor = visit(ada, size=PHONE)
    visitor.expected += LOST
    page = visitor.go(f"#/chats/{chat}")
    share(page, ada)
    return visitor, page


def test_a_tab_that_was_opened_beside_goes_on_where_the_closed_one_shared(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor, one = sharer(visit, ada, chat)
    two = visitor.open()
    visitor.go(f"#/chats/{chat}")
    expect(bar(two)).to_contain_text("You share here")
    one.close()
    before = positions(ben, chat)
    visitor.move(59.92, 10.76)
    until(lambda: positions(ben, chat) > before, what="a position from the other tab")


def test_another_opening_says_that_sharing_is_paused_and_reports_nothing(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor, page = sharer(visit, ada, chat)
    page.close()
    page = visitor.open()
    visitor.go("#/chats")
    expect(pill(page)).to_contain_text("Paused: Walk")
    show(page, "#/seen")
    expect(page.locator(".seen")).to_contain_text("paused")
    expect(pill(page)).to_be_hidden()
    show(page, f"#/chats/{chat}")
    expect(bar(page)).to_contain_text("Your share still runs until")
    expect(pill(page)).to_be_hidden()
    before = positions(ben, chat)
    visitor.move(59.93, 10.77)
    bar(page).get_by_role("button", name="Go on").click()
    until(lambda: positions(ben, chat) == before + 1, what="the first position after Go on")


def test_a_paused_share_goes_on_and_stops_on_every_screen(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor, page = sharer(visit, ada, chat)
    page.close()
    page = visitor.open()
    visitor.go("#/contacts")
    before = positions(ben, chat)
    visitor.move(59.93, 10.77)
    pill(page).get_by_role("button", name="Go on").click()
    expect(pill(page)).to_contain_text("You share with Walk")
    until(lambda: positions(ben, chat) > before, what="a position after Go on")
    page.close()
    page = visitor.open()
    visitor.go("#/contacts")
    expect(pill(page).get_by_role("button", name="Go on")).to_be_visible()
    pill(page).get_by_role("button", name="Stop").click()
    until(lambda: not running(ada), what="the end of the share")
    expect(pill(page)).to_be_hidden()


# The device's clock is a day behind.
BEHIND = "{ const { now } = Date; Date.now = () => now() - 86400000; }"


def test_a_page_opened_without_a_connection_stops_what_runs_though_the_devices_clock_is_wrong(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE, service_workers="allow")
    visitor.context.add_init_script(BEHIND)
    visitor.expected += LOST
    page = visitor.go(f"#/chats/{chat}")
    share(page, ada)
    kept(page)
    page.close()
    visitor.context.set_offline(True)
    page = visitor.open()
    visitor.go("#/seen")
    row = page.locator(".seen").get_by_role("listitem")
    expect(row).to_contain_text("paused · until")
    # Who is in the chat isn't known, and that isn't nobody.
    expect(page.locator(".seen-summary")).to_have_text("Those in your chats can see where you were last.")
    expect(page.locator(".seen-foot")).not_to_contain_text("Ends at once")
    row.get_by_role("button", name="Stop").click()
    expect(pill(page)).to_be_hidden()
    show(page, "#/chats")
    expect(pill(page)).to_contain_text("Stopping: not sent yet")
    tapped = time.time() * 1_000
    visitor.context.set_offline(False)
    until(lambda: not running(ada), what="the end of the share")
    [ended] = ben.get(f"/v1/chats/{chat}/shares")["shares"]
    assert tapped - 60_000 < ended["freshness"]["asOf"] <= tapped, ended


def test_a_share_that_waits_for_the_connection_says_so_and_is_taken_back(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    visitor.expected += LOST
    page = visitor.go(f"#/chats/{chat}")
    visitor.context.set_offline(True)
    lost(page)
    bar(page).get_by_role("button", name="Share my position").click()
    expect(bar(page)).to_contain_text("Shares as soon as this page is connected.")
    bar(page).get_by_role("button", name="Take it back").click()
    visitor.context.set_offline(False)
    connected(page)
    expect(bar(page).get_by_role("button", name="Share my position")).to_be_visible()
    assert running(ada) == []


def test_positions_of_an_ended_share_dont_end_the_one_that_runs(friends, visit):
    """An outbox of an earlier share arrives while a new one runs."""
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor, page = sharer(visit, ada, chat)
    [old] = running(ada)
    visitor.context.set_offline(True)
    lost(page)
    for step in range(3):
        visitor.move(59.94 + step / 100, 10.75)
        expect(page.locator(".share-bar")).to_be_visible()
    # Ended from elsewhere, before the moves were recorded.
    ada.call("DELETE", "/v1/me/shares", {"before": old["started"] + 1})
    ada.post(f"/v1/chats/{chat}/shares", {"until": None})
    visitor.context.set_offline(False)
    connected(page)
    expect(bar(page)).to_contain_text("from another device")
    bar(page).get_by_role("button", name="Stop").click()
    until(lambda: not running(ada), what="the end of every share")
