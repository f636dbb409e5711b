"""The package in a Debian 12 and a Debian 13 without Swift: installed, killed, upgraded, removed and purged."""

import lzma
import subprocess
import time

from service import DATA, SETTINGS, is_active, link, people, set_lines, until_ready
from yonder import ROOT, Running, program, until

# The database of a folder of version 0.1.0.
OLD = ROOT / "Tests/Fixtures/data-0.1.0/yonder.db.xz"


def test_the_first_minutes_as_root(system, packages):
    begun = time.monotonic()
    printed = system.install(packages[0])
    assert "sudo yonder user link" in printed
    # The installation has ended, and so the server listens.
    assert system.run("yonder", "ready").stdout == '{"status":"ok"}\n'
    with system.network():
        owner = Running(8080).sign_in(link(system))
        print(f"{system.suite}: from the package to the first sign-in in {time.monotonic() - begun:.0f} s")
        owner.token()
        # Each message was acknowledged, and so survives.
        ada = owner.add("Ada")
        owner.befriend(ada)
        chat = owner.start_chat([ada])
        sent = [owner.send(chat, "Text", f"message {number}") for number in range(20)]
        before = system.value("yonder", "MainPID")
        system.run("systemctl", "kill", "--signal=KILL", "yonder")
        # systemd starts it again by itself.
        until(lambda: system.value("yonder", "MainPID") not in ("0", before), what="another process")
        until_ready(system)
        texts = {entry["number"]: entry.get("content") for entry in owner.messages(chat)["messages"]}
        assert [texts[number] for number in sent] == [f"message {number}" for number in range(20)]
    log = system.log()
    assert "sudo yonder user link" in log and "#link=" not in log and "priority" not in log
    assert system.run("stat", "-c", "%U:%G %a", SETTINGS).stdout == "root:yonder 640\n"
    owners = system.run("find", DATA, "-printf", "%u:%g\n").stdout.split()
    assert set(owners) == {"yonder:yonder"} and len(owners) > 4
    assert f"{DATA} 700" in system.run("stat", "-c", "%n %a", DATA).stdout


def test_the_service_runs_as_its_unit_says_as_root(system, packages):
    system.install(packages[0])
    status = system.run("cat", f"/proc/{system.value('yonder', 'MainPID')}/status").stdout
    user = system.run("id", "-u", "yonder").stdout.strip()
    assert f"Uid:\t{user}\t{user}\t{user}\t{user}\n" in status
    assert "CapEff:\t0000000000000000" in status and "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status


