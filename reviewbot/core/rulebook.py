"""The files that decide how a repository is reviewed, and the finding that a change edits them.

A review is made by what base says (law 8), so the edit itself has no effect yet. A person has to
look at it: from the next change on it is the rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from reviewbot.core.skill import load_skill
from reviewbot.core.skill.discovery import SKILL_FOLDERS
from reviewbot.core.types import (
    Candidate,
    Change,
    Grade,
    Origin,
    Severity,
    Side,
    Site,
    SkillOrigin,
    Text,
    Texts,
)

SETTINGS = ".reviewbot/config.toml"

RANK = 2000  # behind every defect class and every gate
_NOT_RULES = ("cases", "assets", "scripts")  # folders of a skill that no review reads


def edited_rules(change: Change) -> list[str]:
    """The changed files that are part of the rules, at head, or at base where they are deleted."""
    return [file.path for file in change.files if _subject(file.path) or _subject(file.old_path or "")]


def quotable(texts: Texts, edited: Mapping[Side, Texts]) -> Texts:
    """`texts` with those of the edited rules; a deleted one stands there as base has it."""
    return texts._replace(files={**edited[Side.LEFT].files, **edited[Side.RIGHT].files, **texts.files})


def read_edits(change: Change, edited: Mapping[Side, Texts]) -> tuple[Candidate, ...]:
    """One finding for each skill, and for the configuration, that the change edits."""
    head, base = edited[Side.RIGHT].files, edited[Side.LEFT].files
    sites: dict[str, list[Site]] = defaultdict(list)
    for file in change.files:
        if subject := _subject(file.path) or _subject(file.old_path or ""):
            sites[subject] += _site(file.path, head.get(file.path), base.get(file.path))
    return tuple(_candidate(subject, own, head) for subject, own in sorted(sites.items()) if own)


def _subject(path: str) -> str:
    """What a path is a rule of: "the configuration", or the folder of a skill; "" for any other file."""
    if path == SETTINGS:
        return "the configuration"
    for folder in SKILL_FOLDERS:
        if path.startswith(f"{folder}/"):
            name, _, below = path[len(folder) + 1 :].partition("/")
            rules = below.lower() == "skill.md" or below.startswith(("rules/", "references/"))
            return f"`{folder}/{name}`" if rules else ""
    return ""


def _site(path: str, head: Text | None, base: Text | None) -> Iterator[Site]:
    """The first line that differs; of a deleted file its first line at base."""
    if head and head.lines:
        old: Sequence[str] = base.lines if base else ()
        same = sum(1 for _ in _equal(head.lines, old))
        line = min(same + 1, len(head.lines))
        yield Site(path, line, line, head.quote(line))
    elif base and base.lines:
        yield Site(path, 1, 1, base.quote(1), Side.LEFT)


def _equal(new: Sequence[str], old: Sequence[str]) -> Iterator[str]:
    for one, other in zip(new, old, strict=False):
        if one != other:
            return
        yield one


def _candidate(subject: str, sites: Sequence[Site], head: Mapping[str, Text]) -> Candidate:
    first, *rest = sites
    return Candidate(
        skill="reviewbot",
        slug="changed-rules",
        rank=RANK,
        title="The rules of this review are changed",
        severity=Severity.NOTE,
        origin=Origin.DETECTOR,
        grade=Grade.STRONG,
        site=first,
        also=tuple(rest),
        failure=f"This change edits {subject}. The review was made with the version at base; what the edit "
        f"adds, drops or loosens had no effect on it.{_faults(sites, head)}",
        cost="What is loosened here is missing from every later review.",
        fix="Let somebody who knows the rules read this edit. `reviewbot diff --skill PATH` reviews with the "
        "new version.",
    )


def _faults(sites: Sequence[Site], head: Mapping[str, Text]) -> str:
    """Whether a skill as it stands at head would load."""
    for site in sites:
        if site.path.lower().endswith("/skill.md") and site.path in head:
            data = head[site.path].content.encode("utf-8", "surrogateescape")
            skill, diagnostics = load_skill(site.path, data, SkillOrigin.HEAD)
            if skill is None:
                fault = next(d for d in diagnostics if d.level == "error")
                return f" At head it does not load: line {fault.line}: {fault.code} {fault.message}."
    return ""
