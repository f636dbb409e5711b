"""Somebody at a page without a pointer: only keys, and only what has the focus."""


class Keyboard:
    """Goes through a page with Tab, as far as the thing that is wanted."""

    def __init__(self, page):
        self.page = page

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, text):
        """Types in place of what is there."""
        self.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def to(self, locator, key="Tab", most=120):
        """Presses Tab until the thing has the focus, from wherever it is now."""
        locator.first.wait_for()
        for _ in range(most):
            if locator.first.evaluate("each => each === document.activeElement"):
                return locator
            self.press(key)
        raise AssertionError(f"{most} times {key} don't reach {locator}")

    def back_to(self, locator):
        return self.to(locator, key="Shift+Tab")

    def push(self, locator, key="Enter"):
        """Goes to a button or a link and uses it."""
        self.to(locator)
        self.press(key)

    def fill(self, locator, text):
        self.to(locator)
        self.write(text)

    def choose(self, locator, label):
        """Goes down a select as far as the choice that is wanted."""
        self.to(locator)
        self.press("Home")
        for _ in range(locator.evaluate("each => each.options.length")):
            if locator.evaluate("each => each.selectedOptions[0].label") == label:
                return
            self.press("ArrowDown")
        raise AssertionError(f"{label} can't be chosen")
