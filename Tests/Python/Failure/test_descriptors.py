"""Nobody takes the server away by opening sockets: not from one address, not from two hundred."""

import asyncio
import http.client
import os
import re
import statistics
import subprocess
import time

import pytest
from crowd import Crowd, anonymous_stream, half_body, half_head, idle, polling
from stream import Stream
from yonder import Server, limit, party, until

SOCKETS = 5_000
# Of each other kind, for time's sake; more than fit all the same.
OTHERS = 2_000
ONE = ["127.0.0.2"]
MANY = [f"127.0.{high}.{low}" for high in range(1, 5) for low in range(1, 51)]
LIMITS = [(1_024, 1_024), (1_024, 4_096)]
KINDS = {
    "idle": (idle, LIMITS[0], MANY), "half heads": (half_head, LIMITS[0], ONE), "half bodies": (half_body, LIMITS[0], MANY),
    "polls": (polling, LIMITS[0], MANY),
}


def limited(soft, hard, arguments=()):
    """A server with so many descriptors."""
    return Server(arguments, wrapper=["prlimit", f"--nofile={soft}:{hard}", "--"])


def seconds(action):
    began = time.monotonic()
    action()
    return time.monotonic() - began


def get(server, path, source, headers={}):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120, source_address=(source, 0))
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, (path, answer.status)
    finally:
        connection.close()


def check_answers(server, person):
    """Health, a person, and the command line answer within a second; the machine's own noise is left out."""
    bearer = {"Authorization": f"Bearer {person.bearer}"}
    looks = {
        "health": lambda: get(server, "/health", "127.0.0.1"),
        "a person": lambda: get(server, "/v1/me", "127.0.0.3", bearer),
        "the command line": lambda: server.command("user", "list", "--data", server.data),
    }
    for name, look in looks.items():
        times = [seconds(look) for _ in range(5)]
        print(f"{name}: {statistics.median(times) * 1000:.0f} ms, at most {max(times) * 1000:.0f} ms")
        assert statistics.median(times) < limit(1), (name, times)


def check_held(server, person, addresses, kind, count, hard):
    """Lets the sockets come, and looks at the server meanwhile."""

    async def hold():
        # A stream of somebody signed in stays open through all of it.
        async with await Stream.open(server, person.bearer) as stream:
            with Crowd(server.port, count, addresses, kind) as crowd:
                # All have come, and those that are too many have gone.
                until(lambda: crowd.failure or (crowd.tried >= count and crowd.open < hard), what="the sockets' coming")
                check_answers(server, person)
                assert crowd.failure is None
                print(f"{crowd.tried} tries, {crowd.closed} closed")
            await stream.subscribe("chats")

    asyncio.run(hold())


def processor_seconds(server):
    fields = open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("limits", LIMITS, ids=["1024", "1024 of 4096"])
@pytest.mark.parametrize("addresses", [ONE, MANY], ids=["one address", "200 addresses"])
def test_five_thousand_anonymous_streams_take_nothing_from_others(limits, addresses):
    with limited(*limits) as server:
        person, _ = party(server, [])
        person.token()
        check_held(server, person, addresses, anonymous_stream, SOCKETS, limits[1])
        assert "can be accepted" not in server.errors


@pytest.mark.parametrize("kind", KINDS)
def test_two_thousand_other_sockets_take_nothing_from_others(kind):
    sockets, limits, addresses = KINDS[kind]
    with limited(*limits) as server:
        person, _ = party(server, [])
        person.token()
        check_held(server, person, addresses, sockets, OTHERS, limits[1])
        assert "can be accepted" not in server.errors


def test_the_soft_limit_is_raised_and_what_fits_is_said():
    with limited(256, 4_096) as server:
        assert re.search(r"connections=39\d\d openFiles=4096 .*Connections are limited", server.errors), server.errors
        assert "Max open files            4096                 4096" in open(f"/proc/{server.process.pid}/limits").read()
    with limited(256, 4_096, ["--max-connections", "100"]) as server:
        assert re.search(r"connections=100\b", server.errors)


def test_an_address_at_its_limit_is_named_in_the_log_once():
    with limited(1_024, 1_024, ["--max-address-connections", "20"]) as server:
        with Crowd(server.port, 60, ONE, idle) as crowd:
            until(lambda: crowd.closed >= 100, what="sockets that give way")
        said = [line for line in server.errors.splitlines() if "--max-address-connections" in line]
        assert 1 <= len(said) <= 5
        assert all("127.0.0.2" in line and "--proxy" in line for line in said)


def test_the_clients_of_a_listed_proxy_count_and_the_proxy_does_not():
    with limited(1_024, 1_024, ["--proxy", "127.0.0.9", "--max-address-connections", "20"]) as server:
        with Crowd(server.port, 200, ["127.0.0.9"], idle) as crowd:
            until(lambda: crowd.tried >= 200, what="every socket's first try")
            get(server, "/health", "127.0.0.9")
            assert crowd.closed == 0

        def forwarded(port):
            return half_body(port).replace(b"Host: ", b"X-Forwarded-For: 203.0.113.7\r\nHost: ", 1)

        with Crowd(server.port, 60, ["127.0.0.9"], forwarded) as crowd:
            until(lambda: crowd.closed > 0, what="a client's socket that gives way")
        assert "203.0.113.7" in server.errors
        assert "127.0.0.9" not in server.errors


def test_two_hundred_people_behind_one_address_are_no_crowd():
    """Each loads the page over six connections and opens the stream: half of them signed in, all from one address."""
    source = "127.0.0.7"
    with limited(1_024, 4_096) as server:
        person, _ = party(server, [])
        token = person.token()

        async def visit(number):
            for _ in range(6):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(source, 0))
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                await writer.drain()
                assert b" 200 " in await reader.readline()
                connections.append(writer)
            return await Stream.open(server, token if number % 2 else None, local_addr=(source, 0))

        async def all_visit():
            streams = []
            for start in range(0, 200, 20):
                streams += await asyncio.gather(*(visit(start + number) for number in range(20)))
            for stream in streams:
                await stream.subscribe("world")
            for writer in connections:
                writer.close()
            await asyncio.gather(*(stream.close() for stream in streams))

        connections = []
        asyncio.run(all_visit())


def test_accepting_rests_while_there_are_no_descriptors_and_says_so_once():
    with limited(1_024, 1_024) as server:
        # Taken away behind the server's back: what it counted on isn't there any more.
        taken = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        subprocess.run(["prlimit", f"--pid={server.process.pid}", f"--nofile={taken + 20}:1024"], check=True)
        with Crowd(server.port, 200, MANY, idle):
            until(lambda: "can be accepted" in server.errors, what="a line in the log")
            spent, began = processor_seconds(server), time.monotonic()
            until(lambda: time.monotonic() - began > 3)
            burnt = (processor_seconds(server) - spent) / (time.monotonic() - began)
            assert burnt < 0.5, f"{burnt:.2f} cores while accepting rests"
        subprocess.run(["prlimit", f"--pid={server.process.pid}", "--nofile=1024:1024"], check=True)

        def accepted_again():
            assert server.process.poll() is None, server.errors
            get(server, "/health", "127.0.0.1")
            return "accepted again" in server.errors

        until(accepted_again, what="the end of the shortage in the log")
        assert server.errors.count("can be accepted") == 1
