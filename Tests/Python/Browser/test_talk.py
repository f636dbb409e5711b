"""Chats as chats, and people: what one reads, who is there, and how they get in and out. At phone size."""

import json
import re

import pytest
from conftest import PHONE, location
from playwright.sync_api import expect
from yonder import until


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
    log_of(page).locator(".message[data-number]").click()
    page.get_by_role("button", name="Take back").click()
    expect(log_of(other)).to_contain_text("This message was taken back.")
    page.get_by_role("button", name="Walk").click()
    page.get_by_label("Name of the chat").fill("Sunday walk")
    page.keyboard.press("Enter")
    expect(other.get_by_role("heading", name="Sunday walk")).to_be_visible()
    for each in (page, other):
        expect(log_of(each).locator(".note")).to_have_text(["Today", re.compile("named the chat “Sunday walk”")])
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
    page.get_by_role("dialog").get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_role("heading", name="No chats yet")).to_be_visible()


def test_the_owner_removes_a_person_and_hands_the_chat_over_from_their_cards(owner, friends, visit, check):
    ada, ben = friends
    cleo = owner.add("Cleo Park")
    ada.befriend(cleo)
    chat = ada.start_chat([ben, cleo], "Walk")
    ben.send(chat, "Location", data={"latitude": "59.910000", "longitude": "10.750000"})
    page = visit(ada, size=PHONE).go(f"#/chats/{chat}")
    people = page.get_by_role("list", name="People")
    # Cleo never shared, and has a card as everybody.
    people.get_by_role("button", name="Cleo Park").click()
    expect(page.get_by_role("heading", name="Cleo Park")).to_be_visible()
    page.get_by_role("button", name="Remove Cleo Park from the chat").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(people.get_by_role("button", name="Cleo Park")).to_have_count(0)

    people.get_by_role("button", name="Ben Ohm").click()
    expect(page.get_by_role("link", name="Directions")).to_have_attribute("href", re.compile("59.91"))
    hand_over = page.get_by_role("button", name="Make Ben Ohm the owner")
    hand_over.scroll_into_view_if_needed()
    check(page, "phone-person-owner")
    hand_over.click()
    page.get_by_role("dialog").get_by_role("button", name="Make owner").click()
    expect(hand_over).to_have_count(0)
    expect(page.get_by_role("button", name="Remove Ben Ohm from the chat")).to_have_count(0)
    roles = {each["user"]: each["role"] for each in ben.get(f"/v1/chats/{chat}")["chat"]["participants"] if each["present"]}
    assert roles == {ada.user: "member", ben.user: "owner"}


def test_older_messages_come_by_scrolling_replies_jump_and_links_are_safe(friends, visit, check):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    for number in range(1, 151):
        ben.send(chat, "Text", f"step {number}")
    ben.send(chat, "Text", "Look at https://example.org/lake, <b>not bold</b>", data={"reply": 2})
    ada.call("PUT", f"/v1/chats/{chat}/read", {"number": 1_000})
    page = visit(ada, size=PHONE).go(f"#/chats/{chat}")
    page.get_by_text("Messages", exact=True).click()
    log, rows = log_of(page), log_of(page).locator(".message")
    expect(log.get_by_text("step 150", exact=True)).to_be_in_viewport()
    assert rows.count() < 150
    link = log.get_by_role("link", name="https://example.org/lake")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(log.get_by_text("<b>not bold</b>")).to_be_visible()
    expect(log.locator("b")).to_have_count(0)

    # What is read stays where it is, to a line, while older ones come in above it.
    log.evaluate("(log) => { log.scrollTop = 200; }")
    before = log.evaluate(TOP_ROW)
    expect(log.get_by_text("step 40", exact=True)).to_have_count(1)
    after = log.evaluate("(log, text) => " + PLACE_OF, before["text"])
    assert abs(after - before["top"]) < 40, (before, after)

    log.locator("button.quote").click()
    expect(log.get_by_text("step 2", exact=True).first).to_be_in_viewport()
    check(page, "phone-messages-quoted")
    log.get_by_text("step 3", exact=True).click()
    page.get_by_role("button", name="Reply").click()
    page.get_by_label("Message", exact=True).fill("That was steep")
    page.keyboard.press("Enter")
    expect(log.get_by_text("That was steep")).to_be_visible()
    # The page shows what it sends before the server has it.
    until(lambda: ben.messages(chat, tag="Text")["messages"][-1].get("data") == {"reply": 3}, what="the reply")
    page.get_by_role("button", name="Send something else").click()
    page.get_by_role("button", name="Send my position").click()
    expect(log.get_by_role("button", name="Place")).to_be_visible()
    (place,) = until(lambda: ben.messages(chat, tag="Place")["messages"], what="the place")
    assert place["data"] == {"latitude": "59.913900", "longitude": "10.752200"}


