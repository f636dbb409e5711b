"""The page as an app: without a connection, after a new version, and what signing out leaves."""

import json

from playwright.sync_api import expect
from yonder import until

from conftest import PHONE, location

LEFT = """async () => ({
  caches: await caches.keys(),
  databases: (await indexedDB.databases()).map(({ name }) => name),
  local: Object.keys(localStorage), session: Object.keys(sessionStorage),
  workers: (await navigator.serviceWorker.getRegistrations()).length,
})"""
KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
  return kept;
}"""


def kept(page):
    """Waits until the worker has kept the page, and answers the paths of all that it keeps."""
    return until(lambda: (paths := page.evaluate(KEPT)) and "/" in paths and paths, what="a kept page")


def test_a_kept_page_opens_without_a_connection_and_signing_out_leaves_nothing(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    ben.send(chat, "Location", data=location(59.91, 10.75))
    visitor = visit(ada, size=PHONE, service_workers="allow", locale="de-AT")
    # A request that the service worker can't answer fails without the network's reason.
    visitor.expected += ["net::ERR_INTERNET_DISCONNECTED", "net::ERR_FAILED", "WebSocket connection"]
    page = visitor.go(f"#/chats/{chat}")
    assert page.evaluate("document.documentElement.lang") == "de"
    page.wait_for_selector('#map[data-map="idle"]')
    paths = kept(page)
    assert all(path == "/" or path.startswith(("/assets/", "/tiles/")) for path in paths), paths

    visitor.context.set_offline(True)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.goto(f"{visitor.server.url}/#/you")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Ada Lovelace")

    visitor.context.set_offline(False)
    page.get_by_role("button", name="Abmelden").click()
    page.wait_for_url(f"{visitor.server.url}/")
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_role("heading", name="Sieh, wo deine Leute sind")).to_be_visible()
    left = page.evaluate(LEFT)
    assert left == {"caches": [], "databases": [], "local": [], "session": [], "workers": 0}, left
    assert [cookie["name"] for cookie in visitor.context.cookies()] == []


def test_a_page_of_another_version_loads_again_unless_something_is_being_typed(owner, visit):
    visitor = visit(owner.add("Mia"), size=PHONE)

    def change_version(socket):
        server = socket.connect_to_server()

        def pass_on(message):
            frame = json.loads(message)
            if frame["type"] == "hello":
                frame["page"] = "anotherVersion"
            socket.send(json.dumps(frame))

        server.on_message(pass_on)

    visitor.page.route_web_socket("**/v1/stream", change_version)
    loads = []
    visitor.page.on("load", lambda: loads.append(1))
    with visitor.page.expect_event("load", lambda _: len(loads) == 2):
        visitor.go("#/you")
    visitor.page.wait_for_selector("html[data-ready]")
    visitor.page.wait_for_selector('#map[data-map="idle"]')
    assert visitor.page.evaluate("sessionStorage.getItem('yonder.version')") == "anotherVersion"
    # Once: the same version isn't loaded again and again.
    assert len(loads) == 2

    visitor.page.get_by_label("Name", exact=True).fill("Mia M")
    is_busy = visitor.page.evaluate("""async () => {
      sessionStorage.clear();
      const { keepUp } = await import([...document.scripts].find(({ src }) => src.endsWith('app/main.js')).src.replace('main.js', 'shell/shell.js'));
      await keepUp('yetAnother');
      return sessionStorage.getItem('yonder.version') === null;
    }""")
    assert is_busy
