"""Text at 200 % on a phone: on each main screen nothing is cut, runs off the screen or lies over something else."""

from conftest import PHONE, location
from playwright.sync_api import expect

TWICE = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '32px'; })"

# Texts that end outside of the screen or of what clips them, and controls that lie over each other in one scrolled part.
FAULTS = """(scope) => {
  const isSeen = (each) => each.getClientRects().length > 0 && !each.closest('svg, .hidden, .swiped, [aria-hidden="true"]')
    && each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (each) => `${each.tagName} ${each.className} “${(each.textContent || each.ariaLabel || '').slice(0, 40)}”`;
  const all = [...document.querySelector(scope).querySelectorAll('*')].filter(isSeen);
  const faults = [];
  for (const each of all) {
    const { left, right } = each.getBoundingClientRect();
    if ((left < -1 || right > innerWidth + 1) && right - left > 1) faults.push(`off the screen: ${named(each)}`);
    const hasText = [...each.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    const clips = getComputedStyle(each).overflowX !== 'visible';
    if (hasText && clips && each.scrollWidth > each.clientWidth + 1) faults.push(`cut: ${named(each)}`);
  }
  // A foot that stays in sight, and the button to the newest message, lie over what is scrolled below them.
  const isFoot = (each) => each.closest('.footer, footer, .share-bar, .to-end');
  const controls = all.filter((each) => each.matches('button, a, h1, h2, .segments span, .row-text, .toggle') && !isFoot(each));
  const isOver = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  };
  const scrolled = (each) => { let parent = each.parentElement; while (parent && !/auto|scroll/.test(getComputedStyle(parent).overflowY)) parent = parent.parentElement; return parent; };
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      const isApart = !one.contains(other) && !other.contains(one) && scrolled(one) === scrolled(other);
      if (isApart && isOver(one, other)) faults.push(`${named(one)} lies over ${named(other)}`);
    }
  }
  return faults;
}"""


def test_at_200_percent_nothing_is_cut_and_nothing_overlaps(owner, friends, visit):
    ada, ben = friends
    cleo = owner.add("Cleopatra Featherstone")
    ada.befriend(cleo)
    chat = ada.start_chat([ben, cleo], "Weekend at the hut above the lake")
    cleo.send(chat, "Location", data=location(59.916, 10.75))
    ben.send(chat, "Text", "I am at the lake, and the water is as cold as it was last year")
    visitor = visit(ada, size=PHONE)
    visitor.context.add_init_script(TWICE)
    page = visitor.go()
    page.get_by_role("link", name="Weekend at the hut").wait_for()
    assert page.evaluate(FAULTS, "#panel") == [], "chats"

    def shows(fragment, ready):
        page.goto(f"{page.url.split('#')[0]}#/{fragment}")
        ready().wait_for()
        assert page.evaluate(FAULTS, "#panel") == [], fragment

    row = page.get_by_role("list", name="People").get_by_role("button", name="Cleopatra")
    shows(f"chats/{chat}", lambda: row)
    row.click()
    page.get_by_role("heading", name="Cleopatra").wait_for()
    assert page.evaluate(FAULTS, "#panel") == [], "person"
    page.get_by_role("button", name="Back").first.click()
    page.get_by_role("button", name="For how long, and more").click()
    page.get_by_role("dialog").wait_for()
    assert page.evaluate(FAULTS, "dialog") == [], "share"
    page.keyboard.press("Escape")
    page.get_by_text("Messages 1").click()
    page.get_by_text("as cold as it was").wait_for()
    assert page.evaluate(FAULTS, "#panel") == [], "messages"
    for fragment, heading in (("contacts", "Contacts"), ("new", "New chat"), ("seen", "Who can see me"), ("you", "You"), ("world", "World")):
        shows(fragment, lambda: page.get_by_role("heading", name=heading, exact=True))
