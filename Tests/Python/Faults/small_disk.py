"""A real disk of a few MiB, mounted where nobody else sees it."""

import os
import pathlib
import shutil
import subprocess

import pytest


class SmallDisk:
    """A tmpfs in a mount namespace of its own, which a process of ours holds open."""

    def __init__(self, place, size="12m"):
        self.place = pathlib.Path(place)
        self.place.mkdir(parents=True)
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size={size} tmpfs "$0" && echo mounted && exec cat',
             str(self.place)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        if self.holder.stdout.readline() != "mounted\n":
            self.holder.wait()
            raise PermissionError(self.holder.stderr.read())

    def close(self):
        self.holder.stdin.close()
        self.holder.wait()

    @property
    def wrapper(self):
        """Runs a command where the disk is."""
        return ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", "--"]

    @property
    def files(self):
        """The disk's folder, as seen from outside."""
        return pathlib.Path(f"/proc/{self.holder.pid}/root{self.place}")

    def remount(self, options):
        subprocess.run([*self.wrapper, "mount", "-o", f"remount,{options}", str(self.place)], check=True)

    def fill(self):
        """Takes all the room that is left."""
        with (self.files / "filler").open("ab", buffering=0) as filler:
            for size in (65_536, 4_096, 1):
                try:
                    while filler.write(bytes(size)):
                        pass
                except OSError:
                    pass

    def empty(self):
        """Gives the room back."""
        (self.files / "filler").unlink(missing_ok=True)


def small_disk(place, size="12m"):
    """A small disk; without the right to mount one, a failure where tests must be complete, else a skipped test."""
    why = None
    if os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("nsenter"):
        why = "needs root, unshare and nsenter"
    else:
        try:
            return SmallDisk(place, size)
        except PermissionError as error:
            why = f"no disk can be mounted: {error}"
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)
