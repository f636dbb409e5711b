"""A data folder becomes a database, and a database a data folder: `yonder migrate`."""

import subprocess

from cluster import Node
from yonder import Caller, Server, program, until


def test_a_folder_becomes_a_database_and_a_folder_again_with_its_tokens_links_and_numbers(cluster, tmp_path):
    store = cluster.postgres.database("migrated")
    with Server(data=tmp_path / "data") as server:
        ada = server.owner()
        ben = ada.add("Ben")
        ada.befriend(ben)
        chat = ada.start_chat([ben], "Moving")
        token = ada.token()
        link = ada.post("/v1/users", {"name": "Cleo"})["link"]
        numbers = {text: ada.send(chat, "Text", text, key=text) for text in ("one", "two")}
        refused = server.command("migrate", "--from", server.data, "--to", store, check=False)
        assert refused.returncode != 0 and "in use by another process" in refused.stderr

    report = server.command("migrate", "--from", tmp_path / "data", "--to", store)
    assert "message: 2 rows in 1 chats, equal" in report, report
    again = server.command("migrate", "--from", tmp_path / "data", "--to", store, check=False)
    assert again.returncode != 0 and "isn't empty" in again.stderr

    node = Node(store, None)
    try:
        node.start()
        caller = Caller(node, token)
        messages = caller.messages(chat, limit=100)["messages"]
        assert {message["content"]: message["number"] for message in messages if message["tag"] == "Text"} == numbers
        assert caller.send(chat, "Text", "two", key="two") == numbers["two"]
        assert caller.send(chat, "Text", "three", key="three") == max(numbers.values()) + 1
        assert node.sign_in(link).get("/v1/me")["user"]["name"] == "Cleo"
        in_use = node.command("migrate", "--from", store, "--to", tmp_path / "back", check=False)
        assert in_use.returncode != 0 and "A server uses" in in_use.stderr
        assert node.stop() == 0
        node.command("migrate", "--from", store, "--to", tmp_path / "back")
    finally:
        node.kill()
        node._clean_up()

    with Server(data=tmp_path / "back") as server:
        caller = Caller(server, token)
        assert caller.send(chat, "Text", "three", key="three") == max(numbers.values()) + 1
        assert caller.send(chat, "Text", "four", key="four") == max(numbers.values()) + 2


def indexes(cluster, store):
    """The indexes of a database, each as PostgreSQL makes it again."""
    return set(cluster.postgres.query("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'", store).splitlines())


def test_a_migration_that_was_killed_while_it_began_is_begun_again_and_leaves_every_index(cluster, tmp_path):
    whole = cluster.postgres.database("whole")
    store = cluster.postgres.database("killed")
    with Server(data=tmp_path / "data") as server:
        ada = server.owner()
        ben = ada.add("Ben")
        ada.befriend(ben)
        chat = ada.start_chat([ben])
        for text in ("one", "two"):
            ada.send(chat, "Text", text, key=text)
    with Server(data=tmp_path / "none") as server:
        server.owner()
    server.command("migrate", "--from", tmp_path / "none", "--to", whole)
    # A server makes the tables, whose owner is removed again; then a dump holds up what the migration removes to make it again later.
    node = Node(store, None)
    try:
        node.start()
    finally:
        node.kill()
        node._clean_up()
    cluster.postgres.query("TRUNCATE account, credential CASCADE", store)
    dump = cluster.postgres.session(store)
    dump.stdin.write("BEGIN; LOCK TABLE message IN ACCESS SHARE MODE; SELECT 'locked';\n")
    dump.stdin.flush()
    assert any("locked" in line for line in iter(dump.stdout.readline, ""))
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DROP INDEX%' AND wait_event_type = 'Lock'"
    command = [program(), "migrate", "--from", str(tmp_path / "data"), "--to", store]
    first = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until(lambda: cluster.postgres.query(waiting, store) == "1" or first.poll() is not None)
        assert first.poll() is None, first.communicate()
    finally:
        first.kill()
        first.communicate()
        dump.communicate("COMMIT;\n", timeout=60)
    report = server.command("migrate", "--from", tmp_path / "data", "--to", store)
    assert "schema: " in report and "DIFFERENT" not in report, report
    assert indexes(cluster, store) == indexes(cluster, whole)
    assert cluster.postgres.query("SELECT count(*) FROM message WHERE tag = 'Text'", store) == "2"
