"""Defect classes: the items of the sections that list what to hunt, and what not to report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.items import Item, text_of
from reviewbot.core.skill.markdown import Document
from reviewbot.core.skill.sections import Role, Section
from reviewbot.core.types import DefectClass, Severity

MAX_CLASSES = 200
MAX_TITLE = 80
DASH = "[\N{EM DASH}\N{EN DASH}-]"
SEVERITIES = {
    Severity.BLOCKER: ("blocker", "blocking", "critical", "p0"),
    Severity.WARNING: ("warning", "high", "major", "medium", "important", "p1", "p2"),
    Severity.NOTE: ("note", "low", "minor", "nit", "info", "suggestion", "optional", "p3"),
}
SEVERITY_OF = {word: severity for severity, words in SEVERITIES.items() for word in words}
WORD = f"({'|'.join(SEVERITY_OF)})"
# A severity is only read where it is meant as one: "[high] …", "… (critical)", "Severity: low".
# A title such as "Warning where an assumption breaks" says nothing about severity.
TAG_BEFORE = re.compile(rf"[\[(]{WORD}[\])]\s*", re.IGNORECASE)
TAG_BEHIND = re.compile(rf"\s[\[(]{WORD}[\])]$", re.IGNORECASE)
LABEL = re.compile(rf"\b(?:severity|priority)\W{{1,6}}{WORD}\b", re.IGNORECASE)
FIX = re.compile(r"(?:(?<=\s)|^)\**Fix\**\s?:\**[ \t]*")
BEHIND_FIX = re.compile(r"\n|(?<=[.!?;]\s)\**(?:Same shape|Prove|Proof|Cost|Why|Example|Severity)\b")
SUPPRESS_TITLE = re.compile(r"false positives?\b", re.IGNORECASE)
# An order to the reviewer; "workers that do not report errors" is none.
SUPPRESS_TEXT = re.compile(
    r"(?:^|[.;:!?,] |\band |\bso )(?:do not|don't|never)"
    r" (?:flag|report|comment on|[\"“]?fix[\"”]? (?:it|them|this)\b)"
    r"|\b(?:is|are) (?:an? )?(?:honest |known |harmless )?false positives?\b",
    re.IGNORECASE,
)


def read_classes(
    doc: Document, listed: Mapping[Section, Sequence[Item]], notes: Diagnostics
) -> tuple[DefectClass, ...]:
    """All classes in the order of the file; the rank is the place in it."""
    classes: list[DefectClass] = []
    slugs: set[str] = set()
    sections = {section: items for section, items in listed.items() if section.role is not Role.PROCEDURE}
    if sum(map(len, sections.values())) > MAX_CLASSES:
        notes.error("S012", next(iter(sections)).start, 1, f"more than {MAX_CLASSES} defect classes")
        return ()
    for section, items in sections.items():
        if section.role is Role.CLASSES and section.heading and not items:
            message = "no defect class was read here: no numbered items, numbered headings or bold bullets"
            notes.warn("S012", section.heading.line, 1, message)
        for item in items:
            defect = _class(doc, item, len(classes) + 1)
            if section.role is Role.SUPPRESS:
                defect = defect._replace(kind="suppress")
            if defect.slug in slugs:
                notes.warn("S012", item.line, 1, f"a second class is called `{defect.title}`")
                numbered = (f"{defect.slug}-{n}" for n in count(2))
                defect = defect._replace(slug=next(s for s in numbered if s not in slugs))
            slugs.add(defect.slug)
            classes.append(defect)
    _describe(classes, notes)
    return tuple(classes)


def _class(doc: Document, item: Item, rank: int) -> DefectClass:
    title, rest = _title(text_of(doc, item))
    tag = TAG_BEFORE.match(title) or TAG_BEHIND.search(title)
    if tag:
        title = f"{title[: tag.start()]}{title[tag.end() :]}"
    tag = tag or TAG_BEFORE.match(rest) or LABEL.search(rest)
    body, fix = _fix(rest)
    suppresses = SUPPRESS_TITLE.search(title) or SUPPRESS_TEXT.search(rest)
    return DefectClass(
        rank=rank,
        slug=slug(title) or f"class-{rank}",
        title=title,
        body=body,
        fix=fix,
        kind="suppress" if suppresses else "defect",
        severity=SEVERITY_OF[tag[1].lower()] if tag else None,
        line=item.line,
    )


def slug(title: str) -> str:
    """The stable key of a title: lower case, a hyphen for every run of what is no letter or digit."""
    return re.sub(r"[\W_]+", "-", title.lower()).strip("-")


def _title(text: str) -> tuple[str, str]:
    """The title of an item, and what follows it: its bold beginning, else its first sentence."""
    if text.startswith("**") and (end := text.find("**", 2)) > 2:
        title, rest = text[2:end], text[end + 2 :]
    else:
        head, _, more = text.partition("\n")
        sentence = re.search(rf"[.:!?](?=\s|$)|\s{DASH}\s", head)
        cut = sentence.start() + 1 if sentence else len(head)
        if cut > MAX_TITLE:
            cut = head.rfind(" ", 1, MAX_TITLE)
            cut = cut if cut > 0 else MAX_TITLE
        title, rest = head[:cut], f"{head[cut:]}\n{more}"
    return " ".join(title.split()).rstrip(" .:"), re.sub(rf"^[ .:]*(?:{DASH} +)?", "", rest).strip()


def _fix(rest: str) -> tuple[str, str]:
    """The body without its "Fix: …", and the fix: up to the next label or line."""
    m = FIX.search(rest)
    if not m:
        return rest, ""
    behind = BEHIND_FIX.search(rest, m.end())
    end = behind.start() if behind else len(rest)
    body = f"{rest[: m.start()].rstrip()} {rest[end:].lstrip()}".strip()
    return body, rest[m.end() : end].strip()


def _describe(classes: Iterable[DefectClass], notes: Diagnostics) -> None:
    unfixed = []
    for defect in classes:
        if defect.kind == "suppress":
            notes.info("S109", defect.line, 1, f"`{defect.title}` says what is never reported")
        elif not defect.fix:
            unfixed.append(defect)
    if unfixed:
        ranks = ", ".join(str(defect.rank) for defect in unfixed)
        notes.info("S109", unfixed[0].line, 1, f"classes without a `Fix:` sentence: {ranks}")
