"""`make check` holds a page's samples to the files that every build compiles, and versions to the changelog."""

import shutil
import subprocess

import pytest
from yonder import ROOT

SNIPPET = """// A sample.
// snippet.show
func show() {
    let one = 1
    print(one)
}
// snippet.end
"""


@pytest.fixture
def check(tmp_path):
    """Runs the script over a repository of the files that are given, and answers its complaints."""

    def check(files):
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        (tmp_path / "Scripts").mkdir(exist_ok=True)
        shutil.copy(ROOT / "Scripts/check-docs", tmp_path / "Scripts")
        return subprocess.run([tmp_path / "Scripts/check-docs"], capture_output=True, text=True, timeout=60).stdout

    return check


def page(sample, language="swift"):
    return f"[Compiled](../Snippets/Show.swift)\n\n```{language}\n{sample}```\n"


@pytest.mark.parametrize("sample", ["let one = 1\nprint(one)\n", "print(one)\n", "func show() {\n  let one = 1\n"])
def test_a_sample_out_of_the_linked_file_passes(check, sample):
    complaints = check({"Snippets/Show.swift": SNIPPET, "Documentation/page.md": page(sample)})
    assert "Documentation/page.md" not in complaints


def test_any_other_sample_is_refused(check):
    complaints = check({"Snippets/Show.swift": SNIPPET, "Documentation/page.md": page("let one = 2\n")})
    assert "Documentation/page.md: 'let one = 2' … isn't in Show.swift" in complaints


@pytest.mark.parametrize("sample,language", [
    ("// swift-tools-version: 6.2\n", "swift"), ("let manager = CLLocationManager()\n", "swift"), ("make run\n", "sh"),
])
def test_samples_that_no_build_here_compiles_are_left_alone(check, sample, language):
    complaints = check({"Snippets/Show.swift": SNIPPET, "Documentation/page.md": page(sample, language)})
    assert "Documentation/page.md" not in complaints


@pytest.mark.parametrize("version,holds", [("0.2.0", True), ("0.1.0", False)])
def test_the_programs_version_is_that_of_the_newest_release(check, version, holds):
    complaints = check({
        "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n## 0.1.0 (2026-11-22)\n",
        "Sources/yonder/Yonder.swift": f'        version: "{version}",\n',
        "Documentation/openapi.yaml": f"info:\n  version: {version}\n",
    })
    for name in ("Sources/yonder/Yonder.swift", "Documentation/openapi.yaml"):
        assert (f"{name}: {version} is not the version of CHANGELOG.md, 0.2.0" in complaints) != holds


def test_an_allowed_breakage_has_its_reason_above_it(check):
    reason = "// Nothing used them.\nAPI breakage: func a() has been removed\nAPI breakage: func b() has been removed\n"
    complaints = check({"Scripts/api-breakage-allowlist": f"{reason}\nAPI breakage: func c() has been removed\n"})
    assert "api-breakage-allowlist:5: no comment above 'API breakage: func c() has been removed'" in complaints
    assert "func a()" not in complaints and "func b()" not in complaints


def test_the_changelog_says_in_words_what_a_breakage_changes(check):
    complaints = check({"CHANGELOG.md": "## Unreleased\n\n- a() is gone (`API breakage: func a() has been removed`).\n- b() is gone.\n"})
    assert "CHANGELOG.md:3: quotes the compiler" in complaints and "CHANGELOG.md:4" not in complaints


def index(*names):
    return "# Decisions\n\n" + "".join(f"- [{name[:4]}]({name}): why\n" for name in names)


@pytest.mark.parametrize("names,count", [(("0001-a.md", "0002-b.md"), None), (("0001-a.md",), 0), (("0001-a.md", "0002-b.md", "0002-b.md"), 2)])
def test_each_decision_stands_in_the_index_once(check, names, count):
    complaints = check({
        "Documentation/decisions/0001-a.md": "# 1. A\n",
        "Documentation/decisions/0002-b.md": "# 2. B\n",
        "Documentation/decisions/README.md": index(*names),
    })
    assert "0001-a.md" not in complaints
    assert ("0002-b.md" in complaints) == (count is not None)
    assert count is None or f"names 0002-b.md {count} times" in complaints


def test_a_decision_that_the_index_names_is_there(check):
    complaints = check({"Documentation/decisions/0001-a.md": "# 1. A\n",
                        "Documentation/decisions/README.md": index("0001-a.md", "0019-gone.md")})
    assert "Documentation/decisions/README.md: 0019-gone.md leads nowhere" in complaints
