"""`make check` refuses an import against the layers, a drawing that isn't that of the imports, and a folder with too many files."""

import importlib.machinery
import importlib.util

import pytest
from yonder import ROOT

FOLDERS = ("Sources/Shared/YonderGeodesy", "Sources/Stores/YonderSQLite", "Sources/Stores/YonderStorage",
           "Sources/Client/YonderOutbox", "Sources/Exchange/YonderHub", "Sources/yonder/Serve", "Tests/Swift/YonderGeodesyTests")


@pytest.fixture(scope="module")
def edges():
    loader = importlib.machinery.SourceFileLoader("check_edges", str(ROOT / "Scripts/check-edges"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_edges", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path):
    """A repository with targets in some layers, and nothing in them."""
    for folder in FOLDERS:
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def imported(tree, target, *modules):
    (tree / "Sources" / target / "One.swift").write_text("".join(f"import {module}\n" for module in modules))


def draw(tree, lines):
    sample = "\n".join(lines)
    (tree / "ARCHITECTURE.md").write_text(f"# Architecture\n\n```\nother\n```\n\n## Layers\n\n```\n{sample}\n```\n")


@pytest.mark.parametrize("target, module, complaint", [
    ("Exchange/YonderHub", "YonderGeodesy", None),
    ("Exchange/YonderHub", "NIOCore", None),
    ("Stores/YonderStorage", "YonderSQLite", None),
    ("Shared/YonderGeodesy", "YonderHub", "Shared must not import YonderHub of Exchange"),
    ("Stores/YonderStorage", "YonderHub", "Stores must not import YonderHub of Exchange"),
    ("Exchange/YonderHub", "YonderStorage", "Exchange must not import YonderStorage of Stores"),
    ("Exchange/YonderHub", "yonder", "Exchange must not import yonder of yonder"),
    # Of the stores, a client has SQLite alone.
    ("Client/YonderOutbox", "YonderSQLite", None),
    ("Client/YonderOutbox", "YonderStorage", "Client must not import YonderStorage of Stores"),
])
def test_an_import_against_the_layers_is_refused(edges, tree, target, module, complaint):
    imported(tree, target, module)
    assert list(edges.layer_complaints(tree)) == ([f"Sources/{target}/One.swift: {complaint}"] if complaint else [])


def test_the_program_imports_everything(edges, tree):
    imported(tree, "yonder/Serve", "YonderHub", "YonderStorage", "YonderGeodesy")
    assert list(edges.layer_complaints(tree)) == []


def test_a_target_lies_in_a_layer(edges, tree):
    assert list(edges.place_complaints(tree)) == []
    (tree / "Sources/YonderNew").mkdir()
    assert [line.split(":")[0] for line in edges.place_complaints(tree)] == ["Sources/YonderNew"]


def test_the_drawing_has_every_arrow_and_a_target_above_those_that_it_imports(edges, tree):
    imported(tree, "Stores/YonderStorage", "YonderGeodesy", "YonderSQLite", "Foundation")
    imported(tree, "Exchange/YonderHub", "YonderGeodesy")
    drawn = list(edges.drawing_of(tree))
    assert drawn == [
        "yonder ▶ everything",
        "", "Exchange ▶ YonderRules, Shared", "    YonderHub ▶ YonderGeodesy",
        "", "Client ▶ Device, YonderSQLite, Shared", "    YonderOutbox",
        "", "Stores ▶ Shared, C", "    YonderStorage ▶ YonderSQLite, YonderGeodesy", "    YonderSQLite",
        "", "Shared", "    YonderGeodesy",
    ]
    draw(tree, drawn)
    assert list(edges.drawing_complaints(tree)) == []


@pytest.mark.parametrize("change", [
    lambda lines: [*lines, "    YonderOld"],
    lambda lines: lines[:-1],
    lambda lines: [line.replace(" ▶ YonderGeodesy", "") for line in lines],
    lambda lines: [line.replace("Exchange ▶ YonderRules, Shared", "Exchange ▶ Stores, Shared") for line in lines],
    lambda lines: [],
])
def test_a_drawing_that_differs_from_the_imports_is_refused(edges, tree, change):
    imported(tree, "Exchange/YonderHub", "YonderGeodesy")
    draw(tree, change(list(edges.drawing_of(tree))))
    (complaint,) = edges.drawing_complaints(tree)
    assert complaint.startswith("ARCHITECTURE.md: the drawing has")


ESSENTIALS = "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif\n"


@pytest.mark.parametrize("target, text, is_refused", [
    ("Exchange/YonderHub", ESSENTIALS, False),
    ("Exchange/YonderHub", "#if canImport(Network)\nimport Foundation\n#endif\n", False),
    ("Exchange/YonderHub", "import Foundation\n", True),
    ("Exchange/YonderHub", "public import Foundation\n", True),
    ("Exchange/YonderHub", ESSENTIALS + "import Foundation\n", True),
    ("yonder/Serve", "import Foundation\n", True),
    # The program isn't linked from it.
    ("Client/YonderOutbox", "import Foundation\n", False),
])
def test_the_program_uses_the_essentials_of_foundation(edges, tree, target, text, is_refused):
    imported(tree, "yonder/Serve", "YonderHub")
    (tree / "Sources" / target / "Two.swift").write_text(text)
    assert len(list(edges.foundation_complaints(tree))) == is_refused


@pytest.mark.parametrize("name", ["Sources/Shared/YonderGeodesy", "Tests/Swift/YonderGeodesyTests"])
def test_a_folder_has_at_most_20_files_directly_in_it(edges, tree, name):
    (tree / name / "More").mkdir()
    for number in range(20):
        (tree / name / f"{number}.swift").write_text("")
        (tree / name / f"More/{number}.swift").write_text("")
    assert list(edges.overfull(tree)) == []
    (tree / name / "20.swift").write_text("")
    assert [line.split(";")[0] for line in edges.overfull(tree)] == [f"{name}: 21 files, of 20"]
