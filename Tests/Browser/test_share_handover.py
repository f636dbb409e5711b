"""A share that another tab, another opening or another device goes on with, and one that waits for the connection; on a phone."""

from conftest import PHONE
from playwright.sync_api import expect
from truth import LOST, bar, connected, lost, positions, running, share
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
    visitor.go(f"#/chats/{chat}")
    expect(bar(page)).to_contain_text("Your share still runs until")
    before = positions(ben, chat)
    visitor.move(59.93, 10.77)
    bar(page).get_by_role("button", name="Go on").click()
    until(lambda: positions(ben, chat) == before + 1, what="the first position after Go on")


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
