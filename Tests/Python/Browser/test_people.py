"""People on the map and in the list: how fresh each is, in shape and words, on a phone."""

import time

import pytest
from conftest import PHONE, at_rest, location
from playwright.sync_api import expect
from yonder import until

MINUTE = 60_000


def at(latitude, longitude, ago=0, **fields):
    """A location message's data, so many milliseconds old."""
    return {**location(latitude, longitude), "timestamp": int(time.time() * 1000) - ago, **fields}


def mark(page, name):
    return page.get_by_role("group", name="People on the map").get_by_role("button", name=name)


def person(page, name):
    return page.get_by_role("list", name="People").get_by_role("button", name=name).first


# Whether a mark's picture has a pixel of just this color.
HAS_COLOR = """(mark, color) => {
  const canvas = mark.querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const wanted = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
  for (let at = 0; at < data.length; at += 4) if (wanted.every((value, part) => data[at + part] === value)) return true;
  return false;
}"""


@pytest.fixture
def family(owner, friends):
    """Ada with six who were heard of at different times, of whom three stand at one place."""
    ada, ben = friends
    names = ("Cleo Live", "Dora Slow", "Emil Silent", "Finn Near", "Gita Near")
    others = [ben, *(owner.add(name) for name in names)]
    for other in others[1:]:
        ada.befriend(other)
    chat = ada.start_chat(others, "Family")
    places = [(59.9160, 10.7500, 0), (59.9140, 10.7460, 0), (59.9140, 10.7540, 3 * MINUTE), (59.9165, 10.7550, 12 * MINUTE), (59.9160, 10.75001, 0), (59.9160, 10.7500, 0)]
    for other, (latitude, longitude, ago) in zip(others, places, strict=True):
        other.send(chat, "Location", data=at(latitude, longitude, ago))
    return ada, others, chat


def test_the_half_sheet_shows_four_people_with_their_ages_and_the_share_bar(family, visit, check):
    ada, _, chat = family
    page = visit(ada, size=PHONE).go(f"#/chats/{chat}")
    expect(person(page, "Cleo Live")).to_contain_text("now")
    expect(person(page, "Dora Slow")).to_contain_text("3 min")
    expect(person(page, "Emil Silent")).to_contain_text("12 min")
    bar = page.get_by_role("group", name="Sharing here").bounding_box()
    rows = [row.bounding_box() for row in page.get_by_role("list", name="People").get_by_role("listitem").all()]
    assert sum(row["y"] + row["height"] <= bar["y"] + 1 for row in rows) >= 4
    assert bar["y"] + bar["height"] <= 844
    expect(page.get_by_text("7 people")).to_contain_text("live")
    check(page, "phone-people")


