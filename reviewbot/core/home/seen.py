"""What was seen of a repository: which programs start something dear there, and what CI runs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Work(StrEnum):
    """What a file starts; the value is the word for it."""

    GPU = "GPU jobs"
    LAUNCH = "launchers"
    PUBLISH = "publishing"
    PYTHON = "training and evaluation"  # a Python program, told by its name


class Trait(StrEnum):
    """What a file does besides, that a class of a skill can speak of."""

    POLLS = "polls"
    TAKES_OPTIONS = "takes options"
    STARTS_CONTAINERS = "starts containers"
    PIPES = "pipes"
    ASSERTS = "asserts"
    CALLS_PROGRAMS = "calls programs"


class Start(NamedTuple):
    """The first command of a file that starts something dear; `line` is 1-based."""

    path: str
    line: int
    command: str  # its first words; "" where the file itself is the program
    work: Work
    shell: bool
    traits: frozenset[Trait]


class Check(NamedTuple):
    """A command of CI that tests the change."""

    path: str
    line: int
    command: str


class Seen(NamedTuple):
    languages: Mapping[str, int]  # "shell script", "Python file", "GitHub workflow" -> how many, most first
    starts: tuple[Start, ...]  # one for each file, in the order of the paths
    checks: tuple[Check, ...]
    other_ci: tuple[str, ...]  # pipelines of other systems, of which only the scripts are read
    unread: int  # files that were not looked at: too many, too large, or no text


NOTHING = Seen({}, (), (), (), 0)
