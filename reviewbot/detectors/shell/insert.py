"""Commands put in front of statements of a script, as one edit."""

from __future__ import annotations

from collections.abc import Mapping

from reviewbot.core.types import Edit
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

MAX_LINES = 20  # of an edit; nobody reads a longer suggestion


def insert_before(file: ShellFile, commands: Mapping[Node, str]) -> Edit | None:
    """Each command in front of its statement; on a line of its own where the statement begins its line.

    None where the statements stand further apart than MAX_LINES.
    """
    places = sorted(commands, key=lambda statement: statement.start)
    start, end = places[0].line, places[-1].line
    if end - start >= MAX_LINES:
        return None
    rows = list(file.text.lines[start - 1 : end])
    for place in reversed(places):  # from the back, so that the rows before keep their numbers
        at = place.line - start
        column = place.start - file.text.content.rfind("\n", 0, place.start) - 1
        before, behind = rows[at][:column], rows[at][column:]
        if before.strip():
            rows[at] = f"{before}{commands[place]}; {behind}"
        else:
            rows.insert(at, before + commands[place])
    return Edit(start, end, "\n".join(rows))
