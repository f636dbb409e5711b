"""Three phones in one family: what each sees of what the others write, read and share."""

import re

from conftest import PHONE, location
from playwright.sync_api import expect
from yonder import until


def row(page, name):
    return page.get_by_role("list", name="Chats").get_by_role("link", name=name)


def log_of(page):
    return page.get_by_role("log", name="Messages")


def test_three_phones_read_what_each_writes(owner, visit, check):
    mia, jonas, noah = (owner.add(name) for name in ("Mia Hasler", "Jonas Hasler", "Noah Hasler"))
    mia.befriend(jonas, noah)
    run = mia.start_chat([jonas, noah], "Sunday run")
    family = mia.start_chat([jonas, noah], "Hasler family")
    jonas.send(run, "Text", "Eight o’clock?")
    phones = [visit(person, size=PHONE) for person in (mia, jonas, noah)]
    page, other, third = (phone.go(place) for phone, place in zip(phones, (f"#/chats/{family}", f"#/chats/{family}", "#/chats")))
    third.add_init_script("window.shown = []; window.Notification = class { static permission = 'granted'; "
                          "constructor(title, { body }) { window.shown.push(`${title}: ${body}`); } close() {} };")
    third.evaluate("localStorage.setItem('yonder.notifications', 'on')")
    third.reload()

    # The list goes by last activity; a position moves nobody up.
    names = third.get_by_role("list", name="Chats").locator("strong")
    expect(names).to_have_text(["Sunday run", "Hasler family"])
    jonas.send(family, "Location", data=location(59.91, 10.75))
    expect(row(third, "Sunday run")).to_contain_text("Jonas: Eight o’clock?")
    expect(names).to_have_text(["Sunday run", "Hasler family"])

    for each in (page, other):
        each.locator(".segments").get_by_text("Messages", exact=False).click()
    page.get_by_label("Message", exact=True).fill("Where are you two?")
    page.keyboard.press("Enter")
    other.get_by_label("Message", exact=True).fill("At the bakery")
    expect(log_of(other).get_by_text("Where are you two?")).to_be_visible()
    other.keyboard.press("Enter")
    expect(names).to_have_text(["Hasler family", "Sunday run"])
    expect(row(third, "Hasler family")).to_contain_text("Jonas: At the bakery")
    expect(row(third, "Hasler family")).to_contain_text("2 new messages")
    expect(third).to_have_title("(3) Chats · Yonder")
    expect(third.get_by_role("link", name="Chats 3")).to_be_visible()
    assert third.evaluate("document.querySelector('link[rel=icon]').href").endswith("/icon-unread.svg")
    until(lambda: len(third.evaluate("window.shown")) >= 2, what="two notifications")
    assert third.evaluate("window.shown") == ["Hasler family: Mia: Where are you two?", "Hasler family: Jonas: At the bakery"]
    check(third, "phone-chats-unread")

    # What is in sight is read, and its writer sees that.
    expect(log_of(page).get_by_text(re.compile("read by 1$"))).to_be_visible()
    row(third, "Hasler family").click()
    third.get_by_text("Messages 2", exact=True).click()
    expect(log_of(third).get_by_text("2 new", exact=True)).to_be_visible()
    expect(log_of(page).get_by_text(re.compile("read by 2$"))).to_be_visible()
    check(third, "phone-messages-new")
    third.get_by_role("button", name="Back").click()
    expect(row(third, "Hasler family")).not_to_contain_text("new message")
    expect(third).to_have_title("(1) Chats · Yonder")

    # Taking the newest back takes it from the list, too.
    log_of(other).locator(".message[data-number]").filter(has_text="At the bakery").click()
    other.get_by_role("button", name="Take back").click()
    expect(row(third, "Hasler family")).to_contain_text("Mia: Where are you two?")
    expect(log_of(page)).to_contain_text("This message was taken back.")


def test_messages_of_an_absence_are_notified_once_a_chat_and_none_at_an_opening(friends, visit):
    ada, ben = friends
    walk, run = ada.start_chat([ben], "Walk"), ada.start_chat([ben], "Run")
    ben.send(walk, "Text", "before she opens it")
    visitor = visit(ada, size=PHONE)
    visitor.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket connection"]
    visitor.page.add_init_script("window.shown = []; window.Notification = class { static permission = 'granted'; "
                                 "constructor(title, { body }) { window.shown.push(`${title}: ${body}`); } close() {} };"
                                 "localStorage.setItem('yonder.notifications', 'on');")
    page = visitor.go("#/chats")
    expect(row(page, "Walk")).to_contain_text("before she opens it")
    visitor.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    for number in range(3):
        ben.send(walk, "Text", f"missed {number}")
    ben.send(run, "Text", "read elsewhere")
    newest = ben.messages(run, tag="Text")["messages"][-1]["number"]
    ada.call("PUT", f"/v1/chats/{run}/read", {"number": newest})
    visitor.context.set_offline(False)
    expect(row(page, "Walk")).to_contain_text("missed 2")
    until(lambda: page.evaluate("window.shown"), what="a notification")
    assert page.evaluate("window.shown") == ["Walk: Ben: missed 2 · 3 new"]
