"""Options → adapters → a review. The only place where adapters are built."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from reviewbot.assets import assets
from reviewbot.core.errors import ConfigError, UsageError, nearest
from reviewbot.core.options import DiffOptions
from reviewbot.core.ports import Tools
from reviewbot.core.skill import choose, folder, load_skill, would_review
from reviewbot.core.types import Diagnostic, Review, Settings, Skill, SkillOrigin, Skills
from reviewbot.gates.run import LocalGates
from reviewbot.hosts.local import LocalSource
from reviewbot.pipeline import review

if TYPE_CHECKING:
    from reviewbot.hosts.patch import PatchSource

SETTINGS = ".reviewbot/config.toml"
SKILL_FOLDERS = (
    ".reviewbot/skills",
    ".agents/skills",
    ".claude/skills",
    "skills",
)  # the first of a name wins


def run_diff(options: DiffOptions) -> Review:
    """Review what the options name. Raises UsageError or ConfigError before any work starts."""
    source = _source(options)
    files = source.base_files((SETTINGS, *SKILL_FOLDERS))
    settings = _settings(files)
    gates = LocalGates(timeout=_timeout(settings))
    tools = Tools(replace(source, limit=settings.max_file_bytes), gates, options.progress)
    return review(_skills(options, files, settings), tools)


def _source(options: DiffOptions) -> LocalSource | PatchSource:
    if options.patch is not None:
        from reviewbot.hosts.patch import PatchSource  # 10 ms, only where there is a patch

        return PatchSource.open(options.patch, options.patch_name, options.cwd)
    return LocalSource.open(options.cwd, options.base, head=options.head, mode=options.mode)


def _settings(files: Mapping[str, bytes]) -> Settings:
    if SETTINGS not in files:
        return Settings()
    if len(files[SETTINGS]) > 262_144:  # what base_files reads of one file
        raise ConfigError(f"{SETTINGS} is larger than 256 KiB")
    from reviewbot.core.settings import parse_settings  # pydantic: 100 ms, only where there is a file

    return parse_settings(files[SETTINGS], SETTINGS)


def _timeout(settings: Settings) -> float:
    given = os.environ.get("REVIEWBOT_GATE_TIMEOUT")
    if not given:
        return settings.gate_timeout
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", given) or not float(given):
        raise ConfigError(f"REVIEWBOT_GATE_TIMEOUT={given!r} is no number of seconds above 0")
    return float(given)


def _skills(options: DiffOptions, files: Mapping[str, bytes], settings: Settings) -> Skills:
    found, failed = _load(_in_repository(files), SkillOrigin.BASE)
    builtin, broken = _load(_built_in(), SkillOrigin.BUILTIN)
    if not options.skills:
        _check_names(settings, [*(s.name for s in (*found, *builtin)), *(folder(d.path) for d in failed)])
        active, listed = choose(found, builtin, settings.use, settings.disable)
        missed = [d for d in failed if would_review(d.path, settings.use)]
        return Skills(active, listed, (*missed, *broken))
    known = {skill.name: skill for skill in (*builtin, *reversed(found))}
    named = [_named(name, options.cwd, known, failed) for name in dict.fromkeys(options.skills)]
    for name, times in Counter(skill.name for skill in named).items():
        if times > 1:
            raise ConfigError(f"--skill: {times} skills are called {name}", "name one of them")
    return Skills(tuple(named))


def _check_names(settings: Settings, known: Sequence[str]) -> None:
    """Raises ConfigError where the configuration names a skill that is not there: a typo would be silent."""
    for key, names in (("use", settings.use), ("disable", settings.disable)):
        for name in names:
            if name not in known:
                message = f"{SETTINGS}: skills.{key} names {name!r}, which no skill is called"
                raise ConfigError(message, nearest(name, known))


def _named(name: str, cwd: str, known: Mapping[str, Skill], failed: Iterable[Diagnostic]) -> Skill:
    path = os.path.join(cwd, name)
    path = os.path.join(path, "SKILL.md") if os.path.isdir(path) else path
    if not os.path.isfile(path):
        if name in known:
            return known[name]
        if fault := next((d for d in failed if folder(d.path) == name), None):
            raise ConfigError(f"--skill {name}: {fault}")
        raise UsageError(f"--skill {name}: no such file or skill", nearest(name, known))
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise UsageError(f"--skill {path}: {error.strerror}") from error
    skill, diagnostics = load_skill(path, data, SkillOrigin.PATH)
    if skill is None:
        raise ConfigError(f"--skill: {next(d for d in diagnostics if d.level == 'error')}")
    return skill


def _in_repository(files: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    """The skill files at base, in order of precedence."""
    return [
        (path, data)
        for folder in SKILL_FOLDERS
        for path, data in sorted(files.items())
        if path.startswith(f"{folder}/") and path.endswith("/SKILL.md")
    ]


def _built_in() -> list[tuple[str, bytes]]:
    files = []
    folder = assets("skills")
    for name in sorted(os.listdir(folder)):
        with suppress(NotADirectoryError), open(os.path.join(folder, name, "SKILL.md"), "rb") as file:
            files.append((f"builtin:{name}", file.read()))
    return files


def _load(files: Iterable[tuple[str, bytes]], origin: SkillOrigin) -> tuple[list[Skill], list[Diagnostic]]:
    skills, errors = [], []
    for path, data in files:
        skill, diagnostics = load_skill(path, data, origin)
        if skill:
            skills.append(skill)
        errors += [d for d in diagnostics if d.level == "error"]
    return skills, errors
