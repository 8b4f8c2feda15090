"""What a skill says of itself: its name and description, and the keys that are not ours."""

from __future__ import annotations

import re

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.frontmatter import FrontMatter

OWN_KEYS = frozenset(["name", "description", "license", "compatibility", "metadata", "paths", "globs"])
# Keys of other tools, seen in public skills. They mean nothing here, and are no mistake.
FOREIGN_KEY = re.compile(
    r"(?:agent|args|argument-hint|author|category|context|disable-model-invocation|effort|homepage|model"
    r"|origin|requires|tags|triggers|type|user[-_]invocable|version|when_to_use)$"
)
NEVER_GRANTED = frozenset(["allowed-tools", "hooks", "tools"])
LIMITS = {"name": 64, "description": 1024, "compatibility": 500}
KEBAB = re.compile(r"[^\W_A-Z]+(?:-[^\W_A-Z]+)*$")


def name_and_description(path: str, front: FrontMatter, notes: Diagnostics) -> tuple[str, str]:
    """Both on one line each; empty, with an error in `notes`, where there is none."""
    folder = path.rsplit("/", 2)[-2] if "/" in path else ""
    name = " ".join(front.text("name").split())
    description = " ".join(front.text("description").split())
    _check_keys(front, notes)
    if not description:
        notes.error("S004", front.lines.get("description", 1), 1, "`description` is missing or empty")
    line = front.lines.get("name", 1)
    if not re.search(r"\w", name):
        if not re.search(r"\w", folder):
            notes.error("S004", line, 1, "`name` is missing, and no folder gives one")
            return "", description
        notes.warn("S101", line, 1, f"`name` is missing; `{folder}`, the name of the folder, is used")
        return folder, description
    if not KEBAB.match(name):
        notes.warn("S101", line, 1, f"`{name[:80]}` is not lower-case words joined by hyphens")
    elif folder and folder != name:
        notes.warn("S101", line, 1, f"the name is `{name}`, the folder `{folder}`")
    return name, description


def _check_keys(front: FrontMatter, notes: Diagnostics) -> None:
    for key, line in front.lines.items():
        if key in LIMITS and len(front.text(key)) > LIMITS[key]:
            notes.warn("S101", line, 1, f"`{key}` is longer than {LIMITS[key]} characters")
        if key in NEVER_GRANTED:
            notes.info("S102", line, 1, f"`{key}` is read and never granted")
        elif FOREIGN_KEY.match(key):
            notes.info("S102", line, 1, f"`{key}` means nothing to reviewbot")
        elif key not in OWN_KEYS:
            notes.warn("S102", line, 1, f"unknown key `{key[:80]}`")