def test_ones_own_message_and_the_last_ones_menu_come_into_sight(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    for number in range(1, 31):
        ben.send(chat, "Text", f"step {number}")
    ada.call("PUT", f"/v1/chats/{chat}/read", {"number": 1_000})
    page = visit(ada, size=PHONE).go(f"#/chats/{chat}")
    page.get_by_text("Messages", exact=True).click()
    log = log_of(page)
    expect(log.get_by_text("step 1", exact=True)).to_have_count(1)
    log.evaluate("(log) => { log.scrollTop = 0; }")
    expect(log.get_by_text("step 1", exact=True)).to_be_in_viewport()
    page.get_by_label("Message", exact=True).fill("I am here")
    page.keyboard.press("Enter")
    expect(log.get_by_text("I am here")).to_be_in_viewport(ratio=1)
    # With a number: the server has it.
    log.locator(".message[data-number]", has_text="I am here").click()
    item = page.get_by_role("button", name="Take back")
    expect(item).to_be_visible()
    # In sight, and not below what stands under the messages.
    bottom = log.evaluate("(log) => log.getBoundingClientRect().bottom")
    until(lambda: (box := item.bounding_box())["y"] + box["height"] <= bottom, what="the whole menu")
    # Another one's message leaves the reader where they read.
    log.evaluate("(log) => { log.scrollTop = 0; }")
    ben.send(chat, "Text", "And I am there")
    expect(log.get_by_text("And I am there")).to_have_count(1)
    expect(log.get_by_text("step 1", exact=True)).to_be_in_viewport()


# Stretches the page's pause between two drawings: it is never faster than the server's answer.
SLOW_DRAWING = """const real = setTimeout;
window.setTimeout = (action, delay, ...rest) => real(action, delay > 100 && delay <= 500 ? 2_000 : delay, ...rest);"""
# Counts the most rows with a text that ever stood in the messages at once, and the fewest since there was one.
COUNT_ROWS = """(log) => {
  const count = () => [...log.querySelectorAll('.message')].filter((row) => row.textContent.includes('I am here')).length;
  window.rows = { most: 0, fewest: Infinity };
  new MutationObserver(() => {
    const now = count();
    rows.most = Math.max(rows.most, now);
    if (rows.most > 0) rows.fewest = Math.min(rows.fewest, now);
  }).observe(log, { childList: true, subtree: true });
}"""


class HeldFrames:
    """Holds the frames of one kind about the text *I am here* back, until they are let go."""

    def __init__(self, page, kind):
        self.kind, self.frames = kind, []
        page.route_web_socket("**/v1/stream", self._connected)

    def _connected(self, socket):
        server = socket.connect_to_server()

        def pass_on(text):
            frame = json.loads(text)
            if frame["type"] == self.kind and (self.kind == "sent" or frame.get("content") == "I am here"):
                self.frames.append(lambda: socket.send(text))
            else:
                socket.send(text)

        server.on_message(pass_on)

    def let_go(self):
        for send in self.frames:
            send()


@pytest.mark.parametrize("late", ["sent", "message"])
def test_ones_own_message_is_in_sight_at_once_and_stands_once_whichever_answer_is_late(friends, visit, late):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    for number in range(1, 31):
        ben.send(chat, "Text", f"step {number}")
    ada.call("PUT", f"/v1/chats/{chat}/read", {"number": 1_000})
    visitor = visit(ada, size=PHONE)
    visitor.context.add_init_script(SLOW_DRAWING)
    held = HeldFrames(visitor.page, late)
    page = visitor.go(f"#/chats/{chat}")
    page.get_by_text("Messages", exact=True).click()
    log = log_of(page)
    expect(log.get_by_text("step 1", exact=True)).to_have_count(1)
    log.evaluate("(log) => { log.scrollTop = 0; }")
    log.evaluate(COUNT_ROWS)
    # Two changes: after the first drawing the second waits.
    for latitude in (59.91, 59.92):
        ben.send(chat, "Location", data=location(latitude, 10.75))
    page.get_by_label("Message", exact=True).fill("I am here")
    page.keyboard.press("Enter")
    own = log.locator(".message", has_text="I am here")
    expect(own).to_be_in_viewport(ratio=1)
    # Each call lets what came in pass through here.
    until(lambda: page.evaluate("true") and held.frames, what=f"a late {late}")
    expect(own).to_have_attribute("data-number", re.compile(r"\d+"))
    held.let_go()
    ben.send(chat, "Text", "I see you")
    expect(log.get_by_text("I see you")).to_be_in_viewport(ratio=1)
    assert page.evaluate("rows") == {"most": 1, "fewest": 1}


TOP_ROW = """(log) => {
  const top = log.getBoundingClientRect().top;
  const row = [...log.querySelectorAll('.message')].find((row) => row.getBoundingClientRect().top > top);
  return { text: row.querySelector('p').textContent, top: row.getBoundingClientRect().top };
}"""
PLACE_OF = """[...log.querySelectorAll('.message')]
  .find((row) => row.querySelector('p').textContent === text).getBoundingClientRect().top"""


def test_at_a_desk_messages_stand_beside_the_map_and_can_be_hidden(friends, visit, check):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    ben.send(chat, "Text", "I am at the lake")
    page = visit(ada, size={"viewport": {"width": 1440, "height": 900}}).go(f"#/chats/{chat}")
    aside = page.get_by_role("region", name="Messages")
    expect(aside.get_by_text("I am at the lake")).to_be_visible()
    expect(page.get_by_role("list", name="People")).to_be_visible()
    check(page, "desk-messages-beside")
    aside.get_by_role("button", name="Hide the messages").click()
    expect(aside).to_have_count(0)
    page.get_by_text("Messages", exact=True).click()
    expect(log_of(page).get_by_text("I am at the lake")).to_be_visible()
    page.get_by_role("button", name="Show the messages beside the map").click()
    expect(aside.get_by_text("I am at the lake")).to_be_visible()


def test_a_draft_stays_with_its_chat_over_another_chat_a_reload_and_another_version(friends, visit):
    ada, ben = friends
    walk, run = ada.start_chat([ben], "Walk"), ada.start_chat([ben], "Run")
    ben.send(walk, "Text", "When?")
    visitor = visit(ada, size=PHONE)
    page = visitor.go(f"#/chats/{walk}")
    field = page.get_by_label("Message", exact=True)
    page.get_by_text("Messages", exact=False).first.click()
    log_of(page).locator(".message[data-number]").click()
    page.get_by_role("button", name="Reply").click()
    field.fill("At the lake, I")
    page.evaluate(f"location.hash = '#/chats/{run}'")
    expect(page.get_by_role("heading", name="Run")).to_be_visible()
    expect(field).to_have_value("")
    page.evaluate(f"location.hash = '#/chats/{walk}'")
    expect(field).to_have_value("At the lake, I")
    # The map has the focus: nothing is being typed just now, and another version is loaded without losing a word.
    page.evaluate("document.activeElement.blur()")
    with page.expect_event("load"):
        page.evaluate("""async () => {
          const { keepUp } = await import([...document.scripts].find(({ src }) => src.endsWith('app/main.js')).src.replace('main.js', 'shell/shell.js'));
          await keepUp('another');
        }""")
    page.wait_for_selector("html[data-ready]")
    expect(field).to_have_value("At the lake, I")
    page.get_by_text("Messages", exact=False).first.click()
    expect(page.locator(".replied").first).to_contain_text("When?")
    field.press("End")
    page.keyboard.type(" think")
    page.keyboard.press("Enter")
    asked, *answers = until(lambda: len(texts := ben.messages(walk, tag="Text")["messages"]) == 2 and texts, what="the reply")
    assert [(answer["content"], answer["data"]) for answer in answers] == [("At the lake, I think", {"reply": asked["number"]})]
    expect(field).to_have_value("")
    page.reload()
    expect(field).to_have_value("")


def test_a_text_that_the_server_refuses_goes_back_to_its_writer(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)

    def refuse(socket):
        server = socket.connect_to_server()
        code = ["internalError", "notAllowed"]

        def pass_on(message):
            frame = json.loads(message)
            if frame["type"] == "send" and code:
                socket.send(json.dumps({"type": "error", "key": frame["key"], "code": code.pop(0), "message": "No."}))
            else:
                server.send(message)

        socket.on_message(pass_on)

    visitor.page.route_web_socket("**/v1/stream", refuse)
    page = visitor.go(f"#/chats/{chat}")
    page.get_by_text("Messages", exact=True).click()
    field = page.get_by_label("Message", exact=True)
    field.fill("Come to the lake")
    page.keyboard.press("Enter")
    # A fault of the server's: it waits, and is sent again. Then it is refused for good.
    expect(page.get_by_text("Waiting to be sent…")).to_be_visible()
    expect(page.get_by_text("Not sent to Walk:")).to_be_visible()
    expect(field).to_have_value("Come to the lake")
    page.reload()
    expect(field).to_have_value("Come to the lake")
    assert ben.messages(chat, tag="Text")["messages"] == []
