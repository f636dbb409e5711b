"""What the package's scripts do when it is installed, upgraded, removed and purged, with stand-ins for the system's programs."""

import hashlib
import os
import shutil
import socket
import subprocess

import pytest
from yonder import ROOT, free_port


SCRIPTS = ROOT / "Packaging/debian"
# Each call is a line of the log. The state of the service is in two files, as systemd would keep it.
STAND_INS = {
    "adduser": "", "chown": "", "dpkg-statoverride": "exit 1",
    "install": 'mkdir -p "${@: -1}"',
    # The settings file that an earlier version brought, as dpkg remembers it.
    "dpkg-query": 'printf "\n %s\n" "$CONFFILE"',
    "deb-systemd-helper": 'case "$*" in *was-enabled*) [ ! -e "$STATE/disabled" ] ;; esac',
    "systemctl": """
case " $* " in
    *" is-enabled "*) if [ -e "$STATE/disabled" ]; then echo disabled; exit 1; else echo enabled; fi ;;
    *" is-active "*) [ -e "$STATE/active" ] ;;
    *" start "*|*" restart "*) touch "$STATE/active" ;;
    *" try-restart "*) [ ! -e "$STATE/active" ] || touch "$STATE/restarted" ;;
    *" stop "*) rm -f "$STATE/active" ;;
esac""",
}


