"""`Snippets/MeetAndShare.swift` does what it says, from the sign-in to the sign-out, on a real server."""

import os
import re
import subprocess

import yonder

PROGRAM = yonder.ROOT / ".build/debug/MeetAndShare"


def test_the_program_goes_from_sign_in_to_sign_out():
    assert len((yonder.ROOT / "Snippets/MeetAndShare.swift").read_text().splitlines()) <= 120
    with yonder.Server([]) as server:
        link = server.command("user", "link", "--data", server.data).strip()
        environment = {**os.environ, "YONDER_SERVER": server.url, "YONDER_LINK": link}
        ended = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, timeout=120)
    lines = ended.stdout.splitlines()
    assert ended.returncode == 0, ended.stdout + ended.stderr
    pins = [line for line in lines if line.startswith("Pin: ")]
    assert pins and re.fullmatch(r"Pin: \S+ at .*47\.14.*9\.52.*, 20\d\d-.*\.", pins[-1]), lines
    said = [line for line in lines if line not in pins]
    assert [re.sub(r"(?<=: )http\S+|20\d\d-.*(?=\.)", "…", line) for line in said] == [
        "Signed in as Owner.",
        "Owner invites: …",
        "Bea accepts.",
        "Owner invites: …",
        "Cleo accepts.",
        "A chat of 3: “A walk”.",
        "Sharing until ….",
        "Line: 3 points, 200.0 m long.",
        "Nobody sees Owner any more.",
        "Blocked: Bea.",
        "Signed out.",
    ]
