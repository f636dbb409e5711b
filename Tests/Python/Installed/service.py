"""What the tests of the installed package ask of its service."""

from yonder import LINK, until

DATA = "/var/lib/yonder"
SETTINGS = "/etc/yonder/yonder.conf"


def is_active(system):
    return system.run("systemctl", "is-active", "yonder", check=False).returncode == 0


def until_ready(system):
    until(lambda: system.run("yonder", "ready", check=False).returncode == 0, what="the server's readiness")


def link(system):
    return LINK.search(system.run("yonder", "user", "link").stdout)[0]


def people(system):
    """The names of everybody, as a command without a folder lists them."""
    return {line.split("\t")[-1] for line in system.run("yonder", "user", "list").stdout.splitlines()}


def set_lines(system, *lines):
    """Sets settings, in place of the lines that set them."""
    for line in lines:
        system.run("sed", "-i", f"/^{line.split('=')[0]}=/d", SETTINGS)
        system.shell(f"echo '{line}' >> {SETTINGS}")
