"""`make check` refuses links, and git ignores those that set-up makes."""

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


@pytest.mark.parametrize("target", ["/usr/share", "../..", "../../elsewhere", "One.swift", "../Scripts/check-sources"])
def test_a_link_is_refused_wherever_it_leads(clone, target):
    os.symlink(target, clone / "Sources/Out")
    status, output = check(clone)
    assert status == 1 and "Sources/Out" in output and target in output, output


@pytest.mark.parametrize("name", [".build", ".build-python", ".build-python-engineio3", ".build_old"])
def test_a_link_in_place_of_a_build_folder_is_not_tracked(clone, name):
    os.symlink("/usr/share", clone / name)
    status, output = check(clone)
    assert status == 0, output
    tracked = subprocess.run(["git", "-C", clone, "ls-files"], check=True, capture_output=True, text=True).stdout
    assert name not in tracked.split()


def manifest(clone, folder, text):
    (clone / folder).mkdir(parents=True, exist_ok=True)
    (clone / folder / "Package.swift").write_text(text)


def link(clone, *folders):
    shutil.copy(ROOT / "Scripts/link-sources", clone / "Scripts")
    command = [clone / "Scripts/link-sources", *folders]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_packages_links_are_made_once_and_ignored(clone):
    (clone / "Sources/Shared/YonderModel").mkdir(parents=True)
    (clone / "Benchmarks/places").mkdir(parents=True)
    (clone / "Benchmarks/places/Crowd.swift").write_text("struct Crowd {}\n")
    manifest(clone, "Benchmarks/regions", '// link Regions/Links/Crowd.swift to ../places/Crowd.swift\n'
             '.target(name: "YonderModel", path: "Links/YonderModel"),\n')
    folder = clone / "Benchmarks/regions/Links"
    folder.mkdir()
    os.symlink("../nowhere", folder / "YonderGone")
    for _ in range(2):
        done = link(clone, "Benchmarks/regions")
        assert done.returncode == 0, done.stderr
        assert [entry.name for entry in folder.iterdir()] == ["YonderModel"]
        assert (folder / "YonderModel").resolve() == (clone / "Sources/Shared/YonderModel").resolve()
        assert (clone / "Benchmarks/regions/Regions/Links/Crowd.swift").read_text() == "struct Crowd {}\n"
    assert check(clone)[0] == 0


def test_a_link_to_no_folder_is_refused(clone):
    manifest(clone, "Tests/Packages/Sanitizers", 'path: "Links/YonderGone"\n')
    done = link(clone, "Tests/Packages/Sanitizers")
    assert done.returncode == 1 and "no folder YonderGone" in done.stderr, done.stderr


def test_every_package_of_ours_finds_its_sources():
    done = subprocess.run([ROOT / "Scripts/link-sources"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    for package in ("Tests/Packages/Sanitizers", "Tests/Packages/AppleStandIns", "Benchmarks/places", "Benchmarks/regions", "Benchmarks/tracks"):
        assert all(entry.is_dir() for entry in (ROOT / package / "Links").iterdir()), package
