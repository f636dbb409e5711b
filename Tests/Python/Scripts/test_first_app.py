"""The command of *Your first app* runs in a build that `make run` made, and compiles next to nothing."""

import re

import first_app
import pytest
from yonder import ROOT, program

GUIDE = ROOT / "Documentation/your-first-app.md"
# Of some 1 500 in a build from nothing.
MOST = 30


def command():
    """The line of the guide that runs the example."""
    found = re.findall(r"^(Scripts/build run \w+)$", GUIDE.read_text(), re.MULTILINE)
    assert len(found) == 1, found
    return found[0].split()


@pytest.mark.timeout(1_500)
def test_the_guides_command_shares_the_build_of_make_run():
    assert program() == str(ROOT / ".build/debug/yonder"), "tries the build that this folder has"
    # Minutes, as a build with other options would take them before the assertion fails.
    lines = first_app.lines_until_a_pin_moves(command(), 1_200)
    compiled = re.findall(r"\[\d+/\d+\] Compiling ", "\n".join(lines))
    assert len(compiled) < MOST, f"{len(compiled)} files are compiled anew:\n" + "\n".join(lines[:60])
    assert any("Sharing in" in line for line in lines)
