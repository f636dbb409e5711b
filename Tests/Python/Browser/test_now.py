"""Dot, pill, spoken words and color agree with what is so; on phones and a desk."""

import re

from conftest import PHONE
from playwright.sync_api import expect
from test_people import mark, person
from truth import LOST, bar, connected, lost, pill, running, share
from yonder import until

VADUZ, ESCHEN = (47.141, 9.521), (47.212, 9.523)


def announced(page, text):
    """Waits until a reader of the screen has heard it."""
    expect(page.locator("#announcer")).to_have_text(text)


def test_the_red_dot_is_this_device_alone_and_another_one_that_shares_is_a_pin(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    desk = visit(ada)
    desk.move(*ESCHEN)
    page = desk.go(f"#/chats/{chat}")
    share(page, ada)
    expect(mark(page, "You")).to_have_class("mark sharing")
    expect(mark(page, "You")).to_have_attribute("aria-label", re.compile("others see you here"))
    phone = visit(ada, size=PHONE)
    phone.move(*VADUZ)
    here = phone.go(f"#/chats/{chat}")
    expect(bar(here)).to_contain_text("from another device")
    expect(mark(here, "You")).to_have_attribute("data-kind", "dot")
    expect(mark(here, "You")).to_have_class("mark")
    expect(mark(here, "Ada")).not_to_have_attribute("data-kind", "dot")
    expect(mark(here, "Ada")).to_have_attribute("aria-label", re.compile("from another device"))


def test_after_a_stop_without_a_connection_eyes_and_ears_get_the_same(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    visitor.expected += LOST
    page = visitor.go(f"#/chats/{chat}")
    share(page, ada)
    announced(page, "You share your position with Walk.")
    visitor.context.set_offline(True)
    lost(page)
    expect(page.locator(".pill.trouble")).to_contain_text("kept and sent later")
    bar(page).get_by_role("button", name="Stop").click()
    expect(bar(page)).to_contain_text("Stopping: not sent yet")
    expect(page.locator(".pill.trouble")).not_to_contain_text("kept and sent later")
    announced(page, "You stop sharing with Walk. This isn’t sent yet: until there is a connection, others see your last position.")
    # Of somebody who never shared it isn't known without a connection.
    expect(person(page, "Ben Ohm")).to_contain_text("Not known without a connection")
    visitor.context.set_offline(False)
    connected(page)
    until(lambda: not running(ada), what="the end of the share")
    announced(page, "You no longer share with Walk.")
    expect(person(page, "Ben Ohm")).to_contain_text("Shares no position here")
    expect(pill(page)).to_be_hidden()


def test_the_color_in_you_is_the_one_that_others_see_and_a_new_name_changes_the_letters(owner, visit):
    ada, ben = owner.add("Ada Lovelace"), owner.add("Ben Ohm")
    hers = visit(ada, size=PHONE).go("#/you")
    picture = hers.locator(".own-picture .avatar")
    # Before the first contact nobody sees her in a color.
    expect(hers.get_by_text("You get one with your first chat, or choose it here.")).to_be_visible()
    expect(hers.locator(".hues input:checked")).to_have_count(0)
    ada.befriend(ben)
    ada.start_chat([ben], one_to_one=True)
    his = visit(ben).go("#/contacts")
    seen = his.get_by_role("listitem").filter(has_text="Ada Lovelace").locator(".avatar").get_attribute("style")
    expect(picture).to_have_attribute("style", seen)
    expect(hers.locator(".hues label:has(:checked) .hue")).to_have_attribute("style", seen.split(" --ink")[0])
    hers.get_by_label("Name", exact=True).fill("Zoe Byron")
    hers.get_by_role("button", name="Save").click()
    expect(picture).to_have_text("ZB")
