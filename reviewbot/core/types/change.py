"""What is reviewed: a change, its files, their hunks, and the texts of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple


class Side(StrEnum):
    """Which text a place is in, in GitHub's words: RIGHT is head, LEFT is base."""

    RIGHT = "RIGHT"
    LEFT = "LEFT"


class Status(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"
    COPIED = "copied"
    TYPE_CHANGED = "type-changed"


class Kind(StrEnum):
    """What git stores under a path at the side that is reviewed."""

    FILE = "file"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"


class Line(NamedTuple):
    """One row of a hunk. `old` and `new` are None on the side where the row does not exist."""

    mark: str  # " ", "+" or "-"
    old: int | None
    new: int | None
    text: str  # without the LF; a CR before it is kept


class Hunk(NamedTuple):
    """One hunk. Starts are 1-based; a count of 0 means that the side has no row here."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    rows: tuple[str, ...]  # mark + text, LF cut, "\\ No newline" markers left out
    header: str = ""  # the text after the second @@

    def lines(self) -> Iterator[Line]:
        old, new = self.old_start, self.new_start
        for row in self.rows:
            mark, text = row[:1], row[1:]
            yield Line(mark, old if mark != "+" else None, new if mark != "-" else None, text)
            old += mark != "+"
            new += mark != "-"


class FileChange(NamedTuple):
    """One changed file. `hunks` is empty until the file is in some skill's scope."""

    path: str  # at head; at base for a deleted file
    status: Status
    kind: Kind = Kind.FILE
    old_path: str | None = None  # at base; None for an added file
    old_mode: str = "000000"
    new_mode: str = "000000"
    old_blob: str | None = None  # full object id; None where the side has no blob in git
    new_blob: str | None = None
    binary: bool = False  # a NUL byte at head (deleted: at base), or git wrote no hunks for differing blobs
    hunks: tuple[Hunk, ...] = ()
    eof_newline: tuple[bool, bool] = (True, True)  # whether base and head end in LF, as far as hunks show
    unread: str = ""  # why a wanted file has no hunks: "its diff is 35 MB, the limit is 16 MB"


class Change(NamedTuple):
    """What is reviewed: the files that differ between `base` and `head`.

    `base` is the merge base (the commit compared with), `head` the commit reviewed; None
    stands for the work tree, the index, or a patch without a repository.
    """

    base: str | None
    head: str | None
    files: tuple[FileChange, ...]
    label: str = ""  # for people: "main...HEAD", "work tree", "fix.patch"
    attributes: Mapping[str, str] = MappingProxyType({})  # path of .gitattributes -> text, at base
    notes: tuple[str, ...] = ()  # said in the verdict line: "only the hunks of the patch were read"
    whole: bool = False  # a whole tree, every file as if it were added: there is nothing to compare with


@dataclass(frozen=True)
class Text:
    """The text of one file at one side, decoded once; everybody reads these bytes.

    `content` keeps its line ends. `partial` is True where only the hunks of a patch are
    known: unknown lines are then empty, so that line numbers still hold.
    """

    path: str
    content: str
    partial: bool = False

    @property
    def first_line(self) -> str:
        return self.content.split("\n", 1)[0].removesuffix("\r")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their LF and without one CR before it; no empty last line."""
        rows = self.content.split("\n")
        if rows and not rows[-1]:
            rows.pop()
        return tuple(row[:-1] if row.endswith("\r") else row for row in rows)

    def quote(self, start: int, end: int | None = None) -> str:
        """The lines `start`..`end` (inclusive) joined by LF."""
        return "\n".join(self.lines[start - 1 : end or start])


ABSENT = "absent"  # the reason in Texts.unread for a path that a side does not have
BINARY = "binary"  # and for one that is neither text nor a script


class Texts(NamedTuple):
    """What was read of one side. Every path asked for is in exactly one of the two maps."""

    side: Side
    files: Mapping[str, Text]
    unread: Mapping[str, str] = MappingProxyType({})  # path -> why: "not UTF-8", "2.1 MB, the limit is 1 MB"

    def first_lines(self) -> dict[str, str]:
        """By path. A file whose first line is not known may be any script: it is claimed, and named.
        A binary one has been looked at and is none."""
        read = {path: t.first_line for path, t in self.files.items() if t.first_line or not t.partial}
        unread = (path for path, why in self.unread.items() if why != BINARY)
        return dict.fromkeys((*self.files, *unread), "#!/bin/sh") | read