def test_people_at_one_place_are_a_number_that_fans_out_and_closes(family, visit):
    ada, _, chat = family
    page = visit(ada, size=PHONE).go(f"#/chats/{chat}")
    page.get_by_role("button", name="Show everybody").click()
    cluster = mark(page, "3 people")
    at_rest(page)
    for _ in range(6):
        until(lambda: mark(page, "Ben").count() or cluster.count(), what="the three people, or their number")
        if mark(page, "Ben").count():
            break
        cluster.focus()
        page.keyboard.press("Enter")
        at_rest(page)
    for name in ("Ben", "Finn", "Gita"):
        expect(mark(page, name)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(cluster).to_have_count(1)


SHAPES = """async (state) => {
  const { drawPin, outlineIn, PIN_BOX } = await import(state.module);
  const canvas = Object.assign(document.createElement('canvas'), { width: PIN_BOX.width, height: PIN_BOX.height });
  const context = canvas.getContext('2d');
  context.fillStyle = '#f5f3ec';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(PIN_BOX.left, PIN_BOX.top);
  drawPin(context, { state: state.state, color: '#93490a', initials: 'NH' }, outlineIn(false));
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({ length: data.length / 4 }, (_, at) => Math.round(0.299 * data[4 * at] + 0.587 * data[4 * at + 1] + 0.114 * data[4 * at + 2]));
}"""


def test_in_gray_scale_every_state_of_freshness_has_a_shape_of_its_own(visit):
    page = visit().go()
    module = page.evaluate("document.querySelector('script[type=module]').src.replace('main.js', 'map/pin-image.js')")
    states = ("live", "slow", "stale", "offline", "paused", "ended")
    grays = {state: page.evaluate(SHAPES, {"module": module, "state": state}) for state in states}
    for index, state in enumerate(states):
        for other in states[index + 1:]:
            differing = sum(abs(a - b) > 60 for a, b in zip(grays[state], grays[other], strict=True))
            # Of a head's 1 250 pixels or so.
            assert differing > 150, f"{state} and {other} differ in {differing} pixels"


def test_a_page_cut_off_turns_its_pins_stale_by_itself(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    visitor.expected.append("ERR_INTERNET_DISCONNECTED")
    visitor.page.clock.install()
    ben.send(chat, "Location", data=at(59.915, 10.75))
    page = visitor.go(f"#/chats/{chat}")
    expect(person(page, "Ben Ohm")).to_contain_text("now")
    visitor.context.set_offline(True)
    page.clock.fast_forward(6 * MINUTE)
    expect(person(page, "Ben Ohm")).to_contain_text("6 min")
    expect(mark(page, "Ben")).to_have_attribute("data-kind", "stale")
    page.clock.fast_forward(20 * MINUTE)
    expect(mark(page, "Ben")).to_have_attribute("data-kind", "offline")
    expect(person(page, "Ben Ohm")).to_contain_text("26 min")


def test_a_color_chosen_in_the_settings_is_everybodys_at_once_and_a_contact_without_a_chat_has_one(friends, visit, check):
    """Rule 5."""
    ada, ben = friends
    assert ada.get("/v1/me")["user"]["hue"] != ben.get("/v1/me")["user"]["hue"]
    hers, his = visit(ada, size=PHONE).go("#/you"), visit(ben).go("#/contacts")
    seen = his.get_by_role("listitem").filter(has_text="Ada Lovelace").locator(".avatar")
    picture = hers.locator(".own-picture .avatar")
    expect(seen).to_have_attribute("style", picture.get_attribute("style"))
    before = picture.get_attribute("style")
    hers.get_by_title("Pink").click()
    expect(hers.get_by_role("radio", name="Pink")).to_be_checked()
    expect(picture).not_to_have_attribute("style", before)
    expect(seen).to_have_attribute("style", picture.get_attribute("style"))
    assert ada.get("/v1/me")["user"]["hue"] == 318
    check(hers, "phone-color")


def test_one_browser_shares_once_and_any_tab_stops_it(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    first = visitor.go(f"#/chats/{chat}")
    first.get_by_role("button", name="Share my position").click()
    expect(first.get_by_text("You share here")).to_be_visible()
    until(lambda: len(ada.messages(chat, tag="Location")["messages"]) == 1, what="the first position")
    visitor.open()
    second = visitor.go(f"#/chats/{chat}")
    expect(second.get_by_text("You share here")).to_be_visible()
    second.get_by_role("group", name="Sharing here").get_by_role("button", name="Stop").click()
    expect(second.get_by_role("button", name="Share my position")).to_be_visible()
    expect(first.get_by_role("button", name="Share my position")).to_be_visible()
    visitor.move(59.93, 10.77)
    ben.send(chat, "Text", "after it")
    expect(first.get_by_text("You share here")).to_have_count(0)
    assert len(ada.messages(chat, tag="Location", sender=ada.user)["messages"]) == 1


def test_a_person_has_one_color_with_contacts_in_the_list_of_chats_and_on_its_map(owner, friends, visit):
    """Also two of several chats whose hues are near."""
    ada, ben = friends
    cleo = owner.add("Cleo Live")
    ada.befriend(cleo)
    for caller, hue in ((ben, 100), (cleo, 105)):
        caller.call("PATCH", "/v1/me", {"hue": hue})
        chat = ada.start_chat([caller], one_to_one=True)
        caller.send(chat, "Location", data=at(59.916 if caller is ben else 59.914, 10.75))
    visitor = visit(ada)

    def colors(page):
        rows = page.get_by_role("listitem").filter(has=page.locator(".avatar"))
        expect(rows).to_have_count(2)
        return {row.locator("strong").text_content(): row.locator(".avatar").get_attribute("style").split(";")[0] for row in rows.all()}

    with_contacts = colors(visitor.go("#/contacts"))
    page = visitor.go("#/chats")
    until(lambda: colors(page) == with_contacts, what="the same two colors")
    assert len(set(with_contacts.values())) == 2
    page.get_by_role("button", name="Show everybody").click()
    at_rest(page)
    for name, color in with_contacts.items():
        drawn = mark(page, name.split()[0])
        until(lambda: drawn.evaluate(HAS_COLOR, color.split(":")[1].strip()), what=f"{name} in {color} on the map")