@pytest.fixture
def machine(tmp_path):
    """A machine's root folder, on which the scripts run; answers what they print."""
    root, programs, state = (tmp_path / name for name in ("root", "programs", "state"))
    for folder in (root / "etc/yonder", root / "run/systemd/system", root / "usr/sbin", root / "var/lib", programs, state):
        folder.mkdir(parents=True)
    (tmp_path / "log").touch()
    (root / "etc/yonder/yonder.conf").write_text(f"data={root}/var/lib/yonder\nport={free_port()}\n")
    for name, text in STAND_INS.items():
        (programs / name).write_text(f'#!/bin/bash\necho "{name} $*" >> "$LOG"\n{text}\n')
        (programs / name).chmod(0o755)

    def run(script, *arguments):
        text = (SCRIPTS / script).read_text()
        for path in ("/etc/yonder", "/run/", "/var/lib/yonder"):
            text = text.replace(path, f"{root}{path}")
        (tmp_path / script).write_text(text)
        environment = os.environ | {
            "PATH": f"{programs}:{os.environ['PATH']}", "LOG": str(tmp_path / "log"), "STATE": str(state), "DPKG_ROOT": str(root),
            "CONFFILE": run.conffile,
        }
        done = subprocess.run(
            ["sh", tmp_path / script, *arguments], env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    run.programs = programs
    run.root, run.state, run.log = root, state, lambda: (tmp_path / "log").read_text()
    run.conf, run.conffile = root / "etc/yonder/yonder.conf", ""
    run.is_active = lambda: (state / "active").exists()
    return run


def install(machine):
    machine("preinst", "install")
    return machine("postinst", "configure", "")


def upgrade(machine):
    """The calls of dpkg in their order, after Debian's policy, section 6.6."""
    machine("prerm", "upgrade", "0.2.0")
    machine("preinst", "upgrade", "0.1.0")
    machine("postrm", "upgrade", "0.2.0")
    return machine("postinst", "configure", "0.1.0")


def test_an_installation_starts_the_server_and_says_how_to_get_the_first_link(machine):
    printed = install(machine)
    assert machine.is_active()
    assert "sudo yonder user link\n" in printed
    log = machine.log()
    assert "adduser --system --group" in log and "deb-systemd-helper enable yonder.service" in log
    assert "yonder-backup.timer" not in log.split("systemctl", 1)[1], "the backup is switched on by its owner"


def test_a_first_installation_writes_short_settings_and_a_later_one_leaves_them(machine):
    machine.conf.unlink()
    machine.conf.parent.rmdir()
    install(machine)
    lines = [line for line in machine.conf.read_text().splitlines() if not line.startswith("#")]
    assert lines == [f"data={machine.root}/var/lib/yonder", "proxy=127.0.0.1,::1"]
    machine.conf.write_text("port=1\n")
    upgrade(machine)
    assert machine.conf.read_text() == "port=1\n"


def test_settings_that_an_earlier_version_brought_are_made_short_unless_they_were_edited(machine):
    machine.conf.write_text("# Every setting\ndata=/var/lib/yonder\n#port=8080\n")
    machine.conffile = f"{machine.conf} {hashlib.md5(machine.conf.read_bytes()).hexdigest()} obsolete"
    kept = machine.conf.read_text() + "port=1\n"
    install(machine)
    assert len(machine.conf.read_text().splitlines()) == 5 and "#port" not in machine.conf.read_text()
    machine.conf.write_text(kept)
    upgrade(machine)
    assert machine.conf.read_text() == kept


def test_a_mounted_disk_that_is_empty_becomes_the_services(machine):
    data = machine.root / "var/lib/yonder"
    (data / "lost+found").mkdir(parents=True)
    text = "if [ \"$1\" = -L ]; then echo 0; fi"
    (machine.programs / "stat").write_text(f"#!/bin/sh\n{text}\n")
    (machine.programs / "stat").chmod(0o755)
    install(machine)
    assert f"chown yonder:yonder {data}/." in machine.log()
    assert data.stat().st_mode & 0o777 == 0o700


def test_others_may_not_read_the_settings(machine):
    install(machine)
    assert machine.conf.stat().st_mode & 0o777 == 0o640
    assert f"chown root:yonder {machine.conf}" in machine.log()


def test_a_taken_port_is_left_to_the_program_that_has_it(machine):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        machine.conf.write_text(f"port={port}\n")
        printed = install(machine)
        assert not machine.is_active() and f"another program listens at port {port}" in printed


def test_a_policy_that_forbids_starts_is_obeyed(machine):
    policy = machine.root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    install(machine)
    assert not machine.is_active()


def test_nothing_is_started_where_systemd_does_not_run(machine):
    shutil.rmtree(machine.root / "run/systemd")
    printed = install(machine)
    assert "systemd doesn't run here" in printed and "systemctl" not in machine.log().replace("systemctl-", "")


def test_an_upgrade_restarts_a_running_server(machine):
    install(machine)
    upgrade(machine)
    assert machine.is_active() and (machine.state / "restarted").exists()


def test_an_upgrade_never_starts_a_server_that_its_owner_had_stopped(machine):
    install(machine)
    (machine.state / "active").unlink()
    upgrade(machine)
    assert not machine.is_active()
    # Not even the next one, nor where the owner disabled it.
    (machine.state / "disabled").touch()
    upgrade(machine)
    assert not machine.is_active() and machine.log().count("deb-systemd-helper enable") == 2


def test_an_installation_after_a_removal_starts_the_server_again(machine):
    install(machine)
    machine("prerm", "remove")
    machine("postrm", "remove")
    assert not machine.is_active()
    machine("preinst", "install", "0.1.0")
    machine("postinst", "configure", "0.1.0")
    assert machine.is_active()


def test_removing_keeps_the_data_and_purging_says_what_it_removes(machine):
    install(machine)
    data, backups = machine.root / "var/lib/yonder", machine.root / "var/lib/yonder-backups"
    (data / "yonder.db").write_text("messages")
    machine("prerm", "remove")
    printed = machine("postrm", "remove")
    assert (data / "yonder.db").exists() and machine.conf.exists() and f"{data} stays" in printed
    printed = machine("postrm", "purge")
    assert not data.exists() and not backups.exists() and not machine.conf.parent.exists()
    assert f"Removing {data} with all accounts, messages and positions in it" in printed and f"Removing {backups}" in printed


def test_purging_removes_a_link_and_says_what_stays_behind_it_and_in_another_folder(machine):
    install(machine)
    data, elsewhere = machine.root / "var/lib/yonder", machine.root / "mnt/yonder"
    elsewhere.mkdir(parents=True)
    (elsewhere / "yonder.db").write_text("messages")
    data.rmdir()
    data.symlink_to(elsewhere)
    machine.conf.write_text(f"data={machine.root}/mnt\n")
    printed = machine("postrm", "purge")
    assert not data.is_symlink() and (elsewhere / "yonder.db").exists()
    assert f"{elsewhere} stays" in printed and f"{machine.root}/mnt stays" in printed


def test_purging_leaves_what_the_package_did_not_bring(machine):
    install(machine)
    (machine.conf.parent / "node.nk").write_text("seed")
    printed = machine("postrm", "purge")
    assert (machine.conf.parent / "node.nk").exists() and "stays, with files" in printed


@pytest.mark.parametrize("script", ["preinst", "postinst", "prerm", "postrm"])
def test_a_script_is_plain_sh(script):
    assert subprocess.run(["dash", "-n", SCRIPTS / script]).returncode == 0
    assert (SCRIPTS / script).read_text().startswith("#!/bin/sh\n")
