"""The globs of a gate's words, as the files of the tree that it runs in: what a shell would do.

A glob names what is there and not what it leads to: no link is followed on the way to a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from reviewbot.core.types import GateRun

_LITERAL = re.compile(r"\[([*?[])\]")  # as core/gates writes what quotes protect


def written(run: GateRun) -> tuple[str, ...]:
    """The words of a run, which may have been expanded before, with their globs."""
    return run.spec.argv if run.spec.patterns else run.argv


def expanded(run: GateRun, folder: str) -> tuple[GateRun, frozenset[str]]:
    """The run with the argv that is started in `folder`, and those words of its line that stand for files
    there. A glob that matches nothing stays as it is written."""
    spec = run.spec
    argv: list[str] = []
    found = set()
    for word, pattern in zip(spec.argv, spec.patterns, strict=False):
        files = sorted(_files(pattern, folder), key=os.fsencode) if _has_glob(pattern) else []
        found |= {word} if files else set()
        argv += files or [word]
    return (run._replace(argv=tuple(argv)) if argv else run), frozenset(found)


def _files(pattern: str, folder: str) -> Iterator[str]:
    """The paths that a pattern matches, relative to the folder; one that an option could be starts with ./"""
    *parents, last = pattern.split("/")
    found = [""]
    for part in parents:
        found = [f"{path}/" for start in found for path in _entries(part, start, folder)]
        found = [path for path in found if _is_folder(path, folder)]
    for path in (path for start in found for path in _entries(last, start, folder)):
        yield f"./{path}" if path.startswith("-") else path


def _entries(part: str, start: str, folder: str) -> Iterator[str]:
    """What is in the folder `start`, which ends in "/" or is "", under a name that matches."""
    if not _has_glob(part):
        path = start + _LITERAL.sub(r"\1", part)
        if os.path.lexists(os.path.join(folder, path)):
            yield path
        return
    for name in os.listdir(os.path.join(folder, start)):
        if fnmatchcase(name, part) and (name[0] != "." or part[0] == "."):
            yield start + name


def _is_folder(path: str, folder: str) -> bool:
    place = os.path.join(folder, path.rstrip("/"))
    return os.path.isdir(place) and not os.path.islink(place)


def _has_glob(pattern: str) -> bool:
    return bool(re.search(r"[*?[]", _LITERAL.sub("", pattern)))
