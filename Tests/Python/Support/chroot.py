"""A Debian system of its own in a folder, with namespaces of its own, in which a package is installed.

    with Chroot("bookworm") as system:
        system.run("apt-get", "install", "--yes", "/yonder.deb")
        with system.network():
            Running(8080).sign_in(link)
"""

import contextlib
import ctypes
import os
import pathlib
import re
import subprocess
import tempfile

from root import ROOT_COMMAND, as_root
from yonder import ROOT, program

CACHE = ROOT / ".build-chroots"
STAND_IN = ROOT / "Tests/Python/Installed/systemctl"
# What the package and Documentation/at-home.md need, and systemd for its checks: so that the package itself is installed without a network.
INCLUDED = "adduser,ca-certificates,caddy,curl,libpq5,libsqlite3-0,libstdc++6,sudo,systemd,zlib1g"
CLONE_NEWNET = 0x4000_0000
# The first process of a system, to which those belong whose parents have ended.
INIT = "while (1) { sleep 1 if wait() == -1 }"


def archive(suite):
    """A Debian release as mmdebstrap makes it, kept for the next run."""
    made = CACHE / f"{suite}.tar"
    if not made.exists():
        CACHE.mkdir(exist_ok=True)
        as_root("mmdebstrap", "--quiet", "--format=tar", "--variant=apt", f"--include={INCLUDED}", suite, f"{made}.partial", timeout=1800)
        as_root("mv", f"{made}.partial", made)
    return made


class Chroot:
    """One system, from its files to its last process."""

    def __init__(self, suite, has_systemd=True):
        self.suite, self.has_systemd = suite, has_systemd

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"yonder-{self.suite}-"))
        self.root = self.folder / "root"
        self.root.mkdir()
        os.chmod(self.folder, 0o755)
        as_root("tar", "--extract", "--numeric-owner", "--file", archive(self.suite), "--directory", self.root)
        script = (
            f"mount --bind {self.root} {self.root} && mount -t proc proc {self.root}/proc && mount --rbind /dev {self.root}/dev"
            f" && mount -t tmpfs tmpfs {self.root}/run && ip link set lo up && echo ready && exec perl -e '{INIT}'"
        )
        self.init = subprocess.Popen(
            [*ROOT_COMMAND, "unshare", "--mount", "--pid", "--net", "--uts", "--fork", "--kill-child", "sh", "-c", script],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.init.stdout.readline() == "ready\n"
        children = as_root("pgrep", "--parent", self.inner(self.init.pid)).stdout.split()
        self.pid = int(children[0])
        as_root("mv", self.root / "usr/bin/systemctl", self.root / "usr/bin/systemctl.real")
        # apt has a path of its own for what packages run.
        as_root("cp", "--remove-destination", STAND_IN, self.root / "usr/bin/systemctl")
        if self.has_systemd:
            self.run("mkdir", "-p", "/run/systemd/system")
        self.lend_libraries()
        return self

    def inner(self, pid):
        """The process of `unshare` itself, which may be below that of `sudo`."""
        if not ROOT_COMMAND:
            return pid
        return as_root("pgrep", "--parent", pid, "unshare").stdout.split()[0]

    def __exit__(self, *_):
        as_root("kill", "-KILL", self.pid, check=False)
        self.init.wait(60)
        as_root("rm", "-rf", "--one-file-system", self.folder)

    def lend_libraries(self):
        """Gives a program that isn't linked for a machine without Swift the libraries that it needs, as a debug build is."""
        listed = subprocess.check_output(["ldd", program()], text=True)
        lent = re.findall(r"=> (/opt/\S+)", listed)
        if lent:
            self.run("mkdir", "/usr/lib/lent")
            as_root("cp", "--dereference", *lent, self.root / "usr/lib/lent")
            self.write("/etc/ld.so.conf.d/lent.conf", "/usr/lib/lent\n")
            self.run("ldconfig")

    def write(self, path, text):
        as_root("tee", f"{self.root}{path}", typed=text)

    def copy(self, source, path):
        as_root("cp", "--recursive", source, f"{self.root}{path}")

    def run(self, *command, check=True, timeout=600):
        """Runs a command in the system as its root; answers how it ended, its output and its errors in one."""
        entered = ["nsenter", "--target", self.pid, "--mount", "--pid", "--net", "--uts", "chroot", self.root, "env", "-i",
                   "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8",
                   *command]
        return as_root(*entered, check=check, timeout=timeout)

    def install(self, package, *options):
        """Installs a package with apt, as a person does; answers what was printed."""
        as_root("cp", package, self.root / "tmp/yonder.deb")
        done = self.run("apt-get", "install", "--yes", "--no-install-recommends", *options, "/tmp/yonder.deb")
        return done.stdout + done.stderr

    @contextlib.contextmanager
    def network(self):
        """This thread uses the system's network meanwhile."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net") as own, open(f"/proc/{self.pid}/ns/net") as theirs:
            assert libc.setns(theirs.fileno(), CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
            try:
                yield
            finally:
                assert libc.setns(own.fileno(), CLONE_NEWNET) == 0
