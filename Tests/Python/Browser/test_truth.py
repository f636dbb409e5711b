"""What the page says of sharing is so. Each case as it was found, and in each state of `truth.py`; `make test-truth` tries all."""

import time

import pytest
# A server of these tests alone, as they start it anew.
from own_server import owner, server
from playwright.sync_api import expect
from yonder import until

from conftest import CATCH, location, visits
from test_first_picture import SCHAAN, VADUZ, VIEW, seen
from truth import (COUNT, TRIALS, Browsers, State, bar, connected, erase_database, kept, lost, positions, ready, running, share, texts,
                   unseen, write)


@pytest.fixture(scope="module")
def browsers(browser, server):
    opening = visits(browser, server)
    yield Browsers(server, next(opening))
    next(opening, None)


@pytest.fixture(params=TRIALS, ids=lambda trial: f"{trial[0]}-{trial[1]}")
def state(request, browsers):
    state = State(request.param[0], browsers)
    yield state
    state.end()


@pytest.fixture
def walk(friends):
    ada, ben = friends
    return ada, ben, ada.start_chat([ben], "Walk")


def test_after_a_reload_sharing_goes_on_or_nothing_says_that_it_does(state, walk):
    ada, ben, chat = walk
    visitor = state.visit(ada)
    page = visitor.go(f"#/chats/{chat}")
    state.spoil(page)
    share(page, ada)
    state.disturb(visitor, page)
    if state.name == "full":
        expect(page.locator("#toasts")).to_contain_text("it won’t go on after a reload")
    if state.name == "offline":
        kept(page)
        visitor.context.set_offline(True)
    page.reload()
    ready(page)
    visitor.context.set_offline(False)
    connected(page)
    if state.name == "full":
        # What wasn't kept doesn't go on by itself, and is this browser's all the same.
        expect(bar(page)).to_contain_text("Your share still runs")
        expect(bar(page)).not_to_contain_text("from another device")
        assert page.evaluate("navigator.locks.query().then(({ held }) => held.length)") == 0
        return
    if state.name != "tabs":
        expect(page.locator("#toasts")).to_contain_text("You go on sharing with Walk.")
    expect(bar(page)).to_contain_text("You share here")
    expect(bar(page)).not_to_contain_text("from another device")
    before = positions(ben, chat)
    visitor.move(59.93, 10.77)
    until(lambda: positions(ben, chat) > before, what="a position after the reload")


def test_a_stop_without_a_connection_is_sent_by_the_next_opening_as_of_the_tap(state, walk):
    ada, ben, chat = walk
    visitor = state.visit(ada)
    page = visitor.go(f"#/chats/{chat}")
    share(page, ada)
    state.disturb(visitor, page)
    if state.name == "offline":
        kept(page)
    visitor.context.set_offline(True)
    lost(page)
    state.spoil(page)
    bar(page).get_by_role("button", name="Stop").click()
    expect(bar(page)).to_contain_text("Stopping: not sent yet")
    expect(page.locator(".pill.sharing")).to_contain_text("Stopping: not sent yet")
    tapped = time.time() * 1_000
    assert running(ada)
    if state.name == "full":
        # What can't be kept is only in this page, which asks before it is left.
        with page.expect_event("dialog") as asked:
            page.on("dialog", lambda dialog: dialog.dismiss())
            page.close(run_before_unload=True)
        assert asked.value.type == "beforeunload"
    else:
        page.close()
    state.restart()
    if state.name == "offline":
        page = visitor.open()
        visitor.go(f"#/chats/{chat}")
        expect(page.locator(".pill.sharing")).to_contain_text("Stopping: not sent yet")
    visitor.context.set_offline(False)
    if state.name in ("full", "offline"):
        connected(page)
    elif state.name == "tabs":
        page = state.other
    else:
        page = visitor.open()
        visitor.go(f"#/chats/{chat}")
    until(lambda: not running(ada), what="the end of the share")
    [ended] = [share for share in ben.get(f"/v1/chats/{chat}/shares")["shares"] if share["freshness"]["state"] == "ended"]
    assert ended["freshness"]["asOf"] <= tapped, ended
    expect(bar(page).get_by_role("button", name="Share my position")).to_be_visible()


def test_the_map_shows_after_a_reload_what_it_showed_before(state, owner, walk):
    """With moves that take their time, as what is laid out late stops them."""
    ada, ben, _ = walk
    cleo = owner.add("Cleo Live")
    ada.befriend(cleo)
    family = ada.start_chat([ben, cleo], "Family")
    ben.send(family, "Location", data=location(*VADUZ))
    cleo.send(family, "Location", data=location(*SCHAAN))
    visitor = state.visit(ada, scripts=(CATCH,), reduced_motion="no-preference")
    visitor.move(47.15, 9.515)
    page = visitor.go()
    first = seen(page, "Ben", "Cleo", "You")
    state.spoil(page)
    state.disturb(visitor, page, reloads=True)
    if state.name == "offline":
        kept(page)
    page.reload()
    ready(page)
    until(lambda: "testedMap" in page.evaluate("Object.keys(window)") and page.evaluate(VIEW) == first, what="the same picture")
    assert seen(page, "Ben", "Cleo", "You") == first


