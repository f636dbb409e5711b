"""Promise 2: who comes back says the last number they saw and gets what follows: no gap, no duplicate."""

import asyncio
import itertools

from stream import Stream, messages_in
from yonder import party

RECONNECTS = 1_000
READERS = 25
# So many at least, however slow the machine is.
MESSAGES = 200


class Reader:
    """Comes and goes. Whatever it is told must continue at the number that it named."""

    def __init__(self, log, chance):
        self.log = log
        self.chance = chance
        self.last = 0
        self.connections = 0

    async def visit(self, server, token, chat):
        """Connects at a random number seen before, mostly the last, reads a while, and breaks off."""
        expected = self.last if self.chance.random() < 0.8 else self.chance.randint(max(0, self.last - 500), self.last)
        stream = await Stream.open(server, token)
        await stream.write(type="subscribe", id=1, query="messages", chat=chat, since=expected)
        self.connections += 1
        wanted = self.chance.randint(0, 60)
        patience = self.chance.uniform(0.05, 1)
        try:
            async with asyncio.timeout(patience):
                while wanted > 0:
                    for message in messages_in(await stream.receive()):
                        expected += 1
                        wanted -= 1
                        assert message["number"] == expected, f"{message['number']} where {expected} follows"
                        self.compare(message)
        except TimeoutError:
            pass
        self.last = max(self.last, expected)
        stream.drop()

    def compare(self, message):
        """Every reader is told the same under the same number."""
        said = (message["sender"], message["content"])
        assert self.log.setdefault(message["number"], said) == said


async def keep_sending(server, token, chat, name, done):
    """Sends about a hundred messages a second, and answers what was acknowledged."""
    acknowledged = {}
    async with await Stream.open(server, token) as stream:
        for count in itertools.count():
            if done.is_set():
                return acknowledged
            sent = await stream.send(chat, f"{name}-{count}", content=f"{name} says {count}")
            acknowledged[sent["number"]] = f"{name} says {count}"
            await asyncio.sleep(0.01)


def test_a_thousand_reconnects_see_no_gap_and_no_duplicate(server, chance):
    ada, (ben,) = party(server, ["Ben"])
    chat = ada.start_chat([ben])
    tokens = [ada.token(), ben.token()]
    log = {}

    async def run():
        done = asyncio.Event()
        readers = [Reader(log, chance) for _ in range(READERS)]

        async def come_and_go(reader, token):
            while reader.connections < RECONNECTS // READERS or len(log) <= MESSAGES:
                await reader.visit(server, token, chat)

        async with asyncio.TaskGroup() as group:
            senders = [group.create_task(keep_sending(server, token, chat, f"s{index}", done))
                       for index, token in enumerate(tokens)]
            async with asyncio.TaskGroup() as visits:
                for index, reader in enumerate(readers):
                    visits.create_task(come_and_go(reader, tokens[index % 2]))
            done.set()
        acknowledged = {number: said for sent in senders for number, said in sent.result().items()}
        return readers, acknowledged

    readers, acknowledged = asyncio.run(run())
    connections = sum(reader.connections for reader in readers)
    assert connections >= RECONNECTS
    for number, (_, content) in log.items():
        assert acknowledged.get(number, content) == content
    print(f"{connections} reconnects over {len(log)} messages")
