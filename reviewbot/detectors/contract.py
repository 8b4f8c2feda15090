"""What a detector is: a pure function over one parsed file, with its own examples.

A detector is a module or a package of detectors/, ends in `DETECTOR = Detector(...)`, and is named
in the dict of detectors/__init__.py. Its `bad` and `good` examples are its tests and its documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from reviewbot.core.types import Claim, Edit, Grade, Proof, Severity


class Hit(NamedTuple):
    """One root cause in one file. Lines are git lines of the text that was given."""

    start_line: int
    line: int
    failure: str
    cost: str
    fix: str
    grade: Grade
    also: tuple[tuple[int, int], ...] = ()  # (start_line, line) of further places
    edit: Edit | None = None
    claims: tuple[Claim, ...] = ()
    proof: Proof | None = None  # how to show it by running it


class Example(NamedTuple):
    """A whole small file. A bad one names the lines at which a hit must start, in order."""

    code: str
    why: str
    lines: tuple[int, ...] = ()  # empty for a good example
    path: str = "run.sh"


class Word(NamedTuple):
    """A pattern that speaks for a class. The pattern is searched, case folded, in the title
    and the body of a class; in the title it counts double. A class is bound at 3 points."""

    pattern: str
    weight: int = 1


class Detector(NamedTuple):
    id: str
    summary: str  # one line, for lists
    # language ("shell" | "python") -> finder; the file is a ShellFile or a PythonFile
    finders: Mapping[str, Callable[[Any], Iterable[Hit]]]
    words: tuple[Word, ...]
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    # A file in which none of these texts occurs is not parsed for this detector.
    triggers: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # language -> texts
    ceiling: Severity | None = None  # never reported as worse than this
    whole: bool = True  # needs the whole file; False: also runs on the hunks of a bare patch
    complete: bool = False  # finds every case of its class, so silence means "held"
