"""How long it takes from *Stop* until nobody sees where one is, for each button and each state of the page.

    TRUTH_ROUNDS=20 .build-python/bin/python -m pytest -q Tests/Python/Browser/stop_to_unseen.py

Prints the worst of the rounds of each case, in milliseconds, from the tap until a second person's stream has received the end.
`make test-truth` runs it; it is no test of the normal suite, which it would make twice as long.
"""

import time

import pytest
from conftest import open_settings
from playwright.sync_api import expect
from test_truth import owner, server, walk  # noqa: F401
from truth import ROUNDS, bar, connected, kept, lost, ready, running
from unseen import Walk, show
from yonder import until

# A case with a new page in each round isn't tried more often than this.
PAGES_AT_MOST = 10


def in_bar(walk, page):
    show(page, walk.in_chat)
    return bar(page).get_by_role("button", name="Stop")


def in_pill(_, page):
    show(page, "#/you")
    return page.locator(".pill.sharing").get_by_role("button", name="Stop sharing everywhere")


def in_row(_, page):
    show(page, "#/seen")
    return page.locator(".seen").get_by_role("listitem").get_by_role("button")


def everywhere(_, page):
    show(page, "#/seen")
    return page.get_by_role("button", name="Stop everywhere", exact=True)


def in_world(_, page):
    show(page, "#/world")
    return page.get_by_label("Show me in the world")


def in_toast(_, page):
    page.reload()
    return page.locator("#toasts").get_by_role("button", name="Stop")


BUTTONS = {"the chat's bar": in_bar, "the red line": in_pill, "a row of Who can see me": in_row, "Stop everywhere": everywhere}
IN_WORLD = {"the switch": in_world, "the red line": in_pill, "a row of Who can see me": in_row, "Stop everywhere": everywhere}


@pytest.fixture
def begin(walk, visit):  # noqa: F811
    """Opens the person's browser."""
    opened = []

    def open_one(**options):
        opened.append(Walk(*walk, visit, **options))
        return opened[-1]

    yield open_one
    for each in opened:
        each.viewer.close()


@pytest.fixture
def note(record_property):
    """Notes a case with the longest of its times."""
    return lambda case, times: record_property("unseen", f"{max(times):6.0f} ms, worst of {len(times):2}: {case}")


@pytest.mark.parametrize("button", BUTTONS)
@pytest.mark.parametrize("tab", ["the tab that reports", "another tab"])
def test_with_a_connection(begin, note, button, tab):
    walk = begin()
    reporting = walk.visitor.go(walk.in_chat)
    other = walk.visitor.open()
    walk.visitor.go(walk.in_chat)
    tapping = reporting if tab == "the tab that reports" else other
    times = []
    for _ in range(ROUNDS):
        name = walk.begin(reporting)
        stop = BUTTONS[button](walk, tapping)
        expect(stop).to_be_visible()
        times.append(walk.taken(tapping, stop, name))
        until(lambda: not running(walk.ada), what="the end of every share")
    note(f"{button}, {tab}", times)


@pytest.mark.parametrize("button", IN_WORLD)
@pytest.mark.parametrize("tab", ["the tab that reports", "another tab"])
def test_in_the_world(begin, note, button, tab):
    walk = begin()
    reporting = walk.visitor.go("#/world")
    other = walk.visitor.open()
    walk.visitor.go("#/you")
    tapping = reporting if tab == "the tab that reports" else other
    times = []
    for _ in range(ROUNDS):
        name = walk.begin_in_world(reporting)
        stop = IN_WORLD[button](walk, tapping)
        expect(stop).to_be_visible()
        times.append(walk.taken(tapping, stop, name))
    note(f"the world: {button}, {tab}", times)


def test_with_the_toast_of_a_reload(begin, note):
    walk = begin()
    page = walk.visitor.go(walk.in_chat)
    times = []
    for _ in range(min(ROUNDS, PAGES_AT_MOST)):
        name = walk.begin(page)
        stop = in_toast(walk, page)
        expect(stop).to_be_visible()
        times.append(walk.taken(page, stop, name))
    note("the toast after a reload", times)


def test_with_the_question_of_another_opening(begin, note):
    walk = begin()
    page = walk.visitor.go(walk.in_chat)
    times = []
    for _ in range(min(ROUNDS, PAGES_AT_MOST)):
        name = walk.begin(page)
        page.close()
        page = walk.visitor.open()
        walk.visitor.go(walk.in_chat)
        expect(bar(page)).to_contain_text("Your share still runs until")
        times.append(walk.taken(page, in_bar(walk, page), name))
    note("the question of a page that is opened again", times)


