"""Who can see me: the world first, names and a stop in every row, and never *nobody* while anybody can."""

from conftest import PHONE
from playwright.sync_api import expect
from yonder import until


def test_the_world_is_the_first_row_and_each_row_names_people_and_stops(owner, friends, visit, check):
    ada, ben = friends
    cleo = owner.add("Cleo Live")
    ada.befriend(cleo)
    chat = ada.start_chat([ben, cleo], "Walk")
    page = visit(ada, size=PHONE).go("#/seen")
    expect(page.get_by_text("Nobody through this browser or a chat")).to_be_visible()
    expect(page.get_by_text("The world on other devices isn’t known here. What you share")).to_be_visible()
    address = page.url.split("#")[0]
    page.goto(f"{address}#/world")
    page.get_by_label("Show me in the world").check()
    page.goto(f"{address}#/seen")
    expect(page.get_by_text("The whole world can see where you are, without your name.")).to_be_visible()
    expect(page.get_by_text("Nobody through this browser or a chat")).to_be_hidden()
    page.goto(f"{address}#/chats/{chat}")
    page.get_by_role("button", name="Share my position").click()
    expect(page.get_by_text("You share here")).to_be_visible()
    page.goto(f"{address}#/seen")
    expect(page.get_by_text("2 people know that it is you")).to_be_visible()
    rows = page.locator(".seen").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Everybody, without your name")
    expect(rows.nth(1)).to_contain_text("Ben Ohm and Cleo Live")
    check(page, "phone-seen-world")
    rows.nth(0).get_by_role("button", name="Stop").click()
    expect(rows).to_have_count(1)
    expect(page.get_by_text("2 people can see where you are.")).to_be_visible()
    rows.nth(0).get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Nobody through this browser or a chat")).to_be_visible()
    until(lambda: [each["data"]["state"] for each in ada.messages(chat, tag="Share")["messages"]] == ["started", "stopped"], what="the end of the share")
