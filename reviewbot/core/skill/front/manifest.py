"""What a skill says of itself: its name and description, and the keys that are not ours."""

from __future__ import annotations

import re
import unicodedata

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.frontmatter import FrontMatter
from reviewbot.core.skill.front.pins import is_pin_key
from reviewbot.core.skill.markdown.items import flow
from reviewbot.core.skill.markdown.scan import Document

OWN_KEYS = frozenset(
    ["name", "description", "license", "compatibility", "metadata", "paths", "globs", "gates"]
)
# Keys of other tools, seen in public skills. They mean nothing here, and are no mistake.
FOREIGN_KEY = pattern(
    r"(?:agent|args|argument-hint|arguments|author|category|context|date|disable-model-invocation|effort"
    r"|homepage|keywords|model|origin|requires|skills|tags|title|triggers?|type|user[-_]?[iI]nvocable|version"
    r"|when[-_]to[-_]use)$"
)
NEVER_GRANTED = frozenset(["allowed-tools", "allowed_tools", "hooks", "shell", "tools"])
LIMITS = {"name": 64, "description": 1024, "compatibility": 500}
KEBAB = pattern(r"[^\W_A-Z]+(?:-[^\W_A-Z]+)*")


def name_of(path: str) -> str:
    """The name that its path gives a skill: that of the folder of a SKILL.md, else of the file; "" for a
    SKILL.md without a folder."""
    *folders, file = path.removeprefix("builtin:").split("/")
    stem = file.rsplit(".", 1)[0]
    if stem.lower() not in ("skill", "review"):
        return stem
    return folders[-1] if folders else stem.lower().replace("skill", "")


def name_and_description(path: str, front: FrontMatter, doc: Document, notes: Diagnostics) -> tuple[str, str]:
    """Both on one line each; empty, with an error in `notes`, where there is none. Without front matter
    the path gives the name, and the first paragraph the description."""
    given = name_of(path)
    _check_keys(front, notes)
    if path.rsplit("/", 1)[-1].lower() == "skill.md" and not path.endswith("SKILL.md"):
        notes.warn("S101", 1, 1, "other tools find this file only if it is called `SKILL.md`")
    name = " ".join(front.text("name").split()) if front.end else given
    description = " ".join(front.text("description").split()) if front.end else _first_words(doc) or given
    if not description:
        notes.error("S004", front.lines.get("description", 1), 1, "`description` is missing or empty")
    line = front.lines.get("name", 1)
    if not re.search(r"\w", name):
        if not re.search(r"\w", given):
            notes.error("S004", line, 1, "`name` is missing, and the path gives none")
            return "", description
        notes.warn("S101", line, 1, f"`name` is missing; `{given}`, which the path gives, is used")
        return given, description
    if not KEBAB.fullmatch(unicodedata.normalize("NFKC", name)):
        notes.warn("S101", line, 1, f"`{name[:80]}` is not lower-case words joined by hyphens")
    elif given and unicodedata.normalize("NFKC", given) != unicodedata.normalize("NFKC", name):
        notes.warn("S101", line, 1, f"the name is `{name}`, that of the path `{given}`")
    return name, description


def _first_words(doc: Document) -> str:
    """The first paragraph, else the first heading, cut where a description must end."""
    for number in doc.free_lines(doc.start, len(doc.lines)):
        if not doc.blank(number):
            return flow(doc, number, doc.end_of_paragraph(number)).partition("\n")[0][: LIMITS["description"]]
    return doc.headings[0].text[: LIMITS["description"]] if doc.headings else ""


def _check_keys(front: FrontMatter, notes: Diagnostics) -> None:
    for key, line in front.lines.items():
        if key in LIMITS and len(front.text(key)) > LIMITS[key]:
            notes.warn("S101", line, 1, f"`{key}` is longer than {LIMITS[key]} characters")
        if key in NEVER_GRANTED:
            notes.info("S102", line, 1, f"`{key}` is read and never granted")
        elif FOREIGN_KEY.match(key):
            notes.info("S102", line, 1, f"`{key}` means nothing to reviewbot")
        elif key not in OWN_KEYS and not is_pin_key(key):  # what is meant for pins is named with them
            notes.warn("S102", line, 1, f"unknown key `{key[:80]}`")
