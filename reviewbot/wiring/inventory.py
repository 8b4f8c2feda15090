"""Which skills there are: at a commit, in a work tree, at a path, and built in; and which of them review."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from reviewbot.assets import assets
from reviewbot.core.errors import ConfigError, UsageError, nearest
from reviewbot.core.rulebook import SETTINGS
from reviewbot.core.skill import choose, would_review
from reviewbot.core.skill.discovery import (
    NAME,
    SKILL_FOLDERS,
    Fault,
    Place,
    Search,
    SkillFolder,
    is_skill_file,
    join,
    search,
)
from reviewbot.core.skill.front.manifest import name_of
from reviewbot.core.skill.loaded import Loaded, load
from reviewbot.core.types import Diagnostic, Settings, Skill, SkillOrigin, Skills
from reviewbot.hosts.diskfolders import DiskFolders

MAX_NEW = 20  # skills of a work tree that are read only to say that base lacks them


def built_in() -> tuple[Loaded, ...]:
    """The skills of this installation."""
    folder = assets("skills")
    place = DiskFolders(folder, os.path.realpath(folder))

    def shown(path: str) -> str:
        return f"builtin:{os.path.dirname(path)}"

    return load(place, search(place, ("",)), SkillOrigin.BUILTIN, shown)


def at_base(place: Place) -> tuple[Loaded, ...]:
    """The repository's skills as its base has them."""
    return load(place, search(place, SKILL_FOLDERS), SkillOrigin.BASE)


def in_work_tree(folder: str) -> tuple[Loaded, ...]:
    """The repository's skills as they lie on the disk; `folder` is the top of its work tree."""
    place = DiskFolders(folder, os.path.realpath(folder))
    return load(place, search(place, SKILL_FOLDERS), SkillOrigin.HEAD)


def at_path(path: str, cwd: str) -> tuple[Loaded, ...]:
    """The skill in a file or its folder, or all skills in a folder of them. Raises UsageError where
    there is none."""
    full = os.path.join(cwd, path)
    if not os.path.lexists(full):
        raise UsageError(f"{path}: no such file or folder")
    if not os.path.isdir(full):
        return (_in_file(path, cwd),)
    place = _around(full, cwd)
    loaded = load(place, search(place, (path,)), SkillOrigin.PATH)
    if not loaded:
        raise UsageError(f"{path}: no SKILL.md in this folder", "name the file, its folder, or theirs")
    return loaded


def _in_file(path: str, cwd: str) -> Loaded:
    """The skill in one file. What lies beside it belongs to it only where it is a SKILL.md."""
    folder, name = os.path.split(path)
    place = _around(os.path.join(cwd, folder), cwd)
    own = SkillFolder(path, path, None)
    if is_skill_file(name):
        found = search(place, (folder,), depth=2)
        beside = next((s for s in found.skills if os.path.dirname(s.path) == folder), own)
        missed = [d for d in found.missed if d.path == join(folder, NAME)]
        faults = [d for d in (*beside.notes, *missed) if d.level == "error"]
        own = own._replace(names=beside.names, notes=tuple(faults))
    return load(place, Search((own,), ()), SkillOrigin.PATH)[0]


def _around(folder: str, cwd: str) -> DiskFolders:
    """What may be read where somebody named this folder: the repository around it, else itself."""
    from reviewbot.hosts.trees import top  # it imports tempfile and shutil, 10 ms

    return DiskFolders(cwd, top(os.path.realpath(folder)))


def settings_in(files: Mapping[str, bytes]) -> Settings:
    """What `.reviewbot/config.toml` says, if it is among these files. Raises ConfigError."""
    if SETTINGS not in files:
        return Settings()
    if len(files[SETTINGS]) > 262_144:  # what is read of one file
        raise ConfigError(f"{SETTINGS} is larger than 256 KiB")
    if _says_nothing(files[SETTINGS]):
        return Settings()
    from reviewbot.core.settings import parse_settings  # pydantic: 100 ms, only where something is set

    return parse_settings(files[SETTINGS], SETTINGS)


