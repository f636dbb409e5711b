"""What `make run` shows works for an ordinary user: the demo's people are clients over loopback, and they move."""

import os
import pathlib
import tempfile

import pytest
from yonder import AS_NODE, Server, limit, until

# `nobody`, where root runs the tests.
NOBODY = 65534
ORDINARY = [] if os.geteuid() else ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def newest(caller, chat):
    """The newest position of each person in a chat, by sender."""
    found = caller.messages(chat, tag="Location", latest="true")["messages"]
    return {message["sender"]: (message["data"]["latitude"], message["data"]["longitude"]) for message in found}


@pytest.mark.skipif(AS_NODE, reason="the demo has a folder of its own")
def test_the_demos_people_move_within_ten_seconds_for_an_ordinary_user():
    with tempfile.TemporaryDirectory(prefix="yonder-demo-") as parent:
        data = pathlib.Path(parent, "data")
        data.mkdir(mode=0o700)
        if ORDINARY:
            os.chmod(parent, 0o755)
            os.chown(data, NOBODY, NOBODY)
        with Server(["--demo"], data=data, wrapper=ORDINARY) as server:
            owner = server.owner()
            chats = until(lambda: owner.get("/v1/chats")["chats"], limit(10), "a chat of the demo's people")
            chat = chats[0]["id"]
            until(lambda: newest(owner, chat), limit(10), "a position")
            # Those who stand are there before the first who walks.
            first = {}
            until(lambda: any(first.setdefault(sender, place) != place for sender, place in newest(owner, chat).items()), limit(10),
                  "a person who moved")
            assert "Permission denied" not in server.errors
