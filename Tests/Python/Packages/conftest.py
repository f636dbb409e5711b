"""The package that `make package` has made of the debug program."""

import io
import os
import subprocess
import tarfile

import pytest
from yonder import ROOT, program


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """A package of the program under test: the newest in .build-package, else one that is made now."""
    made = sorted((ROOT / ".build-package").glob("yonder_*.deb"), key=lambda path: path.stat().st_mtime)
    if made and "YONDER" not in os.environ:
        return made[-1]
    return build(tmp_path_factory.mktemp("package"))


def build(folder):
    """Makes a package in a folder."""
    subprocess.run([ROOT / "Scripts/package", program(), "--quick", "--to", folder], check=True, capture_output=True)
    [made] = folder.glob("*.deb")
    return made


@pytest.fixture(scope="session")
def archive(package):
    """The members of the package, as it installs them."""
    tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
    return tarfile.open(fileobj=io.BytesIO(tar))


@pytest.fixture(scope="session")
def files(package, tmp_path_factory):
    """The files of the package, unpacked."""
    folder = tmp_path_factory.mktemp("files")
    subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    return folder
