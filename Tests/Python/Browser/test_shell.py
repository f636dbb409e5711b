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

UNSENT = """() => new Promise((resolve) => {
  const opening = indexedDB.open('yonder');
  opening.onsuccess = () => {
    const { result } = opening;
    result.transaction('unsent').objectStore('unsent').count().onsuccess = ({ target }) => { result.close(); resolve(target.result); };
  };
})"""


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
      document.activeElement.blur();
      const { keepUp } = await import([...document.scripts].find(({ src }) => src.endsWith('app/main.js')).src.replace('main.js', 'shell/shell.js'));
      await keepUp('yetAnother');
      return sessionStorage.getItem('yonder.version') === null;
    }""")
    assert is_busy


def erase_database(visitor, page):
    """The browser closes and erases the database under the page, as it does when it runs out of space."""
    page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": visitor.server.url, "storageTypes": "indexeddb"})


def limit_storage(visitor, page, **size):
    """No more than so many bytes may be kept; without a size, as many as before."""
    session = page.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": visitor.server.url, **size})


def write(page, text):
    page.get_by_label("Message", exact=True).fill(text)
    page.keyboard.press("Enter")


def texts(caller, chat):
    return [message["content"] for message in caller.messages(chat)["messages"] if message["tag"] == "Text"]


def opened_chat(visitor, chat):
    page = visitor.go(f"#/chats/{chat}")
    page.get_by_text("Messages", exact=True).click()
    return page


def test_a_message_written_while_the_database_is_closed_is_sent_and_shown(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    page = opened_chat(visitor, chat)
    erase_database(visitor, page)
    write(page, "It is closed")
    expect(page.get_by_role("log", name="Messages")).to_contain_text("It is closed")
    until(lambda: texts(ben, chat) == ["It is closed"], what="the message")


def test_a_message_that_the_browser_has_no_room_for_waits_in_the_page_which_says_so(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    visitor.expected += ["net::ERR_INTERNET_DISCONNECTED", "WebSocket connection"]
    page = opened_chat(visitor, chat)
    limit_storage(visitor, page, quotaSize=1)
    visitor.context.set_offline(True)
    write(page, "No room")
    expect(page.get_by_role("log", name="Messages")).to_contain_text("No room")
    expect(page.get_by_text("This browser can’t keep what isn’t sent yet.")).to_be_visible()
    visitor.context.set_offline(False)
    until(lambda: texts(ben, chat) == ["No room"], what="the message")


def test_a_message_that_a_closed_tab_left_is_sent_by_another_tab(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE)
    visitor.expected += ["net::ERR_INTERNET_DISCONNECTED", "WebSocket connection"]
    closed = opened_chat(visitor, chat)
    visitor.open()
    visitor.go("#/you")
    visitor.context.set_offline(True)
    write(closed, "Left behind")
    expect(closed.get_by_text("Waiting to be sent…")).to_be_visible()
    until(lambda: visitor.page.evaluate(UNSENT) == 1, what="the kept message")
    closed.close()
    visitor.context.set_offline(False)
    until(lambda: texts(ben, chat) == ["Left behind"], what="the message")


def test_the_worker_sends_what_waits_although_a_window_is_open(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE, service_workers="allow")
    page = visitor.go()
    kept(page)
    workers = []
    session = page.context.new_cdp_session(page)
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: workers.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    until(lambda: page.evaluate("1") and workers, what="the worker")
    # A window of the same server in which no page runs that would send. The browser asks for an icon beside a picture.
    visitor.expected.append("404 (Not Found)")
    page.goto(f"{visitor.server.url}/icon.svg")
    page.evaluate("""(message) => new Promise((resolve) => {
      const opening = indexedDB.open('yonder');
      opening.onsuccess = () => {
        opening.result.transaction('unsent', 'readwrite').objectStore('unsent').put(message).onsuccess = () => resolve();
      };
    })""", {"key": "k", "user": ada.user, "chat": chat, "tag": "Text", "content": "From the worker", "time": 0})
    session.send("ServiceWorker.dispatchSyncEvent", {
        "origin": visitor.server.url, "registrationId": workers[-1]["registrationId"], "tag": "outbox", "lastChance": False})
    until(lambda: texts(ben, chat) == ["From the worker"], what="the message")


def test_a_file_that_a_proxy_answered_with_a_page_of_its_own_is_asked_for_anew(friends, visit):
    ada, _ = friends
    visitor = visit(ada, size=PHONE, service_workers="allow")
    page = visitor.go()
    kept(page)
    page.evaluate("""async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          if (request.url.endsWith('.js')) await cache.put(request, new Response('<h1>Pay here</h1>', { headers: { 'Content-Type': 'text/html' } }));
        }
      }
    }""")
    page.reload()
    page.wait_for_selector("html[data-ready]")


def test_with_no_room_left_the_page_and_the_map_come_from_the_network(friends, visit):
    ada, _ = friends
    visitor = visit(ada, size=PHONE, service_workers="allow")
    page = visitor.go()
    kept(page)
    limit_storage(visitor, page, quotaSize=1000)
    page.evaluate("async () => { for (const name of await caches.keys()) await caches.delete(name); }")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate("async () => (await fetch('/tiles/world/3/4/2.mvt')).status") == 200


def test_signing_out_ends_although_another_tab_holds_the_database(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    visitor = visit(ada, size=PHONE, service_workers="allow")
    # A browser asks for an icon of its own where a picture is opened as a page.
    visitor.expected += ["net::ERR_INTERNET_DISCONNECTED", "net::ERR_FAILED", "WebSocket connection", "/favicon.ico"]
    page = opened_chat(visitor, chat)
    kept(page)
    holding = visitor.open()
    holding.goto(f"{visitor.server.url}/icon.svg")
    holding.evaluate("""() => new Promise((resolve) => {
      const opening = indexedDB.open('yonder');
      opening.onsuccess = () => { window.held = opening.result; resolve(); };
    })""")
    page.goto(f"{visitor.server.url}/#/you")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="See where your people are")).to_be_visible()
    left = """() => Promise.all([...held.objectStoreNames].map((name) => new Promise((resolve) => {
      held.transaction(name).objectStore(name).count().onsuccess = ({ target }) => resolve(target.result);
    })))"""
    assert sum(holding.evaluate(left)) == 0


COUNTERS = """(hash) => new Promise((resolve) => {
  const before = document.getElementById('view').firstElementChild;
  const look = () => (document.getElementById('view').firstElementChild === before ? requestAnimationFrame(look) : requestAnimationFrame(resolve));
  location.hash = hash;
  look();
})"""


def test_fifteen_visits_of_each_view_leave_as_many_nodes_and_listeners_as_two(friends, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    ben.send(chat, "Text", "hello")
    page = visit(ada, size=PHONE).go("#/chats")
    session = page.context.new_cdp_session(page)

    def counted():
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        counters = session.send("Memory.getDOMCounters")
        return counters["nodes"], counters["jsEventListeners"]

    def visited(view, times):
        for _ in range(times):
            page.evaluate(COUNTERS, view)
            page.evaluate(COUNTERS, "#/new")
        return counted()

    grown = {}
    for view in (f"#/chats/{chat}", f"#/chats/{chat}/day/{ben.user}", "#/chats", "#/contacts", "#/world", "#/seen", "#/you", "#/places"):
        nodes, listeners = visited(view, 2)
        more_nodes, more_listeners = visited(view, 13)
        # A view that is left may live until the next one's answer has come.
        if more_nodes > nodes + 60 or more_listeners > listeners + 8:
            grown[view] = (nodes, more_nodes, listeners, more_listeners)
    assert grown == {}