def _says_nothing(content: bytes) -> bool:
    """Whether each line is empty or a comment, as `reviewbot init` writes the file."""
    rows = content.split(b"\n")
    return content.isascii() and all(row[:1] in (b"", b"#") and b"\r" not in row for row in rows)


def settings_on_disk(folder: str) -> Settings:
    if not os.path.lexists(os.path.join(folder, SETTINGS)):
        return Settings()
    content = DiskFolders(folder, os.path.realpath(folder)).read([SETTINGS])[0]
    if isinstance(content, Fault):
        raise ConfigError(f"{SETTINGS}: {content.why}")
    return settings_in({SETTINGS: content})


def chosen(
    found: Sequence[Loaded], builtin: Sequence[Loaded], settings: Settings, *, model: bool = False
) -> Skills:
    """The skills of a review that names none; `model`: whether one is on. Raises ConfigError where the
    settings name one that is not there: a typo would be silent."""
    names = _names((*found, *builtin))
    for key, given in (("use", settings.use), ("disable", settings.disable)):
        for name in given:
            if name not in names:
                message = f"{SETTINGS}: skills.{key} names {name!r}, which no skill is called"
                raise ConfigError(message, nearest(name, names))
    offered = _skills(found), _skills(builtin)
    active, listed = choose(*offered, settings.use, settings.disable, model=model)
    taking_part = {skill.path for skill in active}
    failed = [
        row
        for row in found
        if (
            row.path in taking_part
            if row.skill
            else would_review(row.path, row.purpose, settings.use, settings.disable)
        )
    ]
    return Skills(active, listed, errors([*failed, *builtin]))


def named(name: str, cwd: str, found: Sequence[Loaded], builtin: Sequence[Loaded]) -> Loaded:
    """The skill of a file or its folder, else the one of this name: the repository's before a built-in
    one. Raises UsageError."""
    if path := _skill_file(name, cwd):
        return _in_file(path, cwd)
    for rows in (found, builtin):
        loaded = [row for row in rows if row.skill and row.skill.name == name]
        if fits := loaded or [row for row in rows if not row.skill and name_of(row.path) == name]:
            return fits[0]
    known = {row.skill.name for row in (*found, *builtin) if row.skill}
    raise UsageError(f"{name}: no such file or skill", nearest(name, known))


def errors(rows: Iterable[Loaded]) -> tuple[Diagnostic, ...]:
    return tuple(d for row in rows for d in row.diagnostics if d.level == "error")


def not_at_base(folder: str, cwd: str, base: Sequence[Loaded], settings: Settings) -> tuple[str, ...]:
    """A sentence for each skill of the work tree at `folder` that would review, if base had it. What base
    has at the same path is not read again."""
    place = DiskFolders(folder, os.path.realpath(folder))
    paths = {row.path for row in base}
    new = [found for found in search(place, SKILL_FOLDERS).skills if found.path not in paths]
    rows = load(place, Search(tuple(new[:MAX_NEW]), ()), SkillOrigin.HEAD)
    active, _ = choose(_skills(rows), (), settings.use, settings.disable)
    broken = [row.path for row in rows if not row.skill and would_review(row.path, row.purpose, settings.use)]
    named = [*((skill.name, skill.path) for skill in active), *((name_of(path), path) for path in broken)]
    sentences = [
        f"{name} is not at base and took no part: commit it to the base branch, or name it with --skill "
        + os.path.relpath(os.path.join(folder, os.path.dirname(path)), cwd)
        for name, path in named
        if name not in {*settings.disable, *_names(base)}
    ]
    if len(new) > MAX_NEW:
        sentences.append(f"{len(new) - MAX_NEW:,} more skills of the work tree are not at base")
    return tuple(sentences)


def _names(rows: Iterable[Loaded]) -> set[str]:
    return {row.skill.name if row.skill else name_of(row.path) for row in rows}


def _skill_file(path: str, cwd: str) -> str | None:
    full = os.path.join(cwd, path)
    if not os.path.isdir(full):
        return path if os.path.lexists(full) else None
    files = sorted(filter(is_skill_file, os.listdir(full)))  # upper case first
    return os.path.join(path, files[0]) if files else None


def _skills(rows: Iterable[Loaded]) -> list[Skill]:
    return [row.skill for row in rows if row.skill]
