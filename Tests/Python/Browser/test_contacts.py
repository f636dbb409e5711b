"""Contacts on a phone: they come and go by themselves; a block, and what each of the two sees of it."""

from conftest import PHONE, location, open_settings
from playwright.sync_api import expect
from pytest import raises
from yonder import Refusal, until


def contact(page, name):
    return page.get_by_role("list", name="Contacts").get_by_role("listitem").filter(has_text=name)


def confirm(page, label):
    page.get_by_role("dialog").get_by_role("button", name=label, exact=True).click()


def test_a_contact_is_removed_with_two_taps_and_goes_from_the_other_page_by_itself(friends, visit):
    ada, ben = friends
    page, other = visit(ada, size=PHONE).go("#/contacts"), visit(ben, size=PHONE).go("#/contacts")
    expect(contact(other, "Ada Lovelace")).to_be_visible()
    page.get_by_role("button", name="What to do with Ben Ohm").click()
    contact(page, "Ben Ohm").get_by_role("button", name="Remove", exact=True).click()
    confirm(page, "Remove")
    expect(contact(page, "Ben Ohm")).to_have_count(0)
    expect(contact(other, "Ada Lovelace")).to_have_count(0)
    ada.befriend(ben)
    expect(contact(page, "Ben Ohm")).to_be_visible()
    expect(contact(other, "Ada Lovelace")).to_be_visible()


def test_a_person_is_blocked_from_their_card_in_a_chat(friends, visit, check):
    ada, ben = friends
    group = ada.start_chat([ben], "Sunday walk")
    page = visit(ada, size=PHONE).go(f"#/chats/{group}")
    page.get_by_role("list", name="People").get_by_role("button", name="Ben Ohm").click()
    block = page.get_by_role("button", name="Block Ben Ohm")
    block.scroll_into_view_if_needed()
    check(page, "phone-person-block")
    block.click()
    confirm(page, "Block")
    page.get_by_role("dialog", name="Ben Ohm is blocked").get_by_role("button", name="Leave Sunday walk").click()
    confirm(page, "Leave")
    expect(page.get_by_role("heading", name="Welcome to Yonder")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert [user["name"] for user in ada.get("/v1/blocks")["blocks"]] == ["Ben Ohm"]


def test_a_person_leaves_a_group_for_good_and_takes_it_back_in_contacts(friends, visit, check):
    ada, ben = friends
    group, pair = ada.start_chat([ben], "Sunday walk"), ada.start_chat([ben], one_to_one=True)
    page = visit(ben, size=PHONE).go(f"#/chats/{pair}")
    open_settings(page)
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("dialog").get_by_role("button")).to_have_text(["Cancel", "Leave"])
    confirm(page, "Cancel")

    page = visit(ben, size=PHONE).go(f"#/chats/{group}")
    open_settings(page)
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("dialog", name="Leave this chat?")).to_be_visible()
    check(page, "phone-leave-group")
    confirm(page, "Leave and stay out")
    expect(page.get_by_role("dialog")).to_have_count(0)
    until(lambda: ben.get("/v1/me/stays-out")["chats"] == [{"id": group, "subject": "Sunday walk"}], what="the group")
    with raises(Refusal, match="notAllowed"):
        ada.post(f"/v1/chats/{group}/participants", {"users": [ben.user]})

    page = visit(ben, size=PHONE).go("#/contacts")
    left = page.get_by_role("list", name="Groups you stay out of")
    expect(left).to_contain_text("Sunday walk")
    check(page, "phone-left-groups")
    page.get_by_role("button", name="Allow being added to Sunday walk again").click()
    expect(left).to_be_hidden()
    ada.post(f"/v1/chats/{group}/participants", {"users": [ben.user]})
    assert [chat["id"] for chat in ben.get("/v1/chats")["chats"]] == [group, pair]


