"""What the map shows when a view opens, and what moves it from there: one's people, one's own place, a person who is followed."""

import json

import pytest
from conftest import CATCH, DESKTOP, OSLO, PHONE, at_rest, frames, location, visits
from playwright.sync_api import expect
from yonder import Server, until

VADUZ = (47.1390, 9.5215)
SCHAAN = (47.1650, 9.5080)
# Where the map stands: its middle to about ten meters, and its zoom.
VIEW = "() => [testedMap.getCenter().lat.toFixed(4), testedMap.getCenter().lng.toFixed(4), testedMap.getZoom().toFixed(2)].map(Number)"
# Whether all marks of people are on what the panel and the sheet leave free of the map.
IN_SIGHT = """(names) => names.every((name) => {
  const mark = [...document.querySelectorAll('.people-layer .mark')].find((each) => each.getAttribute('aria-label').includes(name));
  if (!mark) return false;
  const { left, top, width, height } = mark.querySelector('.hit').getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found?.closest('.people-layer') !== null && found?.closest('#map') !== null;
})"""


def mark(page, name):
    return page.get_by_role("group", name="People on the map").get_by_role("button", name=name)


def seen(page, *names):
    """Waits until these people are on the free map, and answers where it stands."""
    until(lambda: page.evaluate(IN_SIGHT, list(names)), what=f"{names} in sight")
    views = []

    def is_still():
        at_rest(page)
        frames(page, 10)
        views.append(page.evaluate(VIEW))
        return views[-2:-1] == views[-1:]

    until(is_still, what="a map that stands still")
    return views[-1]


def caught(visit, caller, **options):
    visitor = visit(caller, **options)
    visitor.context.add_init_script(CATCH)
    return visitor


@pytest.fixture
def family(owner, friends):
    """Ada with Ben in Vaduz and Cleo in Schaan, who share in one chat."""
    ada, ben = friends
    cleo = owner.add("Cleo Live")
    ada.befriend(cleo)
    chat = ada.start_chat([ben, cleo], "Family")
    ben.send(chat, "Location", data=location(*VADUZ))
    cleo.send(chat, "Location", data=location(*SCHAAN))
    return ada, ben, cleo, chat


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_ten_reloads_end_where_one_does(family, visit, size):
    """With moves that take their time, as what is laid out late stops them."""
    ada, *_ = family
    near = {"latitude": 47.15, "longitude": 9.515, "accuracy": 8}
    visitor = caught(visit, ada, size=size, place=near, reduced_motion="no-preference")
    page = visitor.go()
    first = seen(page, "Ben", "Cleo", "You")
    for reload in range(10):
        page.reload()
        page.wait_for_selector("html[data-ready]")
        until(lambda: "testedMap" in page.evaluate("Object.keys(window)") and page.evaluate(VIEW) == first,
              what=f"the same picture after reload {reload + 1}")
    assert seen(page, "Ben", "Cleo", "You") == first


def test_a_chat_and_home_open_on_those_who_share_and_on_the_reader_only_where_near(family, visit):
    """Oslo is too far away to be in a picture of Vaduz; where nobody shares, it is the picture."""
    ada, ben, _, chat = family
    alone = ada.start_chat([ben], one_to_one=True)
    page = caught(visit, ada, place=OSLO).go(f"#/chats/{chat}")
    latitude, longitude, _ = seen(page, "Ben", "Cleo")
    assert abs(latitude - 47.15) < 0.05 and abs(longitude - 9.515) < 0.05
    page.get_by_role("button", name="Back").or_(page.get_by_role("link", name="Back")).first.click()
    assert seen(page, "Ben", "Cleo")[0] == pytest.approx(latitude, abs=0.05)
    page.goto(f"{page.url.split('#')[0]}#/chats/{alone}")
    assert seen(page, "You")[0] == pytest.approx(OSLO["latitude"], abs=0.05)


