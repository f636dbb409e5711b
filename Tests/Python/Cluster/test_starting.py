"""Servers that may start over one database, and those that may not."""

import os
import signal
import subprocess
import time

import pytest
from cluster import Node, end
from yonder import Caller, Refusal, guests, program, until


def test_without_a_bus_a_second_server_over_one_database_is_refused(cluster):
    alone = Node(cluster.postgres.database("alone"), None)
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


def refusal(node):
    """What a server that may not start says."""
    done = subprocess.run(node.command_line(), capture_output=True, text=True, timeout=120)
    node._clean_up()
    assert done.returncode == 1, done.stderr
    return done.stderr


def test_a_server_without_a_bus_beside_nodes_and_a_node_beside_such_a_server_are_refused(cluster):
    assert "--bus" in refusal(Node(cluster.postgres.address, None))
    alone = Node(cluster.postgres.database("alone-first"), None)
    try:
        alone.start()
        assert "without the bus" in refusal(Node(alone.store, cluster.bus.address))
    finally:
        alone.kill()
        alone._clean_up()


def test_a_database_that_stops_answering_is_noticed(cluster, owner):
    """Its process is stopped, so that its kernel goes on answering: only the silence tells."""
    node = cluster.nodes[0]
    ben, = guests(owner, ["Ben"])
    chat = owner.start_chat([ben])
    processes = cluster.postgres.processes()
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        assert Caller(node).request("GET", "/ready")[0] == 503
        assert time.monotonic() - begun < 60
        with pytest.raises(Refusal) as refused:
            owner.send(chat, "Text", "a", key="a")
        assert refused.value.status == 503, refused.value
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
    until(lambda: Caller(node).request("GET", "/ready")[0] == 200)
    first = owner.send(chat, "Text", "a", key="a")
    assert owner.send(chat, "Text", "a", key="a") == first
    assert [message["content"] for message in owner.messages(chat)["messages"] if message["tag"] == "Text"] == ["a"]


def test_people_and_keys_are_managed_in_the_database(cluster):
    node = cluster.nodes[0]
    printed = node.command("user", "add", "--store", node.store, "--name", "Cleo", "--login", "cleo")
    assert "#link=" in printed
    assert "cleo" in node.command("user", "list", "--store", node.store)
    # The link leads where the servers' people are, or says that it doesn't.
    link = ["env", "YONDER_ORIGIN=https://map.example.org", program(), "user", "link", "--store", node.store, "cleo"]
    assert subprocess.check_output(link, text=True, timeout=120).startswith("https://map.example.org/#link=")
    done = node.command("user", "link", "--store", node.store, "cleo", check=False)
    assert done.stdout.startswith("http://localhost:8080/#link=") and "--url https://" in done.stderr
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


def test_three_servers_that_start_while_another_makes_a_step_wait_with_a_line_and_then_serve(cluster):
    store = cluster.postgres.database("starting")
    nodes = [Node(store, cluster.bus.address) for _ in range(3)]
    step = cluster.postgres.session(store)
    step.stdin.write("SELECT 'locked' FROM pg_advisory_lock(7923006741);\n")
    step.stdin.flush()
    assert any("locked" in line for line in iter(step.stdout.readline, ""))
    try:
        for node in nodes:
            node._launch()
        until(lambda: all("Another server brings the database's tables" in node.errors for node in nodes))
        assert cluster.postgres.query("SELECT to_regclass('schema') IS NULL", store) == "t"
        step.communicate("SELECT pg_advisory_unlock(7923006741);\n", timeout=60)
        until(lambda: all(node._ready() for node in nodes))
    finally:
        if step.poll() is None:
            step.kill()
            step.communicate()
        end(nodes)
