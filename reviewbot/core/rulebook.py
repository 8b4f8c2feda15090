"""The files that decide how a repository is reviewed, and the finding that a change edits them.

A review is made by what base says (law 8), so the edit itself has no effect yet. A person has to
look at it: from the next change on it is the rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reviewbot.core.skill import choose, load_skill
from reviewbot.core.skill.discovery import SKILL_FOLDERS
from reviewbot.core.types import (
    Candidate,
    Change,
    FileChange,
    GateResult,
    Grade,
    Origin,
    Severity,
    Side,
    Site,
    SkillOrigin,
    Status,
    Text,
    Texts,
)

SETTINGS = ".reviewbot/config.toml"

_CASES = "cases"  # a skill's own tests, which no review reads
_PARTS = ("rules", "references", _CASES)
RANK = 2000  # behind every defect class and every gate
_VERBS = {Status.ADDED: "adds", Status.DELETED: "deletes"}
_NO_OPTION = "it: no option reviews with another configuration than that at base."
# What a change does to a skill or the configuration -> what that means, its cost, what is to be read.
_WORDS = {
    "adds": (
        "It had no effect on this review; it counts from the next change on.",
        "From then on it decides what is reported, and what never is.",
        "it first. `reviewbot diff --skill PATH` reviews with it now.",
    ),
    "deletes": (
        "It still counted in this review, and does not from the next change on.",
        "What it asked for is missing from every later review.",
        "what is deleted, and agree.",
    ),
    "edits": (
        "The review was made with the version at base; what the edit adds, drops or loosens had no effect.",
        "What is loosened here is missing from every later review.",
        "this edit. `reviewbot diff --skill PATH` reviews with the new version.",
    ),
}


def edited_rules(change: Change) -> list[str]:
    """The changed files that are part of the rules, at head, or at base where they are deleted. None of a
    whole tree: nothing in it is an edit."""
    if change.whole:
        return []
    return [file.path for file in change.files if _subject(file.path) or _subject(file.old_path or "")]


def quotable(texts: Texts, edited: Mapping[Side, Texts], gates: Iterable[GateResult]) -> Texts:
    """`texts`, those of the edited rules (one that is deleted or emptied stands there as base has it), and
    those that the gates had, which can lie outside the change."""
    ran = {text.path: text for gate in gates for text in (*gate.run.files, *gate.named)}
    head = {path: text for path, text in edited[Side.RIGHT].files.items() if text.lines}
    old = edited[Side.LEFT].files
    own = {path: text for path, text in texts.files.items() if text.lines or path not in old}
    return texts._replace(files={**ran, **old, **head, **own})


def read_edits(change: Change, edited: Mapping[Side, Texts]) -> tuple[Candidate, ...]:
    """One finding for each skill, and for the configuration, that the change edits."""
    head, base = edited[Side.RIGHT].files, edited[Side.LEFT].files
    sites: dict[str, list[Site]] = defaultdict(list)
    verbs: dict[str, str] = {}
    for file in change.files:
        if subject := _subject(file.path) or _subject(file.old_path or ""):
            sites[subject] += _site(file.path, head.get(file.path), base.get(file.path))
            if verb := _verb(file):
                verbs[subject] = verb
    return tuple(
        _candidate(verbs.get(subject, "edits"), subject, own, head)
        for subject, own in sorted(sites.items())
        if own
    )


def _subject(path: str) -> str:
    """What a path is a rule of: "the configuration", or a skill by its folder; "" for any other file."""
    if path == SETTINGS:
        return "the configuration"
    for folder in SKILL_FOLDERS:
        if path.startswith(f"{folder}/"):
            *folders, name = path[len(folder) + 1 :].split("/")
            end = next((n for n, part in enumerate(folders) if part in _PARTS), len(folders))
            rules = folders[end] != _CASES if end < len(folders) else name.lower() == "skill.md"
            return f"the skill `{'/'.join([folder, *folders[:end]])}`" if rules else ""
    return ""


def _verb(file: FileChange) -> str:
    """What becomes of a skill or the configuration as a whole; "" where only a part of it changes."""
    if _subject(file.path):
        return _VERBS.get(file.status, "") if _is_whole(file.path) else ""
    return "deletes" if _is_whole(file.old_path or "") else ""


def _is_whole(path: str) -> bool:
    return path == SETTINGS or path.lower().endswith("/skill.md")


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


def _candidate(verb: str, subject: str, sites: Sequence[Site], head: Mapping[str, Text]) -> Candidate:
    first, *rest = sites
    effect, cost, look = _WORDS[verb]
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
        failure=f"This change {verb} {subject}. {effect}{_at_head(sites, head)}",
        cost=cost,
        fix=f"Let somebody who knows the rules read {look if first.path != SETTINGS else _NO_OPTION}",
    )


def _at_head(sites: Sequence[Site], head: Mapping[str, Text]) -> str:
    """What keeps a skill, as it stands at head, from reviewing."""
    for site in sites:
        if _is_whole(site.path) and site.path in head and site.path != SETTINGS:
            data = head[site.path].content.encode("utf-8", "surrogateescape")
            skill, diagnostics = load_skill(site.path, data, SkillOrigin.HEAD)
            if skill is None:
                fault = next(d for d in diagnostics if d.level == "error")
                return f" At head it does not load: line {fault.line}: {fault.code} {fault.message}."
            for _, reason in choose((skill,), (), (), ())[1]:
                return f" At head it takes no part in a review unless `[skills] use` names it: {reason}."
    return ""