def test_without_streets_the_page_goes_no_nearer_than_names_and_says_so_once_in_a_chat(family, visit):
    ada, ben, _, chat = family
    other = ada.start_chat([ben], one_to_one=True)
    ben.send(other, "Location", data=location(*VADUZ))
    visitor = caught(visit, ada, permissions=())
    page = visitor.go()
    note = page.locator(".map-note")
    assert seen(page, "Ben")[2] == 11
    expect(note).to_be_hidden()
    page.get_by_role("link", name="Family").click()
    expect(note).to_contain_text("No streets here")
    expect(note).to_contain_text("--map")
    assert seen(page, "Ben")[2] == 11
    page.goto(f"{page.url.split('#')[0]}#/chats/{other}")
    expect(page.get_by_role("heading", name="Ben Ohm")).to_be_visible()
    seen(page, "Ben")
    expect(note).to_be_hidden()
    page = visitor.go(f"#/chats/{chat}")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    seen(page, "Ben")
    expect(note).to_be_hidden()


def test_the_note_about_streets_ends_above_the_sheet(family, visit):
    ada, _, _, chat = family
    page = visit(ada, size=PHONE, permissions=()).go(f"#/chats/{chat}")
    note = page.locator(".map-note")
    note.get_by_text("No streets here").click()
    expect(note).to_contain_text("Its operator adds one with --map")
    box, sheet = note.bounding_box(), page.locator("#panel").bounding_box()
    assert box["y"] + box["height"] < sheet["y"]


def test_a_page_that_does_not_know_the_servers_maps_says_nothing_of_streets(family, visit):
    ada, _, _, chat = family
    visitor = caught(visit, ada, permissions=())
    visitor.expected.append("net::ERR_FAILED")
    visitor.context.route("**/tiles/map.json", lambda route: route.abort())
    page = visitor.go(f"#/chats/{chat}")
    assert seen(page, "Ben")[2] == 8
    page.evaluate("testedMap.jumpTo({ zoom: 14 })")
    at_rest(page)
    expect(page.locator(".map-note")).to_be_hidden()


def panned(page):
    """Drags the free map by hand."""
    page.mouse.move(900, 400)
    page.mouse.down()
    page.mouse.move(840, 360, steps=4)
    page.mouse.up()


def test_my_place_is_found_without_sharing_and_followed_until_the_map_is_panned(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = caught(visit, ada, permissions=())
    page = visitor.go(f"#/chats/{chat}")
    button = page.get_by_role("button", name="My place")
    button.click()
    expect(page.get_by_text("This page may not see your position.")).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "false")
    visitor.context.grant_permissions(["geolocation"])
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(mark(page, "You")).to_have_count(1)
    until(lambda: page.evaluate(VIEW)[:2] == [59.9139, 10.7522], what="my place in the middle")
    visitor.move(59.9239, 10.7622)
    until(lambda: page.evaluate(VIEW)[:2] == [59.9239, 10.7622], what="the map that follows")
    panned(page)
    expect(button).to_have_attribute("aria-pressed", "false")
    at_rest(page)
    left, before = page.evaluate(VIEW), mark(page, "You").bounding_box()
    visitor.move(59.9242, 10.7632)
    until(lambda: mark(page, "You").bounding_box() != before, what="the dot that moves")
    at_rest(page)
    assert page.evaluate(VIEW) == left
    assert ada.messages(chat, tag="Location")["messages"] == []


# A browser that never says that a page may see the position, though it lets it.
NEVER_GRANTED = "navigator.permissions.query = async () => Object.assign(new EventTarget(), { state: 'prompt' });"


