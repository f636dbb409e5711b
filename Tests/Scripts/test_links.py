"""`make check` refuses links that lead out of the repository, and git ignores those that set-up makes."""

import os
import shutil
import subprocess

import pytest
from yonder import ROOT


@pytest.fixture
def clone(tmp_path):
    """A repository with our rules and nothing else."""
    root = tmp_path / "clone"
    (root / "Scripts").mkdir(parents=True)
    (root / "Sources").mkdir()
    shutil.copy(ROOT / "Scripts/check-sources", root / "Scripts")
    shutil.copy(ROOT / ".gitignore", root)
    (root / "Sources/One.swift").write_text("struct One {}\n")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def check(root):
    subprocess.run(["git", "-C", root, "add", "--all"], check=True)
    done = subprocess.run([root / "Scripts/check-sources"], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout


@pytest.mark.parametrize("target", ["/usr/share", "../..", "../../elsewhere", "../Sources/../../elsewhere"])
def test_a_link_that_leaves_the_tree_is_refused(clone, target):
    os.symlink(target, clone / "Sources/Out")
    status, output = check(clone)
    assert status == 1 and "Sources/Out" in output and target in output, output


@pytest.mark.parametrize("target", ["One.swift", "../Sources", "../Scripts/check-sources"])
def test_a_link_within_the_tree_is_accepted(clone, target):
    os.symlink(target, clone / "Sources/In")
    assert check(clone)[0] == 0


@pytest.mark.parametrize("name", [".build", ".build-python", ".build-python-engineio3", ".build_old"])
def test_a_link_in_place_of_a_build_folder_is_not_tracked(clone, name):
    os.symlink("/usr/share", clone / name)
    status, output = check(clone)
    assert status == 0, output
    tracked = subprocess.run(["git", "-C", clone, "ls-files"], check=True, capture_output=True, text=True).stdout
    assert name not in tracked.split()
