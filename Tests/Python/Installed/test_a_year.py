"""What an operator meets in a year of running the package: backups, restores, other folders, full disks."""

import json

import pytest
from service import DATA, SETTINGS, is_active, link, people, set_lines, until_ready
from yonder import Running, until

BACKUPS = "/var/lib/yonder-backups"
ELSEWHERE = "/srv/yonder"


def add(system, name):
    return system.run("yonder", "user", "add", "--name", name)


def back_up(system):
    """Runs the service of the backup; answers how it ended, and the copies."""
    done = system.run("systemctl", "start", "yonder-backup", check=False)
    return done.returncode, sorted(system.run("ls", BACKUPS).stdout.split())


def accounts_of(system, copy):
    return json.loads(system.run("cat", f"{BACKUPS}/{copy}/backup.json").stdout)["accounts"]


def write_a_message(system):
    """Signs the owner in and writes, which a store that can't be written refuses."""
    with system.network():
        owner = Running(8080).sign_in(link(system))
        owner.token()
        owner.add("Written")


def test_commands_find_the_services_folder_and_say_which_as_root(system, packages):
    system.install(packages[0])
    done = add(system, "Ada")
    assert done.stderr == f"Using {DATA}, by the service that runs\n"
    system.run("systemctl", "stop", "yonder")
    done = system.run("yonder", "user", "list")
    assert "Ada" in done.stdout and done.stderr == f"Using {DATA}, by {SETTINGS}\n"
    # One who may not read the settings is told so, and not of another folder.
    done = system.run("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "yonder", "user", "list", check=False)
    assert done.returncode != 0 and "Permission denied" in done.stderr and "use sudo" in done.stderr


def test_another_folder_in_the_settings_is_the_services_the_commands_and_the_backups_as_root(system, packages):
    system.install(packages[0])
    add(system, "Left behind")
    system.run("install", "-d", "-o", "yonder", "-g", "yonder", "-m", "0700", ELSEWHERE)
    set_lines(system, f"data={ELSEWHERE}")
    system.run("systemctl", "restart", "yonder")
    until_ready(system)
    write_a_message(system)
    assert people(system) == {"Owner", "Written"}
    status, [copy] = back_up(system)
    assert status == 0 and accounts_of(system, copy) == 2
    assert f"Using {ELSEWHERE}" in system.log("yonder-backup")
    # While it is stopped, too.
    system.run("systemctl", "stop", "yonder")
    assert people(system) == {"Owner", "Written"}
    printed = system.run("apt-get", "purge", "--yes", "yonder").stdout
    assert f"{ELSEWHERE} stays" in printed and "yonder.db" in system.run("ls", ELSEWHERE).stdout


def test_a_folder_that_a_variable_of_the_unit_names_is_the_backups_too_as_root(system, packages):
    system.install(packages[0])
    system.run("install", "-d", "-o", "yonder", "-g", "yonder", "-m", "0700", ELSEWHERE)
    system.run("mkdir", "/etc/systemd/system/yonder.service.d")
    system.write("/etc/systemd/system/yonder.service.d/own.conf", f"[Service]\nEnvironment=YONDER_DATA={ELSEWHERE}\n")
    system.run("systemctl", "daemon-reload")
    system.run("systemctl", "restart", "yonder")
    for name in ("Ada", "Ben"):
        add(system, name)
    status, [copy] = back_up(system)
    assert status == 0 and accounts_of(system, copy) == 3


@pytest.mark.parametrize("folder, lines", [
    (ELSEWHERE, [f"ReadWritePaths={ELSEWHERE}"]), ("/home/yonder", ["ProtectHome=no", "ReadWritePaths=/home/yonder"])])
def test_a_folder_that_the_unit_shuts_off_is_refused_with_the_lines_that_open_it_as_root(system, packages, folder, lines):
    system.install(packages[0])
    system.run("install", "-d", "-o", "yonder", "-g", "yonder", "-m", "0700", folder)
    set_lines(system, f"data={folder}")
    # As a unit by hand may have it.
    system.run("mkdir", "/etc/systemd/system/yonder.service.d")
    system.write("/etc/systemd/system/yonder.service.d/strict.conf", "[Service]\nProtectSystem=strict\n")
    system.run("systemctl", "daemon-reload")
    assert system.run("systemctl", "restart", "yonder", check=False).returncode != 0 and not is_active(system)
    told = [line for line in system.log().splitlines() if line in ("[Service]", *lines)]
    assert told[:len(lines) + 1] == ["[Service]", *lines]
    system.write("/etc/systemd/system/yonder.service.d/own.conf", "\n".join(told[:len(lines) + 1]) + "\n")
    system.run("systemctl", "daemon-reload")
    system.run("systemctl", "reset-failed", "yonder")
    system.run("systemctl", "restart", "yonder")
    write_a_message(system)


def test_a_folder_that_is_not_the_users_is_refused_with_the_command_that_gives_it_as_root(system, packages):
    system.install(packages[0])
    set_lines(system, f"data={ELSEWHERE}")
    assert system.run("systemctl", "restart", "yonder", check=False).returncode != 0
    assert f"sudo install -d -o yonder -g yonder -m 0700 {ELSEWHERE}" in system.log()
    system.run("mkdir", ELSEWHERE)
    assert system.run("systemctl", "restart", "yonder", check=False).returncode != 0
    assert f"sudo chown -R yonder: {ELSEWHERE}" in system.log()
    system.run("chown", "-R", "yonder:", ELSEWHERE)
    system.run("systemctl", "reset-failed", "yonder")
    system.run("systemctl", "restart", "yonder")
    write_a_message(system)


def test_the_data_behind_a_symbolic_link_is_used_and_stays_at_a_purge_as_root(system, packages):
    system.run("mkdir", "-p", "/mnt/disk/yonder")
    system.run("ln", "-s", "/mnt/disk/yonder", DATA)
    system.install(packages[0])
    write_a_message(system)
    status, [copy] = back_up(system)
    assert status == 0 and accounts_of(system, copy) == 2
    printed = system.run("apt-get", "purge", "--yes", "yonder").stdout
    assert "/mnt/disk/yonder stays" in printed and "yonder.db" in system.run("ls", "/mnt/disk/yonder").stdout
    assert system.run("test", "-L", DATA, check=False).returncode != 0


def test_a_disk_of_its_own_is_used_and_is_empty_after_a_purge_as_root(system, packages):
    system.run("mkdir", DATA)
    system.run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", DATA)
    system.install(packages[0])
    write_a_message(system)
    done = system.run("apt-get", "purge", "--yes", "yonder")
    assert f"{DATA} itself stays" in done.stdout and system.run("ls", "-A", DATA).stdout == ""
    assert system.run("dpkg-query", "-W", "yonder", check=False).returncode != 0


def test_a_full_backup_disk_has_room_again_once_copies_are_old_enough_as_root(system, packages):
    system.install(packages[0])
    system.run("mount", "-t", "tmpfs", "-o", "size=4m,mode=700,uid=yonder,gid=yonder", "tmpfs", BACKUPS)
    status, [made] = back_up(system)
    assert status == 0
    # Of a night before, so that tonight's has a name of its own.
    first = "2026-01-14-033000"
    system.run("mv", f"{BACKUPS}/{made}", f"{BACKUPS}/{first}")
    day = 86_400_000
    # Copies of thirteen and fifteen nights ago, and what a killed command left; the rest of the disk is full.
    for nights in (13, 15):
        system.shell(f"cp -a {BACKUPS}/{first} {BACKUPS}/2026-01-{nights}-033000")
        age(system, f"{BACKUPS}/2026-01-{nights}-033000", nights * day)
    age(system, f"{BACKUPS}/{first}", 14 * day - 3_600_000)
    system.shell(f"mkdir {BACKUPS}/2026-01-01-033000.partial; echo half > {BACKUPS}/2026-01-01-033000.partial/yonder.db")
    system.run("mkdir", f"{BACKUPS}/of-my-own")
    system.shell(f"dd if=/dev/zero of={BACKUPS}/of-my-own/filler bs=1k 2>/dev/null; true")
    system.shell(f"chown -R yonder: {BACKUPS}")
    # The old copy's room isn't enough, as the filler takes it at once.
    system.shell(f"rm -r {BACKUPS}/2026-01-15-033000; dd if=/dev/zero of={BACKUPS}/of-my-own/more bs=1k 2>/dev/null; true")
    status, copies = back_up(system)
    assert status != 0 and system.value("yonder-backup", "Result") == "exit-code" and "full" in system.log("yonder-backup")
    assert copies == ["2026-01-13-033000", first, "of-my-own"]
    # Two nights later the copy of thirteen nights ago is over.
    age(system, f"{BACKUPS}/2026-01-13-033000", 15 * day)
    status, copies = back_up(system)
    assert status == 0 and system.value("yonder-backup", "Result") == "success"
    assert "2026-01-13-033000" not in copies and first in copies and len(copies) == 3


def age(system, copy, milliseconds):
    """Sets the time in a copy's description back."""
    system.shell(
        f"perl -i -pe 's/(\"created\" : )(\\d+)/$1 . (time * 1000 - {milliseconds})/e' {copy}/backup.json")


def test_a_backup_that_the_user_may_not_read_says_so_and_is_restored_once_it_may_as_root(system, packages):
    system.install(packages[0])
    add(system, "Ada")
    status, [copy] = back_up(system)
    # Another machine: the files come from a person's disk.
    system.shell(f"mkdir -m 700 /opt/copies; mv {BACKUPS}/{copy} /opt/copies/; chown -R root: /opt/copies")
    system.run("systemctl", "stop", "yonder")
    system.run("mv", DATA, f"{DATA}-old")
    done = system.run("yonder", "restore", f"/opt/copies/{copy}", check=False)
    assert done.returncode != 0 and "Permission denied" in done.stderr and "sudo chown -R yonder:" in done.stderr
    system.run("mv", f"/opt/copies/{copy}", BACKUPS)
    system.run("chown", "-R", "yonder:", f"{BACKUPS}/{copy}")
    done = system.run("yonder", "restore", f"{BACKUPS}/{copy}")
    assert done.stderr == f"Using {DATA}, by {SETTINGS}\n"
    assert set(system.run("find", DATA, "-printf", "%u\n").stdout.split()) == {"yonder"}
    system.run("systemctl", "start", "yonder")
    assert people(system) == {"Owner", "Ada"}


def test_the_metrics_have_version_disk_store_and_backup_as_root(system, packages):
    system.install(packages[0])
    assert back_up(system)[0] == 0
    text = system.run("curl", "--silent", "http://127.0.0.1:8080/metrics").stdout
    figures = {line.split(" ")[0]: float(line.split(" ")[1]) for line in text.splitlines() if line.startswith("yonder_")
               and "{" not in line}
    assert 'yonder_build_info{version="' in text or 'yonder_build_info{commit="' in text
    assert figures["yonder_store_bytes"] > 4096 and figures["yonder_disk_free_bytes"] > 0
    assert figures["yonder_disk_size_bytes"] >= figures["yonder_disk_free_bytes"]
    assert figures["yonder_backup_last_bytes"] > 4096
    now = float(system.run("date", "+%s").stdout)
    assert now - 600 < figures["yonder_backup_last_timestamp_seconds"] < now + 1