def test_a_block_leaves_all_groups_that_the_person_owns(friends, visit, check):
    ada, ben = friends
    owned = [ada.start_chat([ben], subject) for subject in ("Sunday walk", "Monday run")]
    kept = ben.start_chat([ada], "Choir")
    ben.post(f"/v1/chats/{owned[0]}/shares", {})
    page = visit(ben, size=PHONE).go("#/contacts")
    page.get_by_role("button", name="What to do with Ada Lovelace").click()
    contact(page, "Ada Lovelace").get_by_role("button", name="Block", exact=True).click()
    page.get_by_role("checkbox", name="Leave all groups that Ada Lovelace owns").check()
    check(page, "phone-block-owner")
    confirm(page, "Block")

    groups = page.get_by_role("dialog", name="Ada Lovelace is blocked")
    expect(groups.get_by_role("listitem").locator("strong")).to_have_text(["Choir"])
    groups.get_by_role("button", name="Done").click()
    expect(page.get_by_role("list", name="Groups you stay out of").get_by_role("listitem")).to_have_count(2)
    check(page, "phone-blocked-owner")
    assert [chat["id"] for chat in ben.get("/v1/chats")["chats"]] == [kept]
    assert ben.get("/v1/me/shares")["shares"] == []
    assert {chat["id"] for chat in ben.get("/v1/me/stays-out")["chats"]} == set(owned)


def test_a_block_from_a_card_leaves_the_group_that_is_open(friends, visit):
    ada, ben = friends
    group = ada.start_chat([ben], "Sunday walk")
    page = visit(ben, size=PHONE).go(f"#/chats/{group}")
    page.get_by_role("list", name="People").get_by_role("button", name="Ada Lovelace").click()
    page.get_by_role("button", name="Block Ada Lovelace").click()
    page.get_by_role("checkbox", name="Leave all groups that Ada Lovelace owns").check()
    confirm(page, "Block")
    expect(page.get_by_role("heading", name="Welcome to Yonder")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert ben.get("/v1/chats")["chats"] == []


def test_no_block_offers_to_leave_groups_of_others(friends, visit):
    ada, ben = friends
    ben.start_chat([ada], "Choir")
    page = visit(ben, size=PHONE).go("#/contacts")
    page.get_by_role("button", name="What to do with Ada Lovelace").click()
    contact(page, "Ada Lovelace").get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Block")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)


def test_who_blocks_is_shown_the_groups_of_both_and_the_blocked_person_sees_nothing(server, friends, visit, check):
    ada, ben = friends
    pair, group = ada.start_chat([ben], one_to_one=True), ada.start_chat([ben], "Sunday walk")
    for chat in (pair, group):
        ada.post(f"/v1/chats/{chat}/shares", {})
        ada.send(chat, "Location", data=location(59.9139, 10.7522))
    page, other = visit(ada, size=PHONE).go("#/contacts"), visit(ben, size=PHONE).go("#/contacts")
    expect(contact(other, "Ada Lovelace")).to_be_visible()
    page.get_by_role("button", name="What to do with Ben Ohm").click()
    contact(page, "Ben Ohm").get_by_role("button", name="Block", exact=True).click()
    confirm(page, "Block")

    groups = page.get_by_role("dialog", name="Ben Ohm is blocked")
    expect(groups.get_by_role("listitem").locator("strong")).to_have_text(["Sunday walk"])
    check(page, "phone-blocked")
    groups.get_by_role("button", name="Stop sharing in Sunday walk").click()
    expect(groups.get_by_role("button", name="Stop sharing in Sunday walk")).to_be_hidden()
    until(lambda: ada.get("/v1/me/shares")["shares"] == [], what="the end of all her shares")
    groups.get_by_role("button", name="Done").click()
    expect(contact(page, "Ben Ohm")).to_have_count(0)
    expect(page.get_by_role("list", name="Blocked people")).to_contain_text("Ben Ohm")

    # Nothing tells him; only what he writes to her is refused.
    expect(contact(other, "Ada Lovelace")).to_be_visible()
    other.goto(f"{server.url}/#/chats/{pair}")
    other.get_by_text("Messages", exact=True).click()
    other.get_by_label("Message", exact=True).fill("Are you there?")
    other.keyboard.press("Enter")
    expect(other.get_by_text("This chat takes no more messages.")).to_be_visible()

    page.get_by_role("button", name="Unblock Ben Ohm").click()
    expect(page.get_by_role("list", name="Blocked people")).to_be_hidden()
    ben.send(pair, "Text", "Hello again")
    page.goto(f"{server.url}/#/chats")
    expect(page.get_by_role("link", name="Ben Ohm")).to_contain_text("Hello again")
