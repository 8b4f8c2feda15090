"""A patch somebody hands in (`git diff`, `git show`, or plain `diff -u`): its files and their hunks.

Every line must be understood. What is no part of a diff could be a change that nobody reviews
(`Only in …`, a combined diff) or words that pose as one (the message of a mail), so it is refused,
with the line. Only the counts of a hunk say where it ends: a row may look like anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.patchheader import (
    agree,
    check_whole,
    git_change,
    header_name,
    moved,
    plain_change,
)
from reviewbot.core.paths import path_text
from reviewbot.core.types import FileChange, Kind, Status

LINE_LIMIT = 8192  # bytes of a line outside the hunks
AGAIN = "make it again: git diff --output=FILE BASE HEAD"

PROLOGUE = re.compile(
    rb"(commit [0-9a-f]{40}|(Merge|Author|AuthorDate|Commit|CommitDate|Date|Notes):|    |$)"
)
FIELD = re.compile(
    rb"(old mode|new mode|deleted file mode|new file mode|rename from|rename to|copy from|copy to"
    rb"|similarity index|dissimilarity index|index) (.+)"
)
HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
BINARY = re.compile(rb"Binary files .* differ")
BINARY_ROW = re.compile(rb"(?:literal|delta) \d+$|[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+$|$")
PLAIN_NOISE = re.compile(rb"diff -[^-]|Index: |={10,}$|$")  # what diff -r and svn diff put before a file
REFUSED = (
    (rb"\x1b\[", "has colour codes", "make it again: git diff --no-color"),
    (rb"diff --(cc|combined) ", "is the combined diff of a merge, which cannot be reviewed", AGAIN),
    (
        rb"(From [0-9a-f]{40}|From:|Subject:|Return-Path:|Received:) ?",
        "is a mail, not a diff",
        f"take the .diff, not the .patch, or {AGAIN}",
    ),
    (rb"commit [0-9a-f]{40}", "holds more than one commit", AGAIN),
    (rb"Only in ", "names a file without its content", "make it again: diff -ruN OLD NEW"),
    (rb".*\r$", "has CRLF line ends", AGAIN),
)


class FilePatch(NamedTuple):
    """One file of a patch: `file` has no hunks, and blob ids as they are written, so maybe short."""

    file: FileChange
    hunks: bytes  # behind an LF, as parse_hunks takes them


def parse_patch(data: bytes, name: str) -> list[FilePatch]:
    """The files of a patch called `name`. Raises UsageError with the line."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise UsageError(f"{name} is UTF-16", AGAIN)
    if not data.strip():
        raise UsageError(f"{name} is empty", "did the command that writes it fail? (bash: set -o pipefail)")
    scanner = _Scanner(data, name)
    patches = list(scanner.files())
    if not patches:
        raise UsageError(f"{name} holds no change that could be read", AGAIN)
    return _unique(patches, name)


def _unique(patches: Iterable[FilePatch], name: str) -> list[FilePatch]:
    """One entry a path: a change of type is written as a deletion and an addition."""
    found: dict[str, FilePatch] = {}
    for patch in patches:
        file = patch.file
        if earlier := found.get(file.path):
            old = earlier.file
            if (old.status, file.status) != (Status.DELETED, Status.ADDED) or old.kind is file.kind:
                raise UsageError(f"{name} changes {file.path!r} twice", AGAIN)
            file = file._replace(status=Status.TYPE_CHANGED, old_path=old.path)
            patch = patch._replace(file=file._replace(old_mode=old.old_mode, old_blob=old.old_blob))
        found[file.path] = patch
    return list(found.values())


