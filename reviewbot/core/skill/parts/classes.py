"""Defect classes: the items of the sections that list what to hunt, and what not to report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.markdown.items import Item, text_of
from reviewbot.core.skill.markdown.scan import Document
from reviewbot.core.skill.markdown.sections import Role, Section
from reviewbot.core.skill.markdown.severity import level_of, tagged
from reviewbot.core.types import DefectClass, Severity

MAX_CLASSES = 200
MAX_TITLE = 80
DASH = "[\N{EM DASH}\N{EN DASH}-]"
FIX = pattern(r"(?:(?<=\s)|^)\**Fix\**\s?:\**[ \t]*")
BEHIND_FIX = pattern(r"\n|(?<=[.!?;]\s)\**(?:Same shape|Prove|Proof|Cost|Why|Example|Severity)\b")
SUPPRESS_TITLE = pattern(r"false positives?\b", re.IGNORECASE)
# An order to the reviewer; "workers that do not report errors" is none.
SUPPRESS_TEXT = pattern(
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
    all_items = [item for items in sections.values() for item in items]
    if len(all_items) > MAX_CLASSES:
        notes.error("S012", all_items[MAX_CLASSES].line, 1, f"more than {MAX_CLASSES} defect classes")
        return ()
    for section, items in sections.items():
        if section.role is Role.CLASSES and section.heading and not items:
            message = "no defect class was read here: no list, table or sub-headings that name one"
            notes.warn("S012", section.heading.line, 1, message)
        for item in items:
            defect = _class(doc, item, len(classes) + 1)
            if defect.severity is None:
                defect = defect._replace(severity=_level(doc, section, items, item))
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
    title, severity = tagged(title, rest)
    body, fix = _fix(rest)
    return DefectClass(
        rank=rank,
        slug=slug(title) or f"class-{rank}",
        title=title,
        body=body,
        fix=fix,
        kind="suppress" if _suppresses(title, rest) else "defect",
        severity=severity,
        line=item.line,
    )


def _suppresses(title: str, rest: str) -> bool:
    words = rest.lower()  # four searches for a word cost a tenth of the pattern
    if any(word in words for word in ("not ", "don't ", "never ", "false positive")):
        return bool(SUPPRESS_TITLE.search(title) or SUPPRESS_TEXT.search(rest))
    return bool(SUPPRESS_TITLE.search(title))


def _level(doc: Document, section: Section, items: Sequence[Item], item: Item) -> Severity | None:
    """The severity that the heading above an item gives to all below it."""
    own = {other.line for other in items}
    top = section.heading.line if section.heading else section.start
    above = (h for h in reversed(doc.headings_in(top, item.line)) if h.line not in own)
    nearest = next(above, None)
    return level_of(nearest.text) if nearest else None


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
