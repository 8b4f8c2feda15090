"""What stands above the hunks of a file in a patch: names, modes, ids. ValueErrors say what is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reviewbot.core.diff import KIND
from reviewbot.core.paths import is_safe, path_text, unquoted
from reviewbot.core.types import FileChange, Kind, Status

NOWHERE = b"/dev/null"
EPOCH = re.compile(rb"\t(1970-01-01|1969-12-31) ")  # when `diff -N` dates a file that is not there
INDEX = re.compile(rb"([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?")
WHOLE_FILE = {Status.ADDED: rb"@@ -0,0 \+1(,\d+)? @@", Status.DELETED: rb"@@ -1(,\d+)? \+0,0 @@"}
EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)


def header_name(names: bytes) -> bytes | None:
    """The name in `a/NAME b/NAME`: both halves are equal, so blanks and `b/` in it do no harm. None
    where the halves differ: a rename, which has its names elsewhere, or prefixes of one's own."""
    if names.startswith(b'"'):
        old, rest = unquoted(names)
        new = unquoted(rest[1:])[0] if rest.startswith(b' "') else rest[1:]
    else:
        half = len(names) // 2
        if names[half : half + 1] != b" ":
            return None
        old, new = names[:half], names[half + 1 :]
    if old == new:  # diff.noprefix
        return old
    if old[1:2] == b"/" and old[1:] == new[1:]:  # a/ and b/, or those of diff.mnemonicPrefix
        return old[2:]
    return None


def moved(fields: Mapping[str, bytes], end: str) -> bytes | None:
    name = fields.get(f"rename {end}") or fields.get(f"copy {end}")
    return unquoted(name)[0] if name and name.startswith(b'"') else name


def marked(name: bytes) -> bytes:
    return unquoted(name)[0] if name.startswith(b'"') else name.partition(b"\t")[0]


def agree(marks: tuple[bytes, bytes], old: bytes, new: bytes, status: Status) -> bool:
    """Whether the `---` and `+++` lines, with or without prefixes, name these files."""
    expected = NOWHERE if status is Status.ADDED else old, NOWHERE if status is Status.DELETED else new
    return all(
        mark == name or (mark[1:2] == b"/" and mark[2:] == name)
        for mark, name in zip(map(marked, marks), expected, strict=True)
    )


def _safe(name: bytes) -> str:
    path = path_text(name)
    if not is_safe(path):
        raise ValueError(f"a name that no checkout would accept: {path!r}")
    return path


def git_change(old: bytes, new: bytes, fields: Mapping[str, bytes]) -> FileChange:
    index = INDEX.fullmatch(fields.get("index", b"0000..0000"))
    modes = {key: value.decode("ascii", "replace") for key, value in fields.items() if key.endswith("mode")}
    if not index or not all(re.fullmatch("[0-7]{6}", mode) for mode in modes.values()):
        raise ValueError("an index or mode line that is not understood")
    added, deleted = modes.get("new file mode"), modes.get("deleted file mode")
    kept = (index[3] or b"100644").decode("ascii")
    old_mode = "000000" if added else deleted or modes.get("old mode", kept)
    new_mode = "000000" if deleted else added or modes.get("new mode", kept)
    old_id, new_id = index[1].decode("ascii"), index[2].decode("ascii")
    return FileChange(
        _safe(new),
        _git_status(fields),
        KIND.get(old_mode if deleted else new_mode, Kind.FILE),
        old_path=None if added else _safe(old),
        old_mode=old_mode,
        new_mode=new_mode,
        old_blob=old_id if old_id.strip("0") else None,
        new_blob=new_id if new_id.strip("0") else None,
    )


def _git_status(fields: Mapping[str, bytes]) -> Status:
    for field, status in (
        ("new file mode", Status.ADDED),
        ("deleted file mode", Status.DELETED),
        ("rename from", Status.RENAMED),
        ("copy from", Status.COPIED),
    ):
        if field in fields:
            return status
    return Status.MODIFIED


def check_whole(file: FileChange, hunks: bytes) -> None:
    """Raises ValueError where a file's hunks are missing, or are not those of its status."""
    ids = {file.old_blob, file.new_blob}
    empty = None in ids and any(id and blob.startswith(id) for id in ids for blob in EMPTY_BLOBS)
    differs = len(ids) > 1 or (file.status is Status.MODIFIED and file.old_mode == file.new_mode)
    if not hunks and differs and not empty:
        raise ValueError(f"the hunks of {file.path!r} are missing")
    whole = WHOLE_FILE.get(file.status)
    if hunks and whole and (not re.match(whole, hunks[1:]) or b"\n@@ " in hunks[1:]):
        raise ValueError(f"{file.path!r} is {file.status}, and its hunks say otherwise")


def plain_change(old_mark: bytes, new_mark: bytes, hunks: bytes) -> FileChange:
    """The change that `diff -u` writes without saying what it is. One leading folder may differ."""
    old, new = marked(old_mark), marked(new_mark)
    added, deleted = (
        name == NOWHERE or bool(EPOCH.search(mark)) for name, mark in ((old, old_mark), (new, new_mark))
    )
    if NOWHERE in (old, new):
        old = new = new.removeprefix(b"b/") if old == NOWHERE else old.removeprefix(b"a/")
    elif old != new:
        old, new = old.partition(b"/")[2], new.partition(b"/")[2]
    if old != new or not new:
        raise ValueError("the names of base and head differ")
    path = _safe(new)
    file = FileChange(path, Status.MODIFIED, old_path=path, old_mode="100644", new_mode="100644")
    if added:
        file = file._replace(status=Status.ADDED, old_path=None, old_mode="000000")
    elif deleted:
        file = file._replace(status=Status.DELETED, new_mode="000000")
    check_whole(file, hunks)
    return file