def test_by_leaving_the_chat(begin, note, friends):
    walk = begin()
    page = walk.visitor.go(walk.in_chat)
    times = []
    for _ in range(min(ROUNDS, PAGES_AT_MOST)):
        walk.chat = walk.ada.start_chat(friends[1:], "Walk")
        walk.viewer.follow(walk.chat)
        name = walk.begin(page)
        open_settings(page)
        page.get_by_role("button", name="Leave").click()
        stop = page.get_by_role("dialog").get_by_role("button", name="Leave", exact=True)
        expect(stop).to_be_visible()
        times.append(walk.taken(page, stop, name))
        until(lambda: not running(walk.ada), what="the end of every share")
        expect(page.get_by_role("dialog")).to_have_count(0)
    note("leaving the chat", times)


def test_in_the_list_of_groups_after_a_block(begin, note, friends):
    walk = begin()
    page = walk.visitor.go(walk.in_chat)
    times = []
    for _ in range(min(ROUNDS, PAGES_AT_MOST)):
        name = walk.begin(page)
        show(page, "#/contacts")
        page.get_by_role("button", name="What to do with Ben Ohm").click()
        page.get_by_role("button", name="Block", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Block", exact=True).click()
        stop = page.get_by_role("dialog", name="Ben Ohm is blocked").get_by_role("button", name="Stop sharing in Walk")
        expect(stop).to_be_visible()
        times.append(walk.taken(page, stop, name))
        walk.ada.call("DELETE", f"/v1/blocks/{friends[1].user}")
        walk.ada.befriend(friends[1])
        page.reload()
        ready(page)
        connected(page)
    note("the list of groups after a block", times)


# Presses a button as soon as a start has gone to the server, which hasn't answered it.
AS_IT_STARTS = """(button) => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    send.call(this, text);
    if (JSON.parse(text).type !== 'share') return;
    WebSocket.prototype.send = send;
    button.click();
  };
}"""


def test_with_the_red_line_while_a_start_is_on_its_way(begin, note):
    walk = begin()
    page = walk.visitor.go("#/world")
    times = []
    for _ in range(ROUNDS):
        walk.begin_in_world(page)
        show(page, walk.in_chat)
        pill = page.locator(".pill.sharing")
        expect(pill).to_contain_text("the world")
        pill.get_by_role("button", name="Stop sharing everywhere").evaluate(AS_IT_STARTS)
        before = len(walk.viewer.shares)
        bar(page).get_by_role("button", name="Share my position").click()
        until(lambda: len(walk.viewer.shares) > before, what="the share that was on its way")
        times.append(walk.viewer.end(walk.viewer.shares[-1]) - page.evaluate("window.tapped"))
        until(lambda: not running(walk.ada) and not walk.viewer.pins, what="the end of everything")
    note("the red line while a start is on its way", times)


@pytest.mark.parametrize("tab", ["the tab that reports", "another tab"])
def test_without_a_connection_and_again_with_one(begin, note, tab):
    walk = begin()
    reporting = walk.visitor.go(walk.in_chat)
    other = walk.visitor.open()
    walk.visitor.go(walk.in_chat)
    tapping = reporting if tab == "the tab that reports" else other
    times = []
    for _ in range(ROUNDS):
        name = walk.begin(reporting)
        expect(bar(tapping)).to_contain_text("You share here")
        walk.visitor.context.set_offline(True)
        lost(tapping)
        in_bar(walk, tapping).click()
        expect(bar(tapping)).to_contain_text("Stopping: not sent yet")
        online = time.time() * 1_000
        walk.visitor.context.set_offline(False)
        times.append(walk.viewer.end(name) - online)
        connected(reporting)
        connected(tapping)
    note(f"offline, {tab}: from the moment of being online", times)


LEAVING = {
    "closed": "window.close()",
    "another page opened": "location.href = '/icon.svg'",
    "loaded again": "location.reload()",
}


@pytest.mark.parametrize("button, leaving", [*(("the chat's bar", leaving) for leaving in LEAVING), ("Stop everywhere", "closed")])
@pytest.mark.parametrize("worker", ["allow", "block"])
def test_with_a_page_that_is_left_in_the_task_of_the_tap(begin, note, leaving, button, worker):
    walk = begin(service_workers=worker)
    # An empty page, so that no other page of the person can send what this one couldn't.
    opener = walk.visitor.page
    times = []
    for _ in range(min(ROUNDS, PAGES_AT_MOST)):
        # Only a page that a page has opened may close itself.
        with opener.expect_popup() as opened:
            opener.evaluate("(address) => { open(address); }", f"{walk.visitor.server.url}/{walk.in_chat}")
        page = opened.value
        ready(page)
        name = walk.begin(page)
        stop = BUTTONS[button](walk, page)
        expect(stop).to_be_visible()
        # The page is gone before it could be asked when it was.
        stop.evaluate(f"(button) => setTimeout(() => {{ document.cookie = `tapped=${{Date.now()}}`; button.click(); {LEAVING[leaving]}; }})")
        end = walk.viewer.end(name)
        times.append(end - int(next(each["value"] for each in walk.visitor.context.cookies() if each["name"] == "tapped")))
        # A page that is about to be left can't be closed from outside.
        if leaving == "closed":
            until(lambda: walk.visitor.context.cookies() and page.is_closed(), what="a closed page")
        if leaving == "loaded again":
            ready(page)
        if leaving == "another page opened":
            page.wait_for_url("**/icon.svg")
        page.close()
    note(f"{button}, page {leaving} in the same task, {'with' if worker == 'allow' else 'without'} a worker", times)


def stop_offline_and_close(walk, page):
    """Loses the connection, stops in the chat's bar, and closes the page while the stop waits."""
    walk.visitor.context.set_offline(True)
    lost(page)
    in_bar(walk, page).click()
    expect(bar(page)).to_contain_text("Stopping: not sent yet")
    page.close()


def test_without_a_connection_by_the_worker_after_the_page_was_closed(begin, note):
    walk = begin(service_workers="allow")
    idle = walk.visitor.go()
    kept(idle)
    workers = []
    session = walk.visitor.context.new_cdp_session(idle)
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: workers.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    until(lambda: idle.evaluate("1") and workers, what="the worker")
    # A window of the same server without the page.
    idle.goto(f"{walk.visitor.server.url}/icon.svg")
    times = []
    for _ in range(min(ROUNDS, PAGES_AT_MOST)):
        page = walk.visitor.open()
        walk.visitor.go(walk.in_chat)
        name = walk.begin(page)
        stop_offline_and_close(walk, page)
        online = time.time() * 1_000
        walk.visitor.context.set_offline(False)
        session.send("ServiceWorker.dispatchSyncEvent", {
            "origin": walk.visitor.server.url, "registrationId": workers[-1]["registrationId"], "tag": "outbox", "lastChance": False})
        times.append(walk.viewer.end(name) - online)
    note("offline, page closed, with Background Sync: from the moment at which the browser calls the worker", times)


def test_without_a_connection_and_without_a_worker_by_the_next_opening(begin, note):
    walk = begin()
    page = walk.visitor.go(walk.in_chat)
    times = []
    for _ in range(min(ROUNDS, PAGES_AT_MOST)):
        name = walk.begin(page)
        stop_offline_and_close(walk, page)
        walk.visitor.context.set_offline(False)
        page = walk.visitor.open()
        opened = time.time() * 1_000
        walk.visitor.go(walk.in_chat)
        times.append(walk.viewer.end(name) - opened)
    note("offline, page closed, without a worker: from the next opening", times)


def test_without_a_connection_by_the_shares_own_end(begin, note):
    walk = begin()
    times = []
    for _ in range(min(ROUNDS, PAGES_AT_MOST)):
        page = walk.visitor.open()
        walk.visitor.go(walk.in_chat)
        name = walk.begin(page)
        stop_offline_and_close(walk, page)
        walk.visitor.context.set_offline(False)
        end = int(time.time() * 1_000) + 1_500
        walk.ada.call("PATCH", f"/v1/chats/{walk.chat}/shares/{name}", {"until": end})
        times.append(walk.viewer.end(name) - end)
    note("offline, page closed and never opened again: from the share's end", times)


def test_by_rest(begin, note):
    walk = begin()
    times = []
    for _ in range(ROUNDS):
        name = walk.ada.post(f"/v1/chats/{walk.chat}/shares", {"until": None})["share"]["share"]
        called = time.time() * 1_000
        walk.ada.call("DELETE", "/v1/me/shares")
        times.append(walk.viewer.end(name) - called)
    note("REST: from the request", times)
