"""Changes for tests of what a model is shown, made of two texts."""

from __future__ import annotations

import difflib

from reviewbot.core.hunks import parse_hunks
from reviewbot.core.types import Change, FileChange, Side, Status, Text, Texts


def file_change(path: str, base: str, head: str, status: Status = Status.MODIFIED) -> FileChange:
    """The file with the hunks that git would write."""
    patch = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(_lines(base), _lines(head), "a", "b")
    )
    hunks, ends = parse_hunks(f"\n{patch}".encode("utf-8", "surrogateescape"))
    return FileChange(path, status, hunks=hunks, eof_newline=ends)


def change_of(files: dict[str, tuple[str, str]]) -> tuple[Change, Texts]:
    """By path: base and head."""
    changed = tuple(
        file_change(path, base, head, Status.MODIFIED if base else Status.ADDED)
        for path, (base, head) in files.items()
    )
    heads = {path: Text(path, head) for path, (_, head) in files.items()}
    return Change("a" * 40, "b" * 40, changed), Texts(Side.RIGHT, heads)


def _lines(text: str) -> list[str]:
    rows = text.split("\n")
    return [f"{row}\n" for row in rows[:-1]] + ([rows[-1]] if rows[-1] else [])
