"""The page's pure modules, tried by Node."""

import shutil
import subprocess

import pytest
from yonder import ROOT


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_modules_pass_their_own_tests():
    done = subprocess.run(["node", "--test", "Tests/Web"], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-4000:]
