"""The gazetteer's builder folds names as the server does; Swift's tests read the same file."""

import hashlib
import sqlite3
import subprocess

from yonder import ROOT


def test_the_builder_folds_as_the_vectors_say():
    subprocess.run([ROOT / "Scripts/build-gazetteer", "--check"], check=True)


def test_the_committed_file_is_a_gazetteer():
    path = ROOT / "Data/gazetteer/places.sqlite"
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert database.execute("SELECT count(*) FROM place").fetchone()[0] > 30_000
    wrong = "SELECT count(*) FROM place a JOIN place b ON b.id = a.id + 1 WHERE b.population > a.population"
    assert database.execute(wrong).fetchone() == (0,)
    # Reading leaves it as it is.
    assert f'"{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"' in (ROOT / "Sources/C/CYonderWeb/data-files.h").read_text()
