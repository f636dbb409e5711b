"""What the server was asked to keep and what it acknowledged, and the comparison of both with what it answers."""

import dataclasses


class Broken(Exception):
    """A promise that the server has broken."""


@dataclasses.dataclass
class Wish:
    """A message, as it is sent and, with the same key, sent again until it is acknowledged."""

    frame: dict
    sender: str
    number: int | None = None

    @property
    def content(self):
        return self.frame.get("content", "")


class ChatLog:
    """One chat: what was sent, under which number it was acknowledged, and what has been read of it."""

    def __init__(self, chat):
        self.chat = chat
        self.wishes = {}
        self.keys = {}
        # Numbers whose recall was sent, and of those the acknowledged ones.
        self.recalling = set()
        self.recalled = set()
        self.ending = set()

    def add(self, wish):
        self.wishes[wish.frame["key"]] = wish

    def acknowledge(self, key, number):
        wish = self.wishes[key]
        if wish.number is not None and wish.number != number:
            raise Broken(f"{key} was acknowledged as {wish.number} and again as {number}")
        if self.keys.setdefault(number, key) != key:
            raise Broken(f"number {number} was given to {self.keys[number]} and to {key}")
        wish.number = number
        if wish.frame["type"] == "recall":
            self.recalled.add(wish.frame["number"])

    @property
    def last(self):
        """The highest acknowledged number."""
        return max(self.keys, default=0)

    def unanswered(self):
        return [wish for wish in self.wishes.values() if wish.number is None]

    def check(self, messages, since=0, only_acknowledged=False):
        """Compares all messages above `since`, as they were read, with what was acknowledged.

        If `only_acknowledged`, more may have been recalled since.
        """
        numbers = [message["number"] for message in messages]
        if numbers != list(range(since + 1, since + 1 + len(numbers))):
            raise Broken(f"chat {self.chat} has the numbers {shortened(numbers)} above {since}")
        by_number = {message["number"]: message for message in messages}
        lost = [number for number in self.keys if number > since and number not in by_number]
        if lost:
            raise Broken(f"{len(lost)} acknowledged messages of chat {self.chat} are lost: {shortened(sorted(lost))}")
        for number, key in self.keys.items():
            if number > since and not (only_acknowledged and by_number[number].get("recalled")):
                self.compare(by_number[number], self.wishes[key])
        self.check_once(messages)

    def compare(self, message, wish):
        number = message["number"]
        if wish.frame["type"] == "recall":
            if message["tag"] != "Recall":
                raise Broken(f"number {number} was acknowledged as a recall and is {message['tag']}")
        elif number in self.recalled:
            if message["content"]:
                raise Broken(f"number {number} was recalled and is still there")
        elif number not in self.recalling and number not in self.ending:
            if (message["content"], message.get("data")) != (wish.content, wish.frame.get("data")):
                raise Broken(f"number {number} was acknowledged as {wish.content[:40]!r} and is {message['content'][:40]!r}")

    def check_once(self, messages):
        contents = [message["content"] for message in messages if message["content"]]
        if len(contents) != len(set(contents)):
            raise Broken(f"chat {self.chat} has a message twice")


def shortened(numbers):
    """Numbers as ranges, so that a failure can be read."""
    ranges = []
    for number in numbers:
        if ranges and ranges[-1][1] + 1 == number:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    text = [str(low) if low == high else f"{low}-{high}" for low, high in ranges]
    return ", ".join(text[:12]) + (", …" if len(text) > 12 else "")


class Objects:
    """Objects by their name: the versions that each may have. More than one only while an answer is missing."""

    GONE = None

    def __init__(self):
        self.versions = {}
        self.ids = {}

    def check(self, there):
        """Compares with all objects that the server answers."""
        found = {}
        for one in there:
            name = one["fields"]["name"]
            if name in found:
                raise Broken(f"object {name} is there twice")
            found[name] = one["fields"]
        for name, versions in self.versions.items():
            if found.get(name) not in versions:
                raise Broken(f"object {name} is {found.get(name)}, not one of {versions}")
        strangers = set(found) - set(self.versions)
        if strangers:
            raise Broken(f"objects nobody made: {sorted(strangers)[:5]}")
