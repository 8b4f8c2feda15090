"""What of a shared folder two commands work on: `$OUT/a` is not `$OUT/b`, and a copy not its source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.script import variables_read

# A word that is a file in the folder of a variable, but for what a run leaves behind.
_FILE = pattern(
    r"(?<![^\s\"'=(])\$\{?([A-Za-z_]\w*)\}?((?:/[^\s\"'/;|&()<>`]+)*"
    r"/[^\s\"'/;|&()<>`]*\.(?!(?:log|out|err|pid|done|lock)\b)[A-Za-z]\w{0,11})(?=[\s\"')]|$)"
)
_SOME = 2000  # characters of a command; a longer one may use the folder in any way
_MANY = 20  # uses of one variable, or variables of one command


def rests(name: str, text: str) -> frozenset[str]:
    """What stands behind a variable in each word that reads it: "/a.json" of `"$OUT"/a.json`."""
    uses = re.findall(rf"\$(?:{name}\b|\{{{name}\b[^{{}}]{{0,80}}\}})([^\s;|&()`]*)", text)
    return frozenset(use.replace('"', "").rstrip("/*") for use in uses)


def apart(name: str, ours: str, theirs: str, values: Mapping[str, str]) -> bool:
    """Whether two commands, as written, name by a variable only the folder of different things.

    `values` are those of the other variables: name -> text.
    """
    if len(ours) > _SOME or len(theirs) > _SOME:
        return False
    read = variables_read(theirs) & values.keys() - {name}
    made = " ".join(values[other][:_SOME] for other in islice(sorted(read), _MANY))
    mine, others = rests(name, ours), rests(name, f"{theirs} {made}")
    if not mine or not others or max(len(mine), len(others), len(read)) > _MANY:
        return False
    if not all(rest.startswith("/") for rest in mine | others):
        return False
    return not any(f"{a}/".startswith(f"{b}/") or f"{b}/".startswith(f"{a}/") for a in mine for b in others)


def same_files(ours: str, theirs: str) -> frozenset[str]:
    """The variables by which two texts name the same file in a folder."""
    mine, others = (set(_FILE.findall(text[:_SOME].replace('"/', "/"))) for text in (ours, theirs))
    return frozenset(name for name, _ in mine & others)


def set_aside(command: Sequence[str]) -> str | None:
    """The copy that `cp A A.org` leaves beside its source; None of any other command. `command` is `bare`."""
    operands = [word.replace('"', "") for word in command[1:] if not word.startswith("-")]
    if command[0] not in ("cp", "mv") or len(operands) != 2:
        return None
    source, copy = operands
    return copy if copy.startswith(source) and copy[len(source) : len(source) + 1] in tuple("._-~") else None
