"""`make check` refuses riddles in comments and test names, words that name nothing, and messages without a field."""

import shutil
import subprocess

import pytest
from yonder import ROOT


@pytest.fixture
def check(tmp_path):
    """Runs the script over a repository with fifty good comments, fifty good tests, and what is given."""
    (tmp_path / "Scripts").mkdir()
    shutil.copy(ROOT / "Scripts/check-words", tmp_path / "Scripts")

    def check(source="", tests=""):
        (tmp_path / "Sources").mkdir(exist_ok=True)
        (tmp_path / "Tests").mkdir(exist_ok=True)
        good = "".join(f"/// Counts messages.\nlet n{number} = {number}\n" for number in range(50))
        named = "".join(f"@Test func `session {number} ends`() {{}}\n" for number in range(50))
        (tmp_path / "Sources/One.swift").write_text(good + source)
        (tmp_path / "Tests/OneTests.swift").write_text(named + tests)
        done = subprocess.run([tmp_path / "Scripts/check-words"], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout

    return check


def test_plain_comments_and_names_pass(check):
    status, output = check("/// The sessions that wait.\n/// Who waits isn't an opening here.\nlet all = 1\n")
    assert status == 0, output


@pytest.mark.parametrize("riddle", ["Who waits.", "What is so.", "Whoever asks.", "Whatever comes."])
def test_more_than_two_percent_of_riddles_are_refused(check, riddle):
    one = f"/// {riddle}\nlet riddle = 1\n\n"
    status, output = check(one + one)
    assert status == 1 and "2 of 52 doc comments" in output and f"Sources/One.swift:101: {riddle}" in output, output


def test_two_percent_of_riddles_pass(check):
    status, output = check("/// Who waits.\nlet riddle = 1\n")
    assert status == 0, output


@pytest.mark.parametrize("file,text", [
    ("one.test.js", "test('what is late', () => {});\ntest('who is late', () => {});\n"),
    ("test_one.py", "def test_who_is_late(): pass\nasync def test_what_is_late(): pass\n"),
    ("TwoTests.swift", "@Test func `who is late`() {}\n@Test func `what is late`() {}\n"),
])
def test_test_names_are_counted_in_every_language(check, tmp_path, file, text):
    (tmp_path / "Tests").mkdir()
    (tmp_path / "Tests" / file).write_text(text)
    status, output = check()
    assert status == 1 and "2 of 52 test names" in output, output


@pytest.mark.parametrize("words", ["a thing", "two things", "somebody", "takes in that", "is told", "are told"])
def test_words_that_name_nothing_are_refused(check, words):
    status, output = check(f"// Says that {words}.\n")
    assert status == 1 and words.split()[-1] in output, output


@pytest.mark.parametrize("message", [
    "limit must be in 1…1000.", "\\(name) is missing.", "The body must be a JSON object.",
    "Unknown field \\(name); allowed are \\(names.joined(separator: \", \")).", "fields: choose another name.",
])
def test_a_message_with_its_field_and_the_accepted_values_passes(check, message):
    status, output = check(f'let error = SharingError(\n    .invalidField,\n    "{message}"\n)\n')
    assert status == 0, output


@pytest.mark.parametrize("code", ["invalidRequest", "repeatedParameter", "invalidQuery"])
def test_messages_of_the_older_places_api_are_held_to_the_same(check, code):
    status, output = check(f'let error = FacadeRefusal(.{code}, "A parameter can\'t be one.")\n')
    assert status == 1 and "doesn't say what is accepted" in output, output
    status, output = check(f'let error = FacadeRefusal(.{code}, "params must be sent once.")\n')
    assert status == 0, output


@pytest.mark.parametrize("message,complaint", [
    ("limit can't be that.", "doesn't say what is accepted"),
    ("It must be a number.", "doesn't begin with the field"),
    ("\\(url) leads nowhere.", "doesn't say what is accepted"),
])
def test_any_other_message_about_a_field_is_refused(check, message, complaint):
    status, output = check(f'let error = SharingError(.invalidField, "{message}")\n')
    assert status == 1 and complaint in output and "One.swift:101" in output, output


def test_a_message_about_the_server_needs_no_field(check):
    status, output = check('let error = SharingError(.unavailable, "It is stopping.")\n')
    assert status == 0, output


INVARIANTS = """/// A queue.
///
/// Invariants:
///
/// 1. It is bounded.
/// 2. It is in order.
/// 3. It ends.
// Safe because it has one owner.
final class Queue {}
"""


@pytest.mark.parametrize("names,missing", [
    ([], {1, 2, 3}),
    (["invariant 2 of Queue: order"], {1, 3}),
    (["invariants 1 and 3 of Queue: ends"], {2}),
    (["invariants 1 to 3 of Queue, in a row: all"], set()),
    (["invariants 1 to 3 of Heap: another type"], {1, 2, 3}),
])
def test_a_numbered_invariant_is_named_by_a_test(check, names, missing):
    status, output = check(INVARIANTS, "".join(f"@Test func `{name}`() {{}}\n" for name in names))
    found = {number for number in (1, 2, 3) if f"no test names invariant {number} of Queue" in output}
    assert found == missing and status == (1 if missing else 0), output


@pytest.mark.parametrize("above,holds", [
    ("    /// - Complexity: O(1).\n", True), ("    /// - Complexity: O(1).\n    @discardableResult\n", True),
    ("    /// Some nanoseconds.\n", False), ("", False),
])
@pytest.mark.parametrize("operation", ["public mutating func move(_ id: Int) {}", "public init() {}", "public var count: Int { 0 }"])
def test_an_operation_of_an_index_says_its_complexity(check, tmp_path, above, holds, operation):
    (tmp_path / "Sources/Index").mkdir(parents=True)
    (tmp_path / "Sources/Index/Tree.swift").write_text(f"struct Tree {{\n{above}    {operation}\n}}\n")
    status, output = check()
    assert (status == 0) == holds and ("doesn't say its complexity" in output) != holds, output
