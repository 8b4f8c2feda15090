"""What git says about a change, read without trusting a name or a byte of it.

`git diff-tree --raw -p -z` answers twice in one stream: first the list (modes, ids, statuses,
names as bytes between NULs), then one patch a file in the same order. The list is believed; a
patch belongs to an entry if its first line is the very line that git writes for that entry, so
no name is ever taken from a patch. unidiff checks the hunks, one file at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from reviewbot.core.errors import UsageError
from reviewbot.core.hunks import parse_hunks
from reviewbot.core.paths import is_safe, past_limit, path_bytes, path_text, quoted
from reviewbot.core.types import FileChange, Kind, Status

# Bytes of one file's patch that are held in memory (unidiff and the rows take about 4 times as much).
PATCH_LIMIT = 16_000_000

STATUS = {
    "A": Status.ADDED,
    "M": Status.MODIFIED,
    "D": Status.DELETED,
    "R": Status.RENAMED,
    "C": Status.COPIED,
    "T": Status.TYPE_CHANGED,
}
KIND = {"120000": Kind.SYMLINK, "160000": Kind.SUBMODULE}
MARK = b"\ndiff --git "
# In a line of a patch that head has: a NUL byte that is taken away makes nothing binary.
NUL_AT_HEAD = re.compile(rb"^[^-\n\0][^\n\0]*\0", re.MULTILINE)


def header(file: FileChange) -> bytes:
    """The first line, without its LF, of the patch that git writes for this entry."""
    old = quoted(b"a/" + path_bytes(file.old_path or file.path))
    new = quoted(b"b/" + path_bytes(file.path))
    return b"diff --git " + old + b" " + new


def take_raw(chunks: Iterator[bytes]) -> tuple[list[FileChange], Iterator[bytes]]:
    """Takes the list off the front of the stream; returns it and the rest, which is the patches.

    No field of the list is empty, so the first two NULs in a row are its end.
    """
    head = bytearray()
    for chunk in chunks:
        start = max(0, len(head) - 1)
        head += chunk
        end = head.find(b"\0\0", start)
        if end >= 0:
            return parse_raw(bytes(head[:end])), chain((bytes(head[end + 2 :]),), chunks)
    return parse_raw(bytes(head).rstrip(b"\0")), iter(())


def parse_raw(raw: bytes) -> list[FileChange]:
    """The entries of `--raw -z --no-abbrev`, without hunks. Raises UsageError for an unresolved merge
    and for a path that leaves the repository (git prints whatever a forged tree object holds)."""
    fields = iter(raw.split(b"\0") if raw else ())
    files = []
    for field in fields:
        old_mode, new_mode, old_id, new_id, letter = field.decode("ascii").lstrip(":").split(" ")
        names = [path_text(next(fields)) for _ in range(2 if letter[0] in "RC" else 1)]
        old_path, path = names[0], names[-1]
        if letter[0] not in STATUS:
            raise UsageError(f"{path!r} has merge conflicts", "resolve them first")
        if not (is_safe(path) and is_safe(old_path)):
            raise UsageError(f"the change holds a path that no checkout would accept: {path!r}")
        files.append(
            FileChange(
                path,
                STATUS[letter[0]],
                KIND.get(old_mode if letter == "D" else new_mode, Kind.FILE),
                old_path=None if letter == "A" else old_path,
                old_mode=old_mode,
                new_mode=new_mode,
                old_blob=old_id if old_id.strip("0") else None,
                new_blob=new_id if new_id.strip("0") else None,
            )
        )
    return files


def holds_nul(file: FileChange, patch: bytes) -> bool:
    """Whether lines of its patch show a NUL byte in the file: at head, or at base if it is deleted."""
    if file.kind is not Kind.FILE or b"\0" not in patch:
        return False
    return file.status is Status.DELETED or NUL_AT_HEAD.search(patch) is not None


def cut(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Cuts a stream of patches; yields (first line, b"") where a patch begins, else (b"", piece of it).

    Rows of hunks begin with a mark, and names with a line end are quoted, so `diff --git ` stands
    at the start of a line only where a patch begins. A piece may end anywhere.
    """
    held = b"\n"
    for chunk in chunks:
        held += chunk
        at = held.find(MARK)
        while at >= 0 and (end := held.find(b"\n", at + 1)) >= 0:
            yield b"", held[:at]
            yield held[at + 1 : end], b""
            held = held[end:]
            at = held.find(MARK)
        if at < 0:
            keep = max(0, len(held) - len(MARK) + 1)
            yield b"", held[:keep]
            held = held[keep:]
    yield b"", held


class _Patch:
    """The patch of one entry while it streams by; only that of a wanted file is held."""

    def __init__(self, file: FileChange, first_line: bytes, wanted: bool) -> None:
        self.file = file
        self.first_line = first_line
        self.wanted = wanted and file.kind is Kind.FILE
        self.pieces: list[bytes] = []
        self._begin()

    def _begin(self) -> None:
        self.binary = False
        self.size = 0
        self.pieces.clear()
        self.mark = b""  # the first byte of the line in which the last piece broke off

    def restarts(self, first_line: bytes) -> bool:
        """A change of type is two patches, a deletion and an addition; the second one stays."""
        if self.file.status is not Status.TYPE_CHANGED or first_line != self.first_line:
            return False
        self._begin()
        return True

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        lines = self.mark + piece
        self.binary = self.binary or holds_nul(self.file, lines)
        start = lines.rfind(b"\n") + 1
        self.mark = lines[start : start + 1]
        if self.wanted and self.size <= PATCH_LIMIT:
            self.pieces.append(piece)

    def close(self) -> FileChange:
        if not self.wanted or self.binary:
            return self.file._replace(binary=self.binary)
        if self.size > PATCH_LIMIT:
            return self.file._replace(unread=f"its diff is {past_limit(self.size, PATCH_LIMIT)}")
        try:
            hunks, eof_newline = parse_hunks(b"".join(self.pieces))
        except ValueError as error:
            raise UsageError(f"git's patch of {self.file.path!r} cannot be read: {error}") from error
        return self.file._replace(hunks=hunks, eof_newline=eof_newline)


def attach(
    files: Iterable[FileChange], chunks: Iterable[bytes], wanted: Callable[[FileChange], bool]
) -> Iterator[FileChange]:
    """The entries, in order, with what their patches say: binary or not, and the hunks of the wanted.

    An entry of the work tree without a patch has a new time stamp and nothing else; it is left out.
    Raises UsageError where the patches are not those of the entries.
    """
    entries = iter(files)
    patch: _Patch | None = None
    for first_line, piece in cut(chunks):
        if first_line and not (patch and patch.restarts(first_line)):
            if patch:
                yield patch.close()
            file = next((f for f in entries if _begins(f, first_line)), None)
            if file is None:
                raise UsageError(f"git's list lacks the file of this patch: {path_text(first_line)!r}")
            patch = _Patch(file, first_line, wanted(file))
        elif patch:
            patch.add(piece)
    if patch:
        yield patch.close()
    for file in entries:
        _begins(file, b"")


def _begins(file: FileChange, first_line: bytes) -> bool:
    if header(file) == first_line:
        return True
    if file.status is Status.MODIFIED and file.new_blob is None and file.old_mode == file.new_mode:
        return False
    raise UsageError(f"git listed {file.path!r} and wrote no patch for it")
