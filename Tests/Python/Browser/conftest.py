"""A real browser before a real server: people with a page each, watched for whatever they shouldn't do.

With `-n 2` two processes share the tests, each with a browser, and all before one server: the process that hands the tests
out starts it and signs its owner in, as the owner's link is good once. A test may assume nothing of this server but
the people that it makes. Where a module is about all of a server, such as the world or the entities, `server` and `owner` are
its own there, and its tests are one `xdist_group`.
"""

import shutil

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect, sync_playwright
from yonder import ROOT, Caller, Running, Server

SCREENS = ROOT / ".build-screens"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
# One pixel a point, as software draws each of them. The pictures of each view are taken with two, as phones have.
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1, "has_touch": True, "is_mobile": True}
SIZES = {"desktop": DESKTOP, "phone": {**PHONE, "device_scale_factor": 2}}
OSLO = {"latitude": 59.9139, "longitude": 10.7522, "accuracy": 8}

# On a busy machine software WebGL takes its time.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def browser():
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("Chromium is missing; Scripts/setup-browser installs it")
    # Software draws the map. It needn't draw the rest of the page as a graphics processor does, which is far slower.
    arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization",
                 "--disable-gpu-compositing"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


class Shared:
    """The server that all processes of a run share, in the process that hands out the tests."""

    def __init__(self):
        self.server = self.owner = None

    def start(self):
        self.server = Server().__enter__()
        self.owner = self.server.owner()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        """Starts the server for the first process, and hands it to each."""
        if self.server is None:
            self.start()
        node.workerinput["server"] = {"port": self.server.port, "cookie": self.owner.cookie, "user": self.owner.user}

    def pytest_unconfigure(self):
        if self.server:
            self.server.__exit__()


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Shared())


def pytest_terminal_summary(terminalreporter):
    """Prints what tests measured: from *Stop* to unseen."""
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties:
            if name == "unseen" and report.when == "call":
                terminalreporter.write_line(text)


@pytest.fixture(scope="session")
def server(request):
    handed = getattr(request.config, "workerinput", {}).get("server")
    if handed:
        yield Running(handed["port"])
    else:
        with Server() as server:
            yield server


@pytest.fixture(scope="session")
def owner(request, server):
    """The operator, by REST; signed in with the link of the first start, which is good once."""
    handed = getattr(request.config, "workerinput", {}).get("server")
    if not handed:
        return server.owner()
    owner = Caller(server)
    owner.cookie, owner.user = handed["cookie"], handed["user"]
    return owner


class Visitor:
    """A person's own context in the one browser. What it logs, fails at, or asks of other hosts is written down.

    The map jumps where it would fly, as software draws each frame of a flight; `reduced_motion="no-preference"` lets it.
    Without the permission the map doesn't begin at the person's own place.
    The page's worker isn't let in unless a test is about it (`service_workers="allow"`): it would load the page twice.
    """

    def __init__(self, browser, server, size=DESKTOP, place=OSLO, cookie=None, reduced_motion="reduce", locale="en-GB",
                 service_workers="block", permissions=("geolocation",), **options):
        self.server = server
        self.context = browser.new_context(
            **size, locale=locale, timezone_id="Europe/Oslo", geolocation=place, permissions=list(permissions),
            reduced_motion=reduced_motion, service_workers=service_workers, **options
        )
        self.context.set_default_timeout(60_000)
        self.complaints = []
        # The second is a remark of the graphics library on how the browser takes the map's picture.
        self.expected = ["Service Worker registration blocked by Playwright", "GPU stall due to ReadPixels"]
        if cookie:
            name, value = cookie.split("=", 1)
            self.context.add_cookies([{"name": name, "value": value, "url": server.url}])
        self.page = self.open()

    def open(self):
        """Another tab of the same person."""
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", self._asked)
        self.page = page
        return page

    def _heard(self, message):
        # The one answer of 401 that is asked for: it says that nobody is signed in.
        is_session = "401" in message.text and message.location.get("url", "").endswith("/v1/session")
        if message.type in ("error", "warning") and not is_session:
            self.complaints.append(f"{message.type}: {message.text} {message.location.get('url', '')}".strip())

    def _asked(self, request):
        own = (self.server.url, self.server.url.replace("http", "ws"), "blob:", "data:")
        if not request.url.startswith(own):
            self.complaints.append(f"asked another host: {request.url}")

    def go(self, fragment=""):
        """Opens the page, or a part of it, and waits until it is ready."""
        self.page.goto(f"{self.server.url}/{fragment}", timeout=120_000)
        self.page.wait_for_selector("html[data-ready]", timeout=120_000)
        return self.page

    def move(self, latitude, longitude):
        self.context.set_geolocation({"latitude": latitude, "longitude": longitude, "accuracy": 8})

    def unexpected(self):
        return [text for text in self.complaints if not any(part in text for part in self.expected)]


