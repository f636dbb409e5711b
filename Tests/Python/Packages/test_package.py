"""The Debian package: its files, owners and modes, its settings, its units, and what lintian says of it."""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import tarfile

import pytest
from conftest import build
from yonder import ROOT, free_port, program

# Every file that the package installs, with its mode.
FILES = {
    "usr/bin/yonder": 0o755,
    "usr/lib/systemd/system/yonder.service": 0o644,
    "usr/lib/systemd/system/yonder-backup.service": 0o644,
    "usr/lib/systemd/system/yonder-backup.timer": 0o644,
    "usr/share/bash-completion/completions/yonder": 0o644,
    "usr/share/doc/yonder/CHANGELOG.md.gz": 0o644,
    "usr/share/doc/yonder/README.Debian": 0o644,
    "usr/share/doc/yonder/changelog.gz": 0o644,
    "usr/share/doc/yonder/copyright": 0o644,
    "usr/share/doc/yonder/third-party-licenses.txt.gz": 0o644,
    "usr/share/doc/yonder/third-party-notices.md": 0o644,
    "usr/share/fish/vendor_completions.d/yonder.fish": 0o644,
    "usr/share/lintian/overrides/yonder": 0o644,
    "usr/share/man/man1/yonder.1.gz": 0o644,
    "usr/share/yonder/Caddyfile": 0o644,
    "usr/share/yonder/node.conf": 0o644,
    "usr/share/yonder/yonder.conf.example": 0o644,
    "usr/share/zsh/vendor-completions/_yonder": 0o644,
}
# The packages that the program may need, all in Debian 12 and newer.
LIBRARIES = {"libc6", "libgcc-s1", "libstdc++6", "libsqlite3-0", "zlib1g", "libpq5"}
UNITS = "usr/lib/systemd/system"


def field(package, name):
    return subprocess.check_output(["dpkg-deb", "--field", package, name], text=True).strip()


def settings(files):
    """The names of the example of settings, and the lines that set them, commented or not."""
    lines = (files / "usr/share/yonder/yonder.conf.example").read_text().splitlines()
    return {found[2]: line for line in lines if (found := re.match(r"(#?)([a-z-]+)=", line))}


def test_its_files_are_roots_with_the_right_modes(archive):
    members = [member for member in archive.getmembers() if not member.isdir()]
    assert {member.name.removeprefix("./"): member.mode for member in members} == FILES
    assert all(member.isfile() for member in members)
    assert {(member.uid, member.gid) for member in archive.getmembers()} == {(0, 0)}
    assert {member.mode for member in archive.getmembers() if member.isdir()} == {0o755}


def test_every_time_is_that_of_the_commit(archive):
    commit = int(subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT))
    assert len({member.mtime for member in archive.getmembers()}) == 1
    # The package may be from before the newest commit.
    assert archive.getmembers()[0].mtime <= commit


def test_a_second_one_has_the_same_bytes(package, tmp_path, archive, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(archive.getmembers()[0].mtime))
    assert build(tmp_path).read_bytes() == package.read_bytes()


def test_its_name_has_version_and_architecture_and_it_needs_what_the_program_does(package):
    version = subprocess.check_output([program(), "--version"], text=True).strip()
    assert package.name == f"yonder_{version}_{field(package, 'Architecture')}.deb"
    needed = {entry.split()[0] for entry in field(package, "Depends").split(",")}
    assert {"libc6", "libstdc++6", "libsqlite3-0", "zlib1g"} < needed <= LIBRARIES | {"adduser", "init-system-helpers"}
    linked = subprocess.check_output(["readelf", "--dynamic", "--wide", program()], text=True)
    assert ("libpq.so.5" in linked) == ("libpq5" in needed)


def test_the_program_names_no_folder_of_the_machine_that_built_it(files):
    dynamic = subprocess.check_output(["readelf", "--dynamic", "--wide", files / "usr/bin/yonder"], text=True)
    assert "NEEDED" in dynamic and "RPATH" not in dynamic and "RUNPATH" not in dynamic
    for name in FILES.keys() - {"usr/bin/yonder"}:
        content = (files / name).read_bytes()
        text = gzip.decompress(content) if name.endswith(".gz") else content
        assert str(ROOT).encode() not in text, name


