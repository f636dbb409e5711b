"""`Scripts/check-sources` refuses a peer's text that is compared as `String` at the edge, and lets other targets be."""

import importlib.machinery
import importlib.util

import pytest
from yonder import ROOT


@pytest.fixture(scope="module")
def checks():
    loader = importlib.machinery.SourceFileLoader("check_sources", str(ROOT / "Scripts/check-sources"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_sources", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("line", [
    "private var fields: [String: Range<Int>] = [:]", "let names: Set<String>", 'guard event.name == "location" else {',
    'case "south": south = try scanner.double()', "Share.Keeping(rawValue: name)", "name.prefix(64)",
    'text.hasPrefix("https://")', "login.lowercased()", "key.text(in: bytes)",
])
def test_a_peers_text_compared_as_a_string_is_refused(checks, line):
    assert list(checks.peer_complaints("YonderREST/Requests/New.swift", [line]))
    assert not list(checks.peer_complaints("YonderModel/Chats/New.swift", [line]))


@pytest.mark.parametrize("line", [
    'guard name.is("location") else {', "try fields.choice(.keep, of: Share.Keeping.self)", "// as in [String: Int]",
])
def test_bytes_may_be_compared(checks, line):
    assert not list(checks.peer_complaints("YonderREST/Requests/New.swift", [line]))


def test_a_further_line_in_a_known_file_is_refused(checks):
    name, known = next(iter(checks.JUDGED.items()))
    assert not list(checks.peer_complaints(name, ["Set<String>"] * known))
    assert list(checks.peer_complaints(name, ["Set<String>"] * (known + 1)))
