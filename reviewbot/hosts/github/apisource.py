"""A pull request's change by GitHub's API alone, for where git does not get through.

GitHub shows no diff of a file that is large, and lists no more than 3,000 files. The trees of both
sides say what there is beyond that; it is named as unread, never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from urllib.parse import quote

from reviewbot.core.errors import UsageError
from reviewbot.core.hunks import parse_hunks
from reviewbot.core.paths import is_safe, past_limit, path_bytes, path_text
from reviewbot.core.skill.discovery import join
from reviewbot.core.types import Change, FileChange, Hunk, Kind, Pull, Side, Status, Text, Texts
from reviewbot.hosts.github.apifolders import FOLDER, LINK, SUBMODULE, Api, ApiFolders, ApiTree, Blobs, Row
from reviewbot.hosts.github.failures import of_form
from reviewbot.hosts.local import ATTRIBUTES, BASE_FILE_LIMIT, ancestors, files_at
from reviewbot.hosts.texts import TEXT_LIMIT, decoded, no_file, sorted_out

MOST = 3_000  # files that GitHub lists
NO_PATCH = "GitHub shows no diff of it"
NOT_LISTED = f"GitHub lists no more than {MOST:,} of a pull request"
NO_TREE = "git does not reach the repository, and file by file a tree is not fetched"
_MOVED = "the pull request moved on while it was read"
_KIND = {LINK: Kind.SYMLINK, SUBMODULE: Kind.SUBMODULE}
_STATUS = {"removed": Status.DELETED, "renamed": Status.RENAMED, "copied": Status.COPIED}


class _Listed(NamedTuple):
    """A row of GitHub's list of files."""

    path: str
    status: str
    before: str | None  # its path at base; None: it was added
    blob: str | None  # at head; None: it was removed
    patch: str | None  # None: GitHub shows none
    counts: tuple[int, int]  # lines added and removed


def _listed(row: Mapping[str, Any]) -> _Listed:
    """Raises LookupError or TypeError where it is not as GitHub describes it."""
    path, status, patch = row["filename"], row["status"], row.get("patch")
    moved = row.get("previous_filename")
    if not (isinstance(path, str) and isinstance(status, str) and isinstance(patch, str | None)):
        raise TypeError
    before = None if status == "added" else str(moved or path)
    blob = None if status == "removed" else row["sha"]
    return _Listed(path, status, before, blob, patch, (row["additions"], row["deletions"]))


