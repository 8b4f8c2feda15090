"""What is around a change, read when somebody asks: a Library over git, and one over a patch.

A search lets git name the files and reads the lines itself, so that a line that is found is the line
that everybody else reads. In a work tree git would follow a folder that became a link, so there the
files are read one by one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import islice
from select import select
from time import monotonic

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_bytes, path_text
from reviewbot.core.ports import SEARCHED, UNREAD
from reviewbot.core.types import Change, Side, Text
from reviewbot.hosts.git import Git
from reviewbot.hosts.local import LocalSource
from reviewbot.hosts.patch import PatchSource
from reviewbot.hosts.running import CHUNK, Running, failed, start
from reviewbot.hosts.texts import decoded
from reviewbot.hosts.worktree import read_file, whole_index

SECONDS = 10.0  # that one search may take
KEPT = 64  # texts that stay in memory, each as large as a reviewed file at most
NO_TREE = "a patch has no tree around it"
LATE = f"the search takes longer than {SECONDS:g} s"

# -a: an attribute of the change can call its code binary. -f -: no pattern is too long for a command line.
GREP = (
    *("grep", "--files-with-matches", "-z", "--fixed-strings", "-a", "--no-textconv"),
    *("--no-recurse-submodules", "--full-name", "--no-color", "-f", "-"),
)
Listing = Mapping[str, bytes]  # path -> name of its blob; b"" for a file on the disk
Content = tuple[str, int, bytes]  # path, size, the first bytes


class GitLibrary:
    """A Library on the commits, the index or the work tree that a source compares."""

    def __init__(self, source: LocalSource) -> None:
        self._source = source
        self._listing = lru_cache(maxsize=None)(self._list)
        self._text = lru_cache(maxsize=KEPT)(self._read)

    def paths(self, side: Side) -> Sequence[str]:
        return tuple(self._listing(side))

    def text(self, side: Side, path: str) -> Text | None:
        return self._text(side, path)

    def search(self, side: Side, words: str, below: str = "") -> Sequence[tuple[str, int, str]]:
        pattern = words.encode("utf-8", "replace")
        paths = [path for path in self._listing(side) if _is_below(path, below)]
        if not paths or not words or "\n" in words or "\0" in words or pattern.decode() != words:
            return ()  # no line can hold these
        if self._on_disk(side):
            found = self._with_words(paths, pattern)
        else:
            found = self._stored(side, self._named_by_git(side, pattern, below))
        return tuple(islice(self._rows(found, words), SEARCHED))

    def _on_disk(self, side: Side) -> bool:
        return side is Side.RIGHT and self._source.mode == "worktree"

    def _commit(self, side: Side) -> str | None:
        """None: the side is the index or the work tree."""
        return self._source.base if side is Side.LEFT else self._source.head

    def _list(self, side: Side) -> Listing:
        """The regular files, sorted."""
        if self._on_disk(side):
            with whole_index(self._source.git, self._source.base) as (git, aside):
                rows = _entries(git.ask("ls-files", "--stage", "-z"))
                gone = set(git.ask("ls-files", "--deleted", "-z").split(b"\0"))
            found = {path_text(path): b"" for path, mode, _ in rows if _is_file(mode) and path not in gone}
            found |= dict.fromkeys(aside, b"")
        else:
            commit = self._commit(side)
            asked = (
                ("ls-tree", "-r", "-z", "--full-tree", commit) if commit else ("ls-files", "--stage", "-z")
            )
            rows = _entries(self._source.git.ask(*asked))
            found = {path_text(path): name for path, mode, name in rows if _is_file(mode)}
        return dict(sorted(found.items()))

    def _read(self, side: Side, path: str) -> Text | None:
        if path not in self._listing(side):
            return None
        contents = self._from_disk([path]) if self._on_disk(side) else self._stored(side, [path])
        return next((text for text in map(self._decoded, contents) if text), None)

    def _decoded(self, content: Content) -> Text | None:
        text = decoded(*content, self._source.limit)
        return text if isinstance(text, Text) else None

    def _rows(self, contents: Iterable[Content], words: str) -> Iterator[tuple[str, int, str]]:
        for content in contents:
            if text := self._decoded(content):
                yield from ((text.path, n, line) for n, line in enumerate(text.lines, 1) if words in line)
            else:
                yield content[0], UNREAD, ""

    def _stored(self, side: Side, paths: Sequence[str]) -> Iterator[Content]:
        names = [self._listing(side)[path] for path in paths]
        blobs = self._source.git.blobs(names, self._source.limit + 1)
        for path, blob in zip(paths, blobs, strict=True):
            if blob:
                yield path, blob.size, blob.content

    def _from_disk(self, paths: Iterable[str]) -> Iterator[Content]:
        for path in paths:
            with suppress(OSError):  # a link, or gone meanwhile
                yield path, *read_file(self._source.git.folder, path, self._source.limit + 1)

    def _with_words(self, paths: Iterable[str], pattern: bytes) -> Iterator[Content]:
        deadline = monotonic() + SECONDS
        for content in self._from_disk(paths):
            if monotonic() > deadline:
                raise UsageError(LATE)
            if pattern in content[2] or content[1] > len(content[2]):  # it may stand behind what was read
                yield content

    def _named_by_git(self, side: Side, pattern: bytes, below: str) -> list[str]:
        """The files that may hold the words, sorted."""
        commit = self._commit(side)
        if commit:
            self._source.git.complete(commit)
        where = [commit] if commit else ["--cached"]
        git = self._source.git.without_index() if commit else self._source.git
        folder = ["--", os.fsdecode(path_bytes(below))] if below else []
        names = _listed(git, (*GREP, *where, *folder), pattern)
        prefix = f"{commit}:" if commit else ""
        paths = (path_text(name).removeprefix(prefix) for name in names)
        return sorted(path for path in paths if path in self._listing(side))


class PatchLibrary:
    """A Library on the files of a patch alone: of all others nothing is known, and nothing is said."""

    def __init__(self, source: PatchSource) -> None:
        self._source = source

    def paths(self, side: Side) -> Sequence[str]:
        raise UsageError(NO_TREE)

    def text(self, side: Side, path: str) -> Text | None:
        for file in self._change.files:
            if path == (file.path if side is Side.RIGHT else file.old_path or file.path):
                return self._source.read(self._change, side, [file.path]).files.get(file.path)
        raise UsageError(f"{path}: {NO_TREE}")

    def search(self, side: Side, words: str, below: str = "") -> Sequence[tuple[str, int, str]]:
        raise UsageError(NO_TREE)

    @cached_property
    def _change(self) -> Change:
        return self._source.change(lambda file: True)


def _is_below(path: str, below: str) -> bool:
    return not below or path == below or path.startswith(f"{below}/")


def _is_file(mode: bytes) -> bool:
    return mode.startswith(b"100")


def _entries(listed: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The path, mode and blob of each row of `ls-tree`, and of `ls-files` where no merge is unresolved."""
    for row in listed.split(b"\0")[:-1]:
        about, _, path = row.partition(b"\t")
        mode, *kind, last = about.split(b" ")
        if kind == [b"blob"]:
            yield path, mode, last
        elif last == b"0":
            yield path, mode, kind[0]


def _listed(git: Git, args: Sequence[str], stdin: bytes) -> list[bytes]:
    """The names that a `git grep` gives, all in time or not at all. Raises UsageError."""
    running = Running(start(git.folder, git.environment, args), args, stdin)
    deadline = monotonic() + SECONDS
    chunks: list[bytes] = []
    try:
        while True:
            ready, _, _ = select([running.out], [], [], max(0.0, deadline - monotonic()))
            if not ready:
                raise UsageError(LATE)
            chunk = os.read(running.out.fileno(), CHUNK)
            if not chunk:
                break
            chunks.append(chunk)
        _finish(running, args)
    finally:
        running.kill()
    return b"".join(chunks).split(b"\0")[:-1]


def _finish(running: Running, args: Sequence[str]) -> None:
    """Status 1 without a word means that nothing was found. A file that git could not read is only
    mentioned."""
    with suppress(UsageError):
        running.finish()
    if running.code not in (0, 1) or running.said:
        raise failed(args, running.said)