def test_its_units_and_manual_are_as_this_release_wants_them_as_root(system, packages):
    system.install(packages[0])
    units = [f"/usr/lib/systemd/system/yonder{end}" for end in (".service", "-backup.service", "-backup.timer")]
    done = system.run("systemd-analyze", "verify", "--man=no", *units, check=False)
    assert done.returncode == 0 and "yonder" not in done.stderr, done.stderr
    for unit in units[:2]:
        done = system.run("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit, check=False)
        assert done.returncode == 0, done.stdout[-300:]
    assert system.run("yonder", "--version").stdout == subprocess.check_output([program(), "--version"], text=True)


def test_an_upgrade_restarts_a_running_server_and_never_starts_a_stopped_one_as_root(system, packages):
    system.install(packages[0])
    before = system.value("yonder", "MainPID")
    system.install(packages[1])
    assert system.value("yonder", "MainPID") not in ("0", before)
    system.run("systemctl", "stop", "yonder")
    system.install(packages[0], "--allow-downgrades")
    system.install(packages[1])
    assert not is_active(system)


def test_an_upgrade_keeps_the_owners_settings_and_asks_nothing_as_root(system, packages):
    system.install(packages[0])
    assert [line for line in system.run("cat", SETTINGS).stdout.splitlines() if not line.startswith("#")] == [
        f"data={DATA}", "proxy=127.0.0.1,::1"]
    set_lines(system, "origin=https://map.example.org")
    kept = system.run("cat", SETTINGS).stdout
    printed = system.install(packages[1])
    assert "onfiguration file" not in printed and system.run("cat", SETTINGS).stdout == kept
    assert link(system).startswith("https://map.example.org/#link=")
    assert system.run("stat", "-c", "%U:%G %a", SETTINGS).stdout == "root:yonder 640\n"


def test_settings_of_the_package_before_that_nobody_edited_are_short_after_the_upgrade_as_root(system, previous, packages):
    system.install(previous)
    assert "#log-level=info" in system.run("cat", SETTINGS).stdout
    before = system.value("yonder", "MainPID")
    printed = system.install(packages[0])
    assert "onfiguration file" not in printed and system.value("yonder", "MainPID") not in ("0", before)
    assert len(system.run("cat", SETTINGS).stdout.splitlines()) < 8
    assert system.run("dpkg-query", "-W", "-f", "${db:Status-Status}", "yonder").stdout == "installed"
    system.install(packages[1])
    until_ready(system)


def test_edited_settings_of_the_package_before_stay_as_they_are_and_nothing_is_asked_as_root(system, previous, packages):
    system.install(previous)
    set_lines(system, "origin=https://map.example.org")
    kept = system.run("cat", SETTINGS).stdout
    for package in packages:
        before = system.value("yonder", "MainPID")
        printed = system.install(package)
        assert "onfiguration file" not in printed and system.run("cat", SETTINGS).stdout == kept
        # Without a terminal, too, it is installed whole, and the new program runs.
        assert system.run("dpkg-query", "-W", "-f", "${db:Status-Status}", "yonder").stdout == "installed"
        assert system.value("yonder", "MainPID") not in ("0", before)
    assert link(system).startswith("https://map.example.org/#link=")
    system.run("apt-get", "purge", "--yes", "yonder")
    assert system.shell("ls -d /etc/yonder 2>/dev/null; true") == ""


def test_an_upgrade_over_a_folder_of_0_1_0_keeps_every_message_as_root(system, packages, tmp_path):
    system.install(packages[0])
    system.run("systemctl", "stop", "yonder")
    system.shell(f"rm -rf {DATA}/*")
    (tmp_path / "yonder.db").write_bytes(lzma.decompress(OLD.read_bytes()))
    system.copy(tmp_path / "yonder.db", DATA)
    system.run("chown", "yonder:yonder", f"{DATA}/yonder.db")
    system.run("systemctl", "start", "yonder")
    with system.network():
        owner = Running(8080).sign_in(link(system))
        [chat] = [chat["id"] for chat in owner.get("/v1/chats")["chats"] if chat["subject"] == "Kept"]
        messages = owner.messages(chat, limit=1000)["messages"]
        texts = [entry["content"] for entry in messages if entry["tag"] == "Text"]
        assert texts == [f"message {number}" for number in range(200)]


def test_removing_keeps_the_data_and_purging_says_what_it_removes_as_root(system, packages):
    system.install(packages[0])
    link(system)
    printed = system.run("apt-get", "remove", "--yes", "yonder").stdout
    assert f"{DATA} stays" in printed and not is_active(system)
    assert "yonder.db" in system.run("ls", DATA).stdout and system.run("test", "-e", SETTINGS).returncode == 0
    # Installed again, it starts again, on the same data.
    system.install(packages[0])
    until_ready(system)
    printed = system.run("apt-get", "purge", "--yes", "yonder").stdout
    assert f"Removing {DATA} with all accounts, messages and positions in it" in printed
    left = system.shell("ls -d /var/lib/yonder* /etc/yonder /usr/bin/yonder 2>/dev/null; true")
    assert left == ""


def test_it_is_not_started_where_its_port_is_taken_or_a_policy_forbids_it_as_root(system, packages):
    taken = take_port(system)
    assert "another program listens at port 8080" in system.install(packages[0])
    assert not is_active(system)
    system.run("apt-get", "purge", "--yes", "yonder")
    system.write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n")
    system.run("chmod", "755", "/usr/sbin/policy-rc.d")
    system.shell(f"kill {taken}")
    system.install(packages[0])
    assert not is_active(system)


def take_port(system):
    """Has another program listen at the server's port; answers its id."""
    listening = ("my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => q(127.0.0.1:8080), ReuseAddr => 1) or die;"
                 " open my $file, q(>), q(/run/taken); print $file $$; close $file; sleep")
    system.shell(f"setsid perl -MIO::Socket::INET -e '{listening}' < /dev/null > /dev/null 2>&1 &")
    until(lambda: system.run("test", "-s", "/run/taken", check=False).returncode == 0)
    return system.run("cat", "/run/taken").stdout


def test_a_restart_that_can_not_be_fails_and_says_why_as_root(system, packages):
    system.install(packages[0])
    set_lines(system, "prot=80")
    done = system.run("systemctl", "restart", "yonder", check=False)
    assert done.returncode != 0 and f"{SETTINGS}:" in system.log() and "unknown setting prot" in system.log()
    system.run("sed", "-i", "/^prot=/d", SETTINGS)
    system.run("systemctl", "restart", "yonder")
    assert people(system) == {"Owner"}
    system.run("systemctl", "stop", "yonder")
    take_port(system)
    done = system.run("systemctl", "restart", "yonder", check=False)
    log = system.log()
    assert done.returncode != 0 and "Another program listens at 127.0.0.1:8080" in log and "child channel" not in log
