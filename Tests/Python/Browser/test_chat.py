"""Chats: starting, sharing, the map, messages, and what happens without a connection."""

import re

import pytest
from conftest import at_rest, frames, location, open_settings
from playwright.sync_api import expect
from yonder import Refusal, until


def person(page, name):
    """A person's line in the chat."""
    return page.get_by_role("list", name="People").get_by_role("button", name=name).first


def share(page):
    """Starts sharing with the one button at the chat's foot, and waits until the page says that it does."""
    page.get_by_role("button", name="Share my position").click()
    expect(page.get_by_text("You share here")).to_be_visible()


def callout(page):
    return page.get_by_role("group", name="Selected person")


def texts(page):
    return page.get_by_role("log", name="Messages").locator(".message-body > p")


def test_two_start_a_chat_and_see_each_other_move(friends, visit):
    ada, ben = friends
    hers, his = visit(ada), visit(ben, place={"latitude": 59.95, "longitude": 10.8, "accuracy": 8})
    page, other = hers.go("#/chats"), his.go("#/chats")
    page.get_by_role("button", name="New chat").first.click()
    page.get_by_label("Ben Ohm").check()
    page.get_by_text("A new group").click()
    page.get_by_label("What is it about?").fill("Sunday walk")
    page.get_by_role("button", name="Start the chat").click()
    expect(page.get_by_role("heading", name="Sunday walk")).to_be_visible()
    other.get_by_role("link", name="Sunday walk").click()
    expect(page.get_by_text("2 people")).to_be_visible()

    expect(person(page, "Ada Lovelace (you)")).to_contain_text("Shares no position here")
    share(page)
    share(other)
    expect(page.locator("#status .sharing")).to_be_hidden()
    expect(person(other, "Ada Lovelace")).to_contain_text("now")
    expect(person(other, "Ada Lovelace").locator("[title]")).to_have_attribute("title", re.compile("59.91390° N, 10.75220° E"))
    expect(person(page, "Ben Ohm").locator("[title]")).to_have_attribute("title", re.compile("59.95000° N, 10.80000° E"))

    hers.move(59.9151, 10.7544)
    expect(person(other, "Ada Lovelace").locator("[title]")).to_have_attribute("title", re.compile("59.91510° N, 10.75440° E"))
    his.move(59.9512, 10.8013)
    expect(person(page, "Ben Ohm").locator("[title]")).to_have_attribute("title", re.compile("59.95120° N, 10.80130° E"))

    page.get_by_role("group", name="Sharing here").get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Share my position")).to_be_visible()
    sent = len(ada.messages(chat_id(page), tag="Location", sender=ada.user)["messages"])
    hers.move(59.93, 10.77)
    his.move(59.9533, 10.8035)
    expect(person(page, "Ben Ohm").locator("[title]")).to_have_attribute("title", re.compile("59.95330° N"))
    assert len(ada.messages(chat_id(page), tag="Location", sender=ada.user)["messages"]) == sent


def chat_id(page):
    return page.url.rsplit("/", 1)[1]


def test_a_position_goes_to_a_chat_once_and_to_a_later_chat_at_once(owner, friends, visit):
    ada, ben = friends
    first, second = ada.start_chat([ben], "First"), ada.start_chat([ben], "Second")
    hers = visit(ada)
    page = hers.go(f"#/chats/{first}")
    share(page)
    expect(person(page, "Ada Lovelace (you)").locator("[title]")).to_have_attribute("title", re.compile("59.91390° N"))
    hers.move(59.9139, 10.7522)
    hers.move(59.9142, 10.7522)
    expect(person(page, "Ada Lovelace (you)").locator("[title]")).to_have_attribute("title", re.compile("59.91420° N"))

    page.get_by_role("button", name="Back").click()
    page.get_by_role("link", name="Second").click()
    expect(page.locator("#status").get_by_text("You share with First")).to_be_visible()
    share(page)
    expect(person(page, "Ada Lovelace (you)").locator("[title]")).to_have_attribute("title", re.compile("59.91420° N"))

    def sent(chat):
        return [message["data"]["latitude"] for message in ada.messages(chat, tag="Location")["messages"]]

    until(lambda: sent(second), what="a position in the second chat")
    assert sent(first) == ["59.913900", "59.914200"]
    assert sent(second) == ["59.914200"]


