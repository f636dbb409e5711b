"""A Debian system of its own in a folder, with namespaces of its own and systemd as its first process, for a package.

    with Chroot("bookworm") as system:
        system.run("apt-get", "install", "--yes", "/yonder.deb")
        with system.network():
            Running(8080).sign_in(link)

Needs root, and a machine on which a control group may be made.
"""

import contextlib
import ctypes
import os
import pathlib
import re
import subprocess
import tempfile

from root import ROOT_COMMAND, as_root
from yonder import ROOT, program, until

CACHE = ROOT / ".build-chroots"
# What the package and Documentation/at-home.md need: so that the package itself is installed without a network.
INCLUDED = "adduser,ca-certificates,caddy,curl,libpq5,libsqlite3-0,libstdc++6,sudo,systemd,zlib1g"
CLONE_NEWNET = 0x4000_0000
# Makes a container of this shell: as https://systemd.io/CONTAINER_INTERFACE wants it. Its arguments: the system's folder, and
# the control group that it gets.
BOOT = r"""
set -e
root=$1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/sys"
mkdir -p "$root/sys/fs/cgroup"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for name in null zero full random urandom tty; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for number in 0:stdin 1:stdout 2:stderr; do ln -s "fd/${number%:*}" "$root/dev/${number#*:}"; done
ip link set lo up
cd "$root"
mkdir -p old
pivot_root . old
umount -l /old
echo ready
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=null --unit=multi-user.target
"""


def archive(suite):
    """A Debian release as mmdebstrap makes it, kept for the next run."""
    made = CACHE / f"{suite}.tar"
    if not made.exists():
        CACHE.mkdir(exist_ok=True)
        as_root("mmdebstrap", "--quiet", "--format=tar", "--variant=apt", f"--include={INCLUDED}", suite, f"{made}.partial", timeout=1800)
        as_root("mv", f"{made}.partial", made)
    return made


def control_groups():
    """The folder of the control groups of version 2, which may be mounted beside those of version 1."""
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        fields = line.split()
        if fields[fields.index("-") + 1] == "cgroup2":
            return pathlib.Path(fields[4])
    raise RuntimeError("this machine has no control groups of version 2")


class Chroot:
    """One system, from its files to its last process."""

    def __init__(self, suite):
        self.suite = suite

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"yonder-{self.suite}-"))
        files = self.folder / "root"
        files.mkdir()
        os.chmod(self.folder, 0o755)
        as_root("tar", "--extract", "--numeric-owner", "--file", archive(self.suite), "--directory", files)
        as_root("tee", files / "etc/hosts", typed="127.0.0.1 localhost\n")
        self.group = control_groups() / self.folder.name
        as_root("mkdir", self.group)
        enter = (f"echo $$ > {self.group}/cgroup.procs && exec unshare --mount --pid --net --uts --ipc --cgroup --fork --kill-child"
                 ' sh -c "$0" sh "$1"')
        self.init = subprocess.Popen(
            [*ROOT_COMMAND, "sh", "-c", enter, BOOT, files], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        assert self.init.stdout.readline() == "ready\n", "no container can be made here"
        children = as_root("pgrep", "--parent", self.inner(self.init.pid)).stdout.split()
        self.pid = int(children[0])
        # What the system itself sees: another one's file systems are mounted over some of its folders.
        self.root = pathlib.Path(f"/proc/{self.pid}/root")
        until(self.has_booted, what="the start of systemd")
        self.lend_libraries()
        return self

    def has_booted(self):
        return self.run("systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded")

    def inner(self, pid):
        """The process of `unshare` itself, which may be below that of `sudo`."""
        if not ROOT_COMMAND:
            return pid
        return until(lambda: as_root("pgrep", "--parent", pid, "unshare", check=False).stdout.split())[0]

    def __exit__(self, *_):
        as_root("kill", "-KILL", self.pid, check=False)
        self.init.wait(60)
        until(lambda: as_root("find", self.group, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";", check=False).returncode == 0
              or not self.group.exists(), what="the end of the control group")
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
        """Runs a command in the system as its root, without a terminal; answers how it ended, its output and its errors."""
        entered = ["nsenter", "--target", self.pid, "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "env", "-i",
                   "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8",
                   *command]
        return as_root(*entered, check=check, timeout=timeout, typed="")

    def shell(self, text, check=True):
        """Runs a line of a shell in the system; answers what was printed."""
        return self.run("sh", "-c", text, check=check).stdout

    def install(self, package, *options):
        """Installs a package with apt, as a person does; answers what was printed."""
        as_root("cp", package, self.root / "tmp/yonder.deb")
        done = self.run("apt-get", "install", "--yes", "--no-install-recommends", *options, "/tmp/yonder.deb")
        return done.stdout + done.stderr

    def log(self, unit="yonder"):
        """What the journal has of a unit."""
        return self.run("journalctl", "--no-pager", "--output=cat", "--unit", unit).stdout

    def value(self, unit, name):
        """A property of a unit."""
        return self.run("systemctl", "show", "--value", "--property", name, unit).stdout.strip()

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