def test_lintian_complains_of_nothing_but_what_a_comment_explains(package, files):
    done = subprocess.run(
        ["lintian", "--allow-root", "--no-cfg", "--fail-on", "error,warning", package], capture_output=True, text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = (files / "usr/share/lintian/overrides/yonder").read_text().splitlines()
    for above, line in zip(["", *lines], lines):
        assert line.startswith("# ") or above.startswith("# "), f"no comment explains {line!r}"


def test_the_example_has_every_setting_and_sets_none(files):
    guide = (ROOT / "Documentation/configuration.md").read_text()
    named = set(re.findall(r"^\| `--([a-z-]+)` \|", guide, re.MULTILINE)) - {"config", "check", "demo"}
    found = settings(files)
    assert found.keys() == named and all(line.startswith("#") for line in found.values())


def test_dpkg_asks_about_no_file_of_it(package):
    members = subprocess.check_output(["dpkg-deb", "--ctrl-tarfile", package])
    names = tarfile.open(fileobj=io.BytesIO(members)).getnames()
    assert "./postinst" in names and "./conffiles" not in names


def test_the_licenses_of_what_it_contains_come_with_it(files):
    text = gzip.decompress((files / "usr/share/doc/yonder/third-party-licenses.txt.gz").read_bytes()).decode()
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    for name in [pin["location"].rsplit("/", 1)[-1].removesuffix(".git") for pin in pins]:
        assert f"\n{name}: LICENSE" in text, name
    for words in ("\nSwift\n", "\nthe page: maplibre-gl\n", "Apache License", "Redistribution and use in source and binary forms"):
        assert words in text, words


def test_what_the_loader_fills_in_is_read_only(files):
    listed = subprocess.check_output(["readelf", "--program-headers", "--wide", files / "usr/bin/yonder"], text=True)
    assert "GNU_RELRO" in listed


def test_each_line_of_the_example_has_a_known_name_and_a_value_of_its_kind(files, tmp_path):
    lines = [line.removeprefix("#") for line in settings(files).values()]
    assert sum(line.split("=", 1)[1].isdigit() for line in lines) > 25
    file = tmp_path / "all.conf"
    # Where a value is of no one's choice yet, any number is one.
    file.write_text("\n".join(line.replace("…", "64") if line.startswith(("threads", "password")) else line for line in lines))
    refused = subprocess.run([program(), "serve", "--config", file], capture_output=True, text=True, timeout=60).stderr
    # The first complaint is about two settings that exclude each other: each line by itself is right.
    assert "Give either data, for a folder, or store, for a database, not both." in refused, refused


def test_the_example_with_a_folder_is_one_that_the_program_takes(files, tmp_path):
    text = (files / "usr/share/yonder/yonder.conf.example").read_text().replace("#data=/var/lib/yonder", f"data={tmp_path}/data")
    port = free_port()
    (tmp_path / "yonder.conf").write_text(text + f"port={port}\n")
    server = subprocess.Popen(
        [program(), "serve", "--config", tmp_path / "yonder.conf"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout.readline() == f"Yonder is at http://127.0.0.1:{port}/\n"
    finally:
        server.terminate()
        server.communicate(timeout=60)


@pytest.fixture
def units(files, tmp_path):
    """The units, of a program that is there."""
    folder = tmp_path / "units"
    shutil.copytree(files / UNITS, folder)
    for unit in folder.iterdir():
        unit.write_text(unit.read_text().replace("/usr/bin/yonder", os.path.realpath(program())).replace(
            "Documentation=man:yonder(1)\n", ""))
    return folder


def test_systemd_knows_every_line_of_the_units(units):
    names = sorted(units.iterdir())
    assert len(names) == 3
    done = subprocess.run(["systemd-analyze", "verify", *names], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr


def test_systemd_knows_every_line_of_the_drop_in_for_a_node(files, units):
    folder = units / "yonder.service.d"
    folder.mkdir()
    shutil.copy(files / "usr/share/yonder/node.conf", folder)
    done = subprocess.run(
        ["systemd-analyze", "verify", units / "yonder.service"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr
    # The file of the key comes before a line of the settings file, as every variable does.
    assert "Environment=YONDER_BUS_KEY=%d/node.nk" in (folder / "node.conf").read_text()


@pytest.mark.parametrize("unit", ["yonder.service", "yonder-backup.service"])
def test_a_service_is_exposed_by_at_most_2(units, unit):
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", units / unit],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


def test_the_manual_has_every_command_and_option(files):
    page = files / "usr/share/man/man1/yonder.1.gz"
    done = subprocess.run(
        ["man", "--warnings", "--local-file", page], capture_output=True, text=True, timeout=60,
        env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "200", "MANROFFSEQ": ""})
    assert done.returncode == 0 and not done.stderr, done.stderr
    text = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)
    for command in ("serve", "ready", "user add", "user sign-out", "backup", "restore", "share", "map check"):
        assert re.search(rf"^ +yonder {command}$", text, re.MULTILINE), command
    for name in settings(files):
        assert f"--{name} " in text.replace("‐", "-") or f"--{name}\n" in text.replace("‐", "-"), name


def test_the_shells_take_the_completions(files):
    bash = files / "usr/share/bash-completion/completions/yonder"
    assert subprocess.run(["bash", "-n", bash]).returncode == 0
    listed = subprocess.check_output(["bash", "-c", f"source {bash}; complete -p yonder"], text=True)
    assert "yonder" in listed
    assert (files / "usr/share/zsh/vendor-completions/_yonder").read_text().startswith("#compdef yonder")
    assert "complete -c 'yonder'" in (files / "usr/share/fish/vendor_completions.d/yonder.fish").read_text()
