"""Servers that may start over one database, and those that may not."""

import subprocess

from cluster import Node
from yonder import program


def test_without_a_bus_a_second_server_over_one_database_is_refused(shared):
    alone = Node(shared.postgres.database("alone"), None)
    try:
        alone.start()
        second = Node(alone.store, None)
        done = subprocess.run(second.command_line(), capture_output=True, text=True, timeout=120)
        second._clean_up()
        assert done.returncode == 1 and "--bus" in done.stderr, done.stderr
        # The lock goes with the server, however it ends.
        alone.kill()
        alone.start()
    finally:
        alone.kill()
        alone._clean_up()


def test_people_and_keys_are_managed_in_the_database(shared):
    node = shared.nodes[0]
    printed = node.command("user", "add", "--store", node.store, "--name", "Cleo", "--login", "cleo")
    assert "#link=" in printed
    assert "cleo" in node.command("user", "list", "--store", node.store)
    caller = node.sign_in(f"{node.url}/#link={printed.split('#link=')[1].split()[0]}")
    assert caller.get("/v1/me")["user"]["name"] == "Cleo"
    node.command("key", "list", "--store", node.store)
    refused = node.command("backup", "copy", "--store", node.store, check=False)
    assert refused.returncode != 0 and "pg_dump" in refused.stderr


def test_a_store_and_a_folder_or_a_bus_without_a_store_are_refused(tmp_path):
    def refused(*arguments):
        done = subprocess.run([program(), "serve", *map(str, arguments)], capture_output=True, text=True, timeout=120)
        assert done.returncode != 0
        return done.stderr

    assert "not both" in refused("--data", tmp_path, "--store", "postgres://yonder@127.0.0.1/yonder")
    assert "use --store" in refused("--data", tmp_path, "--bus", "nats://127.0.0.1:4222")
    assert "postgres://" in refused("--store", "mysql://127.0.0.1/yonder")
    insecure = refused("--store", "postgres://ada:hush@db.example/yonder?sslmode=require")
    assert "verify-full" in insecure and "hush" not in insecure