def test_where_the_browser_never_says_granted_the_own_place_stays_after_a_share_and_a_reload(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = caught(visit, ada)
    visitor.context.add_init_script(NEVER_GRANTED)
    page = visitor.go(f"#/chats/{chat}")
    expect(page.get_by_role("button", name="Share my position")).to_be_visible()
    expect(mark(page, "You")).to_have_count(0)
    page.get_by_role("button", name="Share my position").click()
    bar = page.get_by_role("group", name="Sharing here")
    expect(bar).to_contain_text("You share here")
    expect(mark(page, "You")).to_have_count(1)
    bar.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Share my position")).to_be_visible()
    expect(mark(page, "You")).to_have_count(1)
    page.reload()
    expect(mark(page, "You")).to_have_count(1)


def test_a_person_is_followed_with_one_tap_until_the_map_is_panned(family, visit):
    ada, ben, _, chat = family
    page = caught(visit, ada, permissions=()).go(f"#/chats/{chat}")
    seen(page, "Ben")
    page.get_by_role("list", name="People").get_by_role("button", name="Ben Ohm").first.click()
    until(lambda: page.evaluate(VIEW)[:2] == list(VADUZ), what="Ben in the middle")
    assert page.evaluate(VIEW)[2] == 11, "no nearer than there are names"
    ben.send(chat, "Location", data=location(47.1490, 9.5315))
    until(lambda: page.evaluate(VIEW)[:2] == [47.1490, 9.5315], what="the map that goes after Ben")
    panned(page)
    at_rest(page)
    left, before = page.evaluate(VIEW), mark(page, "Ben").bounding_box()
    ben.send(chat, "Location", data=location(47.1690, 9.5515))
    until(lambda: mark(page, "Ben").bounding_box() != before, what="Ben, who moves on")
    at_rest(page)
    assert page.evaluate(VIEW) == left


def test_a_coarse_position_is_said_and_seen_as_a_whole(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    page = caught(visit, ada, place={**OSLO, "accuracy": 2_000}).go(f"#/chats/{chat}")
    page.get_by_role("button", name="My place").click()
    expect(page.locator(".map-note")).to_contain_text("Your position is exact to 2 km only")
    expect(mark(page, "You")).to_contain_text("± 2 km")
    at_rest(page)
    south, north = page.evaluate("[testedMap.getBounds().getSouth(), testedMap.getBounds().getNorth()]")
    assert south < OSLO["latitude"] - 0.018 and north > OSLO["latitude"] + 0.018


def test_the_demos_first_picture_on_a_desk_is_its_family_in_the_streets(browser):
    """For a reader far away, who may be seen by their browser; at the first visit and at the next."""
    with Server(["--demo"]) as server:
        owner, opener = server.owner(), visits(browser, server)
        visitor = caught(next(opener), owner, place=OSLO)
        page = visitor.go()
        for _ in range(2):
            until(lambda: page.evaluate(IN_SIGHT, ["Tom", "Finn"]), what="Tom and Finn in sight")
            latitude, longitude, zoom = page.evaluate(VIEW)
            assert 47.13 < latitude < 47.18 and 9.49 < longitude < 9.54 and 12 < zoom <= 16
            expect(page.locator(".map-note")).to_be_hidden()
            page.reload()
            page.wait_for_selector("html[data-ready]")
            until(lambda: "testedMap" in page.evaluate("Object.keys(window)"), what="the map")
        next(opener, None)


# Where an element stands, and how far it is from both edges of a screen of 844 pixels.
SIDES = "(element) => { const { left, right } = element.getBoundingClientRect(); return [left, 844 - right]; }"


def test_a_phone_held_sideways_has_nothing_to_press_below_its_notch(friends, visit):
    ada, ben = friends
    ada.start_chat([ben], "Walk")
    visitor = visit(ada, size={**PHONE, "viewport": {"width": 844, "height": 390}})
    visitor.context.new_cdp_session(visitor.page).send(
        "Emulation.setSafeAreaInsetsOverride", {"insets": {"left": 59, "right": 59, "bottom": 21, "leftMax": 59, "rightMax": 59, "bottomMax": 21}})
    page = visitor.go()
    expect(page.get_by_role("link", name="Walk")).to_be_visible()
    buttons = page.get_by_role("region", name="Map controls").get_by_role("button")
    expect(buttons.first).to_be_visible()
    for pressed in [*page.locator("#sections a .icon").all(), *buttons.all(), page.get_by_role("link", name="Walk")]:
        sides = pressed.evaluate(SIDES)
        assert min(sides) >= 59, f"{pressed} stands at {json.dumps(sides)}"
