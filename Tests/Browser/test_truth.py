"""What the page says of sharing is so: a *Stop* holds in every tab and without a connection, and a start waits for the server's word."""

import json
import os
import time

import pytest
from conftest import PHONE
from playwright.sync_api import expect
from test_shares import bar
from yonder import until

# How often each case is tried: `make test-truth` for twenty.
ROUNDS = int(os.environ.get("TRUTH_ROUNDS", 1))
OFFLINE = ["ERR_INTERNET_DISCONNECTED", "WebSocket connection to"]


@pytest.fixture(params=range(ROUNDS), autouse=True)
def turn(request):
    return request.param


def running(caller):
    """The caller's running shares, as the server keeps them."""
    return caller.get("/v1/me/shares")["shares"]


def sharer(visit, ada, chat):
    """A page of a chat in which its person shares for an hour."""
    visitor = visit(ada, size=PHONE)
    visitor.expected += OFFLINE
    page = visitor.go(f"#/chats/{chat}")
    bar(page).get_by_role("button", name="Share my position").click()
    expect(bar(page)).to_contain_text("You share here")
    until(lambda: running(ada), what="a running share")
    return visitor, page


def positions(caller, chat):
    return len(caller.messages(chat, tag="Location")["messages"])


def test_a_stop_without_a_connection_is_sent_by_the_next_opening_as_of_the_tap(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor, page = sharer(visit, ada, chat)
    visitor.context.set_offline(True)
    bar(page).get_by_role("button", name="Stop").click()
    expect(bar(page)).to_contain_text("Stopping: not sent yet")
    expect(page.locator(".pill.sharing")).to_contain_text("Stopping: not sent yet")
    tapped = time.time() * 1_000
    page.close()
    assert running(ada)
    visitor.context.set_offline(False)
    page = visitor.open()
    visitor.go(f"#/chats/{chat}")
    until(lambda: not running(ada), what="the end of the share")
    [ended] = [share for share in ben.get(f"/v1/chats/{chat}/shares")["shares"] if share["freshness"]["state"] == "ended"]
    assert ended["freshness"]["asOf"] <= tapped, ended
    expect(bar(page).get_by_role("button", name="Share my position")).to_be_visible()


def test_a_stop_in_one_tab_holds_in_every_other(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor, one = sharer(visit, ada, chat)
    two = visitor.open()
    visitor.go(f"#/chats/{chat}")
    for _ in range(3):
        expect(bar(two)).to_contain_text("You share here")
        bar(two).get_by_role("button", name="Stop").click()
        for page in (one, two):
            expect(bar(page).get_by_role("button", name="Share my position")).to_be_visible()
        until(lambda: not running(ada), what="the end of the share")
        bar(two).get_by_role("button", name="Share my position").click()
        expect(bar(one)).to_contain_text("You share here")


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


class Refusing:
    """Between a page and the server: the first subscription of a query is refused once."""

    def __init__(self, context, query, code):
        self.isRefused = False
        context.route_web_socket("**/v1/stream", lambda socket: self.join(socket, query, code))

    def join(self, socket, query, code):
        server = socket.connect_to_server()

        def sent(text):
            frame = json.loads(text)
            if frame.get("type") == "subscribe" and frame.get("query") == query and not self.isRefused:
                self.isRefused = True
                refusal = {"type": "error", "id": frame["id"], "code": code, "message": "Not now.", "retryAfter": 1_000}
                socket.send(json.dumps(refusal))
            else:
                server.send(text)

        socket.on_message(sent)


def test_a_refusal_that_passes_isnt_taken_for_a_server_without_shares(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    refusing = Refusing(visitor.context, "shares", "unavailable")
    page = visitor.go(f"#/chats/{chat}")
    bar(page).get_by_role("button", name="Share").first.click()
    expect(bar(page)).to_contain_text("You share here")
    assert refusing.isRefused
    [share] = until(lambda: running(ada), what="a running share")
    assert 0 < share["until"] - time.time() * 1_000 <= 3_600_000, share
    bar(page).get_by_role("button", name="Stop").click()
    until(lambda: not running(ada), what="the end of the share")


def test_a_share_that_waits_for_the_connection_says_so_and_is_taken_back(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    visitor.expected += OFFLINE
    page = visitor.go(f"#/chats/{chat}")
    visitor.context.set_offline(True)
    expect(page.locator(".pill.trouble")).to_be_visible()
    bar(page).get_by_role("button", name="Share my position").click()
    expect(bar(page)).to_contain_text("Shares as soon as this page is connected.")
    bar(page).get_by_role("button", name="Take it back").click()
    visitor.context.set_offline(False)
    expect(page.locator(".pill.trouble")).to_be_hidden()
    expect(bar(page).get_by_role("button", name="Share my position")).to_be_visible()
    assert running(ada) == []


def test_positions_of_an_ended_share_dont_end_the_one_that_runs(friends, visit):
    """An outbox of an earlier share arrives while a new one runs."""
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor, page = sharer(visit, ada, chat)
    [old] = running(ada)
    visitor.context.set_offline(True)
    expect(page.locator(".pill.trouble")).to_be_visible()
    for step in range(3):
        visitor.move(59.94 + step / 100, 10.75)
        expect(page.locator(".share-bar")).to_be_visible()
    # Ended from elsewhere, before the moves were recorded.
    ada.call("DELETE", "/v1/me/shares", {"before": old["started"] + 1})
    ada.post(f"/v1/chats/{chat}/shares", {"until": None})
    visitor.context.set_offline(False)
    expect(page.locator(".pill.trouble")).to_be_hidden()
    expect(bar(page)).to_contain_text("from another device")
    bar(page).get_by_role("button", name="Stop").click()
    until(lambda: not running(ada), what="the end of every share")
