"""Backups: commands that write a file which nobody needs until the day on which it is all there is."""

from __future__ import annotations

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

_DUMPS = pattern(r"(?:pg_|mysql|mongo|mariadb-)dump(?:all)?")
_TARS = pattern(r"-?\w*c\w*f")
_OPTION = pattern(r"(?:-f|-r|--file|--out|--archive|--result-file)(?:=(.+))?")
_INTO = pattern(r"(?<![-=<0-9&])1?>{1,2}[ \t]*(\"[^\"]+\"|[^\s;&|]+)")
_SOME = 500  # characters of redirections that are read


def dumped_to(file: ShellFile, command: Node) -> str:
    """The file that a dump or a `tar -c` writes, as written there; "" for other commands."""
    words = command.words
    if command.name == "tar":
        return words[2] if len(words) > 2 and _TARS.fullmatch(words[1]) and words[2] != "-" else ""
    if not _DUMPS.fullmatch(command.name):
        return ""
    for at, word in enumerate(words):
        if found := _OPTION.fullmatch(word):
            return found[1] or (words[at + 1] if at + 1 < len(words) else "")
    whole = whole_command(command)
    into = _INTO.search(file.text.content, command.end, min(whole.end, command.end + _SOME))
    return into[1] if into else ""
