"""Runs commands as root, and makes folders that are another user's."""

import os
import subprocess

ROOT_COMMAND = [] if os.geteuid() == 0 else ["sudo", "-n", "-E"]


def as_root(*command, check=True, environment=None, timeout=600, typed=None):
    """Runs a command as root; answers how it ended."""
    assigned = [f"{name}={value}" for name, value in (environment or {}).items()]
    done = subprocess.run(
        [*ROOT_COMMAND, "env", *assigned, *map(str, command)], input=typed, capture_output=True, text=True, timeout=timeout,
    )
    if check and done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr}{done.stdout}")
    return done
