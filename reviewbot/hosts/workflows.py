"""The workflow files of a work tree."""

from __future__ import annotations

import os
from collections.abc import Iterator

FOLDER = ".github/workflows"
MOST = 200  # files
LARGEST = 1_000_000  # bytes


def workflows(top: str) -> Iterator[tuple[str, str | None]]:
    """Path and text of each, sorted; None: it cannot be read, is too large, is no UTF-8, or is one of those
    beyond MOST."""
    folder = os.path.join(top, FOLDER)
    if not os.path.isdir(folder):
        return
    names = sorted(name for name in os.listdir(folder) if name.endswith((".yml", ".yaml")))
    for at, name in enumerate(names):
        yield f"{FOLDER}/{name}", _text(os.path.join(folder, name)) if at < MOST else None


def _text(path: str) -> str | None:
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        return content.decode() if len(content) <= LARGEST else None
    except (OSError, UnicodeDecodeError):
        return None
