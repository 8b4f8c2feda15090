"""The change in a patch file. No repository is needed; one that has the blobs completes the texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar

from reviewbot.core.diff import PATCH_LIMIT, holds_nul
from reviewbot.core.errors import UsageError
from reviewbot.core.hunks import apply, inverted, parse_hunks, sparse
from reviewbot.core.patchfile import FilePatch, parse_patch
from reviewbot.core.paths import past_limit, path_bytes, path_text
from reviewbot.core.types import BINARY, Change, FileChange, Hunk, Kind, Side, Status, Text, Texts
from reviewbot.hosts.git import Git
from reviewbot.hosts.running import Blob
from reviewbot.hosts.texts import TEXT_LIMIT, decoded, no_file, sorted_out

# What a patch holds from end to end. A file whose type changed is new as a file.
WHOLE = {(Status.ADDED, Side.RIGHT), (Status.TYPE_CHANGED, Side.RIGHT), (Status.DELETED, Side.LEFT)}


@dataclass(frozen=True)
class PatchSource:
    """A Source. `git` is a repository that may have the blobs."""

    patches: tuple[FilePatch, ...]
    name: str
    git: Git | None = None
    limit: int = TEXT_LIMIT
    no_tree: ClassVar[str] = "a patch does not say on what tree it stands"

    @classmethod
    def open(
        cls, patch: bytes, name: str, repository: str | None = None, *, limit: int = TEXT_LIMIT
    ) -> PatchSource:
        """The change in the text `patch`, called `name`; `repository` is a folder that may be in one.

        Raises UsageError, with the patch's line, for what is no plain diff.
        """
        patches = tuple(parse_patch(patch, name))
        git = None
        if repository is not None:
            with suppress(UsageError):  # a repository only helps, so the lack of one is no error
                git = Git.open(repository)
        return cls(patches, name, git, limit)

    def change(self, wanted: Callable[[FileChange], bool]) -> Change:
        chosen = {patch.file.path for patch in self.patches if wanted(patch.file)}
        files = self._identified([_parsed(patch, patch.file.path in chosen) for patch in self.patches])
        count = sum(1 for file in files if file.path in chosen and _is_partial(file))
        notes = []
        if self.git:
            notes.append("the repository's own skills and configuration are not read for a patch")
        if count:
            those = "1 file" if count == 1 else f"{count} files"
            notes.append(f"only the hunks of {self.name} were read: {those} without the whole text")
        return Change(None, None, tuple(files), self.name, notes=tuple(notes))

    def read(self, change: Change, side: Side, paths: Collection[str]) -> Texts:
        files = {file.path: file for file in change.files}
        asked = [(path, files.get(path)) for path in dict.fromkeys(paths)]
        blobs = self._blobs(id for _, file in asked if file for id in (file.old_blob, file.new_blob) if id)
        return sorted_out(side, ((path, self._text(file, side, blobs)) for path, file in asked))

    @property
    def place(self) -> None:
        """Nowhere: a patch does not say on what it stands."""

    def base_files(self, paths: Sequence[str], below: Sequence[str] = ()) -> Mapping[str, bytes]:
        """None: a patch does not say on what it stands, and HEAD may be what it changes."""
        return {}

    def _blobs(self, ids: Iterable[str]) -> dict[str, Blob]:
        """The blobs that the repository has of these, by the ids asked for, cut behind the limit."""
        names = list(dict.fromkeys(ids))
        if self.git is None:
            return {}
        found = self.git.blobs([name.encode("ascii") for name in names], self.limit + 1)
        return {name: blob for name, blob in zip(names, found, strict=True) if blob}

    def _identified(self, files: list[FileChange]) -> list[FileChange]:
        """The files with the full ids of the blobs that the hunks fit; a short id may be another's."""
        blobs = self._blobs(id for file in files if file.hunks for id in (file.old_blob, file.new_blob) if id)

        def full(id: str | None, hunks: tuple[Hunk, ...]) -> str | None:
            blob = blobs.get(id or "") if hunks else None
            fits = blob and (blob.size > self.limit or _applied(hunks, blob, True) is not None)
            return blob.id if blob and fits else None

        return [
            f._replace(old_blob=full(f.old_blob, f.hunks), new_blob=full(f.new_blob, inverted(f.hunks)))
            for f in files
        ]

    def _text(self, file: FileChange | None, side: Side, blobs: Mapping[str, Blob]) -> Text | str:
        if file is None:
            return "not part of the change"
        if why := file.unread or no_file(file, side) or (BINARY if file.binary and not file.hunks else ""):
            return why
        head = side is Side.RIGHT
        own, other = (file.new_blob, file.old_blob) if head else (file.old_blob, file.new_blob)
        hunks = file.hunks if head else inverted(file.hunks)
        ends_in_newline = file.eof_newline[head]
        if (file.status, side) in WHOLE:
            return self._decoded(file, apply(hunks, "", ends_in_newline))
        if blob := blobs.get(own or ""):
            return decoded(file.path, blob.size, blob.content, self.limit)
        if blob := blobs.get(other or ""):
            text = _applied(hunks, blob, ends_in_newline)
            return "its other side is past the limit" if text is None else self._decoded(file, text)
        last = max((hunk.new_start + hunk.new_count for hunk in hunks), default=0)
        if last > self.limit:  # as many line ends would have to be made up
            return f"more than {past_limit(last, self.limit)}"
        text_or_why = self._decoded(file, sparse(hunks, Side.RIGHT))
        return replace(text_or_why, partial=True) if isinstance(text_or_why, Text) else text_or_why

    def _decoded(self, file: FileChange, text: str) -> Text | str:
        content = path_bytes(text)
        return decoded(file.path, len(content), content, self.limit)


def _parsed(patch: FilePatch, wanted: bool) -> FileChange:
    """One file with its hunks, if they are wanted."""
    file = patch.file
    if file.kind is not Kind.FILE or file.binary:
        return file
    file = file._replace(binary=holds_nul(file, patch.hunks))
    if not wanted:
        return file
    if len(patch.hunks) > PATCH_LIMIT:
        return file._replace(unread=f"its diff is {past_limit(len(patch.hunks), PATCH_LIMIT)}")
    hunks, eof_newline = parse_hunks(patch.hunks)
    return file._replace(hunks=hunks, eof_newline=eof_newline)


def _is_partial(file: FileChange) -> bool:
    readable = file.kind is Kind.FILE and not file.binary and not file.unread
    whole = file.old_blob or file.new_blob or any(file.status is status for status, _ in WHOLE)
    return readable and not whole


def _applied(hunks: Iterable[Hunk], blob: Blob, ends_in_newline: bool) -> str | None:
    """The other side of a blob; None where the hunks do not fit."""
    try:
        return apply(hunks, path_text(blob.content), ends_in_newline)
    except ValueError:
        return None