def test_one_contact_may_be_met_one_to_one_and_the_chat_is_found_again(friends, visit):
    ada, ben = friends
    page = visit(ada).go("#/contacts")
    page.get_by_role("button", name="Start a chat with Ben Ohm").click()
    page.get_by_role("button", name="Start the chat").click()
    expect(page.get_by_role("heading", name="Ben Ohm")).to_be_visible()
    chat = chat_id(page)
    page.get_by_role("link", name="Contacts").click()
    page.get_by_role("button", name="Start a chat with Ben Ohm").click()
    page.get_by_role("button", name="Start the chat").click()
    expect(page.get_by_text("You two have this chat already.")).to_be_visible()
    assert chat_id(page) == chat


def test_a_selected_pin_stays_selected_while_it_moves(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    for step in range(3):
        ben.send(chat, "Location", data=location(59.91 + step / 100, 10.75))
    page = visit(ada, reduced_motion="no-preference").go(f"#/chats/{chat}")
    person(page, "Ben Ohm").click()
    expect(callout(page)).to_contain_text("Ben Ohm")
    expect(callout(page)).to_contain_text("ben@example.org")
    expect(callout(page).locator(".place")).to_have_attribute("title", re.compile("59.93000° N"))
    # The map would go after the pin.
    callout(page).get_by_role("button", name="Follow").click()
    before = settled(page)

    ben.send(chat, "Location", data=location(59.9302, 10.7505))
    expect(callout(page).locator(".place")).to_have_attribute("title", re.compile("59.93020° N"))
    expect(callout(page)).to_have_count(1)
    until(lambda: settled(page) != before, what="a callout that moves with the pin")
    expect(person(page, "Ben Ohm")).to_have_attribute("aria-pressed", "true")

    # The pin itself is on the map: its callout closes, and opens again with a click on it, or a key.
    settled(page)
    page.keyboard.press("Escape")
    pin = page.get_by_role("group", name="People on the map").get_by_role("button", name="Ben")
    page.mouse.click(700, 760)
    expect(callout(page)).to_have_count(0)
    pin.locator(".hit").click()
    expect(callout(page)).to_contain_text("Ben Ohm")
    page.mouse.click(700, 760)
    expect(callout(page)).to_have_count(0)
    pin.focus()
    page.keyboard.press("Enter")
    expect(callout(page)).to_contain_text("Ben Ohm")


def settled(page):
    """Where the callout stands when the map has come to rest: at the same place in frames that follow each other."""

    def rests():
        at_rest(page)
        boxes = []
        for _ in range(3):
            frames(page)
            boxes.append(callout(page).bounding_box())
        return page.locator('#map[data-map="idle"]').count() and boxes[0] == boxes[1] == boxes[2] and boxes[0]

    return until(rests, what="a map at rest")


def test_all_locations_or_the_last(friends, visit, check):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    for step in range(20):
        ben.send(chat, "Location", data=location(59.91 + step / 500, 10.75 + step / 300))
        ada.send(chat, "Location", data=location(59.90 + step / 700, 10.75 + step / 200))
    page = visit(ada).go(f"#/chats/{chat}")
    toggle = page.get_by_label("View all locations")
    expect(toggle).not_to_be_checked()
    expect(page.get_by_text("You view the last location of each person.")).to_be_visible()
    person(page, "Ben Ohm").click()
    settled(page)
    toggle.check()
    expect(page.get_by_text("Switch off to view the last location.")).to_be_visible()
    expect(callout(page)).to_contain_text("Ben Ohm")
    page.get_by_role("button", name="Show everybody").click()
    settled(page)
    check(page, "desktop-all-locations")
    toggle.uncheck()
    expect(callout(page)).to_contain_text("Ben Ohm")


def test_messages_are_sent_shown_and_taken_back(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    page, other = visit(ada).go(f"#/chats/{chat}"), visit(ben).go(f"#/chats/{chat}")
    page.get_by_label("Message", exact=True).fill("I am at the lake")
    page.keyboard.press("Enter")
    expect(other.get_by_role("log", name="Messages")).to_contain_text("I am at the lake")
    page.locator(".message[data-number]").click()
    page.get_by_role("button", name="Take back").click()
    expect(other.get_by_role("log", name="Messages")).to_contain_text("This message was taken back.")
    expect(other.get_by_role("log", name="Messages")).not_to_contain_text("I am at the lake")


def test_offline_and_back_nothing_is_missing_and_nothing_comes_twice(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada)
    visitor.expected.append("ERR_INTERNET_DISCONNECTED")
    page = visitor.go(f"#/chats/{chat}")
    ben.send(chat, "Text", "before")
    expect(page.get_by_role("log", name="Messages")).to_contain_text("before")

    visitor.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    missed = [f"missed {number}" for number in range(30)]
    for text in missed:
        ben.send(chat, "Text", text)
    page.get_by_label("Message", exact=True).fill("written offline")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting to be sent…")).to_be_visible()
    visitor.context.set_offline(False)

    expect(page.get_by_role("log", name="Messages")).to_contain_text("missed 29")
    expect(page.get_by_text("Waiting to be sent…")).to_have_count(0)
    expect(page.get_by_text("You are offline.")).to_have_count(0)
    expect(texts(page)).to_have_text(["before", *missed, "written offline"])
    kept = [message["content"] for message in ben.messages(chat, tag="Text")["messages"]]
    assert kept == ["before", *missed, "written offline"]


def test_unsent_messages_are_sent_by_the_next_visit(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada)
    visitor.expected.append("ERR_INTERNET_DISCONNECTED")
    page = visitor.go(f"#/chats/{chat}")
    visitor.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.get_by_label("Message", exact=True).fill("from the tunnel")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting to be sent…")).to_be_visible()
    page.close()
    visitor.context.set_offline(False)
    visitor.open()
    page = visitor.go("#/chats")
    until(lambda: [m["content"] for m in ben.messages(chat, tag="Text")["messages"]] == ["from the tunnel"], what="the text")


def test_the_owner_forbids_to_change_a_chats_name_and_a_member_sees_it_at_once(friends, visit):
    """Rule 5."""
    ada, ben = friends
    chat = ada.start_chat([ben], "Sunday walk")
    hers, his = visit(ada).go(f"#/chats/{chat}"), visit(ben).go(f"#/chats/{chat}")
    title = his.locator(".title-button")
    expect(title).to_have_text("Sunday walk")
    open_settings(hers)
    open_settings(his)
    expect(his.get_by_label("Only I change the name")).to_be_hidden()
    hers.get_by_label("Only I change the name").check()
    expect(title).to_have_count(0)
    expect(his.get_by_role("heading", name="Sunday walk")).to_be_visible()
    with pytest.raises(Refusal, match="notAllowed"):
        ben.call("PATCH", f"/v1/chats/{chat}", {"subject": "Run"})
    hers.locator(".title-button").click()
    hers.get_by_label("Name of the chat").fill("Sunday swim")
    hers.keyboard.press("Enter")
    expect(his.get_by_role("heading", name="Sunday swim")).to_be_visible()
    hers.get_by_label("Only I change the name").uncheck()
    expect(title).to_have_text("Sunday swim")


def test_the_owner_chooses_how_long_positions_are_kept_and_a_member_reads_it(friends, visit):
    """Rule 1."""
    ada, ben = friends
    chat = ada.start_chat([ben], "Sunday walk")
    hers, his = visit(ada).go(f"#/chats/{chat}"), visit(ben).go(f"#/chats/{chat}")
    open_settings(hers)
    open_settings(his)
    choice = hers.get_by_label("Positions are kept")
    expect(choice).to_have_value("month")
    expect(his.locator(".keeping")).to_contain_text("for 30 days")
    expect(his.get_by_label("Positions are kept")).to_be_hidden()
    choice.select_option("for one day")
    expect(his.locator(".keeping")).to_contain_text("for one day")
    expect(his.get_by_text("decided: positions are kept for one day").first).to_be_attached()
    assert ben.get(f"/v1/chats/{chat}")["chat"]["positions"] == "day"


def test_a_participant_who_leaves_sees_the_chat_no_more(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    page = visit(ben).go(f"#/chats/{chat}")
    open_settings(page)
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_role("heading", name="No chats yet")).to_be_visible()
    page = visit(ada).go(f"#/chats/{chat}")
    expect(page.get_by_role("heading", name="Walk")).to_be_visible()


def test_a_picture_on_another_server_is_not_asked_for(friends, visit):
    ada, ben = friends
    ben.call("PATCH", "/v1/me", {"avatar": "https://elsewhere.example/ben.png"})
    page = visit(ada).go("#/contacts")
    contact = page.get_by_role("list", name="Contacts").get_by_role("listitem").filter(has_text="Ben Ohm")
    expect(contact.locator(".avatar")).to_have_text("BO")
    expect(contact.locator("img")).to_have_count(0)


def test_without_permission_sharing_stays_off_and_says_why(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada)
    visitor.context.clear_permissions()
    page = visitor.go(f"#/chats/{chat}")
    page.get_by_role("button", name="Share my position").click()
    expect(page.get_by_text("This page may not see your position.")).to_be_visible()
    expect(page.get_by_text("Nothing was shared.")).to_be_visible()
    expect(page.get_by_text("You share here")).to_have_count(0)
