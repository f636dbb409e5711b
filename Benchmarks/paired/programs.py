"""The programs that are compared: release builds of this working copy and of the commit in Benchmarks/baseline."""
import dataclasses
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / ".build-bench"
# The clients of Tests/Python/Support are imported by the files beside this one, after it.
sys.path.insert(0, str(ROOT / "Tests/Python/Support"))


@dataclasses.dataclass(frozen=True)
class Program:
    """A program, and the libraries that are loaded before its own."""

    path: pathlib.Path
    libraries: tuple = ()


def pair(baseline_path, current_path):
    """The baseline's program and this working copy's; each is built if its path is `None`."""
    return Program(baseline_path or built_baseline()), Program(current_path or built(ROOT, ROOT / ".build"))


def baseline():
    """The commit in Benchmarks/baseline."""
    lines = (ROOT / "Benchmarks/baseline").read_text().splitlines()
    return next(line for line in lines if line and not line.startswith("#"))


def built(folder, scratch):
    """The program of a working copy, built in release mode with that working copy's own flags."""
    script = folder / "Scripts/build"
    command = [script] if script.exists() else ["swift", "build"]
    options = ["-c", "release", "--scratch-path", scratch, "--product", "yonder"]
    subprocess.run([*command, *options], cwd=folder, check=True)
    return scratch / "release/yonder"


def built_baseline():
    """The program at the baseline's commit, from a working copy of its own."""
    commit, folder = baseline(), BUILD / "baseline"
    if not folder.exists():
        subprocess.run(["git", "-C", ROOT, "worktree", "prune"], check=True)
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", folder, commit], check=True)
    subprocess.run(["git", "-C", folder, "checkout", "--quiet", "--detach", commit], check=True)
    return built(folder, BUILD / "baseline-build")


def stripped(program, folder):
    """A copy that valgrind can load: it gives up at the debug information of Swift's compiler."""
    copy = pathlib.Path(folder) / f"yonder-{len(os.listdir(folder))}"
    subprocess.run(["strip", "--strip-debug", "-o", copy, program.path], check=True)
    return dataclasses.replace(program, path=copy)


def slowed(program, folder, thousands, kept=4_096):
    """The program with calls that compute longer, and connections that hold more memory: slow.c."""
    library = library_of("slow.c", folder, f"-DTHOUSANDS={thousands}", f"-DKEPT={kept}", "-ldl")
    return dataclasses.replace(program, libraries=(library,))


def library_of(source, folder, *options):
    """A library to be loaded before a program's own, made from a file beside this one."""
    library = pathlib.Path(folder) / pathlib.Path(source).with_suffix(".so")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, HERE / source, *options], check=True)
    return library
