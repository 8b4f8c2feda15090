"""The globs of a gate's words, as the files of the tree that it runs in: what a shell would do.

A glob names what is there and not what it leads to: no link is followed on the way to a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase

from reviewbot.core.patterns import pattern
from reviewbot.core.types import GateRun

_LITERAL = pattern(r"\[([*?[])\]")  # as core/gates writes what quotes protect
_CLASS = pattern(r"\[(\^?)(\]?[^\]]*\])")
_WILD = pattern(r"[*?[]")


def expanded(run: GateRun, folder: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The argv that is started in `folder`, and those words of the run that stand for files there. A glob
    that matches nothing stays as it is written."""
    argv: list[str] = []
    found = set()
    for word, glob in zip(run.argv, run.spec.patterns or ("",) * len(run.argv), strict=True):
        files = sorted(_files(glob, folder), key=os.fsencode) if _has_glob(glob) else []
        found |= {word} if files else set()
        argv += files or [word]
    return tuple(argv), frozenset(found)


def split(run: GateRun, script: str, folder: str) -> list[GateRun]:
    """The run itself, or, where the script that a program is to start is a glob of several files, one for
    each: the program would start the first, and give it the others as words."""
    if not script or script not in run.argv or not run.spec.patterns:
        return [run]
    at = run.argv.index(script)
    glob = run.spec.patterns[at]
    files = sorted(_files(glob, folder), key=os.fsencode) if _has_glob(glob) else []
    return [_with_word(run, at, file) for file in files] if len(files) > 1 else [run]


def _with_word(run: GateRun, at: int, word: str) -> GateRun:
    def put(words: tuple[str, ...], own: str) -> tuple[str, ...]:
        return (*words[:at], own, *words[at + 1 :])

    patterns = put(run.spec.patterns, _WILD.sub(r"[\g<0>]", word))
    return run._replace(argv=put(run.argv, word), spec=run.spec._replace(patterns=patterns))


def _files(glob: str, folder: str) -> Iterator[str]:
    """The paths that a glob matches, relative to the folder; one that an option could be starts with ./"""
    *parents, last = glob.split("/")
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
    shown = _CLASS.sub(lambda m: f"[{'!' if m[1] else ''}{m[2]}", part)  # fnmatch knows no `[^…]`
    for name in os.listdir(os.path.join(folder, start)):
        if fnmatchcase(name, shown) and (name[0] != "." or part[0] == "."):
            yield start + name


def _is_folder(path: str, folder: str) -> bool:
    place = os.path.join(folder, path.rstrip("/"))
    return os.path.isdir(place) and not os.path.islink(place)


def _has_glob(glob: str) -> bool:
    return bool(_WILD.search(_LITERAL.sub("", glob)))
