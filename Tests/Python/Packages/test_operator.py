"""What an operator's commands do without a folder's name, what they leave after a bad night, and what they say of a refusal."""

import datetime
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

import pytest
from yonder import Server, free_port, program, until

DAY = 86_400_000


def run(*arguments, system=None, check=True, wrapper=(), **variables):
    """Runs a subcommand on a machine whose service has its files below `system`; answers how it ended."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("YONDER_")} | variables
    if system:
        environment["YONDER_SYSTEM"] = str(system)
    done = subprocess.run([*wrapper, program(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120, env=environment)
    assert not check or done.returncode == 0, done.stderr
    return done


@pytest.fixture
def system(tmp_path):
    """A machine with settings of a service, which have what a test says."""
    root = tmp_path / "system"
    (root / "etc/yonder").mkdir(parents=True)
    (root / "run/yonder").mkdir(parents=True)

    def settings(*lines, name="yonder.conf"):
        (root / "etc/yonder" / name).write_text("".join(f"{line}\n" for line in lines))
        return root

    settings.root = root
    return settings


@pytest.fixture
def data(tmp_path):
    """A data folder with two people."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("Ada", "Ben"):
        run("user", "add", "--data", folder, "--name", name, "--operator")
    return folder


def as_other(*paths):
    """How a command is run as a user who may not read some files: as root another user, else these files are shut."""
    if os.geteuid() != 0:
        for path in paths:
            path.chmod(0)
        return []
    return ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]


def test_a_command_takes_the_folder_of_the_installed_settings_and_says_so(system, data):
    root = system(f"data={data}", "origin=https://map.example.org")
    done = run("user", "list", system=root)
    assert "Ada" in done.stdout and done.stderr == f"Using {data}, by {root}/etc/yonder/yonder.conf\n"
    assert run("user", "link", "Ada", system=root).stdout.startswith("https://map.example.org/#link=")
    # By hand the file may be JSON.
    (root / "etc/yonder/yonder.conf").unlink()
    system(json.dumps({"data": str(data)}), name="yonder.json")
    assert "Ada" in run("user", "list", system=root).stdout


def test_a_flag_and_a_variable_win_over_the_installed_settings(system, data, tmp_path):
    root = system(f"data={tmp_path}/nowhere", "origin=https://map.example.org")
    for done in (run("user", "list", "--data", data, system=root), run("user", "list", system=root, YONDER_DATA=str(data))):
        assert "Ada" in done.stdout and done.stderr == ""
    # Their origin is another server's.
    assert "map.example.org" not in run("user", "link", "Ada", "--data", data, system=root).stdout


def test_the_running_services_folder_wins_over_its_settings(system, data, tmp_path):
    root = system(f"data={tmp_path}/nowhere")
    (root / "run/yonder/folder").write_text(str(data))
    done = run("user", "list", system=root)
    assert "Ada" in done.stdout and done.stderr == f"Using {data}, by the service that runs\n"


def test_a_record_of_a_folder_that_is_another_users_is_not_followed(system, data):
    root = system(f"data={data}")
    record = root / "run/yonder/folder"
    record.write_text("/etc")
    if os.geteuid() == 0:
        os.chown(record, 64321, 64321)
    assert run("user", "list", system=root).stderr == f"Using {data}, by {root}/etc/yonder/yonder.conf\n"
    assert not pathlib.Path("/etc/yonder.db").exists()


def test_without_any_service_a_command_asks_for_the_folder(tmp_path):
    done = run("user", "list", system=tmp_path, check=False)
    assert done.returncode != 0 and "Say where the data is: --data FOLDER" in done.stderr


def test_settings_that_the_user_may_not_read_are_told_of_and_never_guessed_at(system, data, tmp_path):
    root = system(f"data={data}")
    settings = root / "etc/yonder/yonder.conf"
    settings.chmod(0o600)
    for folder in (tmp_path, *tmp_path.parents):
        if os.geteuid() == 0 and folder.stat().st_mode & 0o055 != 0o055:
            folder.chmod(0o755)
    for command in (["user", "list"], ["backup", tmp_path / "copy"], ["ready"]):
        done = run(*command, system=root, check=False, wrapper=as_other(settings))
        assert done.returncode != 0 and "Permission denied" in done.stderr and "use sudo" in done.stderr, done.stderr


