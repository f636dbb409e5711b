"""Commands that root types on another user's data folder leave no file of root's in it."""

import os
import pathlib
import tempfile

import pytest

from root import ROOT_COMMAND, as_root
from yonder import Server, program

# A user and a group that no machine has: the packages' own users have smaller numbers.
USER, GROUP = 64321, 64322


@pytest.fixture
def folder():
    """A data folder of another user's, below a folder that everyone may enter."""
    with tempfile.TemporaryDirectory(prefix="yonder-owner-") as parent:
        os.chmod(parent, 0o755)
        data = pathlib.Path(parent, "data")
        as_root("install", "-d", "-o", USER, "-g", GROUP, "-m", "0700", data)
        yield data
        as_root("rm", "-rf", *pathlib.Path(parent).iterdir())


def owners(folder):
    """The users and groups of a folder's files, and their names."""
    listed = as_root("find", folder, "-printf", "%U:%G %f\n").stdout.splitlines()
    return {line.split()[0] for line in listed}, {line.split()[1] for line in listed}


def test_commands_on_a_stopped_servers_folder_write_as_its_user_as_root(folder):
    as_root(program(), "user", "add", "--data", folder, "--name", "Ada", "--operator")
    assert "Ada" in as_root(program(), "user", "list", "--data", folder).stdout
    as_root(program(), "key", "add", "--data", folder, "--name", "app")
    users, names = owners(folder)
    assert users == {f"{USER}:{GROUP}"} and "yonder.db" in names


def test_a_backup_and_what_is_restored_of_it_are_the_folders_users_as_root(folder):
    as_root(program(), "user", "add", "--data", folder, "--name", "Ada", "--operator")
    copies = folder.parent / "copies"
    as_root("install", "-d", "-o", USER, "-g", GROUP, "-m", "0700", copies)
    as_root(program(), "backup", copies / "one", "--data", folder)
    restored = folder.parent / "restored"
    as_root("install", "-d", "-o", USER, "-g", GROUP, "-m", "0700", restored)
    as_root(program(), "restore", copies / "one", "--data", restored)
    assert owners(copies)[0] == owners(restored)[0] == {f"{USER}:{GROUP}"}
    assert "Ada" in as_root(program(), "user", "list", "--data", restored).stdout


def test_a_server_that_root_starts_runs_as_the_folders_user_as_root(folder):
    with Server(data=folder.parent / "of-this-user") as server:
        # Another's server, by the same means as a service.
        server.stop()
        server.data, server.wrapper = folder, ROOT_COMMAND
        server.start()
        owner = server.link()
        assert "#link=" in owner
        identities = as_root("sh", "-c", f"cat /proc/{server.process.pid}/task/*/status").stdout
        assert f"Uid:\t{USER}\t{USER}\t{USER}\t{USER}" in identities
        assert f"Gid:\t{GROUP}\t{GROUP}\t{GROUP}\t{GROUP}" in identities and f"Groups:\t{GROUP}" in identities
        # While it runs, commands are answered by it.
        as_root(program(), "user", "add", "--data", folder, "--name", "Ben")
        assert owners(folder)[0] == {f"{USER}:{GROUP}"}
