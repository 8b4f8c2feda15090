"""A whole tree as a change: every file of it is new, and what counts is what it says itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from posixpath import dirname, join, normpath

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_bytes, path_text
from reviewbot.core.types import Change, FileChange, Kind
from reviewbot.core.visible import name
from reviewbot.hosts.git import Git
from reviewbot.hosts.local import LocalSource
from reviewbot.hosts.revisions import empty_tree, head_commit

Audited = tuple[str, ...]  # paths from the top of the repository; none: all


LONGEST = 4096  # bytes of a link's target


@dataclass(frozen=True)
class TreeSource(LocalSource):
    """A Source: the files of a commit, or of the work tree, against an empty tree. `base` is the id of that;
    skills, configuration and tools are read at `trusted`, the commit that is checked out."""

    paths: Audited = ()

    @classmethod
    def of(cls, cwd: str, paths: Sequence[str], *, worktree: bool) -> TreeSource:
        """The tracked files below `paths`, which start in `cwd`. Raises UsageError."""
        git = Git.open(cwd)
        if worktree and not git.has_work_tree:
            raise UsageError(f"{cwd} has no work tree", "audit the commit: leave out --worktree")
        commit = head_commit(git, "HEAD")
        mode, head = ("worktree", None) if worktree else ("commits", commit)
        label = "the whole work tree" if worktree else "the whole tree"
        below = tuple(dict.fromkeys(_from_top(git.folder, cwd, path) for path in paths))
        below = () if "" in below else below
        if below:
            label = f"{label.removeprefix('the whole ')} below {', '.join(map(name, below))}"
        made = cls(git, empty_tree(git), head, "worktree" if mode == "worktree" else "commits", label)
        return replace(made, trusted=commit, paths=below)

    def change(self, wanted: Callable[[FileChange], bool]) -> Change:
        found = super().change(lambda file: self.holds(file.path) and wanted(file))
        files = tuple(file for file in found.files if self.holds(file.path))
        for file in files:
            if file.path in self.paths:
                self._refuse_link(file)
        for path in self.paths:
            if not any(_below(file.path, path) for file in files):
                raise UsageError(
                    f"there is no tracked file at {name(path)}", "name a file or a folder of the tree"
                )
        return found._replace(base=None, files=files, whole=True)

    def _refuse_link(self, file: FileChange) -> None:
        """Raise UsageError for a named path that holds no text: nothing behind it would be looked at."""
        what = name(file.path)
        if file.kind is Kind.SUBMODULE:
            raise UsageError(f"{what} is a repository of its own", "audit it from within")
        if file.kind is not Kind.SYMLINK:
            return
        target = path_text(self._target(file))
        end = normpath(join(dirname(file.path), target))
        outside = end.startswith(("/", "../")) or end in ("..", ".")
        remedy = "it leads to no path of this repository" if outside else f"name {name(end)} instead"
        raise UsageError(f"{what} is a link to {name(target)}", remedy)

    def _target(self, file: FileChange) -> bytes:
        if file.new_blob is None:
            return os.readlink(path_bytes(os.path.join(self.git.folder, file.path)))
        [blob] = self.git.blobs([file.new_blob.encode("ascii")], LONGEST)
        return blob.content if blob else b""

    def holds(self, path: str) -> bool:
        """Whether a path is one of those that were asked for."""
        return not self.paths or any(_below(path, own) for own in self.paths)


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _from_top(top: str, cwd: str, path: str) -> str:
    """A path as git names it; "" for the top."""
    if not path:
        raise UsageError("PATH is empty", "an unset variable? name it, or leave it out")
    full = os.path.normpath(os.path.join(os.path.realpath(cwd), path))
    found = os.path.relpath(full, os.path.realpath(top))
    if found == os.pardir or found.startswith(os.pardir + os.sep):
        raise UsageError(f"{path} is not in the repository {top}")
    return "" if found == os.curdir else found
