"""`Scripts/check-views` refuses a view that decides, writes a text of its own or fixes a size, and takes one that asks its model."""
import importlib.machinery
import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
loader = importlib.machinery.SourceFileLoader("check_views", str(ROOT / "Scripts/check-views"))
checks = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_views", loader))
loader.exec_module(checks)

VIEW = """struct ChatsView: View {
    @State private var isOpen = false
    @Bindable var chats: ChatsModel
    let rows: [String]

    var body: some View {
        %s
    }
}
"""


def faults(body):
    ((_, _, source),) = checks.views(checks.plain(VIEW % body))
    return [what for _, what in checks.faults(source, {"ChatsModel", "ChatRow"})]


@pytest.mark.parametrize("body", [
    "if isOpen { Text(words.say(.a)) }",
    "if chats.isBusy && isOpen { Spacer() }",
    "if chats.rows.isEmpty, let text = chats.text { Text(text) }",
    "switch rows.count { case 0: Spacer() default: Divider() }",
    "Text(isOpen ? chats.one : chats.two)",
    "ForEach(chats.rows.filter { $0.isUnread }) { row in Text(row.name) }",
    "ForEach(chats.rows.sorted()) { row in Text(row.name) }",
    "guard let text = chats.text else { return }",
    'Text("Chats")',
    'Spacer().accessibilityLabel("Chats")',
    "Text(chats.title).font(.system(size: 17))",
    "Spacer().frame(width: 44)",
])
def test_a_view_that_decides_is_refused(body):
    assert faults(body)


@pytest.mark.parametrize("body", [
    "if chats.isBusy { ProgressView() }",
    "if let problem = chats.problem { Text(problem) }",
    "ForEach(chats.rows) { row in if row.isUnread { Text(row.badge) } }",
    "switch chats.content { case .rows(let rows): ForEach(rows) { row in Image(systemName: row.isUnread ? \"a\" : \"b\") } }",
    "Button(chats.title, systemImage: \"plus\", action: chats.start).disabled(!chats.canStart)",
    "Text(chats.title) // if isOpen && this, it is a comment",
])
def test_a_view_that_asks_its_model_is_taken(body):
    assert faults(body) == []


def test_a_long_view_is_measured_to_its_end():
    ((name, line, source),) = checks.views("\n" + VIEW % "Spacer()")
    assert (name, line, source.count("\n") + 1) == ("ChatsView", 2, 9)
