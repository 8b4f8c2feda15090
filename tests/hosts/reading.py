"""Short words for reading a repository in a test."""

from __future__ import annotations

from reviewbot.core.types import Change, FileChange, Side, Texts
from reviewbot.hosts.local import LocalSource, Mode
from tests.repos import Repo


def opened(repo: Repo, base: str | None = "main", mode: Mode = "commits", **more: object) -> LocalSource:
    return LocalSource.open(str(repo.path), base, mode=mode, **more)  # type: ignore[arg-type]


def change(repo: Repo, base: str | None = "main", mode: Mode = "commits") -> Change:
    return opened(repo, base, mode).change(lambda _: True)


def file_at(change: Change, path: str) -> FileChange:
    (file,) = (file for file in change.files if file.path == path)
    return file


def rows(file: FileChange) -> list[str]:
    return [row for hunk in file.hunks for row in hunk.rows]


def both(
    repo: Repo, paths: list[str], base: str | None = "main", mode: Mode = "commits"
) -> tuple[Texts, Texts]:
    source = opened(repo, base, mode)
    read = source.change(lambda _: True)
    return source.read(read, Side.LEFT, paths), source.read(read, Side.RIGHT, paths)
