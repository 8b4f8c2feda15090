"""Pictures made small."""

from __future__ import annotations

import subprocess


class CannotScale(Exception):
    """It is no picture, or the program failed."""


def scale(picture: bytes, width: int) -> bytes:
    """A PNG. Raises CannotScale."""
    argv = ["convert", "-", "-resize", str(width), "png:-"]
    done = subprocess.run(argv, input=picture, capture_output=True, timeout=60)
    if done.returncode or not done.stdout:
        raise CannotScale(done.stderr.decode("utf-8", "replace"))
    return done.stdout
