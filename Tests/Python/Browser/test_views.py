"""Each main view on a desktop and on a phone: a picture, and what axe finds."""

import pytest
from conftest import SIZES, location
from playwright.sync_api import expect
from yonder import until


@pytest.fixture(params=["desktop", "phone"])
def look(request):
    return request.param, {"size": SIZES[request.param]}


def test_the_views_without_an_account(look, visit, check):
    size, options = look
    page = visit(**options).go()
    expect(page.get_by_role("heading", name="See where your people are")).to_be_visible()
    expect(page.locator("#map canvas")).to_be_visible()
    check(page, f"{size}-welcome")
    page.get_by_role("link", name="World", exact=True).click()
    expect(page.get_by_role("heading", name="World")).to_be_visible()
    check(page, f"{size}-world")


def test_the_views_of_somebody_signed_in(look, friends, visit, check):
    size, options = look
    ada, ben = friends
    chat = ada.start_chat([ben], "Sunday walk")
    for step in range(12):
        ben.send(chat, "Location", data=location(59.91 + step / 500, 10.75 + step / 300))
    ben.send(chat, "Text", "I am at the lake")
    ada.send(chat, "Text", "See you at the bridge")
    page = visit(ada, **options).go()
    page.get_by_role("link", name="Sunday walk").wait_for()
    check(page, f"{size}-chats")
    page.get_by_role("link", name="Sunday walk").click()
    page.get_by_role("button", name="Share my position").click()
    page.get_by_text("You share here").wait_for()
    page.get_by_role("list", name="People").get_by_role("button", name="Ben Ohm").first.click()
    if size == "phone":
        page.get_by_role("heading", name="Ben Ohm").wait_for()
        check(page, f"{size}-person")
        page.get_by_role("button", name="Back").click()
    else:
        page.get_by_role("group", name="Selected person").wait_for()
    check(page, f"{size}-chat")
    if size == "phone":
        page.get_by_text("Messages 1", exact=True).click()
    page.get_by_text("See you at the bridge").wait_for()
    check(page, f"{size}-messages")
    for place, heading in (("contacts", "Contacts"), ("new", "New chat"), ("you", "You")):
        page.goto(f"{page.url.split('#')[0]}#/{place}")
        page.get_by_role("heading", name=heading, exact=True).wait_for()
        check(page, f"{size}-{place}")


def test_the_views_where_nothing_is_yet(look, owner, visit, check):
    size, options = look
    page = visit(owner.add("Uma"), **options).go()
    expect(page.get_by_role("heading", name="Welcome to Yonder")).to_be_visible()
    check(page, f"{size}-nothing-yet")
    page.get_by_role("button", name="Invite somebody").click()
    expect(page.get_by_role("heading", name="Nobody here yet")).to_be_visible()
    page.get_by_role("button", name="Invite somebody").first.click()
    page.get_by_label("Invitation link").wait_for()
    check(page, f"{size}-invitation")


def test_the_keyboard_reaches_a_chat_and_the_sheet(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Sunday walk")
    page = visit(ada, size=SIZES["phone"]).go()
    page.get_by_role("link", name="Sunday walk").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sunday walk")).to_be_focused()
    panel, handle = page.locator("#panel"), page.locator("#handle")
    expect(panel).to_have_attribute("data-sheet", "half")
    handle.focus()
    page.keyboard.press("Enter")
    expect(panel).to_have_attribute("data-sheet", "full")
    page.keyboard.press("Enter")
    expect(panel).to_have_attribute("data-sheet", "peek")
    expect(handle).to_have_attribute("aria-expanded", "false")
    assert chat in page.url


def test_a_page_without_the_map_library_says_so_and_still_lists_people(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    ben.send(chat, "Location", data=location(59.91, 10.75))
    visitor = visit(ada)
    visitor.expected.append("net::ERR_FAILED")
    visitor.context.route("**/vendor/maplibre-gl.js", lambda route: route.abort())
    page = visitor.go(f"#/chats/{chat}")
    expect(page.get_by_role("heading", name="The map library is not in this server.")).to_be_visible()
    expect(page.get_by_role("list", name="People").get_by_title("59.91000° N, 10.75000° E")).to_be_visible()


# The parts of the page that lie over the map's attribution, or null while there is none.
COVERING = """() => {
  const attribution = document.querySelector('.maplibregl-ctrl-attrib')?.getBoundingClientRect();
  if (!attribution?.width) return null;
  return ['#panel', '#sections', '#aside', '#places-count'].filter((part) => {
    const each = document.querySelector(part)?.getBoundingClientRect();
    if (!each?.width) return false;
    const isBeside = each.right <= attribution.left + 1 || attribution.right <= each.left + 1;
    return !isBeside && each.bottom > attribution.top + 1 && attribution.bottom > each.top + 1;
  });
}"""


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
def test_on_a_desk_nothing_lies_over_the_maps_attribution(friends, visit, locale):
    """Laid out from the left and from the right, beside a chat's messages and without."""
    ada, ben = friends
    chat = ada.start_chat([ben], "Sunday walk")
    page = visit(ada, size={"viewport": {"width": 1440, "height": 900}}, locale=locale).go(f"#/chats/{chat}")
    expect(page.locator("#aside")).to_be_visible()
    for address in (f"#/chats/{chat}", "#/contacts"):
        page.goto(page.url.split("#")[0] + address)
        expect(page.get_by_role("heading").first).to_be_visible()
        # The map is laid out again as parts of the page come and go: in the end all lie apart.
        until(lambda: page.evaluate(COVERING) == [], what=f"nothing over the attribution at {address}")


def test_from_the_right_arrows_point_back_and_names_stand_at_the_right(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Sunday walk")
    page = visit(ada, locale="ar-EG", size=SIZES["phone"]).go(f"#/chats/{chat}")
    back = page.get_by_role("link", name="Back").or_(page.get_by_role("button", name="Back")).locator("svg")
    expect(back).to_have_css("transform", "matrix(-1, 0, 0, 1, 0, 0)")
    title, shown = page.locator(".view-header h1").bounding_box(), page.locator(".title-button")
    right = shown.evaluate("""(button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return range.getBoundingClientRect().right;
    }""")
    assert title["x"] + title["width"] - right < 24
