"""Load through three nodes while parts of the cluster fail: nothing acknowledged is lost, each client's log is the store's."""

import asyncio
import signal

import pytest
from crew import Crew
from yonder import party


async def nothing(crew):
    await asyncio.sleep(0.5)


async def node_killed(crew):
    crew.cluster.nodes[1].kill()
    await asyncio.to_thread(crew.cluster.nodes[1].start)


async def node_frozen(crew):
    crew.cluster.nodes[2].pause()
    await asyncio.sleep(4)
    crew.cluster.nodes[2].resume()


async def bus_killed(crew):
    crew.cluster.bus.kill()
    await asyncio.sleep(2)
    await asyncio.to_thread(crew.cluster.bus.start)


async def database_stopped(crew):
    await asyncio.to_thread(crew.cluster.postgres.stop, signal.SIGQUIT)
    await asyncio.to_thread(crew.cluster.postgres.start)


TROUBLES = [nothing, node_killed, node_frozen, bus_killed, database_stopped]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
def test_what_was_acknowledged_is_stored_once_and_every_clients_log_is_the_stores(cluster, rounds, trouble):
    owner, (ben,) = party(cluster.nodes[0], ["Ben"])
    for _ in range(rounds):
        crew = Crew(cluster, owner, owner.start_chat([ben]))
        asyncio.run(crew.work(trouble))
        crew.check()
        assert len({reader.hello["node"] for reader in crew.readers}) == len(cluster.nodes)
        gaps = ", ".join(f"{reader.longest:.2f}" for reader in crew.readers)
        print(f"{trouble.__name__}: {crew.answered} acknowledged; longest gaps at the readers {gaps} s")
