"""Packages for a Debian 12 and a Debian 13, each with a real systemd and without Swift."""

import subprocess

import pytest
from chroot import Chroot
from yonder import ROOT, program


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """Two versions of the package, of one program."""
    folder = tmp_path_factory.mktemp("packages")
    for version in ("0.1.0", "0.1.1"):
        subprocess.run([ROOT / "Scripts/package", program(), "--quick", "--version", version, "--to", folder], check=True,
                       capture_output=True)
    return sorted(folder.glob("*.deb"))


@pytest.fixture(scope="session")
def previous(packages, tmp_path_factory):
    """A package as it was before: its settings file lists every setting, and is one that dpkg asks about."""
    folder = tmp_path_factory.mktemp("previous")
    files = folder / "files"
    subprocess.run(["dpkg-deb", "--raw-extract", packages[0], files], check=True)
    example = (files / "usr/share/yonder/yonder.conf.example").read_text()
    for line in ("data=/var/lib/yonder", "proxy=127.0.0.1,::1"):
        example = example.replace(f"#{line}\n", f"{line}\n")
    settings = files / "etc/yonder/yonder.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text(example)
    settings.chmod(0o640)
    (files / "DEBIAN/conffiles").write_text("/etc/yonder/yonder.conf\n")
    # Its script leaves the file as dpkg has written it.
    script = files / "DEBIAN/postinst"
    script.write_text(script.read_text().replace("is_plain() {\n", "is_plain() {\n    return 1\n"))
    control = files / "DEBIAN/control"
    control.write_text(control.read_text().replace("Version: 0.1.0\n", "Version: 0.0.9\n"))
    made = folder / "yonder_0.0.9.deb"
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "--build", files, made], check=True, capture_output=True)
    return made


@pytest.fixture(params=["bookworm", "trixie"])
def system(request):
    with Chroot(request.param) as system:
        yield system
