"""The people side as one story: three phones that move, share for a while, write, ask, are cut off, and part."""

import re

from conftest import PHONE, location
from playwright.sync_api import expect
from yonder import until

MINUTE = 60_000


def person(page, name):
    return page.get_by_role("list", name="People").get_by_role("button", name=name).first


def mark(page, name):
    return page.get_by_role("group", name="People on the map").get_by_role("button", name=name)


def sharing(page):
    return page.get_by_role("group", name="Sharing here")


def written(page):
    return page.get_by_role("log", name="Messages")


def segment(page, name):
    page.get_by_role("group", name="Part of the chat").get_by_text(re.compile(f"^{name}")).click()


def test_three_phones_share_a_walk_from_start_to_end(owner, visit):
    ada, ben, cleo = (owner.add(name) for name in ("Ada Lovelace", "Ben Ohm", "Cleo Park"))
    ada.befriend(ben, cleo)
    chat = ada.start_chat([ben, cleo], "Walk")
    phones = [visit(each, size=PHONE) for each in (ada, ben, cleo)]
    # Ben's clock is moved by hand, to grow old what he sees.
    phones[1].page.clock.install()
    phones[1].expected.append("ERR_INTERNET_DISCONNECTED")
    adas, bens, cleos = (phone.go(f"#/chats/{chat}") for phone in phones)

    # Shares, with an end before they start: two for an hour, and each moves.
    for page in (adas, cleos):
        page.get_by_role("button", name="Share my position · 1 hour").click()
        expect(sharing(page)).to_contain_text(re.compile("(1 h|60 min|59 min) left"))
    phones[0].move(59.9150, 10.7540)
    phones[2].move(59.9620, 10.7500)
    for name, place in (("Ada Lovelace", "59.915"), ("Cleo Park", "59.962")):
        row = person(bens, name)
        expect(row).to_contain_text("now")
        expect(row.locator("[title]")).to_have_attribute("title", re.compile(place))
    expect(bens.get_by_text("3 people")).to_contain_text("2 live")

    # Unread: counted at the segment, in the list and in the title, until it is read; a reply quotes.
    segment(adas, "Messages")
    adas.get_by_label("Message", exact=True).fill("I am at the bridge")
    adas.keyboard.press("Enter")
    expect(bens.get_by_text("Messages 1", exact=True)).to_be_visible()
    expect(bens).to_have_title(re.compile(r"^\(1\)"))
    segment(bens, "Messages")
    written(bens).get_by_text("I am at the bridge").click()
    bens.get_by_role("button", name="Reply").click()
    bens.get_by_label("Message", exact=True).fill("Wait for me")
    bens.keyboard.press("Enter")
    expect(written(adas).get_by_text("Wait for me")).to_be_visible()
    expect(written(adas).locator("button.quote")).to_contain_text("I am at the bridge")
    expect(bens).to_have_title(re.compile(r"^[^(]"))

    # Where are you? Ben, who doesn't share, answers with one tap, once.
    segment(adas, "People")
    person(adas, "Ben Ohm").click()
    adas.get_by_role("button", name="Where are you?").click()
    bens.get_by_role("button", name="Send once").click()
    until(lambda: len(ada.messages(chat, tag="Place")["messages"]) == 1, what="one position as an answer")
    adas.get_by_role("button", name="Back").first.click()

    # Cut off, Ben's page lets the others grow old by itself; and has them anew when it is back.
    segment(bens, "People")
    phones[1].context.set_offline(True)
    bens.clock.fast_forward(6 * MINUTE)
    expect(person(bens, "Cleo Park")).to_contain_text(re.compile("[67] min"))
    expect(mark(bens, "Cleo")).to_have_attribute("data-kind", "stale")
    phones[1].context.set_offline(False)
    bens.clock.fast_forward(1 * MINUTE)
    phones[2].move(59.9100, 10.7480)
    expect(person(bens, "Cleo Park").locator("[title]")).to_have_attribute("title", re.compile("59.910"))

    # Stopped, with one tap, and said with the time.
    sharing(cleos).get_by_role("button", name="Stop").click()
    expect(person(adas, "Cleo Park")).to_contain_text("stopped")

    # Removed by the owner: Cleo has the chat no more, and the others see it.
    person(adas, "Cleo Park").click()
    adas.get_by_role("button", name="Remove Cleo Park from the chat").click()
    adas.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(cleos.get_by_role("heading", name="This chat isn’t here")).to_be_visible()
    expect(bens.get_by_text("2 people")).to_be_visible()

    # The day is in Ada's history, for those who may read it.
    ada.send(chat, "Location", data=location(59.9160, 10.7560))
    person(bens, "Ada Lovelace").click()
    bens.get_by_role("link", name="The day").click()
    expect(bens.get_by_role("heading", name="Ada Lovelace’s day")).to_be_visible()
    expect(bens.get_by_role("slider", name="Time of day")).to_be_visible()
