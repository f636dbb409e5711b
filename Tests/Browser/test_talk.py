"""Chats as chats, and people: what one reads, who is there, and how they get in and out. At phone size."""

import re

from conftest import PHONE
from playwright.sync_api import expect


def log_of(page):
    return page.get_by_role("log", name="Messages")


def test_taking_a_message_back_says_nothing_else_and_the_title_is_tapped_to_edit(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    page, other = visit(ada, size=PHONE).go(f"#/chats/{chat}"), visit(ben, size=PHONE).go(f"#/chats/{chat}")
    for each in (page, other):
        each.get_by_text("Messages", exact=True).click()
    page.get_by_label("Message", exact=True).fill("I am at the lake")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take back").click()
    expect(log_of(other)).to_contain_text("This message was taken back.")
    page.get_by_role("button", name="Walk").click()
    page.get_by_label("Name of the chat").fill("Sunday walk")
    page.keyboard.press("Enter")
    expect(other.get_by_role("heading", name="Sunday walk")).to_be_visible()
    for each in (page, other):
        expect(log_of(each).locator(".note")).to_have_text([re.compile("named the chat “Sunday walk”")])
    assert "left" not in log_of(other).inner_text()


def test_a_new_contact_appears_by_itself_and_the_picker_counts(owner, visit):
    ada = owner.add("Ada Lovelace")
    page = visit(ada, size=PHONE).go("#/new")
    expect(page.get_by_role("heading", name="Invite somebody first")).to_be_visible()
    page.get_by_role("button", name="Go to contacts").click()
    page.get_by_role("button", name="Invite somebody").first.click()
    link = page.get_by_label("Invitation link").input_value()
    page.get_by_role("button", name="Close").click()
    page.goto(f"{page.url.split('#')[0]}#/new")
    guest = visit(size=PHONE).go(f"#{link.split('#')[1]}")
    guest.get_by_label("Your name").fill("Ben Ohm")
    guest.get_by_role("button", name="Accept the invitation").click()
    expect(page.get_by_text("You and Ben Ohm are contacts now.")).to_be_visible()
    expect(page.get_by_role("heading", name="New chat")).to_be_visible()
    page.get_by_role("checkbox", name="Ben Ohm").check()
    expect(page.get_by_role("heading", name="1 selected")).to_be_visible()
    page.get_by_role("button", name="Start the chat").click()
    expect(page.get_by_role("heading", name="Ben Ohm")).to_be_visible()


def test_the_picker_searches_and_keeps_its_ticks_and_a_chat_is_left_in_the_list(owner, visit):
    ada = owner.add("Ada Lovelace")
    names = ["Ben Ohm", "Cleo Park", "Dan Fry", "Eva Berg", "Finn Koller", "Zoë Ström"]
    for name in names:
        ada.befriend(owner.add(name))
    page = visit(ada, size=PHONE).go("#/new")
    search = page.get_by_label("Search")
    for typed, name in (("zoe", "Zoë Ström"), ("park", "Cleo Park")):
        search.fill(typed)
        expect(page.get_by_role("checkbox")).to_have_count(1)
        page.get_by_role("checkbox", name=name).check()
    search.fill("nobody")
    expect(page.get_by_text("Nobody of that name.")).to_be_visible()
    expect(page.get_by_role("heading", name="2 selected")).to_be_visible()
    page.get_by_label("What is it about?").fill("Hut weekend")
    page.get_by_role("button", name="Start the chat").click()
    expect(page.get_by_role("heading", name="Hut weekend")).to_be_visible()

    page.get_by_role("button", name="Back").click()
    page.get_by_role("link", name="Hut weekend").click(button="right")
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="No chats yet")).to_be_visible()
