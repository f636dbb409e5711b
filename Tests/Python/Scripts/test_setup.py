"""Scripts/setup-system installs servers for the tests without a daemon, and leaves alone what is there."""

import os
import subprocess

import pytest
from yonder import ROOT

POLICY = "usr/sbin/policy-rc.d"
CLUSTER = "etc/postgresql-common/createcluster.d/yonder-set-up.conf"

# The machine's own programs, as the script calls them: each call is a line of a log, and the one that installs lists the
# files that there are then.
PROGRAMS = {
    "dpkg-query": 'case " $INSTALLED " in *" ${@: -1} "*) printf installed ;; *) exit 1 ;; esac',
    "apt-get": 'echo "apt-get $*" >> "$LOG"; (cd "$SYSTEM_ROOT" && find usr etc -type f) >> "$LOG" 2>/dev/null || true; '
               # The locks of the first calls, as apt says them.
               'if [ -s "$LOCKS" ]; then head -n 1 "$LOCKS" >&2; sed -i 1d "$LOCKS"; exit 100; fi; exit ${FAILS:-0}',
    "systemctl": 'echo "systemctl $*" >> "$LOG"',
    "sudo": '"$@"',
}


@pytest.fixture
def machine(tmp_path):
    """A machine of which the script sees only what a test says."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/bash\n{text}\n")
        (programs / name).chmod(0o755)
    (tmp_path / "root/run/systemd/system").mkdir(parents=True)
    (tmp_path / "root/usr/sbin").mkdir(parents=True)
    (tmp_path / "root/etc").mkdir()
    (tmp_path / "log").touch()

    def install(*packages, installed="", fails=0, locks=(), seconds=600):
        (tmp_path / "locks").write_text("".join(f"{line}\n" for line in locks))
        environment = os.environ | {
            "PATH": f"{programs}:{os.environ['PATH']}", "LOG": str(tmp_path / "log"), "INSTALLED": installed,
            "SYSTEM_ROOT": str(tmp_path / "root"), "FAILS": str(fails), "LOCKS": str(tmp_path / "locks"), "LOCK_PAUSE": "0",
            "LOCK_SECONDS": str(seconds),
        }
        command = [ROOT / "Scripts/setup-system", *packages]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        install.printed = done.stdout + done.stderr
        return done.returncode, (tmp_path / "log").read_text()

    install.root = tmp_path / "root"
    return install


def test_a_servers_package_is_installed_without_a_daemon_and_without_a_cluster(machine):
    status, log = machine("postgresql", "nats-server")
    assert status == 0 and "postgresql nats-server" in log
    assert POLICY in log and CLUSTER in log
    assert "systemctl disable --quiet --now nats-server.service" in log


def test_nothing_of_that_stays_behind_not_even_after_a_failure(machine):
    machine("postgresql")
    assert not (machine.root / POLICY).exists() and not (machine.root / CLUSTER).exists()
    status, _ = machine("postgresql", fails=1)
    assert status != 0
    assert not (machine.root / POLICY).exists() and not (machine.root / CLUSTER).exists()


def test_a_server_that_is_installed_is_left_alone(machine):
    status, log = machine("postgresql", "nats-server", "gpsd", installed="postgresql nats-server gpsd")
    assert status == 0 and log == ""


def test_only_the_services_of_what_was_missing_are_stopped(machine):
    _, log = machine("nats-server", "gpsd", installed="nats-server")
    assert "systemctl disable --quiet --now gpsd.socket gpsd.service\n" in log


def test_a_policy_of_the_machines_own_stays_as_it_is(machine):
    (machine.root / POLICY).write_text("exit 0\n")
    machine("postgresql")
    assert (machine.root / POLICY).read_text() == "exit 0\n"


def test_a_package_without_a_server_is_installed_as_ever(machine):
    status, log = machine("gcc")
    assert status == 0 and POLICY not in log and CLUSTER not in log and "systemctl" not in log


# As apt 2.6 says that another program holds each of its locks.
LOCKS = [
    "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (unattended-upgr)",
    "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)",
    "E: Could not get lock /var/cache/apt/archives/lock - open (11: Resource temporarily unavailable)",
    "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?",
    "E: Unable to lock directory /var/lib/apt/lists/",
]


@pytest.mark.parametrize("lock", LOCKS)
def test_an_installation_waits_for_a_lock_that_another_program_holds(machine, lock):
    status, log = machine("gcc", locks=[lock] * 3)
    assert status == 0 and log.count("apt-get install") == 4 and "apt-get update" not in log
    assert machine.printed.count("waiting for another program") == 1


def test_lists_that_another_program_reads_are_waited_for_too(machine):
    status, log = machine("gcc", locks=["E: Unable to locate package gcc", *LOCKS[1:3]])
    assert status == 0 and log.count("apt-get update") == 3 and log.count("apt-get install") == 2


def test_a_lock_that_stays_ends_the_wait_with_its_reason(machine):
    status, _ = machine("gcc", locks=LOCKS[:1] * 50, seconds=6)
    assert status != 0 and "has held the package manager's lock for 6 s" in machine.printed and "4711" in machine.printed


def test_another_failure_is_told_as_apt_tells_it(machine):
    status, log = machine("gcc", locks=["E: Unable to locate package gcc", "E: Some files failed to download", "E: no"])
    assert status != 0 and log.count("apt-get") == 2 and "E: Some files failed to download" in machine.printed
