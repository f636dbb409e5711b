"""`make check` refuses a folder with too many files."""

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


@pytest.mark.parametrize("name", ["Sources/YonderGeodesy", "Tests/YonderGeodesyTests"])
def test_a_folder_has_at_most_20_files_directly_in_it(edges, tree, name):
    (tree / name / "More").mkdir()
    for number in range(20):
        (tree / name / f"{number}.swift").write_text("")
        (tree / name / f"More/{number}.swift").write_text("")
    assert list(edges.overfull(tree)) == []
    (tree / name / "20.swift").write_text("")
    assert [line.split(";")[0] for line in edges.overfull(tree)] == [f"{name}: 21 files, of 20"]
