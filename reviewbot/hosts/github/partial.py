"""Git on a clone without files, which come when somebody asks for them: all that are asked for at once.

git's own lazy fetch brings them one by one, and at times that nobody has chosen; it stays off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import dirname, normpath
from typing import NamedTuple

from reviewbot.core.paths import path_text
from reviewbot.core.skill.text import MAX_BYTES
from reviewbot.hosts.git import HOPS, Git
from reviewbot.hosts.github.kept import Kept
from reviewbot.hosts.github.remote import ByIdRefused, Gone, Remote, Unfetched
from reviewbot.hosts.running import Blob, Found

LINK, SUBMODULE = b"120000", b"160000"
_ID = re.compile(rb"[0-9a-f]{40}([0-9a-f]{24})?")


class _Tree(NamedTuple):
    """The files of a commit: path -> mode and id; and path -> target of its links."""

    files: Mapping[str, tuple[bytes, bytes]]
    links: Mapping[str, str]


@dataclass
class _State:
    trees: dict[str, _Tree] = field(default_factory=dict)
    failed: Unfetched | None = None  # nobody waits for the same server twice


@dataclass(frozen=True)
class PartialGit(Git):
    """A Git whose methods fetch what they lack. They raise Unfetched where that fails.

    `commits` are those that are here, with their trees and with what their links hold: git finds no path
    through a link that it lacks.
    """

    clone: Kept
    remote: Remote
    commits: tuple[str, ...]
    _state: _State = field(default_factory=_State)

    def blobs(self, names: Sequence[bytes], cap: int) -> Iterator[Blob | None]:
        self.fill(names)
        return super().blobs(names, cap)

    def found(self, names: Sequence[bytes], cap: int, *, contents: bool = True) -> Iterator[Found]:
        self.fill(names)
        return super().found(names, cap, contents=contents)

    def complete(self, commit: str) -> None:
        self.fill([id for mode, id in self._tree(commit).files.values() if mode != SUBMODULE])

    def fill(self, names: Iterable[bytes]) -> None:
        """Fetch what is not here of these blobs, in one request. A name is an id, or `commit:path`: then the
        file behind its links is meant."""
        asked = self._ids(self._lacking(list(dict.fromkeys(names))))
        if not self._lacking(asked):
            return
        if self._state.failed:
            raise self._state.failed
        try:
            with self.clone.alone():
                if lacking := self._lacking(asked):  # another run may have fetched them meanwhile
                    self._fetch(lacking)
        except Unfetched as error:
            self._state.failed = error
            raise

    def _fetch(self, ids: Sequence[bytes]) -> None:
        try:
            self.remote.files([id.decode("ascii") for id in ids])
        except (ByIdRefused, Gone):
            self.remote.whole(self.commits)

    def _lacking(self, names: Sequence[bytes]) -> list[bytes]:
        found = super().found(names, 0, contents=False)
        return [name for name, one in zip(names, found, strict=True) if one.kind == "missing"]

    def _ids(self, names: Iterable[bytes]) -> list[bytes]:
        """The ids of the blobs that exist at these names."""
        ids = []
        for name in names:
            if _ID.fullmatch(name):
                ids.append(name)
                continue
            commit, _, path = name.partition(b":")
            if id := _behind(self._tree(commit.decode("ascii")), path_text(path)):
                ids.append(id)
        return list(dict.fromkeys(ids))

    def _tree(self, commit: str) -> _Tree:
        """All of them stay: those of a repository of 100,000 files take 30 MB."""
        if commit not in self._state.trees:
            files = self.listed(commit)
            links = [(path, id) for path, (mode, id) in files.items() if mode == LINK]
            targets = self.blobs([id for _, id in links], MAX_BYTES + 1)
            pairs = zip(links, targets, strict=True)
            found = {path: path_text(blob.content) for (path, _), blob in pairs if blob}
            self._state.trees[commit] = _Tree(files, found)
        return self._state.trees[commit]

    def listed(self, commit: str) -> dict[str, tuple[bytes, bytes]]:
        """The mode and the id of each file of a commit, by its path; submodules too."""
        rows = self.ask("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]
        facts = (row.partition(b"\t") for row in rows)
        return {path_text(path): _mode_and_id(about) for about, _, path in facts}


def _mode_and_id(about: bytes) -> tuple[bytes, bytes]:
    mode, _, id = about.split(b" ")
    return mode, id


def _behind(tree: _Tree, path: str) -> bytes | None:
    """The id of the file at a path, behind its links; None where there is none inside of the tree."""
    for _ in range(HOPS):
        mode, id = tree.files.get(path, (SUBMODULE, b""))
        if mode not in (LINK, SUBMODULE):
            return id
        link = next((above for above in _upwards(path) if above in tree.links), None)
        if link is None:
            return None
        path = normpath(f"{dirname(link)}/{tree.links[link]}".lstrip("/") + path[len(link) :])
        if path.startswith("../"):
            return None
    return None


def _upwards(path: str) -> Iterator[str]:
    while path:
        yield path
        path = dirname(path)
