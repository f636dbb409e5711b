"""Rules 8: a person's day out of their track, at phone size; and the way there from a desk's callout."""

import re

from conftest import CATCH, PHONE, at_rest, location
from playwright.sync_api import expect
from yonder import until

MINUTE = 60_000

# By the browser's clock and its time zone, in milliseconds.
NOON_YESTERDAY = """() => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, 12).getTime();
}"""


def walked(caller, chat, noon):
    """From noon on: ten minutes on foot, half an hour in one place, ten minutes on, forty of silence, five more."""
    steps = [(minute, minute) for minute in range(11)] + [(25, 10.1), (40, 10.2)]
    steps += [(40 + minute, 10 + minute) for minute in range(1, 11)] + [(90 + minute, 40 + minute) for minute in range(6)]
    for minute, hundreds in steps:
        # A little to the side at each step, as no walk is straight.
        place = location(59.91 + hundreds * 0.0009, 10.75 + (minute % 2) * 0.0002)
        caller.send(chat, "Location", data={**place, "timestamp": noon + minute * MINUTE})


# Writes down what the slider shows from here on.
NOTE_TIMES = """(slider) => {
  window.times = [];
  new MutationObserver(() => window.times.push(slider.getAttribute('aria-valuetext')))
    .observe(slider, { attributeFilter: ['aria-valuetext'] });
}"""


RINGS = """() => testedMap.queryRenderedFeatures({ layers: ['stops', 'old-stops'] })
  .map(({ properties }) => properties.ring).filter(Boolean)"""


def test_history_is_a_day_with_rings_at_stops_a_slider_and_replay(friends, visit, check):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    walked(ben, chat, visitor.page.evaluate(NOON_YESTERDAY))
    ben.send(chat, "Location", data=location(59.91, 10.75))
    visitor.context.add_init_script(CATCH)
    asked = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    page = visitor.go(f"#/chats/{chat}")
    page.get_by_role("list", name="People").get_by_role("button", name="Ben Ohm").click()
    page.get_by_role("link", name="The day").click()
    expect(page.get_by_role("heading", name="Ben Ohm’s day")).to_be_visible()
    page.get_by_role("button", name="Previous day").click()

    pieces = page.locator(".day-pieces li")
    expect(pieces).to_have_text([
        re.compile("^12:00On the way"), re.compile("^12:10.*stayed 30 min$"), re.compile("^12:40On the way"),
        re.compile("^12:50No report"), re.compile("^13:30On the way")])
    expect(page.get_by_text("1 stop")).to_be_visible()
    assert any("/tracks?" in url for url in asked) and not any("/messages?" in url for url in asked)
    at_rest(page)
    until(lambda: [ring.split("\n")[-1] for ring in page.evaluate(RINGS)] == ["12:10–12:40"], what="a ring at the stop")

    slider = page.get_by_role("slider", name="Time of day")
    expect(slider).to_have_attribute("aria-valuetext", "13:35")
    slider.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "13:34")
    pieces.nth(1).get_by_role("button").click()
    expect(slider).to_have_attribute("aria-valuetext", "12:10")
    slider.press("Shift+ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "12:20")
    expect(page.get_by_role("group", name="People on the map").get_by_role("button", name="Ben")).to_contain_text("12:20")
    check(page, "phone-history")

    slider.evaluate(NOTE_TIMES)
    page.get_by_role("button", name="Play the day").click()
    until(lambda: page.evaluate("window.times.length > 2"), what="a slider that moves")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play the day")).to_be_visible()
    times = page.evaluate("window.times")
    assert times == sorted(times) and times[0] < "12:20", "it begins with the day"


def test_at_a_desk_the_callout_leads_to_the_day(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    ben.send(chat, "Location", data=location(59.91, 10.75))
    page = visit(ada, size={"viewport": {"width": 1440, "height": 900}}).go(f"#/chats/{chat}")
    page.get_by_role("list", name="People").get_by_role("button", name="Ben Ohm").click()
    page.get_by_role("group", name="Selected person").get_by_role("link", name="The day").click()
    expect(page.get_by_role("heading", name="Ben Ohm’s day")).to_be_visible()
