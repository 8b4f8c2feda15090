"""What a command writes to, as far as its options and redirections say so, and where a copy goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import CONTAINERS, unquoted
from reviewbot.detectors.shell.script import variables_read

_OPTION = pattern(r"-o|-{0,2}(?:\w{1,20}[-_.]){0,2}(?:out|output|save|log|result)s?(?:[-_.]\w+){0,3}")
_REDIRECTED = pattern(
    r"(?<![<=-])>{1,2}\|?[ \t]*(?![&\s])([^\s;|&()<>]+)|\btee[ \t]+(?:-a[ \t]+)?([^\s;|&()<>]+)"
)
_MOUNTS = pattern(r"(?:^|\s)(?:-v|--volume|--mount)\b")
_ELSEWHERE = pattern(r"~|/tmp/|/dev/|/var/log/|\$\{?(?:HOME|TMP(?:DIR)?)\b")
_SOME = 2000  # characters of a command that are looked at
_MANY = 50  # variables of one command


def is_written(name: str, text: str) -> bool:
    """Whether an output of a command names a variable or a path. `text` is all of it, as written."""
    outputs, _ = _parted(text)
    return _mentions(name, outputs)


def is_operand(name: str, command: Sequence[str]) -> bool:
    """Whether a command names it otherwise than as the value of an option."""
    words = [("", command[0]), *pairwise(command)]
    return any(
        _mentions(name, word)
        for option, word in words
        if not word.startswith("-") and not option.startswith("-")
    )


def is_only_written(name: str, text: str, values: Mapping[str, str]) -> bool:
    """Whether a command names it as its output and nowhere else. `values` are those of the variables."""
    outputs, rest = _parted(text)
    for value in _values(rest, values):  # of `"${ARGS[@]}"`
        written, read = _parted(value)
        outputs, rest = f"{outputs} {written}", f"{rest} {read}"
    outputs = " ".join((outputs, *_values(outputs, values)))
    return _mentions(name, outputs) and not _mentions(name, rest)


def read_by(text: str, values: Mapping[str, str]) -> str:
    """What a command names otherwise than as its output. `values` are those of the variables."""
    _, rest = _parted(text)
    return " ".join((rest, *(_parted(value)[1] for value in _values(rest, values))))


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


def _parted(text: str) -> tuple[str, str]:
    """What a text names as output, and the rest of it."""
    outputs = [a or b for a, b in _REDIRECTED.findall(text[:_SOME])]
    words = _REDIRECTED.sub(" ", text[:_SOME]).replace("=", " ").replace("(", " ").replace(")", " ").split()
    options = [bool(_OPTION.fullmatch(word)) for word in words]
    after = [False, *options][: len(words)]
    outputs += [word for word, output in zip(words, after, strict=True) if output]
    return " ".join(outputs), " ".join(w for w, output in zip(words, after, strict=True) if not output)


def _values(text: str, values: Mapping[str, str]) -> Sequence[str]:
    return [values[name][:_SOME] for name in sorted(variables_read(text) & values.keys())[:_MANY]]


def _mentions(name: str, text: str) -> bool:
    return name in (variables_read(text) if name.isidentifier() else text)
