"""A bare repository as GitHub reads it: refs, diffs, hunks, and where a line has gone."""

from __future__ import annotations

import contextlib
import functools
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.repos import ENV

HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied", "T": "changed"}
MOST_LINES, MOST_BYTES = 20_000, 500_000


class Row(NamedTuple):
    """A line of a hunk: its text with the mark, its place in the hunk and its numbers on both sides."""

    text: str
    hunk: int
    position: int  # counted from the first hunk's header, which is 0
    left: int | None
    right: int | None


class Entry(NamedTuple):
    """A changed file; `patch` begins with the first `@@` and is None where GitHub shows none."""

    path: str
    previous: str | None
    status: str
    sha: str
    additions: int
    deletions: int
    patch: str | None


def rows(patch: str) -> list[Row]:
    """Reads by the counts of the headers: a row that looks like a header is still a row."""
    found: list[Row] = []
    hunk, position, left, right, lefts, rights = -1, -1, 0, 0, 0, 0
    for line in patch.split("\n"):
        position += 1
        if not (lefts or rights) and (match := HEADER.match(line)):
            hunk += 1
            left, right = int(match[1]), int(match[3])
            lefts, rights = int(match[2] or 1), int(match[4] or 1)
        elif line.startswith("\\") or not (lefts or rights):
            continue
        else:
            mark = line[:1]
            found.append(
                Row(line, hunk, position, left if mark != "+" else None, right if mark != "-" else None)
            )
            left, lefts = (left + 1, lefts - 1) if mark != "+" else (left, lefts)
            right, rights = (right + 1, rights - 1) if mark != "-" else (right, rights)
    return found


class Bare:
    """What is kept between calls are facts about commits, which never change; refs are read anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.merge_base = functools.cache(self._merge_base)
        self.commits = functools.cache(self._commits)
        self.files = functools.cache(self._files)
        self.shifted = functools.cache(self._shifted)

    def bytes(self, *args: str) -> bytes:
        done = subprocess.run(
            ["git", "--literal-pathspecs", *args], cwd=self.path, env=ENV, capture_output=True
        )
        if done.returncode:
            raise LookupError(f"git {args}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout

    def git(self, *args: str) -> str:
        return self.bytes(*args).decode("utf-8", "surrogateescape").rstrip("\n")

    def refs(self) -> dict[str, str]:
        """Read as git keeps them: every look asks for them, and a process each time costs too much."""
        loose: dict[str, str] = {}
        for file in (self.path / "refs").rglob("*"):
            if file.suffix != ".lock" and file.is_file():
                with contextlib.suppress(FileNotFoundError):  # packed meanwhile
                    loose[str(file.relative_to(self.path))] = file.read_text().strip()
        packed = self.path / "packed-refs"
        rows = packed.read_text().splitlines() if packed.is_file() else []
        found = {row[41:]: row[:40] for row in rows if row[:1] not in ("#", "^")} | loose
        return {name: id for name, id in found.items() if not id.startswith("ref:")}

    def commit(self, name: str) -> str | None:
        """The commit that a branch, a tag or an id names."""
        forms = (f"refs/heads/{name}", f"refs/tags/{name}", name)
        for form in (name,) if re.fullmatch("[0-9a-f]{40}", name) else forms:
            try:
                return self.git("rev-parse", "--verify", "-q", "--end-of-options", f"{form}^{{commit}}")
            except LookupError:
                continue
        return None

    def missing(self, commit: str, path: str) -> bool:
        try:
            self.git("cat-file", "-e", f"{commit}:{path}")
        except LookupError:
            return True
        return False

    def _merge_base(self, left: str, right: str) -> str | None:
        try:
            return self.git("merge-base", left, right)
        except LookupError:
            return None

    def is_ancestor(self, older: str, newer: str) -> bool:
        return self.merge_base(older, newer) == older

    def _commits(self, since: str, until: str) -> list[str]:
        return self.git("rev-list", "--reverse", "--topo-order", f"{since}..{until}").split()

    def _files(self, old: str, new: str) -> list[Entry]:
        """The changed files between two commits, in git's order."""
        options = ("--no-color", "--no-ext-diff", "--no-textconv", "-M", "-l0", old, new)
        raw = self.git("diff", "--raw", "-z", "--no-abbrev", *options).split("\0")
        patches = re.split(r"(?m)^diff --git .*\n", self.bytes("diff", *options).decode("utf-8", "replace"))
        found, place, section = [], 0, 1
        while place < len(raw) and raw[place]:
            _, mode, before, after, status = raw[place].split(" ")
            names = [readable(name) for name in raw[place + 1 : place + (3 if status[0] in "RC" else 2)]]
            count = 2 if status == "T" else 1
            text = "".join(patches[section : section + count])
            place, section = place + 1 + len(names), section + count
            sha = after if mode != "000000" else before
            found.append(entry(names, status[0], sha, text))
        return found

    def _shifted(self, old: str, new: str, path: str) -> Shift:
        """Where the lines of `path` at `old` stand at `new`."""
        if self.missing(new, path):
            return Shift([], gone=True)
        patch = self.bytes(
            "diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", old, new, "--", path
        )
        headers = re.findall(rf"(?m)^{HEADER.pattern}", patch.decode("utf-8", "replace"))
        edits = [(int(a), int(b) if b else 1, int(d) if d else 1) for a, b, _, d in headers]
        return Shift(edits, gone=False)


class Shift(NamedTuple):
    edits: list[tuple[int, int, int]]  # first old line, how many old, how many new
    gone: bool

    def line(self, number: int) -> int | None:
        """The new number of an old line; None where it was changed or removed."""
        if self.gone:
            return None
        offset = 0
        for first, old, new in self.edits:
            if old and first <= number < first + old:
                return None
            if (first < number) if old == 0 else (first + old <= number):
                offset += new - old
        return number + offset


def readable(name: str) -> str:
    """A path as GitHub's JSON has it: what is no UTF-8 is replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def entry(names: list[str], status: str, sha: str, text: str) -> Entry:
    start = re.search(r"(?m)^@@ ", text)
    patch = text[start.start() :].rstrip("\n") if start else None
    found = rows(patch) if patch else []
    added = sum(row.left is None for row in found)
    removed = sum(row.right is None for row in found)
    if patch and (len(patch) > MOST_BYTES or len(found) > MOST_LINES):
        patch = None
    previous = names[0] if len(names) > 1 else None
    return Entry(names[-1], previous, STATUS[status], sha, added, removed, patch)
