"""Which changed file is looked at by which skill, and why the others are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import compress

from reviewbot.core.generated import hidden
from reviewbot.core.language import language
from reviewbot.core.matcher import Matcher, matcher
from reviewbot.core.skill.choice import is_general
from reviewbot.core.types import (
    BINARY,
    Assignment,
    Change,
    FileChange,
    Kind,
    Scope,
    SkillOrigin,
    Skills,
    Status,
    Uncovered,
)

UNCLAIMED = "no skill claims it"


def claims(skills: Skills) -> Callable[[FileChange], bool]:
    """Whether a changed file may be in some active skill's scope, asked before its hunks are read:
    a file that only its first line can decide may be."""
    tables = _tables(skills)

    def claimed(file: FileChange) -> bool:
        return not _no_file(file) and any(
            _takes(table, file.path) or (table is not None and table.needs_first_line(file.path))
            for table in tables
        )

    return claimed


def needs_first_line(change: Change, skills: Skills) -> tuple[str, ...]:
    """The changed files without an extension that some skill claims if a shell or Python runs them."""
    tables = [table for table in _tables(skills) if table]
    files = (file.path for file in change.files if not _no_file(file))
    return tuple(path for path in files if any(table.needs_first_line(path) for table in tables))


def assign(change: Change, skills: Skills, first_lines: Mapping[str, str] | None = None) -> Scope:
    """Each active skill with the files it claims, in the order of the change; a skill may claim none.
    The general one leaves out what a skill of the repository claims.

    `first_lines` maps paths to their first lines at head, for those that `needs_first_line` names.
    """
    first_lines = first_lines or {}
    hidden_as = hidden(change.attributes)
    tables = _tables(skills)
    own = [skill.origin is not SkillOrigin.BUILTIN for skill in skills.active]
    general = [is_general(skill) for skill in skills.active]
    claimed: list[list[str]] = [[] for _ in tables]
    paths: list[str] = []
    uncovered: list[Uncovered] = []
    for file in change.files:
        path, first_line = file.path, first_lines.get(file.path, "")
        reason = _no_file(file) or _no_text(file, first_line) or hidden_as(path)
        taken = [not reason and _takes(table, path, first_line) for table in tables]
        if any(compress(taken, own)):
            taken = [takes and not gives_way for takes, gives_way in zip(taken, general, strict=True)]
        if any(taken):
            paths.append(path)
        else:
            uncovered.append(Uncovered(path, reason or UNCLAIMED))
        for files in compress(claimed, taken):
            files.append(path)
    assignments = (
        Assignment(skill, tuple(files), bool(files) or _touches(table, change))
        for skill, table, files in zip(skills.active, tables, claimed, strict=True)
    )
    return Scope(tuple(assignments), tuple(paths), tuple(uncovered))


def _touches(table: Matcher | None, change: Change) -> bool:
    """Whether the change has a path, be it the old name of a file, that a skill claims by name."""
    names = (name for file in change.files for name in (file.path, file.old_path) if name)
    return any(_takes(table, name) for name in names)


def _tables(skills: Skills) -> list[Matcher | None]:
    """The matcher of each active skill; None for one that claims every text file."""
    return [matcher(skill.scope) if skill.scope else None for skill in skills.active]


def _takes(table: Matcher | None, path: str, first_line: str = "") -> bool:
    return table is None or table.match(path, first_line) is not None


def _no_file(file: FileChange) -> str:
    """Why there is no file at head to review; "" if there is."""
    if file.status is Status.DELETED:
        return "deleted"
    return "" if file.kind is Kind.FILE else file.kind.value


def _no_text(file: FileChange, first_line: str) -> str:
    """Why there is no text in the file; "" if there is. A shell runs a script with a NUL byte in it, so
    such a script is in scope: one byte must not switch the review off."""
    return BINARY if file.binary and not language(file.path, first_line) else ""
