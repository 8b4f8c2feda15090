"""The change in a repository on this machine: two commits, a commit and the index, or the work tree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from reviewbot.core.diff import attach, take_raw
from reviewbot.core.errors import UsageError
from reviewbot.core.options import Mode
from reviewbot.core.paths import path_bytes
from reviewbot.core.skill.discovery import Fault, Place
from reviewbot.core.types import Change, FileChange, Side, Text, Texts
from reviewbot.hosts.commitfolders import CommitFolders
from reviewbot.hosts.git import Git
from reviewbot.hosts.revisions import default_base, empty_tree, head_commit, merge_base, unborn
from reviewbot.hosts.running import Running
from reviewbot.hosts.texts import TEXT_LIMIT, decoded, no_file, sorted_out
from reviewbot.hosts.worktree import read_file, whole_index

# Renames are found among at most 1000 x 1000 added and deleted files, as git itself does by default:
# ten times as many take minutes.
RENAME_LIMIT = 1000
BASE_FILE_LIMIT = 262_144
ATTRIBUTES = ".gitattributes"
DEPTH = 6

# One process, both answers. Plumbing ignores most of the user interface's settings; what it would
# still take from the repository's configuration or attributes is fixed here. --text: an attribute
# of the change itself can call its code binary.
DIFF = (
    *("--raw", "-p", "-z", "-r", "-M", "-U3", "--no-abbrev", "--full-index"),
    *("--text", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"),
    *("--submodule=short", "--ignore-submodules=dirty"),
)


@dataclass(frozen=True)
class LocalSource:
    """A Source. `base` and `head` are commit ids; `head` is None for the index and the work tree."""

    git: Git
    base: str
    head: str | None
    mode: Mode
    label: str
    limit: int = TEXT_LIMIT
    first: bool = False  # whether nothing is committed yet: base is the id of the empty tree then
    trusted: str = ""  # the commit whose skills, configuration and tools count; "": base

    @property
    def ground(self) -> str:
        return self.trusted or self.base

    @classmethod
    def open(
        cls,
        cwd: str,
        base: str | None,
        *,
        head: str = "HEAD",
        mode: Mode = "commits",
        limit: int = TEXT_LIMIT,
    ) -> LocalSource:
        """The change of the repository around `cwd`, seen from the merge base of `base` and `head`.

        Without `base`, commits are compared with the usual target branch, the index and the work
        tree with HEAD. Raises UsageError.
        """
        git = Git.open(cwd)
        if mode != "commits" and not git.has_work_tree:
            raise UsageError(f"{cwd} has no work tree", "compare commits: leave out --staged and --worktree")
        first = mode == "staged" and base is None and unborn(git)  # it is compared with nothing
        commit = empty_tree(git) if first else head_commit(git, head)
        if mode == "commits":
            base = base or default_base(git, commit)
            return cls(git, merge_base(git, base, commit, head), commit, mode, f"{base}...{head}", limit)
        if mode == "staged":
            git = git.with_callers_index()
        label = "staged changes" if mode == "staged" else "work tree"
        if base is None:
            return cls(git, commit, None, mode, label, limit, first)
        return cls(git, merge_base(git, base, commit, head), None, mode, f"{base}...{label}", limit)

    def change(self, wanted: Callable[[FileChange], bool]) -> Change:
        with self._diff() as (running, aside):
            listed, patches = take_raw(running.chunks())
            compared = attach(listed, patches, wanted)
            files = [*(file for file in compared if file.path not in aside), *aside.values()]
        if self.mode == "worktree":  # the ids that git computed for its rename search name no blob
            files = [file._replace(new_blob=None) for file in files]
        notes: tuple[str, ...] = ()
        if b"rename detection was skipped" in running.said:
            notes = (f"renames were not looked for: more than {RENAME_LIMIT} files were added and deleted",)
        return Change(
            None if self.first else self.base,
            self.head,
            tuple(files),
            self.label,
            self._attributes(files),
            notes,
        )

    def read(self, change: Change, side: Side, paths: Collection[str]) -> Texts:
        return sorted_out(side, self._texts(change, side, paths))

    def base_files(self, paths: Sequence[str], below: Sequence[str] = ()) -> Mapping[str, bytes]:
        """Content is cut one byte behind 256 KiB, so that "too large" can be seen. Links are followed
        within the repository."""
        return files_at(CommitFolders(self.git, self.ground), paths, below)

    @contextmanager
    def _diff(self) -> Iterator[tuple[Running, Mapping[str, FileChange]]]:
        """The running diff; and by path the changed files that it does not see."""
        options = (*DIFF, f"-l{RENAME_LIMIT}")
        if self.mode == "worktree":
            with (
                whole_index(self.git, self.base) as (git, aside),
                git.stream("diff-index", *options, self.base) as running,
            ):
                yield running, aside
        elif self.head is None:
            cached = ("--cached", "--ita-invisible-in-index")  # what was only announced is not committed
            with self.git.stream("diff-index", *cached, *options, self.base) as running:
                yield running, {}
        else:
            with self.git.without_index().stream("diff-tree", *options, self.base, self.head) as running:
                yield running, {}

    def _attributes(self, files: Collection[FileChange]) -> Mapping[str, str]:
        """The .gitattributes at base that speak about these files."""
        folders = {f"{folder}/" if folder else "" for file in files for folder in ancestors(file.path)}
        # cat-file reads a name a line; a folder with a line end in its name does without.
        paths = sorted(f"{folder}{ATTRIBUTES}" for folder in folders if "\n" not in folder)
        names = [f"{self.ground}:".encode() + path_bytes(path) for path in paths]
        blobs = self.git.blobs(names, BASE_FILE_LIMIT)
        return {
            path: blob.content.decode("utf-8", "replace")
            for path, blob in zip(paths, blobs, strict=True)
            if blob and blob.size <= BASE_FILE_LIMIT
        }

    def _texts(self, change: Change, side: Side, paths: Collection[str]) -> Iterator[tuple[str, Text | str]]:
        files = {file.path: file for file in change.files}
        stored: dict[str, bytes] = {}
        for path in dict.fromkeys(paths):
            file = files.get(path)
            if file is None:
                yield path, "not part of the change"
            elif why := file.unread or no_file(file, side):
                yield path, why
            elif side is Side.RIGHT and self.mode == "worktree":
                yield path, self._on_disk(path)
            else:
                stored[path] = ((file.old_blob if side is Side.LEFT else file.new_blob) or "").encode()
        blobs = self.git.blobs(list(stored.values()), self.limit + 1)
        for path, blob in zip(stored, blobs, strict=True):
            found = decoded(path, blob.size, blob.content, self.limit) if blob else None
            yield path, found or "git lacks its content"

    def _on_disk(self, path: str) -> Text | str:
        try:
            size, content = read_file(self.git.folder, path, self.limit + 1)
        except OSError as error:
            return f"not readable: {error.strerror}"
        return decoded(path, size, content, self.limit)


def files_at(place: Place, paths: Sequence[str], below: Sequence[str]) -> dict[str, bytes]:
    """Of the files at `paths` and of those below the folders `below`, the ones that can be read."""
    wanted = [*paths, *_below(place, below)]
    return {
        path: content
        for path, content in zip(wanted, place.read(wanted), strict=True)
        if not isinstance(content, Fault)
    }


def _below(place: Place, folders: Sequence[str]) -> Iterator[str]:
    """The files below some folders, DEPTH folders deep at most."""
    for _ in range(DEPTH):
        inside = []
        for folder, entries in zip(folders, place.entries(folders), strict=True):
            for name, entry in () if isinstance(entries, Fault) else sorted(entries.items()):
                if entry == "file":
                    yield f"{folder}/{name}"
                elif entry == "folder":
                    inside.append(f"{folder}/{name}")
        folders = inside


def ancestors(path: str) -> Iterator[str]:
    """The folders above a path, the root ("") last."""
    while path:
        path = path.rpartition("/")[0]
        yield path