class _Scanner:
    """Walks the lines of a patch once; `at` is the index of the next one."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.lines = data.removesuffix(b"\n").split(b"\n")
        self.at = 0

    def files(self) -> Iterator[FilePatch]:
        if self.lines[0].startswith(b"commit "):
            while self.at < len(self.lines) and PROLOGUE.match(self.lines[self.at]):
                self.at += 1
        while (line := self._line()) is not None:
            try:
                if line.startswith(b"diff --git "):
                    yield self._git_file()
                elif line.startswith(b"--- "):
                    yield self._plain_file()
                elif PLAIN_NOISE.match(line):
                    self.at += 1
                else:
                    raise ValueError(f"this is no line of a git diff: {path_text(line[:60])!r}")
            except ValueError as error:
                raise self._refusal(str(error)) from error

    def _refusal(self, message: str) -> UsageError:
        line = self.lines[self.at] if self.at < len(self.lines) else b""
        place = f"{self.name}:{self.at + 1}"
        for pattern, what, remedy in REFUSED:
            if re.match(pattern, line):
                return UsageError(f"{place}: the patch {what}", remedy)
        return UsageError(f"{place}: {message}", AGAIN)

    def _line(self) -> bytes | None:
        """The next line outside the hunks; None at the end."""
        if self.at == len(self.lines):
            return None
        if len(self.lines[self.at]) > LINE_LIMIT:
            raise self._refusal(f"a line of more than {LINE_LIMIT} bytes outside the hunks")
        return self.lines[self.at]

    def _git_file(self) -> FilePatch:
        names = self.lines[self.at].removeprefix(b"diff --git ")
        name = header_name(names)
        begin = self.at
        fields = self._fields(first=begin + 1)
        old, new = (moved(fields, end) or name for end in ("from", "to"))
        if not old or not new:
            self.at = begin
            raise ValueError(f"the names are not understood: {path_text(names)!r}")
        file = git_change(old, new, fields)
        if self._binary():
            return FilePatch(file._replace(binary=file.kind is Kind.FILE), b"")
        marks = self._marks()
        if marks and not agree(marks, old, new, file.status):
            raise ValueError(f"the names do not agree: {path_text(names)!r}")
        hunks = self._hunks() if marks else b""
        check_whole(file, hunks)
        return FilePatch(file, hunks)

    def _fields(self, first: int) -> dict[str, bytes]:
        """The lines between `diff --git` and the hunks: modes, renames, ids."""
        fields: dict[str, bytes] = {}
        self.at = first
        while (line := self._line()) is not None and (match := FIELD.fullmatch(line)):
            fields[match[1].decode("ascii")] = match[2]
            self.at += 1
        return fields

    def _binary(self) -> bool:
        first = self._line() or b""
        if BINARY.fullmatch(first):
            self.at += 1
            return True
        if first != b"GIT binary patch":
            return False
        self.at += 1
        while (line := self._line()) is not None and BINARY_ROW.match(line):
            self.at += 1
        return True

    def _plain_file(self) -> FilePatch:
        marks = self._marks()
        if not marks:
            raise ValueError("a --- line without its +++ line")
        hunks = self._hunks()
        if not hunks:
            raise ValueError("a file without a hunk")
        return FilePatch(plain_change(*marks, hunks), hunks)

    def _marks(self) -> tuple[bytes, bytes] | None:
        """What stands behind `---` and `+++`, if these lines are next."""
        old, new = ((*self.lines[self.at : self.at + 2], b"", b""))[:2]
        if not (old.startswith(b"--- ") and new.startswith(b"+++ ")):
            return None
        self.at += 2
        return old[4:], new[4:]

    def _hunks(self) -> bytes:
        rows = [b""]
        old_end = new_end = 0
        while (line := self._line() or b"").startswith(b"@@ -"):
            match = HUNK.match(line)
            if not match:
                raise ValueError("this is no hunk header")
            old, old_count, new, new_count = (int(n) if n else 1 for n in match.groups())
            old, new = old - bool(old_count), new - bool(new_count)  # without rows: the line before
            if old < old_end or new < new_end:
                raise ValueError("the hunks are not in order")
            old_end, new_end = old + old_count, new + new_count
            rows.append(line)
            self.at += 1
            self._rows(rows, old_count, new_count)
        return b"\n".join(rows) if len(rows) > 1 else b""

    def _rows(self, rows: list[bytes], old: int, new: int) -> None:
        """Takes the rows of one hunk: `old` of base and `new` of head."""
        while old or new:
            if self.at == len(self.lines):
                raise ValueError(f"the patch ends within a hunk, {max(old, new)} or more rows are missing")
            row = self.lines[self.at]
            if row in (b"", b"\r"):  # an empty context line whose blank some tool has trimmed
                row = b" " + row
            mark = row[:1]
            if mark == b"\\" and rows[-1][:1] in (b" ", b"+", b"-"):
                rows.append(row)
                self.at += 1
                continue
            old, new = old - (mark != b"+"), new - (mark != b"-")
            if mark not in (b" ", b"+", b"-") or min(old, new) < 0:
                raise ValueError("this row does not belong to the hunk that its header announces")
            rows.append(row)
            self.at += 1
        if self.at < len(self.lines) and self.lines[self.at].startswith(b"\\ "):
            rows.append(self.lines[self.at])
            self.at += 1
