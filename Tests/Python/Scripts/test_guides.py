"""The shell blocks of README.md and Documentation run as they are printed, or say why they can't: `make test-guides`."""

import pytest
from guides import PAGES, blocks, run
from yonder import ROOT

# What the page says was there before its first block, such as the demo's server of `make run`.
BEFORE = {
    "README.md": """
        yonder serve --demo --data .build-data/demo
        token=$(yonder user token --data .build-data/demo)
        until curl -sH "Authorization: Bearer $token" http://127.0.0.1:8080/v1/chats | grep -q '"id":'; do :; done
        """,
    "configuration.md": "echo data=yonder-data > yonder.conf",
    "places-facade.md": "yonder serve --data yonder-data",
}
# What the reader fills in, and folders of the system, with what stands for them.
LENT = {
    "README.md": {"chat=…": "chat=$(curl -sH \"Authorization: Bearer $YONDER_TOKEN\" http://127.0.0.1:8080/v1/chats | "
                            r"""sed -E 's/^\{"chats":\[\{"id":"([0-9]+)".*/\1/')"""},
    "operations.md": {"/var/lib/yonder": "data", "/backup/": "backup-"},
}
# What a page's commands print.
PRINTED = {
    "README.md": ['"chats":[', '"latitude":'],
    "operations.md": ["read back and checked", "Browsers and programs must sign in again"],
    "places-facade.md": ["key ", "secret "],
}
RUN = [page for page in PAGES if any(block.reason is None for block in blocks(page.read_text()))]


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_the_commands_of_a_page_run_in_their_order(page, tmp_path):
    text = "".join(block.text for block in blocks(page.read_text()) if block.reason is None)
    for there, here in LENT.get(page.name, {}).items():
        assert there in text, f"{page.name} has no {there} any more"
        text = text.replace(there, here)
    printed = run(f"{BEFORE.get(page.name, ':')}\n{text}", tmp_path)
    for part in PRINTED.get(page.name, []):
        assert part in printed, printed


def test_every_page_that_is_prepared_is_run():
    assert {*BEFORE, *LENT, *PRINTED} <= {page.name for page in RUN}


@pytest.mark.parametrize("text, expected", [
    ("```sh\none\n```\n", [("one\n", None)]),
    ("<!-- not run: needs a phone -->\n```sh\none\n```\n```sh\ntwo\n```\n", [("one\n", "needs a phone"), ("two\n", None)]),
    # The comment stands directly before its block.
    ("<!-- not run: needs a phone -->\n\n```sh\none\n```\n", [("one\n", None)]),
    ("```json\n{}\n```\n", []),
])
def test_a_block_that_is_not_run_says_why(text, expected):
    assert [(block.text, block.reason) for block in blocks(text)] == expected


def test_a_command_that_fails_fails_the_page(tmp_path):
    with pytest.raises(AssertionError, match="nonexistent"):
        run("yonder user list --data nonexistent\ntrue", tmp_path)


def test_the_readme_begins_with_the_demo_and_the_tests():
    first = next(blocks((ROOT / "README.md").read_text()))
    assert [line.split("#")[0].strip() for line in first.text.splitlines()] == ["make run", "make test", "make package image"]
