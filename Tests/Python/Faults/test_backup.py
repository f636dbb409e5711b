"""A backup is whole or is refused, also of a server under load, and after `kill -9` in the middle of either way."""

import copy
import pathlib
import subprocess
import threading

import pytest
from workload import Crowd
from yonder import Server, program, until

KILLS = 12


@pytest.fixture
def busy(templates, tmp_path):
    """A server in use, and its people."""
    crowd = templates.copy("used", tmp_path / "data")
    with Server(data=tmp_path / "data") as server:
        crowd.attach(server)
        crowd.round()
        yield server, crowd
        crowd.detach()


def command(name, folder, data):
    return [program(), name, str(folder), "--data", str(data), *(["--keep-tokens"] if name == "restore" else [])]


def run(name, folder, data):
    return subprocess.run(command(name, folder, data), capture_output=True, text=True, timeout=120)


def known(crowd):
    """What is known now, for a server made of a backup: its sessions have ended."""
    later = Crowd(copy.deepcopy(crowd.knowledge()))
    later.cookies = []
    return later


def check_whole(data, crowd):
    """A server on this folder has all that the crowd knows, and goes on."""
    with Server(data=data) as server:
        crowd.attach(server)
        crowd.check()
        crowd.round()
        crowd.check()
        crowd.detach()


def kill_after(arguments, seconds):
    """Starts a command and kills it so much later; answers whether it had ended."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False
    return process.returncode == 0


def test_a_backup_under_load_has_all_that_was_acknowledged_before(busy, tmp_path):
    _, crowd = busy
    before, done = known(crowd), threading.Event()

    def load():
        while not done.is_set():
            crowd.round()

    worker = threading.Thread(target=load)
    worker.start()
    try:
        until(lambda: crowd.count > before.count + 50)
        made = run("backup", tmp_path / "backup", tmp_path / "data")
    finally:
        done.set()
        worker.join()
    assert made.returncode == 0, made.stderr
    restored = run("restore", tmp_path / "backup", tmp_path / "restored")
    assert restored.returncode == 0, restored.stderr
    with Server(data=tmp_path / "restored") as server:
        before.attach(server)
        for chat, log in before.chats.items():
            log.check(before.whole(chat), only_acknowledged=True)
        before.check_secrets()
        before.detach()


def test_a_backup_that_is_killed_is_whole_or_refused(busy, tmp_path):
    _, crowd = busy
    whole = 0
    for number in range(KILLS):
        folder, restored = tmp_path / f"backup-{number}", tmp_path / f"restored-{number}"
        ended = kill_after(command("backup", folder, tmp_path / "data"), 0.4 * number / KILLS)
        made = run("restore", folder, restored)
        assert made.returncode == 0 or not ended, made.stderr
        if made.returncode == 0 and whole < 2:
            whole += 1
            check_whole(restored, known(crowd))
        assert made.returncode == 0 or made.stderr.strip()
    assert run("backup", tmp_path / "backup", tmp_path / "data").returncode == 0
    crowd.round()
    crowd.check()


def test_a_restore_that_is_killed_is_done_again_or_was_whole(busy, tmp_path):
    _, crowd = busy
    assert run("backup", tmp_path / "backup", tmp_path / "data").returncode == 0
    for number in range(KILLS):
        restored = tmp_path / f"restored-{number}"
        kill_after(command("restore", tmp_path / "backup", restored), 0.3 * number / KILLS)
        is_there = (restored / "yonder.db").exists()
        again = run("restore", tmp_path / "backup", restored)
        # What is there already is whole, and is never replaced.
        assert (again.returncode == 0) != is_there, again.stderr
        if number % 4 == 0:
            check_whole(restored, known(crowd))


def damaged(folder):
    """The backup's database with one bit turned over."""
    file = max((path for path in pathlib.Path(folder).rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def test_an_unfit_backup_is_refused_and_nothing_is_touched(busy, tmp_path):
    backup = tmp_path / "backup"
    assert run("backup", backup, tmp_path / "data").returncode == 0
    in_use = run("restore", backup, tmp_path / "data")
    assert in_use.returncode != 0 and in_use.stderr.strip()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").write_text("mine")
    not_empty = run("restore", backup, tmp_path / "full")
    assert not_empty.returncode != 0 and not_empty.stderr.strip()
    assert {path.name for path in (tmp_path / "full").iterdir()} - {"lock"} == {"something"}
    again = run("backup", backup, tmp_path / "data")
    assert again.returncode != 0 and again.stderr.strip(), "a backup replaced another"
    damaged(backup)
    refused = run("restore", backup, tmp_path / "restored")
    assert refused.returncode != 0 and refused.stderr.strip()
    assert not (tmp_path / "restored" / "yonder.db").exists()
