"""The shell blocks of README.md and Documentation, and a shell that runs those of a page in their order.

A block is typed as the page has it. One that can't be has a comment directly before it: `<!-- not run: the reason -->`.
"""

import dataclasses
import os
import pathlib
import re
import subprocess

from yonder import ROOT, program

BLOCK = re.compile(r"(?:^<!-- not run: (?P<reason>[^\n]+?) -->\n)?^```sh\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "Documentation").glob("*.md"))]

# A network and processes of its own. An ordinary user has them in a user namespace, in which they stay who they are.
NAMESPACES = ["unshare", *([] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]),
              "--net", "--pid", "--mount-proc", "--fork", "--kill-child"]

# A server runs on, as in a terminal of its own, until the page starts the next one. What has no end ends after two seconds.
SHELL = """
set -euo pipefail
server=
stop() {
    [ -z "$server" ] || { kill "$server"; wait "$server"; server=; }
}
trap stop EXIT
yonder() {
    case "$*" in
        serve|serve\\ *)
            stop
            (exec yonder "$@") &
            server=$!
            until curl --silent --fail --output /dev/null http://127.0.0.1:8080/ready; do kill -0 "$server"; done
            ;;
        watch\\ *|share\\ *--loop*) timeout --signal INT 2 yonder "$@" || [ $? = 124 ] ;;
        *) command yonder "$@" ;;
    esac
}
"""


@dataclasses.dataclass
class Block:
    """A shell block of a page."""

    line: int
    text: str
    reason: str | None


def blocks(text):
    """The shell blocks of a page's text, in order."""
    for found in BLOCK.finditer(text):
        yield Block(text.count("\n", 0, found.start("text")), found["text"], found["reason"])


def run(script, folder):
    """Types a script in a folder, which has the clone's `.build/debug` and its recorded tracks, in a network of its own.

    Answers what was printed; raises AssertionError if a command fails.
    """
    (folder / ".build").mkdir()
    (folder / ".build/debug").symlink_to(pathlib.Path(program()).parent)
    (folder / "Tests").symlink_to(ROOT / "Tests")
    environment = {"HOME": str(folder), "LC_ALL": "C.UTF-8", "PATH": f"{folder}/.build/debug:{os.environ['PATH']}"}
    done = subprocess.run(
        [*NAMESPACES, "bash", "-c", f"ip link set lo up\n{SHELL}\n{script}"], env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}"
    return done.stdout
