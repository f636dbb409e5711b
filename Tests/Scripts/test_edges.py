"""`make check` refuses a target that is too large, and a folder with too many files."""

import importlib.machinery
import importlib.util

import pytest
from yonder import ROOT


@pytest.fixture(scope="module")
def edges():
    loader = importlib.machinery.SourceFileLoader("check_edges", str(ROOT / "Scripts/check-edges"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_edges", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path):
    """A repository with two folders of sources and nothing in them."""
    for folder in ("Sources/YonderGeodesy", "Tests/YonderGeodesyTests"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def test_a_target_has_at_most_6000_lines_in_all_its_folders(edges, tree):
    folder = tree / "Sources/YonderGeodesy"
    (folder / "Index").mkdir()
    (folder / "One.swift").write_text("//\n" * 3_000)
    (folder / "Index/Two.swift").write_text("//\n" * 3_000)
    assert list(edges.overfull(tree)) == []
    (folder / "Index/Three.swift").write_text("//\n")
    assert [line.split(";")[0] for line in edges.overfull(tree)] == ["Sources/YonderGeodesy: 6001 lines, of 6000"]


@pytest.mark.parametrize("name", ["Sources/YonderGeodesy", "Tests/YonderGeodesyTests"])
def test_a_folder_has_at_most_20_files_directly_in_it(edges, tree, name):
    (tree / name / "More").mkdir()
    for number in range(20):
        (tree / name / f"{number}.swift").write_text("")
        (tree / name / f"More/{number}.swift").write_text("")
    assert list(edges.overfull(tree)) == []
    (tree / name / "20.swift").write_text("")
    assert [line.split(";")[0] for line in edges.overfull(tree)] == [f"{name}: 21 files, of 20"]


def test_an_exception_may_only_shrink(edges, tree, monkeypatch):
    monkeypatch.setitem(edges.LONGER, "YonderGeodesy", 6_002)
    (tree / "Sources/YonderGeodesy/One.swift").write_text("//\n" * 6_002)
    assert list(edges.overfull(tree)) == []
    (tree / "Sources/YonderGeodesy/Two.swift").write_text("//\n")
    assert len(list(edges.overfull(tree))) == 1