@pytest.fixture
def visit(browser, server):
    """Opens browsers, and at the end looks at what they wrote down."""
    yield from visits(browser, server)


def visits(browser, server):
    """What opens browsers on a server, for a fixture that yields it."""
    visitors = []

    def open_one(caller=None, **options):
        visitor = Visitor(browser, server, cookie=caller.cookie if caller else None, **options)
        visitors.append(visitor)
        return visitor

    yield open_one
    complaints = [complaint for visitor in visitors for complaint in visitor.unexpected()]
    for visitor in visitors:
        visitor.context.close()
    assert complaints == []


@pytest.fixture
def friends(owner):
    """Two people who are contacts, by REST: Ada and Ben."""
    ada, ben = owner.add("Ada Lovelace", email="ada@example.org"), owner.add("Ben Ohm", email="ben@example.org")
    ada.befriend(ben)
    return ada, ben


@pytest.fixture(scope="session")
def check():
    """Takes a picture of what is there, light and dark, and lets axe look at both.

    In the dark axe looks at colors alone, as nothing else differs. The page stays as it was seen last.
    """

    def check_page(page, name):
        is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        for scheme in ("dark", "light") if is_dark else ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            frames(page)
            for part in ("#map", ".place-map"):
                if page.locator(part).count():
                    page.wait_for_selector(f'{part}[data-map="idle"]')
            page.screenshot(path=SCREENS / f"{name}-{scheme}.png")
            found = violations(page, {"runOnly": COLOR_RULES} if scheme == "dark" else {})
            assert found == [], f"{name} {scheme}: {found}"

    SCREENS.mkdir(exist_ok=True)
    return check_page


# Keeps the map where a test can ask it: `testedMap`.
CATCH = """(() => {
  let library;
  Object.defineProperty(window, 'maplibregl', {
    configurable: true, get: () => library,
    set(value) {
      const Map = value.Map;
      value.Map = class extends Map { constructor(options) { super(options); window.testedMap = this; } };
      library = value;
    },
  });
})()"""

COLOR_RULES = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def violations(page, options):
    """What axe finds on a page, as texts."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    run = "async (options) => (await axe.run(options)).violations"
    found = page.evaluate(run, {"resultTypes": ["violations"], **options})
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


def frames(page, count=2):
    """Waits until the page has drawn what it was told before: so many frames."""
    page.evaluate("""(count) => new Promise((resolve) => {
      const next = () => (count-- > 0 ? requestAnimationFrame(next) : resolve());
      next();
    })""", count)


def at_rest(page):
    """Waits until the map has drawn all that it was told and has all tiles of what it shows."""
    frames(page)
    page.wait_for_selector('#map[data-map="idle"]')


def open_settings(page):
    """Unfolds what a chat offers below its people."""
    page.get_by_text("Settings of this chat").click()


def location(latitude, longitude):
    """A location message's data, as clients send it."""
    return {"latitude": f"{latitude:.6f}", "longitude": f"{longitude:.6f}"}
