"""`make check-api` refuses a breaking change since the release, unless its line is allowed."""

import importlib.machinery
import importlib.util
import shutil
import subprocess

from yonder import ROOT

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "toy",
    products: [.library(name: "Toy", targets: ["Toy"])],
    targets: [.target(name: "Toy")]
)
"""


def git(root, *arguments):
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", "-C", root, *identity, *arguments], check=True, capture_output=True)


def check(root):
    done = subprocess.run([root / "Scripts/check-api"], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def test_a_breaking_change_since_the_release_needs_a_line_that_allows_it(tmp_path):
    root = tmp_path / "toy"
    (root / "Sources/Toy").mkdir(parents=True)
    (root / "Scripts").mkdir()
    shutil.copy(ROOT / "Scripts/check-api", root / "Scripts")
    (root / "Package.swift").write_text(MANIFEST)
    (root / "Scripts/api-breakage-allowlist").write_text("")
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-11-22)\n")
    source = root / "Sources/Toy/Toy.swift"
    source.write_text("public func one() {}\npublic func other() {}\n")
    git(root, "init", "-q")
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "Release 0.1.0")

    source.write_text("public func one() {}\npublic func other() {}\npublic func third() {}\n")
    status, output = check(root)
    assert status == 0, output

    source.write_text("public func one() {}\n")
    status, output = check(root)
    breakage = "API breakage: func other() has been removed"
    assert status != 0 and breakage in output, output

    (root / "Scripts/api-breakage-allowlist").write_text(f"// Nothing used it.\n{breakage}\n")
    status, output = check(root)
    assert status == 0, output


def test_one_line_allows_every_type_that_left_for_a_folder(tmp_path):
    loader = importlib.machinery.SourceFileLoader("check_api", str(ROOT / "Scripts/check-api"))
    checks = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_api", loader))
    loader.exec_module(checks)
    (tmp_path / "Sources/Rules").mkdir(parents=True)
    (tmp_path / "Sources/Rules/Account.swift").write_text("package struct Account {\n    struct Inner {}\n}\n")
    output = "\n".join([
        "  API breakage: struct Account has been removed", "  API breakage: var Account.name has been removed",
        "  API breakage: func Inner.run() has been removed", "  API breakage: struct Accounts has been removed",
    ])
    found = list(checks.unmeant(output, "// Rules.\nEvery type of Sources/Rules\n", tmp_path))
    assert found == ["API breakage: func Inner.run() has been removed", "API breakage: struct Accounts has been removed"]
