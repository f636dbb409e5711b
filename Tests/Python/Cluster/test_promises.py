"""Load through three nodes while parts of the cluster fail: nothing acknowledged is lost, each client's log is the store's."""

import asyncio
import os
import signal
import time

import pytest
from cluster import Cluster
from crew import Crew
from yonder import party


async def nothing(crew):
    await asyncio.sleep(0.5)


async def node_killed(crew):
    crew.cluster.nodes[1].kill()
    await asyncio.to_thread(crew.cluster.nodes[1].start)


async def node_frozen(crew):
    crew.cluster.nodes[2].pause()
    await asyncio.sleep(15)
    crew.cluster.nodes[2].resume()


async def bus_killed(crew):
    crew.cluster.bus.kill()
    await asyncio.sleep(2)
    await asyncio.to_thread(crew.cluster.bus.start)


async def database_stopped(crew):
    await asyncio.to_thread(crew.cluster.postgres.stop, signal.SIGQUIT)
    await asyncio.to_thread(crew.cluster.postgres.start)


async def standby_promoted(crew):
    # Half a second of the log doesn't reach the standby: a commit that waits for it isn't acknowledged.
    crew.cluster.log_link.inward.hold()
    await asyncio.sleep(0.5)
    await asyncio.to_thread(crew.cluster.postgres.stop, signal.SIGQUIT)
    crew.cluster.log_link.cut()
    # There is no third machine: the new primary acknowledges alone.
    await asyncio.to_thread(crew.cluster.standby.promote)


def trouble_of(link, harm):
    """Something that happens to one of the last node's links."""
    async def trouble(crew):
        proxy = getattr(crew.cluster, f"{link}_link")
        await harm(proxy)
        await asyncio.to_thread(proxy.heal)

    trouble.__name__ = f"{link}_{harm.__name__}"
    return trouble


async def held_outward(proxy):
    proxy.outward.hold()
    await asyncio.sleep(3)


async def held_inward(proxy):
    proxy.inward.hold()
    await asyncio.sleep(3)


async def cut_while_answers_are_held(proxy):
    proxy.inward.hold()
    await asyncio.sleep(0.5)
    proxy.cut()
    await asyncio.sleep(2)


async def late_outward(proxy):
    proxy.outward.delay = 0.3
    await asyncio.sleep(2)


async def late_inward(proxy):
    proxy.inward.delay = 0.3
    await asyncio.sleep(2)


HARMS = [held_outward, held_inward, cut_while_answers_are_held, late_outward, late_inward]
TROUBLES = [
    nothing, node_killed, node_frozen, bus_killed, database_stopped,
    *(trouble_of(link, harm) for link in ("bus", "store") for harm in HARMS),
]


def work(cluster, people, rounds, trouble):
    owner, ben, guest = people
    for _ in range(rounds):
        crew = Crew(cluster, owner, owner.start_chat([ben]), guest)
        begun = time.monotonic()
        asyncio.run(crew.work(trouble))
        crew.check()
        assert len({reader.hello["node"] for reader in crew.readers}) == len(cluster.nodes)
        gaps = ", ".join(f"{reader.longest:.2f}" for reader in crew.readers)
        print(f"{trouble.__name__}: {crew.answered} acknowledged; longest gaps at the readers {gaps} s; "
              f"{crew.host.stays} stays of a guest; {time.monotonic() - begun:.0f} s")


def people_of(cluster):
    owner, (ben, guest) = party(cluster.nodes[0], ["Ben", "Guest"])
    return owner, ben, guest


@pytest.fixture(scope="module")
def linked():
    """A cluster whose last node has links that can be hurt, and its people."""
    with Cluster(3, proxied=True) as running:
        yield running, people_of(running)


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
def test_what_was_acknowledged_is_stored_once_and_every_clients_log_is_the_stores(linked, rounds, trouble):
    work(*linked, rounds, trouble)


def test_so_it_is_when_a_synchronous_standby_takes_over(rounds):
    # With an asynchronous one the test must fail; it is then a test of the test.
    kind = "asynchronous" if "ASYNCHRONOUS" in os.environ else "synchronous"
    for _ in range(rounds):
        with Cluster(3, standby=kind) as cluster:
            work(cluster, people_of(cluster), 1, standby_promoted)
