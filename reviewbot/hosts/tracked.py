"""The files that git tracks in a work tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from reviewbot.core.paths import path_text
from reviewbot.hosts.git import Git
from reviewbot.hosts.worktree import read_file

FILES = (b"100644", b"100755")
SNIFFED = 256  # bytes; the first line of a script is shorter


def tracked_files(git: Git) -> tuple[str, ...]:
    """Their paths, links and submodules left out."""
    rows = git.ask("ls-files", "--stage", "-z").split(b"\0")[:-1]
    paths = (row.partition(b"\t")[2] for row in rows if row.startswith(FILES))
    return tuple(path_text(path) for path in dict.fromkeys(paths))  # a conflict lists a path three times


def first_lines(git: Git, paths: Collection[str]) -> Mapping[str, str]:
    """The first line of each of these files as it lies on the disk; "" where it cannot be read."""
    return {path: _first_line(git.folder, path) for path in paths}


def _first_line(top: str, path: str) -> str:
    try:
        return path_text(read_file(top, path, SNIFFED)[1].partition(b"\n")[0])
    except OSError:
        return ""
