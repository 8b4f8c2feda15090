"""What is said of skills without a review: which there are, and what was understood of each."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.matcher import matcher
from reviewbot.core.report.skills import Bound, Sheet
from reviewbot.core.rules import rule_language
from reviewbot.core.skill import unmatched
from reviewbot.core.skill.discovery import is_skill_file
from reviewbot.core.skill.loaded import Loaded
from reviewbot.core.types import Diagnostic, Skill, SkillOrigin, Skills
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.bind import bind, unknown_pins
from reviewbot.gates.rules import RuleWorker, dump
from reviewbot.hosts.git import Git
from reviewbot.hosts.tracked import first_lines, tracked_files
from reviewbot.hosts.trees import top
from reviewbot.wiring.inventory import (
    at_path,
    built_in,
    chosen,
    errors,
    in_work_tree,
    named,
    settings_in,
    settings_on_disk,
)


class Overview(NamedTuple):
    """The skills that there are around a folder."""

    skills: Skills
    files: Mapping[str, int]  # path of a skill file -> the tracked files that it claims; empty: no repository
    failed: tuple[Diagnostic, ...]  # all that was not loaded, also what no review would need


def overview(cwd: str) -> Overview:
    """Those of the work tree around `cwd`, as if it was committed, and the built-in ones."""
    git = _repository(cwd)
    builtin = built_in()
    if git is None:
        return Overview(chosen((), builtin, settings_in({})), {}, errors(builtin))
    found = in_work_tree(git.folder)
    skills = chosen(found, builtin, settings_on_disk(git.folder))
    offered = [*skills.active, *(skill for skill, _ in skills.listed)]
    return Overview(skills, _claimed(git, offered), errors((*found, *builtin)))


def checked(paths: Sequence[str], cwd: str) -> list[Sheet]:
    """The sheets of the skills at these paths; without a path of those of the work tree around `cwd`,
    outside of one of those in `cwd`. Raises UsageError."""
    git = _repository(cwd)
    if paths:
        rows = {row.path: row for path in paths for row in at_path(path, cwd)}
        return _sheets(list(rows.values()), cwd, git)
    if git:
        return _sheets(in_work_tree(git.folder), git.folder, git)
    here = next(filter(is_skill_file, sorted(os.listdir(cwd))), None)  # upper case first
    found = at_path(here, cwd) if here else in_work_tree(cwd)
    if not found:
        raise UsageError(f"{cwd} is not in a work tree of git and holds no skill", "name the skills to check")
    return _sheets(found, cwd, None)


def understood(name: str, cwd: str) -> Sheet:
    """The sheet of the skill at a path or with a name. Raises UsageError."""
    git = _repository(cwd)
    row = named(name, cwd, in_work_tree(git.folder) if git else (), built_in())
    return _sheets([row], git.folder if git and row.origin is SkillOrigin.HEAD else cwd, git)[0]


def syntax_tree(data: bytes, path: str, language: str | None) -> str:
    """The tree on which rules are matched. Raises UsageError where the language is not known."""
    text = data.decode("utf-8", "replace")
    language = language or rule_language(path, text.partition("\n")[0])
    if not language:
        raise UsageError(
            f"{path}: its name does not tell its language", "say --language bash, python or yaml"
        )
    return dump(text, language)


def _repository(cwd: str) -> Git | None:
    with suppress(UsageError):  # a repository only helps, so the lack of one is no error
        git = Git.open(cwd)
        return git if git.has_work_tree else None
    return None


def _claimed(git: Git, skills: Sequence[Skill]) -> dict[str, int]:
    """How many tracked files each skill claims."""
    paths = tracked_files(git)
    tables = {skill.path: matcher(skill.scope) for skill in skills if skill.scope}
    undecided = [path for path in paths if any(t.needs_first_line(path) for t in tables.values())]
    lines = first_lines(git, undecided)
    counts = {skill.path: len(paths) for skill in skills}
    for at, table in tables.items():
        counts[at] = sum(table.match(path, lines.get(path, "")) is not None for path in paths)
    return counts


def _sheets(rows: Sequence[Loaded], start: str, git: Git | None) -> list[Sheet]:
    """The sheets, with what only the repository and the rules' own examples can tell. Paths of skill
    files that are not built in start in `start`; `git` is on the repository whose reviews are meant."""
    absent = _absent(git) if git else {}
    faults: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    rules = [rule for row in rows if row.skill for rule in row.skill.rules]
    for fault in RuleWorker().examples(rules) if rules else ():
        faults[fault.path].append(fault)
    tracked: dict[str, tuple[str, ...]] = {}
    sheets = []
    for row in rows:
        noticed = [*row.diagnostics, *_unmatched(row, start, tracked)]
        noticed += unknown_pins(row.skill) if row.skill else ()
        noticed += (fault for rule in (row.skill.rules if row.skill else ()) for fault in faults[rule.path])
        why = absent.get(_own_path(row, start, git.folder), "") if git else ""
        sheets.append(Sheet(row.path, row.origin, row.skill, _bound(row.skill), tuple(noticed), why))
    return sheets


def _absent(git: Git) -> dict[str, str]:
    """Path of a skill file -> why that skill takes no part in the reviews of this repository."""
    skills = chosen(in_work_tree(git.folder), built_in(), settings_on_disk(git.folder))
    return {skill.path: why for skill, why in skills.listed}


def _own_path(row: Loaded, start: str, folder: str) -> str:
    """The path by which the repository in `folder` knows a skill file."""
    if row.origin is not SkillOrigin.PATH:
        return row.path
    return os.path.relpath(os.path.join(start, row.path), folder)


def _bound(skill: Skill | None) -> Mapping[str, Sequence[Bound]]:
    bound: defaultdict[str, list[Bound]] = defaultdict(list)
    for b in bind(skill, DETECTORS.values()) if skill else ():
        bound[b.defect.slug].append(Bound(b.detector.id, b.because, b.detector.summary))
    return bound


def _unmatched(row: Loaded, start: str, tracked: dict[str, tuple[str, ...]]) -> Sequence[Diagnostic]:
    """S105 for the rows of a scope that match no file of the repository in which the skill lies.
    `tracked` remembers the files of each."""
    if row.skill is None or row.origin is SkillOrigin.BUILTIN:
        return ()
    folder = top(os.path.realpath(os.path.join(start, os.path.dirname(row.path))))
    if folder not in tracked:
        git = _repository(folder) if os.path.lexists(os.path.join(folder, ".git")) else None
        tracked[folder] = tracked_files(git) if git else ()
    return unmatched(row.skill, tracked[folder]) if tracked[folder] else ()
