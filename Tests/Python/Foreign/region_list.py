"""What a client makes of a live region's frames."""

import asyncio


class RegionList:
    """What is in a live region: things by key, and the exact total. Who makes one says what a key is and what moving does."""

    def __init__(self, stream, number, topic, region, pages):
        self.stream, self.number, self.topic, self.region = stream, number, topic, region
        self.things, self.total, self.step = {}, None, 0
        for page in pages:
            self.apply(page)

    async def move(self, region):
        self.step, self.region = self.step + 1, region
        await self.stream.write(type="move", id=self.number, step=self.step, region=region)
        while True:
            frame = await self.next()
            if frame.get("step") == self.step and frame["current"]:
                return frame

    async def next(self):
        frame = await self.stream.take(lambda frame: frame.get("topic") == self.topic)
        self.apply(frame)
        return frame

    async def until(self, condition):
        while not condition():
            await self.next()

    async def until_agreed(self, other):
        """Reads this list's and another's frames until both hold the same: either may hear of a change first."""
        reads = {}
        while (self.total, self.things) != (other.total, other.things):
            for one in (self, other):
                reads.setdefault(one, asyncio.create_task(one.next()))
            await asyncio.wait(reads.values(), return_when=asyncio.FIRST_COMPLETED)
            for one, read in list(reads.items()):
                if read.done():
                    read.result()
                    del reads[one]
        for read in reads.values():
            read.cancel()
        await asyncio.gather(*reads.values(), return_exceptions=True)

    def apply(self, frame):
        assert frame["type"] == "region", frame
        self.total = frame.get("total", self.total)
        for key in frame.get("left", []):
            del self.things[key]
        for one in frame.get("entered", []):
            assert self.key(one) not in self.things
            self.things[self.key(one)] = one
        for one in frame.get("changed", []):
            assert self.key(one) in self.things
            self.things[self.key(one)] = one
        for one in frame.get("moved", []):
            self.moved(one)
