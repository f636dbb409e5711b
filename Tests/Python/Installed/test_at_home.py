"""The commands of Documentation/at-home.md, in the order of the page, in a Debian 12 and a Debian 13; and the family of its clicks."""

import re
import time

import pytest
from chroot import Chroot
from service import is_active, until_ready
from yonder import LINK, ROOT, Refusal, Running, until

PAGE = (ROOT / "Documentation/at-home.md").read_text()
# A name for which Caddy makes a certificate by itself, as no authority reaches a test.
NAME = "map.localhost"
# The lines that need another file, an id or a network, with what stands for them here.
LENT = {
    "./yonder_0.1.0_amd64.deb": "/tmp/yonder.deb",
    "YOUR.NAME": NAME,
    "curl ": "curl --insecure ",
}


def block(heading):
    """The commands below a heading of the page, as they are typed here."""
    part = re.search(rf"^## {heading}.*?\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]
    blocks = re.findall(r"^```sh\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
    assert blocks, heading
    for text in blocks:
        for there, here in LENT.items():
            text = text.replace(there, here)
        yield text


def typed(system, text):
    """Types a block of commands, of which each must succeed; answers what was printed."""
    done = system.run("sh", "-e", "-c", text, check=False)
    assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_a_family_follows_the_page_as_root(suite, packages):
    with Chroot(suite) as system:
        system.write("/etc/hosts", f"127.0.0.1 localhost {NAME}\n")
        system.copy(packages[0], "/tmp/yonder.deb")
        begun = time.monotonic()

        [server] = block("2. The server")
        install, ready = server.strip().splitlines()
        typed(system, install.replace("apt install", "apt install -y"))
        until_ready(system)
        assert '{"status":"ok"}' in typed(system, ready)

        [https] = block("3. HTTPS")
        *changes, curl = https.replace("apt install", "apt install -y --no-download").strip().splitlines()
        typed(system, "\n".join(changes))
        until(lambda: '{"status":"ok"}' in system.run("sh", "-c", curl, check=False).stdout, what="an answer over https")

        [operator] = block("4. The operator")
        link = LINK.search(typed(system, operator))[0]
        assert link.startswith(f"https://{NAME}/#link=")

        with system.network():
            owner = Running(8080).sign_in(link)
            owner.token()
            family = family_of(owner)
            print(f"{suite}: from the package to four people who see each other in {time.monotonic() - begun:.0f} s")
            add_by_command(system, owner)

            for text in block("6. A backup"):
                if "restore" not in text:
                    typed(system, text)
                    [copy] = system.run("ls", "/var/lib/yonder-backups").stdout.split()
                else:
                    typed(system, text.replace("FOLDER", copy))
            until_ready(system)
            with pytest.raises(Refusal, match="401"):
                owner.get("/v1/users")
            owner = Running(8080).sign_in(LINK.search(typed(system, operator))[0])
            assert {"Ada", "Ben", "Cleo"} <= {person["user"]["name"] for person in owner.get("/v1/users")["users"]}
            assert set(system.run("find", "/var/lib/yonder", "-printf", "%u\n").stdout.split()) == {"yonder"}
            take_out(system, family)

        later = re.findall(r"`(sudo (?:yonder user remove|apt remove|apt purge)[^`]*)`", PAGE)
        assert len(later) == 3
        for command in later:
            printed = typed(system, command.replace("sudo apt", "sudo apt -y") + (" --yes" if "user remove" in command else ""))
        assert "Removing /var/lib/yonder with all accounts" in printed and not is_active(system)


def family_of(owner):
    """What the page's clicks do: three accept an invitation, and all four share in one group."""
    others = [owner.server.sign_in(owner.post("/v1/users", {"name": name})["link"]) for name in ("Ada", "Ben", "Cleo")]
    owner.befriend(*others)
    chat = owner.start_chat(others, subject="Family")
    everyone = [owner, *others]
    for number, person in enumerate(everyone):
        person.token()
        position = {"latitude": 47.1 + number / 100, "longitude": 9.5, "accuracy": 5}
        person.post(f"/v1/chats/{chat}/messages", {"tag": "Location", "content": "", "data": position})
    for person in everyone:
        senders = {entry["sender"] for entry in person.messages(chat, tag="Location")["messages"]}
        assert senders == {each.user for each in everyone}
    return chat


def add_by_command(system, owner):
    """The last block of *The family*: Ada is there already, so that another has that name here."""
    [text] = block("5. The family")
    typed(system, text.replace("Ada", "Dora"))
    assert "Dora" in {contact["name"] for contact in owner.get("/v1/contacts")["contacts"]}


def take_out(system, chat):
    """*Your data*: a token, the chats, and a chat's messages."""
    [text] = block("Later")
    printed = typed(system, text.replace("/CHAT/", f"/{chat}/"))
    assert "Family" in printed and printed.count('"tag":"Location"') == 4
