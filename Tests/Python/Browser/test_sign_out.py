"""Signing out without a connection: nothing of the person's stays but a marker, which the server hears of before anything else."""

import json
import time

from conftest import PHONE, location
from playwright.sync_api import expect
from test_share_handover import sharer
from test_shell import LEFT, kept, opened_chat
from truth import LOST, bar, running, texts, write
from yonder import until


def sign_out(visitor, page):
    page.goto(f"{visitor.server.url}/#/you")
    page.get_by_role("button", name="Sign out").click()


def test_a_sign_out_without_a_connection_leaves_the_programs_files_and_one_marker(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    ada.token()
    visitor = visit(ada, size=PHONE, service_workers="allow")
    visitor.expected += LOST
    page = visitor.go(f"#/chats/{chat}")
    bar(page).get_by_role("button", name="Share my position").click()
    expect(bar(page)).to_contain_text("You share here")
    until(lambda: running(ada), what="a running share")
    kept(page)
    visitor.context.set_offline(True)
    expect(page.locator(".pill.trouble")).to_be_visible()
    tapped = time.time() * 1_000
    sign_out(visitor, page)
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    # What another tab may have written since is erased behind the heading, in a database that is opened for that.
    until(lambda: not page.evaluate(LEFT)["databases"], what="the last erasing")
    left = page.evaluate(LEFT)
    assert all(name.startswith("yonder-shell") for name in left["caches"]) and left["caches"], left
    assert (left["databases"], left["local"], left["session"], left["workers"]) == ([], ["yonder.left"], [], 1), left
    marker = page.evaluate("JSON.parse(localStorage.getItem('yonder.left'))")
    assert marker.keys() == {"leaving", "stops"} and marker["leaving"] == ada.user, marker
    assert [(stop["place"], stop["user"]) for stop in marker["stops"]] == [(chat, ada.user)], marker

    # Opened again without a connection, the page shows nobody signed in.
    page.reload()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    asked = []
    page.on("request", lambda request: "/v1/" in request.url and asked.append(f"{request.method} {request.url.split('/v1')[1]}"))
    visitor.context.set_offline(False)
    expect(page.get_by_role("heading", name="See where your people are")).to_be_visible()
    assert asked[:2] == ["DELETE /me/shares", "DELETE /session"], asked
    assert visitor.context.cookies() == []
    assert running(ada) == []
    [ended] = [share for share in ben.get(f"/v1/chats/{chat}/shares")["shares"] if share["freshness"]["state"] == "ended"]
    assert abs(ended["freshness"]["asOf"] - tapped) < 30_000, (ended, tapped)
    left = page.evaluate(LEFT)
    assert left == {"caches": [], "databases": [], "local": [], "session": [], "workers": 0}, left


def test_messages_that_wait_are_named_before_a_sign_out_and_can_be_kept(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    visitor.expected += LOST
    page = opened_chat(visitor, chat)
    visitor.context.set_offline(True)
    expect(page.locator(".pill.trouble")).to_be_visible()
    write(page, "By the lake")
    expect(page.get_by_text("By the lake").first).to_be_visible()
    page.evaluate("location.hash = '#/you'")
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Sign out, and lose one message?")
    expect(dialog).to_contain_text("By the lake")
    dialog.get_by_role("button", name="Cancel").click()
    visitor.context.set_offline(False)
    until(lambda: texts(ben, chat) == ["By the lake"], what="the message")
    assert page.evaluate("localStorage.getItem('yonder.left')") is None


def test_a_sign_out_in_one_tab_without_a_connection_signs_the_others_out(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    ada.token()
    visitor, one = sharer(visit, ada, chat)
    visitor.expected += LOST
    two = visitor.open()
    visitor.go(f"#/chats/{chat}")
    expect(bar(two)).to_contain_text("You share here")
    # The page itself answers; the server doesn't.
    visitor.context.route("**/v1/**", lambda route: route.abort())
    visitor.context.route_web_socket("**/v1/stream", lambda socket: socket.close())
    sign_out(visitor, one)
    for page in (one, two):
        expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    visitor.context.unroute("**/v1/**")
    for page in (one, two):
        expect(page.get_by_role("heading", name="See where your people are")).to_be_visible()
    until(lambda: not running(ada), what="the end of the share")
    assert visitor.context.cookies() == []


def test_a_stop_of_a_session_that_ended_meanwhile_is_sent_by_the_persons_next_one(friends, owner, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor, page = sharer(visit, ada, chat)
    visitor.expected += [*LOST, "401"]
    another = ada.server.sign_in(owner.post(f"/v1/users/{ada.user}/links")["url"])
    # Another device feeds the share, too: it doesn't end with this session.
    [share] = running(ada)
    another.send(chat, "Location", data={**location(59.9, 10.7), "share": share["share"]})
    visitor.context.set_offline(True)
    bar(page).get_by_role("button", name="Stop").click()
    expect(bar(page)).to_contain_text("Stopping: not sent yet")
    another.call("DELETE", "/v1/me/sessions")
    visitor.context.set_offline(False)
    expect(page.get_by_role("heading", name="See where your people are")).to_be_visible()
    until(lambda: page.evaluate(LEFT)["local"] == ["yonder.left"], what="the marker")
    assert json.loads(page.evaluate("localStorage.getItem('yonder.left')")).keys() == {"stops"}
    assert running(another)
    link = owner.post(f"/v1/users/{ada.user}/links")["url"]
    page.goto("about:blank")
    page.goto(link)
    until(lambda: not running(another), what="the end of the share")
    until(lambda: "yonder.left" not in page.evaluate(LEFT)["local"], what="no marker")
