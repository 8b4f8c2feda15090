"""What a command writes to, as far as its options and redirections say so, and where a copy goes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise

from reviewbot.detectors.shell.launches import CONTAINERS, unquoted
from reviewbot.detectors.shell.script import variables_read

_OPTION = re.compile(r"-o|-{0,2}(?:\w{1,20}[-_.]){0,2}(?:out|output|save|log|result)s?(?:[-_.]\w+){0,3}")
_REDIRECTED = re.compile(
    r"(?<![<=-])>{1,2}\|?[ \t]*(?![&\s])([^\s;|&()<>]+)|\btee[ \t]+(?:-a[ \t]+)?([^\s;|&()<>]+)"
)
_MOUNTS = re.compile(r"(?:^|\s)(?:-v|--volume|--mount)\b")
_ELSEWHERE = re.compile(r"~|/tmp/|/dev/|/var/log/|\$\{?(?:HOME|TMP(?:DIR)?)\b")
_SOME = 2000  # characters of a command that are looked at
_MANY = 50  # variables of one command


def written(command: Sequence[str], text: str) -> tuple[str, ...]:
    """The words that name an output. `command` is `bare`; `text` is all of it, with its redirections."""
    words = [part for word in command[1:] for part in unquoted(word[:_SOME]).split("=", 1)]
    options = (value for option, value in pairwise(words) if _OPTION.fullmatch(option))
    return (*options, *(a or b for a, b in _REDIRECTED.findall(text[:_SOME])))


def is_written(name: str, command: Sequence[str], text: str) -> bool:
    """Whether an output of a command names a variable or a path."""
    return any(_mentions(name, output) for output in written(command, text))


def is_operand(name: str, command: Sequence[str]) -> bool:
    """Whether a command names it otherwise than as the value of an option."""
    words = [("", command[0]), *pairwise(command)]
    return any(
        _mentions(name, word)
        for option, word in words
        if not word.startswith("-") and not option.startswith("-")
    )


def is_only_written(name: str, command: Sequence[str], text: str, values: Mapping[str, str]) -> bool:
    """Whether a command names it as its output and nowhere else. `values` are those of the variables."""
    outputs = written(command, text)
    if not any(_mentions(name, output) for output in outputs):
        return False
    rest = text[:_SOME]
    for output in outputs:
        rest = rest.replace(unquoted(output), " ", 1)
    read = sorted(variables_read(rest) & values.keys())
    return not any(
        _mentions(name, part) for part in (rest, *(values[n][:_SOME] for n in islice(read, _MANY)))
    )


def is_destination(name: str, copy: Sequence[str]) -> bool:
    """Whether what is shared is where a copy goes, not only where it comes from. `copy` is `bare`."""
    *sources, destination = [word for word in copy[1:] if not word.startswith("-")] or [""]
    return _mentions(name, destination) or not any(_mentions(name, source) for source in sources)


def in_reach(copy: Sequence[str], launch: Sequence[str], text: str, entered: frozenset[str]) -> bool | None:
    """Whether a launch that shares no name with a copy finds it; None: nothing says that it may.

    `text` is that of the launch; `entered` are the variables of the folders that the script goes to.
    """
    destination = unquoted(copy[-1])
    if _ELSEWHERE.match(destination) or "$0" in copy[1:-1]:
        return None
    if launch[0] in CONTAINERS and "up" not in launch and not _MOUNTS.search(text[:_SOME]):
        return None
    return destination[:1] not in ("/", "$") or bool(variables_read(destination) & entered)


def _mentions(name: str, text: str) -> bool:
    return name in (variables_read(text) if name.isidentifier() else text)