@dataclass(frozen=True)
class ApiSource:
    """A Source. `base` is the merge base; `why` tells why git was not used."""

    api: Api
    pull: Pull
    base: str
    why: str
    trees: Mapping[Side, ApiTree]
    blobs: Blobs
    limit: int = TEXT_LIMIT
    no_tree: ClassVar[str] = NO_TREE

    @classmethod
    def open(cls, api: Api, pull: Pull, base: str, why: str, limit: int = TEXT_LIMIT) -> ApiSource:
        commits = {Side.LEFT: base, Side.RIGHT: pull.head_sha}
        trees = {side: ApiTree(api, pull.repo, commit) for side, commit in commits.items()}
        return cls(api, pull, base, why, trees, Blobs(api, pull.repo), limit)

    @property
    def place(self) -> ApiFolders:
        """The tree at base."""
        return ApiFolders(self.trees[Side.LEFT], self.blobs)

    def change(self, wanted: Callable[[FileChange], bool]) -> Change:
        """All changed files; with their hunks those that are `wanted`. Raises UsageError where GitHub does
        not give the list or the trees, and where they are of another head."""
        rows = self.api.pages(f"/repos/{quote(self.pull.repo)}/pulls/{self.pull.number}/files", MOST)
        with of_form("the list of files"):
            listed = [_listed(row) for row in rows]
        files = [self._file(row, wanted) for row in listed]
        notes = [f"read by GitHub's API, file by file: {self.why}"]
        if beyond := list(self._beyond(files, wanted)):
            files += beyond
            notes.append(f"{len(beyond):,} of {len(files):,} changed files were not read: {NOT_LISTED}")
        label = f"{self.pull.repo}#{self.pull.number}"
        said = self._attributes(files)
        return Change(self.base, self.pull.head_sha, tuple(files), label, said, tuple(notes))

    def read(self, change: Change, side: Side, paths: Collection[str]) -> Texts:
        files = {file.path: file for file in change.files}
        return sorted_out(side, ((path, self._text(files.get(path), side)) for path in dict.fromkeys(paths)))

    def base_files(self, paths: Sequence[str], below: Sequence[str] = ()) -> Mapping[str, bytes]:
        """As LocalSource gives them."""
        return files_at(self.place, paths, below)

    def text(self, side: Side, path: str) -> Text | str:
        """Any file of a side, or why there is no text."""
        row = self.trees[side].row(path)
        if row is None or not row.mode.startswith("100"):
            return "there is no such file"
        content = self._content(row)
        return content if isinstance(content, str) else decoded(path, len(content), content, self.limit)

    def _content(self, row: Row) -> bytes | str:
        """Of a blob, or why it is not read: one file that GitHub does not give is no reason to read none."""
        if row.size > self.limit:
            return past_limit(row.size, self.limit)
        try:
            return self.blobs.content(row.id)
        except UsageError as error:
            return f"GitHub does not give it: {error}"

    def _text(self, file: FileChange | None, side: Side) -> Text | str:
        if file is None:
            return "not part of the change"
        if why := file.unread or no_file(file, side):
            return why
        found = self.text(side, file.path if side is Side.RIGHT else file.old_path or file.path)
        return Text(file.path, found.content) if isinstance(found, Text) else found

    def _file(self, row: _Listed, wanted: Callable[[FileChange], bool]) -> FileChange:
        """Raises UsageError where the row is not of the head that is reviewed."""
        file = self._compared(row.path, row.before, _STATUS.get(row.status))
        if file.new_blob != row.blob and file.kind is not Kind.SUBMODULE:
            raise UsageError(_MOVED, "run it again")
        if file.kind is not Kind.FILE or not wanted(file):
            return file
        return self._with_hunks(file, row.patch, row.counts)

    def _compared(self, path: str, before: str | None, status: Status | None = None) -> FileChange:
        """What the two trees say of a file."""
        if not (is_safe(path) and is_safe(before or path)):
            raise UsageError(f"the change holds a path that no checkout would accept: {path!r}")
        old = self.trees[Side.LEFT].row(before) if before else None
        new = None if status is Status.DELETED else self.trees[Side.RIGHT].row(path)
        if not (old or new):
            raise UsageError(_MOVED, "run it again")
        kinds = [_KIND.get(row.mode, Kind.FILE) for row in (old, new) if row]
        if status is None or len(set(kinds)) > 1:
            status = Status.ADDED if not old else Status.DELETED if not new else Status.MODIFIED
            status = Status.TYPE_CHANGED if len(set(kinds)) > 1 else status
        return FileChange(
            path,
            status,
            kinds[-1],
            old_path=before if old else None,
            old_mode=old.mode if old else "000000",
            new_mode=new.mode if new else "000000",
            old_blob=old.id if old else None,
            new_blob=new.id if new else None,
        )

    def _with_hunks(self, file: FileChange, patch: str | None, counts: tuple[int, int]) -> FileChange:
        if file.old_blob == file.new_blob:
            return file
        if file.status is Status.TYPE_CHANGED:
            return self._all_new(file)
        if patch is None:
            return self._without_patch(file)
        try:
            hunks, ends = parse_hunks(b"\n" + path_bytes(patch))
        except ValueError:
            return file._replace(unread="GitHub shows only a part of its diff")
        marks = [row[:1] for hunk in hunks for row in hunk.rows]
        if (marks.count("+"), marks.count("-")) != counts:
            return file._replace(unread="GitHub shows only a part of its diff")
        return file._replace(hunks=hunks, eof_newline=ends)

    def _without_patch(self, file: FileChange) -> FileChange:
        """Binary, empty, or with a diff that GitHub does not show."""
        rows = [self._row(file, side) for side in Side]
        if all(row is None or not row.size for row in rows):
            return file
        contents = [self._content(row) for row in rows if row]
        binary = any(b"\0" in content for content in contents if isinstance(content, bytes))
        return file._replace(binary=True) if binary else file._replace(unread=NO_PATCH)

    def _all_new(self, file: FileChange) -> FileChange:
        """What was a link: every line of the file is new."""
        row = self._row(file, Side.RIGHT)
        content = self._content(row) if row else NO_PATCH
        if isinstance(content, str):
            return file._replace(unread=content)
        if b"\0" in content or not content:
            return file._replace(binary=bool(content))
        ends = content.endswith(b"\n")
        rows = tuple(f"+{line}" for line in path_text(content).removesuffix("\n").split("\n"))
        return file._replace(hunks=(Hunk(0, 0, 1, len(rows), rows),), eof_newline=(True, ends))

    def _row(self, file: FileChange, side: Side) -> Row | None:
        path = file.path if side is Side.RIGHT else file.old_path
        return self.trees[side].row(path) if path else None

    def _beyond(
        self, files: Sequence[FileChange], wanted: Callable[[FileChange], bool]
    ) -> Iterator[FileChange]:
        """The changed files that GitHub did not list; one that was renamed is two of them. Raises UsageError
        where there are some, and the trees are too large to tell which."""
        old, new = (self.trees[side].files() for side in (Side.LEFT, Side.RIGHT))
        if old is None or new is None:
            if self.pull.changed_files > len(files):
                raise UsageError(f"{NOT_LISTED}, and not all of its tree", "see that git reaches GitHub")
            return
        moved = {f.old_path for f in files if f.status is Status.RENAMED and f.old_path not in new}
        known = moved.union(f.path for f in files)
        for path in sorted(p for p in (old.keys() | new.keys()) - known if old.get(p) != new.get(p)):
            file = self._compared(path, path)
            yield file._replace(unread=NOT_LISTED) if wanted(file) else file

    def _attributes(self, files: Collection[FileChange]) -> Mapping[str, str]:
        """The .gitattributes at base that speak about these files."""
        tree = self.trees[Side.LEFT]
        folders = sorted({folder for file in files for folder in ancestors(file.path)})
        rows = ((join(folder, ATTRIBUTES), tree.row(join(folder, ATTRIBUTES))) for folder in folders)
        return {
            path: self.blobs.content(row.id).decode("utf-8", "replace")
            for path, row in rows
            if row and row.mode not in (FOLDER, SUBMODULE) and row.size <= BASE_FILE_LIMIT
        }


class ApiLibrary:
    """A Library that knows a file when it is named, and refuses to search."""

    def __init__(self, source: ApiSource) -> None:
        self._source = source

    def paths(self, side: Side) -> Sequence[str]:
        raise UsageError(NO_TREE)

    def text(self, side: Side, path: str) -> Text | None:
        found = self._source.text(side, path)
        return found if isinstance(found, Text) else None

    def search(self, side: Side, words: str, below: str = "") -> Sequence[tuple[str, int, str]]:
        raise UsageError(NO_TREE)
