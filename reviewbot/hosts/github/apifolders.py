"""The tree of a commit by GitHub's API, and its folders as the search for skills sees them.

A tree that is not too large comes in one answer; of a larger one each folder is asked for.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from posixpath import dirname
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_text
from reviewbot.core.skill.discovery import NOWHERE, Entry, Fault, join
from reviewbot.core.skill.text import MAX_BYTES
from reviewbot.hosts.git import HOPS
from reviewbot.hosts.github.failures import of_form

KEPT = 256  # files that stay in memory
FOLDER, LINK, SUBMODULE = "040000", "120000", "160000"


class Api(Protocol):
    """What is asked of a client. Methods raise UsageError where GitHub refuses."""

    def get(self, path: str, **query: str | int) -> Any: ...

    def pages(self, path: str, most: int) -> list[Any]: ...


class Row(NamedTuple):
    """What lies at a path. `size` is in bytes, 0 for what is no blob."""

    mode: str
    id: str
    size: int = 0


class Blobs:
    """The files of a repository (owner/name) by the ids of their blobs."""

    def __init__(self, api: Api, repo: str) -> None:
        self._api = api
        self._place = f"/repos/{quote(repo)}/git/blobs"
        self.content: Callable[[str], bytes] = lru_cache(KEPT)(self._content)

    def _content(self, id: str) -> bytes:
        found = self._api.get(f"{self._place}/{id}")
        try:
            if found["encoding"] == "base64":
                return b64decode(found["content"])
        except (LookupError, TypeError, ValueError) as error:
            raise UsageError(f"GitHub's answer for the blob {id} cannot be read") from error
        raise UsageError(f"GitHub gives the blob {id} as {found['encoding']!r}")


class ApiTree:
    """The tree of a commit."""

    def __init__(self, api: Api, repo: str, commit: str) -> None:
        self._api = api
        self._place = f"/repos/{quote(repo)}/git/trees"
        self._folders: dict[str, dict[str, Row]] = {}
        self._whole = False  # whether all folders are known
        self._top = ""
        self._commit = commit

    @property
    def top(self) -> str:
        """The id of the tree."""
        self.names("")
        return self._top

    def files(self) -> Mapping[str, Row] | None:
        """All of them, links and submodules too; None where GitHub does not list all of them."""
        self.names("")
        if not self._whole:
            return None
        rows = ((join(folder, n), row) for folder, names in self._folders.items() for n, row in names.items())
        return {path: row for path, row in rows if row.mode != FOLDER}

    def row(self, path: str) -> Row | None:
        """None: there is nothing. Links are not followed."""
        folder, _, name = path.rpartition("/")
        return (self.names(folder) or {}).get(name)

    def names(self, folder: str) -> Mapping[str, Row] | None:
        """What lies in a folder; None where there is no such folder. Links are not followed."""
        if not self._folders:
            self._begin()
        path, rows = "", self._folders[""]
        for part in folder.split("/") if folder else ():
            row = rows.get(part)
            if row is None or row.mode != FOLDER:
                return None
            path = join(path, part)
            if path not in self._folders:
                self._folders[path] = dict(self._asked(row.id).rows)
            rows = self._folders[path]
        return rows

    def _begin(self) -> None:
        found = _read(self._api.get(f"{self._place}/{self._commit}", recursive=1))
        self._whole = found.whole
        if not self._whole:
            found = self._asked(self._commit)
        self._top = found.id
        self._folders[""] = {}
        for path, row in found.rows:
            folder, _, name = path.rpartition("/")
            self._folders.setdefault(folder, {})[name] = row

    def _asked(self, id: str) -> _Answer:
        found = _read(self._api.get(f"{self._place}/{id}"))
        if not found.whole:
            raise UsageError(f"a folder of {self._commit} has more files than GitHub lists")
        return found


class _Answer(NamedTuple):
    """`rows` have their paths below the tree that was asked for."""

    id: str
    rows: list[tuple[str, Row]]
    whole: bool


def _read(found: Any) -> _Answer:
    with of_form("a tree"):
        return _Answer(found["sha"], [_row(row) for row in found["tree"]], not found["truncated"])


def _row(row: Mapping[str, Any]) -> tuple[str, Row]:
    path, mode, id = row["path"], row["mode"], row["sha"]
    if not (isinstance(path, str) and isinstance(mode, str) and isinstance(id, str)):
        raise TypeError
    return path, Row(mode, id, int(row["size"]) if "size" in row else 0)


@dataclass(frozen=True)
class ApiFolders:
    """A Place: the folders of a commit. Links are followed inside of it."""

    tree: ApiTree
    blobs: Blobs

    def entries(self, folders: Sequence[str]) -> Sequence[Mapping[str, Entry] | Fault]:
        return [self._in(folder) for folder in folders]

    def read(self, paths: Sequence[str]) -> Sequence[bytes | Fault]:
        return [self._file(path) for path in paths]

    def _in(self, folder: str) -> Mapping[str, Entry] | Fault:
        end = self._end(folder)
        if isinstance(end, Fault):
            return end
        if end is None or end[1].mode != FOLDER:
            return {}
        rows = self.tree.names(end[0]) or {}
        return {name: self._entry(join(folder, name), row) for name, row in rows.items()}

    def _entry(self, path: str, row: Row) -> Entry:
        end = self._end(path) if row.mode == LINK else (path, row)
        if isinstance(end, Fault) or end is None:
            return end or NOWHERE
        if end[1].mode == SUBMODULE:
            return Fault("S010", "a submodule, which is another repository")
        if end[1].mode != FOLDER:
            return "file"
        # A link back to a folder on the way to it is not entered again.
        return "file" if row.mode == LINK and end[1].id in self._above(path) else "folder"

    def _above(self, path: str) -> Iterator[str]:
        """The ids of the folders above a path, the top last."""
        while path:
            path = dirname(path)
            end = self._end(path)
            if end and not isinstance(end, Fault):
                yield end[1].id

    def _file(self, path: str) -> bytes | Fault:
        end = self._end(path)
        if isinstance(end, Fault):
            return end
        if end is None or end[1].mode in (FOLDER, SUBMODULE):
            return Fault("S001", "there is no such file")
        return self.blobs.content(end[1].id)[: MAX_BYTES + 1]

    def _end(self, path: str) -> tuple[str, Row] | Fault | None:
        """The path behind all links, and what lies there; None where there is nothing."""
        done: list[str] = []
        todo = path.split("/")[::-1]
        hops = 0
        while todo:
            part = todo.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if not done:
                    return _outside(path)
                done.pop()
                continue
            here = "/".join([*done, part])
            if (found := self.tree.row(here)) is None or (todo and found.mode not in (FOLDER, LINK)):
                return NOWHERE if hops else None
            if found.mode != LINK:
                done.append(part)
                continue
            hops += 1
            target = path_text(self.blobs.content(found.id))
            if hops > HOPS or len(target) > MAX_BYTES:
                return NOWHERE
            if target.startswith("/"):
                return _outside(target)
            todo += target.split("/")[::-1]
        end = "/".join(done)
        found = self.tree.row(end) if end else None  # `..` may have left the one that was seen last
        return end, found or Row(FOLDER, self.tree.top)


def _outside(target: str) -> Fault:
    return Fault("S010", f"a link out of the repository, to {target}; it is not followed")