def test_ready_asks_at_the_port_of_the_installed_settings(system):
    with Server() as server:
        root = system(f"data={server.data}", f"port={server.port}")
        assert json.loads(run("ready", system=root).stdout) == {"status": "ok"}


def created(copy, milliseconds):
    """Sets the time in a copy's description."""
    file = copy / "backup.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"created": milliseconds}))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def shelf(data, tmp_path):
    """A folder of copies of 1, 13, 15 and 40 days ago, with what a killed command left and a copy of the operator's own."""
    folder = tmp_path / "copies"
    now = int(time.time() * 1_000)
    run("backup", tmp_path / "copy", "--data", data)
    for days in (1, 13, 15, 40):
        copy = folder / f"2026-01-{days:02}-033000"
        shutil.copytree(tmp_path / "copy", copy)
        created(copy, now - days * DAY)
    (folder / "2026-01-02-033000.partial").mkdir()
    (folder / "update-2026-01-01-033000").mkdir()
    return folder


def test_copies_that_are_over_and_what_a_bad_night_left_go_first(data, shelf):
    done = run("backup", "--into", shelf, "--keep-days", 14, "--data", data)
    left = names(shelf)
    assert left[:2] == ["2026-01-01-033000", "2026-01-13-033000"] and left[-1] == "update-2026-01-01-033000"
    [made] = left[2:-1]
    assert datetime.datetime.strptime(made, "%Y-%m-%d-%H%M%S")
    for name in ("2026-01-15-033000", "2026-01-40-033000", "2026-01-02-033000.partial"):
        assert f"{shelf}/{name}: removed\n" in done.stdout
    assert f"{shelf}/{made}: " in done.stdout and "read back and checked" in done.stdout


def test_copies_are_removed_though_the_new_one_fails_and_nothing_of_that_one_stays(data, shelf):
    (data / "yonder.db").write_bytes(b"no database" * 1_000)
    done = run("backup", "--into", shelf, "--keep-days", 14, "--data", data, check=False)
    assert done.returncode == 1 and "yonder.db" in done.stderr
    assert names(shelf) == ["2026-01-01-033000", "2026-01-13-033000", "update-2026-01-01-033000"]


def test_the_last_good_copy_is_never_removed_however_old_it_is(data, shelf):
    for name in names(shelf)[:-1]:
        if not name.endswith(".partial") and name != "2026-01-15-033000":
            (shelf / name / "yonder.db").write_bytes(b"")
    (data / "yonder.db").write_bytes(b"no database" * 1_000)
    run("backup", "--into", shelf, "--keep-days", 1, "--data", data, check=False)
    assert "2026-01-15-033000" in names(shelf)


def test_without_a_good_copy_none_is_removed(data, shelf):
    kept = [name for name in names(shelf) if not name.endswith(".partial")]
    for name in kept[:-1]:
        (shelf / name / "backup.json").write_text("{}")
        os.utime(shelf / name, (0, 0))
    (data / "yonder.db").write_bytes(b"no database" * 1_000)
    run("backup", "--into", shelf, "--keep-days", 1, "--data", data, check=False)
    assert names(shelf) == kept


def test_two_backups_into_one_folder_are_not_made_at_once(data, tmp_path):
    copies = tmp_path / "copies"
    copies.mkdir()
    done = run("backup", "--into", copies, "--data", data, check=False, wrapper=["flock", copies])
    assert done.returncode == 1 and "another backup is being made there" in done.stderr and names(copies) == []


@pytest.mark.parametrize("arguments, complaint", [
    ([], "Name the folder to make"), (["a", "--into", "b"], "Name the folder to make"), (["a", "--keep-days", "3"], "--keep-days needs --into"),
    (["--into", "b", "--keep-days", "0"], "keep-days must be in 1…36500; it is 0"),
])
def test_a_backup_that_can_not_be_meant_is_refused(data, arguments, complaint):
    done = run("backup", *arguments, "--data", data, check=False)
    assert done.returncode != 0 and complaint in done.stderr


