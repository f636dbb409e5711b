"""The package in a Debian 12 and a Debian 13 without Swift: installed, killed, upgraded, removed and purged."""

import lzma
import subprocess
import time

import pytest
from chroot import Chroot
from yonder import LINK, ROOT, Running, program, until

DATA = "/var/lib/yonder"
# The database of a folder of version 0.1.0.
OLD = ROOT / "Tests/Fixtures/data-0.1.0/yonder.db.xz"


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Two versions of the package, of one program."""
    folder = tmp_path_factory.mktemp("packages")
    for version in ("0.1.0", "0.1.1"):
        subprocess.run([ROOT / "Scripts/package", program(), "--quick", "--version", version, "--to", folder], check=True,
                       capture_output=True)
    return sorted(folder.glob("*.deb"))


@pytest.fixture(params=["bookworm", "trixie"])
def system(request):
    with Chroot(request.param) as system:
        yield system


def is_active(system):
    return system.run("systemctl", "is-active", "yonder", check=False).returncode == 0


def until_ready(system):
    until(lambda: system.run("yonder", "ready", check=False).returncode == 0, what="the server's readiness")


def link(system):
    return LINK.search(system.run("yonder", "user", "link", "--data", DATA).stdout)[0]


def test_the_first_minutes(system, packages):
    begun = time.monotonic()
    printed = system.install(packages[0])
    assert f"sudo yonder user link --data {DATA}" in printed
    until_ready(system)
    with system.network():
        owner = Running(8080).sign_in(link(system))
        print(f"{system.suite}: from the package to the first sign-in in {time.monotonic() - begun:.0f} s")
        owner.token()
        # Each message was acknowledged, and so survives.
        ada = owner.add("Ada")
        owner.befriend(ada)
        chat = owner.start_chat([ada])
        sent = [owner.send(chat, "Text", f"message {number}") for number in range(20)]
        system.run("sh", "-c", "kill -KILL $(cat /run/yonder.pid)")
        until(lambda: not is_active(system))
        system.run("systemctl", "start", "yonder")
        until_ready(system)
        texts = {entry["number"]: entry.get("content") for entry in owner.messages(chat)["messages"]}
        assert [texts[number] for number in sent] == [f"message {number}" for number in range(20)]
    log = system.run("cat", "/var/log/yonder.log").stdout
    assert "sudo yonder user link" in log and "#link=" not in log
    assert system.run("stat", "-c", "%U:%G %a", "/etc/yonder/yonder.conf").stdout == "root:yonder 640\n"
    owners = system.run("find", DATA, "-printf", "%u:%g\n").stdout.split()
    assert set(owners) == {"yonder:yonder"} and len(owners) > 4
    assert f"{DATA} 700" in system.run("stat", "-c", "%n %a", DATA).stdout
    # The backup's service, by its command.
    copied = system.run("setpriv", "--reuid", "yonder", "--regid", "yonder", "--init-groups", "sh", "-c",
                        f"yonder backup /tmp/copy --data {DATA}").stdout
    assert "read back and checked" in copied


def test_its_units_and_manual_are_as_this_release_wants_them(system, packages):
    system.install(packages[0])
    units = [f"/usr/lib/systemd/system/yonder{end}" for end in (".service", "-backup.service", "-backup.timer")]
    done = system.run("systemd-analyze", "verify", "--man=no", *units, check=False)
    assert done.returncode == 0 and "yonder" not in done.stderr, done.stderr
    for unit in units[:2]:
        done = system.run("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit, check=False)
        assert done.returncode == 0, done.stdout[-300:]
    assert system.run("yonder", "--version").stdout == subprocess.check_output([program(), "--version"], text=True)


def test_an_upgrade_restarts_a_running_server_and_never_starts_a_stopped_one(system, packages):
    system.install(packages[0])
    until_ready(system)
    before = system.run("cat", "/run/yonder.pid").stdout
    system.install(packages[1])
    until_ready(system)
    assert system.run("cat", "/run/yonder.pid").stdout != before
    system.run("systemctl", "stop", "yonder")
    system.install(packages[0], "--allow-downgrades")
    system.install(packages[1])
    assert not is_active(system)


def test_an_upgrade_keeps_the_owners_settings(system, packages):
    system.install(packages[0])
    until_ready(system)
    system.run("sed", "-i", "s,^#origin=.*,origin=https://map.example.org,", "/etc/yonder/yonder.conf")
    system.install(packages[1])
    until_ready(system)
    assert "origin=https://map.example.org\n" in system.run("cat", "/etc/yonder/yonder.conf").stdout
    assert link(system).startswith("https://map.example.org/#link=")
    assert system.run("stat", "-c", "%U:%G %a", "/etc/yonder/yonder.conf").stdout == "root:yonder 640\n"


def test_an_upgrade_over_a_folder_of_0_1_0_keeps_every_message(system, packages, tmp_path):
    system.install(packages[0])
    system.run("systemctl", "stop", "yonder")
    system.run("sh", "-c", f"rm -rf {DATA}/*")
    (tmp_path / "yonder.db").write_bytes(lzma.decompress(OLD.read_bytes()))
    system.copy(tmp_path / "yonder.db", DATA)
    system.run("chown", "yonder:yonder", f"{DATA}/yonder.db")
    system.run("systemctl", "start", "yonder")
    until_ready(system)
    with system.network():
        owner = Running(8080).sign_in(link(system))
        [chat] = [chat["id"] for chat in owner.get("/v1/chats")["chats"] if chat["subject"] == "Kept"]
        messages = owner.messages(chat, limit=1000)["messages"]
        texts = [entry["content"] for entry in messages if entry["tag"] == "Text"]
        assert texts == [f"message {number}" for number in range(200)]


def test_removing_keeps_the_data_and_purging_says_what_it_removes(system, packages):
    system.install(packages[0])
    until_ready(system)
    link(system)
    printed = system.run("apt-get", "remove", "--yes", "yonder").stdout
    assert f"{DATA} stays" in printed and not is_active(system)
    assert "yonder.db" in system.run("ls", DATA).stdout and system.run("test", "-e", "/etc/yonder/yonder.conf").returncode == 0
    # Installed again, it starts again, on the same data.
    system.install(packages[0])
    until_ready(system)
    printed = system.run("apt-get", "purge", "--yes", "yonder").stdout
    assert f"Removing {DATA} with all accounts, messages and positions in it" in printed
    left = system.run("sh", "-c", "ls -d /var/lib/yonder* /etc/yonder /usr/bin/yonder 2>/dev/null; true").stdout
    assert left == ""


def test_it_is_not_started_where_its_port_is_taken_or_a_policy_forbids_it(system, packages):
    listening = ("my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => q(127.0.0.1:8080)) or die;"
                 " open my $file, q(>), q(/run/taken); print $file $$; close $file; sleep")
    system.run("sh", "-c", f"setsid perl -MIO::Socket::INET -e '{listening}' < /dev/null > /dev/null 2>&1 &")
    until(lambda: system.run("test", "-s", "/run/taken", check=False).returncode == 0)
    assert "another program listens at port 8080" in system.install(packages[0])
    assert not is_active(system)
    system.run("apt-get", "purge", "--yes", "yonder")
    system.write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n")
    system.run("chmod", "755", "/usr/sbin/policy-rc.d")
    system.run("sh", "-c", "kill $(cat /run/taken)")
    system.install(packages[0])
    assert not is_active(system)
