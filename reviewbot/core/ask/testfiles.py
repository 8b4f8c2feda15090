"""The tests that speak of a file: they name it, or pin the arguments that it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.ports import SEARCHED, Library
from reviewbot.core.types import Side

ARGUMENTS = 12  # of one file that are searched for
ROOTS = 12  # folders of tests that are searched one by one

_FOLDER = pattern(r"(?:.*/)?(?:tests?|testing|specs?|__tests__|testdata|fixtures|e2e)(?=/)")
_FILE = pattern(r"test_.*|conftest\.py|.*[._-](?:test|tests|spec)\.\w+|.*Tests?\.\w+|.*\.bats")
_ARGUMENT = pattern(r"(?<![\w-])--[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*(?![\w-])")
_SAYS_NOTHING = frozenset({"__init__", "__main__", "index", "main", "mod", "lib"})


class Pinned(NamedTuple):
    path: str
    line: int
    text: str
    word: str  # what of the file stands there


def is_test(path: str) -> bool:
    return bool(_FOLDER.match(path) or _FILE.fullmatch(path[path.rfind("/") + 1 :]))


def tests_of(library: Library, path: str) -> tuple[Pinned, ...]:
    """The lines at head of tests other than the file itself, the surest first: its name with its ending or
    its folder, an argument, then its bare name, which may be any word, in tests that are called after it
    and in others."""
    names, arguments = _names(path), _arguments(library, path)
    found: dict[tuple[str, int], Pinned] = {}
    for word in (*names, *arguments):
        for row in _in_tests(library, word):
            if row[0] != path:
                found.setdefault(row[:2], Pinned(*row, word))
    sure = _sure(path)

    def rank(pinned: Pinned) -> tuple[int, str, int]:
        if sure.search(pinned.text):
            return 0, pinned.path, pinned.line
        if pinned.word in arguments:
            return 1, pinned.path, pinned.line
        return 3 - any(n in pinned.path for n in names), pinned.path, pinned.line

    return tuple(sorted(found.values(), key=rank))


def _sure(path: str) -> re.Pattern[str]:
    """`launch.py`, `tools/launch`, `tools.launch`, `from tools import launch`."""
    *folders, file = path.split("/")
    stem = _stem(path)
    forms = [re.escape(file)]
    if folders and stem != folders[-1]:
        forms.append(rf"{re.escape(folders[-1])}(?:[/.]|\s+import\s+){re.escape(stem)}")
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(forms)})(?![A-Za-z0-9_])")


def _names(path: str) -> tuple[str, ...]:
    """What a test calls the file; also without the hyphens that an import cannot have."""
    stem = _stem(path)
    return tuple(dict.fromkeys((stem, stem.replace("-", "_"))))


def _stem(path: str) -> str:
    """The name without its endings; where that says nothing the folder's."""
    *folders, name = path.split("/")
    stem = name.split(".")[0] or name
    return folders[-1] if folders and stem in _SAYS_NOTHING else stem


def _arguments(library: Library, path: str) -> tuple[str, ...]:
    text = library.text(Side.RIGHT, path)
    return tuple(dict.fromkeys(_ARGUMENT.findall(text.content)))[:ARGUMENTS] if text else ()


def _in_tests(library: Library, word: str) -> Iterator[tuple[str, int, str]]:
    """The lines of tests that hold `word` whole."""
    whole = re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])(?!-\w)")
    rows = library.search(Side.RIGHT, word)
    if len(rows) >= SEARCHED:  # tests may stand behind what was given
        rows = [row for root in _roots(library) for row in library.search(Side.RIGHT, word, root)]
    return (row for row in rows if is_test(row[0]) and whole.search(row[2]))


def _roots(library: Library) -> tuple[str, ...]:
    """The folders of tests."""
    found = (_FOLDER.match(path) for path in library.paths(Side.RIGHT))
    return tuple(dict.fromkeys(match[0] for match in found if match))[:ROOTS]