def test_a_backup_that_the_user_may_not_read_is_not_called_none(data, tmp_path):
    copy = tmp_path / "copy"
    run("backup", copy, "--data", data)
    for folder in (tmp_path, *tmp_path.parents):
        if os.geteuid() == 0 and folder.stat().st_mode & 0o055 != 0o055:
            folder.chmod(0o755)
    done = run("restore", copy, "--data", "/tmp/yonder-of-nobody", check=False, wrapper=as_other(copy))
    copy.chmod(0o700)
    assert done.returncode == 1 and "Permission denied" in done.stderr and "sudo chown -R" in done.stderr
    assert "isn't a backup" not in done.stderr
    (copy / "backup.json").unlink()
    assert "isn't a backup: it has no file backup.json" in run("restore", copy, "--data", tmp_path / "new", check=False).stderr
    assert "There is no folder" in run("restore", tmp_path / "gone", "--data", tmp_path / "new", check=False).stderr


def test_a_server_tells_its_service_manager_that_it_listens_and_which_folder_it_has(tmp_path):
    (tmp_path / "runtime").mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "RUNTIME_DIRECTORY": str(tmp_path / "runtime")}
        with Server(environment=environment) as server:
            assert manager.recv(100) == b"READY=1"
            assert (tmp_path / "runtime/folder").read_text() == str(server.data)


def test_a_taken_port_is_one_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run("serve", "--data", tmp_path / "data", "--port", port, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == (f"Error: Another program listens at 127.0.0.1:{port}: stop that one (ss -ltnp names it), or set another"
                           f" port, as in --port {port + 1}.\n")
    assert not (tmp_path / "data").exists()


def test_an_address_of_another_machine_is_one_sentence(tmp_path):
    done = run("serve", "--data", tmp_path / "data", "--port", free_port(), "--address", "192.0.2.1", check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "192.0.2.1 is no address of this machine" in done.stderr


def test_checking_the_settings_opens_nothing(tmp_path):
    run("serve", "--check", "--data", tmp_path / "data")
    assert names(tmp_path) == []
    done = run("serve", "--check", "--data", tmp_path / "data", "--origin", "https://", check=False)
    assert done.returncode != 0 and "origin" in done.stderr


def test_the_metrics_have_version_disk_store_and_backup():
    with Server() as server:
        figures = lambda: dict(re.findall(r"^(yonder_\w+) (\S+)$", server.command_text("/metrics"), re.MULTILINE))
        server.command_text = lambda path: subprocess.check_output(["curl", "--silent", server.url + path], text=True)
        assert f'version="{run("--version").stdout.strip()}"' in server.command_text("/metrics")
        before = figures()
        assert before["yonder_backup_last_timestamp_seconds"] in ("0", "0.0") and float(before["yonder_store_bytes"]) > 4096
        assert float(before["yonder_disk_size_bytes"]) >= float(before["yonder_disk_free_bytes"]) > 0
        run("backup", server.data.parent / "copy", "--data", server.data)
        after = figures()
        assert time.time() - 60 < float(after["yonder_backup_last_timestamp_seconds"]) <= time.time()
        assert float(after["yonder_backup_last_bytes"]) == (server.data.parent / "copy/yonder.db").stat().st_size


def test_a_proxy_that_is_not_listed_is_one_line_with_its_cure():
    with Server() as server:
        for _ in range(2):
            subprocess.check_output(["curl", "--silent", "-H", "X-Forwarded-For: 203.0.113.9", server.url + "/health"])
        until(lambda: "isn't listed as a proxy" in server.errors)
        lines = [line for line in server.errors.splitlines() if "isn't listed as a proxy" in line]
        assert "proxy=ADDRESS" in lines[0] and "address=127.0.0.1" in lines[0] and "203.0.113.9" not in server.errors
    with Server(["--proxy", "127.0.0.1"]) as server:
        subprocess.check_output(["curl", "--silent", "-H", "X-Forwarded-For: 203.0.113.9", server.url + "/health"])
        assert "isn't listed as a proxy" not in server.errors


def test_an_ordinary_user_writes_nothing_of_priorities_to_the_systems_log(data, tmp_path):
    if os.geteuid() == 0:
        for folder in (tmp_path, *tmp_path.parents):
            if folder.stat().st_mode & 0o055 != 0o055:
                folder.chmod(0o755)
        for path in (data, *data.iterdir()):
            os.chown(path, 65534, 65534)
    trace = tmp_path / "trace"
    tracing = ["strace", "-f", "-e", "trace=setpriority,connect", "-o", str(trace)]
    user = ["--", "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else ["--"]
    assert "Ada" in run("user", "list", "--data", data, wrapper=[*tracing, *user]).stdout
    assert "EACCES" in trace.read_text() and "/dev/log" not in trace.read_text()
