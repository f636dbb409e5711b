"""Hashes of passwords as a server stores them, made without one."""

import base64
import hashlib
import os


def scrypt(password, exponent, parallelism=1):
    """A password's hash with N = 2^exponent, r = 8 and p = parallelism."""
    salt = os.urandom(16)
    key = hashlib.scrypt(password.encode(), salt=salt, n=2**exponent, r=8, p=parallelism, maxmem=2**28, dklen=32)
    texts = [base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (salt, key)]
    return f"$scrypt$ln={exponent},r=8,p={parallelism}${texts[0]}${texts[1]}"
