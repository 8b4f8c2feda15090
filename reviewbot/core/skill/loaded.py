"""What became of the skill files that a search found: each a skill, or the errors that say why not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.skill.bundle import load_bundle
from reviewbot.core.skill.choice import stated_purpose
from reviewbot.core.skill.discovery import NAME, Fault, Place, Search, SkillFolder, error
from reviewbot.core.skill.rules import may_be_astray
from reviewbot.core.types import Diagnostic, Skill, SkillOrigin


class Loaded(NamedTuple):
    """One skill file. Diagnostics of a skill that was loaded can be errors too: of its rules."""

    path: str  # of the skill file, for people
    root: str  # where the search for it started
    origin: SkillOrigin
    skill: Skill | None
    diagnostics: tuple[Diagnostic, ...]
    purpose: str = ""  # what a skill that was not loaded says that it is for, as far as that can be read


def load(
    place: Place, found: Search, origin: SkillOrigin, shown: Callable[[str], str] = str
) -> tuple[Loaded, ...]:
    """Every skill that was found, in order; behind them what was missed. `shown` makes of the path of a
    skill file the one for people."""
    paths = [path for folder in found.skills for path in folder.read.values()]
    contents = dict(zip(paths, place.read(paths), strict=True))
    rows = [_load(folder, contents, origin, shown(folder.path)) for folder in found.skills]
    return (*_settled(rows), *(Loaded(d.path, "", origin, None, (d,)) for d in found.missed))


def _load(
    folder: SkillFolder, contents: Mapping[str, bytes | Fault], origin: SkillOrigin, path: str
) -> Loaded:
    files: dict[str, bytes] = {}
    notes = list(folder.notes)
    for name, at in folder.read.items():
        content = contents[at]
        if not isinstance(content, Fault):
            files[name] = content
        elif not may_be_astray(name):
            notes.append(error(at, content))
    purpose = stated_purpose(files.get(NAME, b""))
    if any(note.level == "error" for note in notes):
        return Loaded(path, folder.root, origin, None, tuple(dict.fromkeys(notes)), purpose)
    skill, diagnostics = load_bundle(path, files, origin, folder.names)
    diagnostics = (*notes, *diagnostics)
    skill = skill and skill._replace(diagnostics=diagnostics)
    return Loaded(path, folder.root, origin, skill, diagnostics, purpose)


def _settled(rows: Sequence[Loaded]) -> list[Loaded]:
    """Of skills with one name below one root none is preferred: they are errors. Below different roots
    the first comes first, and the others say so. The same content twice, as behind a link, is one skill."""
    kept: list[Loaded] = []
    namesakes: defaultdict[str, list[Loaded]] = defaultdict(list)
    hashes: set[tuple[str, str]] = set()
    for row in rows:
        if row.skill:
            if (row.skill.name, row.skill.hash) in hashes:
                continue
            hashes.add((row.skill.name, row.skill.hash))
            namesakes[row.skill.name].append(row)
        kept.append(row)
    return [_compared(row, row.skill, namesakes[row.skill.name]) if row.skill else row for row in kept]


def _compared(row: Loaded, skill: Skill, namesakes: Sequence[Loaded]) -> Loaded:
    rivals = [other.path for other in namesakes if other.root == row.root and other is not row]
    if rivals:
        message = f"{rivals[0]} is called `{skill.name}` too; neither is used: rename one of them"
        purpose = f"{skill.name} {skill.description}" if skill.classes else ""
        noted = (_s011(row, "error", message), *row.diagnostics)
        return row._replace(skill=None, diagnostics=noted, purpose=purpose)
    if row is namesakes[0]:
        return row
    message = f"{namesakes[0].path} is called `{skill.name}` too, and comes first"
    noted = (_s011(row, "warning", message), *row.diagnostics)
    return row._replace(skill=skill._replace(diagnostics=noted), diagnostics=noted)


def _s011(row: Loaded, level: str, message: str) -> Diagnostic:
    return Diagnostic(row.path, 1, 1, "S011", level, message)
