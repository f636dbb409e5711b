"""Sharing for a while: begun, made longer, gone on with after a reload, seen by the other and stopped; on a phone."""

from conftest import PHONE
from playwright.sync_api import expect
from yonder import until


def bar(page):
    return page.get_by_role("group", name="Sharing here")


def person(page, name):
    return page.get_by_role("list", name="People").get_by_role("button", name=name).first


def shares(caller, chat):
    """What the caller's own `Share` messages said, oldest first."""
    return [message["data"]["state"] for message in caller.messages(chat, tag="Share")["messages"]]


def test_a_share_runs_for_an_hour_longer_over_a_reload_and_until_it_is_stopped(friends, visit, check):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    page, other = visit(ada, size=PHONE).go(f"#/chats/{chat}"), visit(ben, size=PHONE).go(f"#/chats/{chat}")
    page.get_by_role("button", name="For how long, and more").click()
    expect(page.get_by_text("Ben Ohm, and whoever is added to this chat meanwhile.")).to_be_visible()
    check(page, "phone-share")
    page.get_by_role("dialog").get_by_role("button", name="Share · 1 hour").click()
    expect(bar(page)).to_contain_text("1 h left")
    expect(person(other, "Ada Lovelace")).to_contain_text("now")
    bar(page).get_by_role("button", name="+ 1 h").click()
    expect(bar(page)).to_contain_text("2 h left")

    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#toasts")).to_contain_text("You go on sharing with Walk.")
    expect(bar(page)).to_contain_text("You share here")

    page.goto(f"{page.url.split('#')[0]}#/seen")
    expect(page.get_by_text("One person can see where you are.")).to_be_visible()
    check(page, "phone-seen")
    page.get_by_role("button", name="Stop everywhere").click()
    expect(page.get_by_text("Nobody through this browser or a chat")).to_be_visible()
    expect(person(other, "Ada Lovelace")).to_contain_text("stopped sharing")
    until(lambda: shares(ada, chat) == ["started", "changed", "stopped"], what="a share announced once for each change")


def test_where_are_you_is_answered_with_one_tap(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    page, other = visit(ada, size=PHONE).go(f"#/chats/{chat}"), visit(ben, size=PHONE).go(f"#/chats/{chat}")
    ben.send(chat, "Location", data={"latitude": "59.910000", "longitude": "10.750000"})
    person(page, "Ben Ohm").click()
    page.get_by_role("button", name="Where are you?").click()
    other.get_by_role("button", name="Send once").click()
    until(lambda: len(ben.messages(chat, tag="Place")["messages"]) == 1, what="one position as an answer")
    assert shares(ben, chat) == []