def test_a_refusal_that_passes_isnt_taken_for_a_server_without_shares(state, walk):
    ada, _, chat = walk
    visitor = state.visit(ada, refused="shares")
    page = visitor.go(f"#/chats/{chat}")
    state.spoil(page)
    begun = share(page, ada)
    assert page.evaluate("sessionStorage.getItem('tested.refused')") == "shares"
    assert 0 < begun["until"] - time.time() * 1_000 <= 3_600_000, begun
    state.disturb(visitor, page)
    stopped = state.other or page
    expect(bar(stopped)).to_contain_text("You share here")
    bar(stopped).get_by_role("button", name="Stop").click()
    until(lambda: not running(ada), what="the end of the share")
    expect(bar(page).get_by_role("button", name="Share my position")).to_be_visible()


def test_texts_and_positions_are_sent_although_the_database_was_closed(state, walk):
    ada, ben, chat = walk
    visitor = state.visit(ada)
    page = visitor.go(f"#/chats/{chat}")
    erase_database(state.server, page)
    share(page, ada)
    state.disturb(visitor, page)
    until(lambda: positions(ben, chat) > 0, what="the first position")
    page.get_by_text("Messages", exact=True).click()
    erase_database(state.server, page)
    state.spoil(page)
    before = positions(ben, chat)
    visitor.move(59.94, 10.78)
    until(lambda: positions(ben, chat) > before, what="a position")
    write(page, "It is closed")
    expect(page.get_by_role("log", name="Messages")).to_contain_text("It is closed")
    until(lambda: texts(ben, chat) == ["It is closed"], what="the message")


def test_a_stop_in_one_tab_holds_in_every_other(state, walk):
    ada, _, chat = walk
    visitor = state.visit(ada)
    one = visitor.go(f"#/chats/{chat}")
    share(one, ada)
    two = visitor.open()
    visitor.go(f"#/chats/{chat}")
    state.spoil(two)
    state.disturb(visitor, one)
    tabs = [one, two, *filter(None, [state.other])]
    for stopping in (two, one):
        for page in tabs:
            expect(bar(page)).to_contain_text("You share here")
        bar(stopping).get_by_role("button", name="Stop").click()
        for page in tabs:
            expect(bar(page).get_by_role("button", name="Share my position")).to_be_visible()
        until(lambda: not running(ada), what="the end of the share")
        unseen(one)
        if stopping is two:
            share(two, ada)


def test_a_stop_in_the_world_in_one_tab_holds_in_every_other(state, walk):
    """Nothing else ends it there, as the server keeps no share in the world."""
    ada, *_ = walk
    visitor = state.visit(ada)
    one = visitor.go("#/world")
    two = visitor.open()
    visitor.go("#/world")
    state.spoil(two)
    for page, other in ((one, two), (two, one)):
        page.get_by_label("Show me in the world").check()
        expect(other.get_by_label("Show me in the world")).to_be_checked()
        if page is one:
            state.disturb(visitor, one)
        tabs = [one, two, *filter(None, [state.other])]
        for each in tabs:
            expect(each.get_by_label("Show me in the world")).to_be_checked()
        page.get_by_label("Show me in the world").uncheck()
        for each in tabs:
            expect(each.get_by_label("Show me in the world")).not_to_be_checked()
        unseen(one)


def test_a_share_begun_without_a_connection_outlives_the_queue_of_the_one_before(state, walk):
    ada, ben, chat = walk
    visitor = state.visit(ada)
    page = visitor.go(f"#/chats/{chat}")
    old = share(page, ada)
    until(lambda: positions(ben, chat) > 0, what="the first position")
    state.disturb(visitor, page)
    ada.call("PATCH", f"/v1/chats/{chat}/shares/{old['share']}", {"until": int(time.time() * 1_000) + 5_000})
    expect(bar(page)).to_contain_text("1 min left")
    visitor.context.set_offline(True)
    lost(page)
    state.spoil(page)
    for step in range(5):
        visitor.move(59.94 + step / 100, 10.75)
        page.evaluate("new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve, resolve, { timeout: 1_000 }))")
    expect(page.locator("#toasts")).to_contain_text("Your sharing with Walk ended.")
    visitor.move(59.99, 10.75)
    bar(page).get_by_role("button", name="Share my position").click()
    expect(bar(page)).to_contain_text("Shares as soon as this page is connected.")
    state.restart()
    visitor.context.set_offline(False)
    connected(page)
    expect(bar(page)).to_contain_text("You share here")
    [new] = until(lambda: running(ada), what="the new share")
    assert new["share"] != old["share"]
    before = positions(ben, chat)
    visitor.move(60.01, 10.75)
    until(lambda: positions(ben, chat) > before, what="a position of the new share")
    assert [each["share"] for each in running(ada)] == [new["share"]]
    expect(bar(page)).not_to_contain_text("from another device")


def test_a_message_that_a_closed_tab_left_is_sent_by_another_tab(state, walk):
    ada, ben, chat = walk
    visitor = state.visit(ada)
    closed = visitor.go(f"#/chats/{chat}")
    closed.get_by_text("Messages", exact=True).click()
    other = visitor.open()
    visitor.go("#/you")
    state.disturb(visitor, other)
    visitor.context.set_offline(True)
    lost(closed)
    state.spoil(closed)
    write(closed, "Left behind")
    expect(closed.get_by_text("Waiting to be sent…")).to_be_visible()
    if state.name == "full":
        expect(closed.get_by_text("This browser can’t keep what isn’t sent yet.")).to_be_visible()
    else:
        until(lambda: other.evaluate(COUNT, "unsent") == 1, what="the kept message")
        closed.close()
    state.restart()
    state.outdate(other)
    visitor.context.set_offline(False)
    until(lambda: other.title() is not None and texts(ben, chat) == ["Left behind"], what="the message")
