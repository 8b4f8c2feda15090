"""How a skill comes into a repository: from the skeleton, from a paste, from another repository."""

from __future__ import annotations

import os
from typing import NamedTuple

from reviewbot.core.errors import ConfigError, UsageError
from reviewbot.core.paths import is_safe
from reviewbot.core.skill.bundle import SKILL_FILE, load_bundle
from reviewbot.core.skill.front.manifest import KEBAB, LIMITS
from reviewbot.core.skill.parts.classes import slug
from reviewbot.core.skill.vendored import (
    PROVENANCE,
    Provenance,
    local_edits,
    read_asked,
    selected,
    sha256,
    skill_folder,
    write_provenance,
)
from reviewbot.core.types import Skill, SkillOrigin
from reviewbot.gates.rules import RuleWorker
from reviewbot.hosts.fetch import FetchedCommit, fetched, server
from reviewbot.hosts.skeleton import skeleton
from reviewbot.hosts.trees import Tree, read_tree, replace_tree, top, write_tree

OWN = ".reviewbot/skills"  # from the top of a work tree
RAW = (
    "copy the raw text of the file (on GitHub: the Raw button), or its page with the lines `|` and `||` "
    "as they were copied"
)
HEADINGS = "head the list of what to look for Defect classes, What to look for, Checklist or Rules"


class NewSkill(NamedTuple):
    """A skill folder that was written."""

    folder: str
    files: tuple[str, ...]  # in the folder, sorted
    left: tuple[tuple[str, str], ...] = ()  # what the source has besides, and why it was left out
    diff: str | None = None  # from the folder that it replaces; None where there was none
    cleaned: bool = False  # made of the copy of a web page


def new_skill(name: str, cwd: str) -> NewSkill:
    """The skeleton, under this name. Raises UsageError."""
    if not KEBAB.fullmatch(name) or len(name) > LIMITS["name"]:
        remedy = f"lower-case words joined by hyphens, at most {LIMITS['name']} characters"
        if better := slug(name)[: LIMITS["name"]].strip("-"):
            remedy += f", for example {better}"
        raise UsageError(f"{name!r} is no name for a skill", remedy)
    return _write(_target(cwd, name), skeleton(name))


def import_skill(data: bytes, source: str, into: str | None, cwd: str) -> NewSkill:
    """The skill in a copy of a web page, or in a file as it is; `source` names it for people, `into` is
    the folder for the skill's own. Raises ConfigError or UsageError."""
    from reviewbot.core.skill.web import clean

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{source} is not UTF-8 (byte {error.start + 1})", "save it as UTF-8") from error
    cleaned = clean(text)
    if not (cleaned or text).lstrip("\ufeff\r\n ").startswith("---"):
        raise ConfigError(f"{source} has no front matter, which a rendered page does not show", RAW)
    files = {SKILL_FILE: data if cleaned is None else cleaned.encode()}
    skill = _loaded(source, files)
    if not (skill.classes or skill.scope or skill.steps or skill.gates or skill.report):
        raise ConfigError(f"{source}: no part of a skill is understood below the front matter", HEADINGS)
    made = _write(
        _target(cwd, _folder_name(skill, ""), into), files, "remove it, or write elsewhere with -o DIR"
    )
    return made._replace(cleaned=cleaned is not None)


def add_skill(text: str, cwd: str, update: bool) -> NewSkill:
    """The skill that `OWNER/REPO[/PATH]@SHA` names; with `update` in place of the one that was added
    before. Nothing of it is run. Raises ConfigError or UsageError, and then nothing was written."""
    asked = read_asked(text)
    url = f"{server()}/{asked.repository}.git"
    with fetched(url, asked.commit) as commit:
        entries = commit.entries()
        folder = skill_folder(asked, [entry.path for entry in entries if entry.regular])
        taken, left = selected(entries, folder)
        files = commit.contents(taken)
        skill = _loaded("/".join(filter(None, (asked.repository, folder, SKILL_FILE))), files)
        target = _target(cwd, _folder_name(skill, folder or asked.repository))
        digests = {path: sha256(content) for path, content in files.items()}
        files[PROVENANCE] = write_provenance(Provenance(url, folder, asked.commit, commit.date(), digests))
        if update:
            made = _update(target, files, commit)
        else:
            made = _write(target, files, f"to change it: reviewbot skills add --update {text}")
        return made._replace(left=tuple(left))


def _update(target: str, files: Tree, commit: FetchedCommit) -> NewSkill:
    if not os.path.isdir(target):
        raise UsageError(f"there is no {target} to update", "leave out --update")
    old = read_tree(target)
    if edited := local_edits(old, target):
        shown = ", ".join(edited[:5]) + (", …" if len(edited) > 5 else "")
        remedy = "keep your edits elsewhere and remove the folder, then add the skill again"
        raise UsageError(f"{target} was edited here ({shown})", remedy)
    diff = commit.diff(old, files)
    if diff:
        replace_tree(target, files)
    return NewSkill(target, tuple(sorted(files)), diff=diff)


def _loaded(path: str, files: Tree) -> Skill:
    """The skill as a review would read it, once it is committed; `path` is for people."""
    skill, noticed = load_bundle(path, files, SkillOrigin.BASE)
    fault = next((d for d in noticed if d.level == "error"), None)
    if skill is None or fault:
        raise ConfigError(f"{fault}", "nothing was written")
    if refused := RuleWorker().examples(skill.rules):
        raise ConfigError(f"{refused[0]}", "nothing was written")
    return skill


def _folder_name(skill: Skill, source: str) -> str:
    """The name of the folder for a skill that a stranger named."""
    name = skill.name if KEBAB.fullmatch(skill.name) else slug(skill.name) or slug(source.rpartition("/")[2])
    name = name[: LIMITS["name"]].strip("-")
    if not name or not is_safe(name):
        raise ConfigError(f"{skill.path}: {skill.name!r} is no name for a folder", "nothing was written")
    return name


def _target(cwd: str, name: str, into: str | None = None) -> str:
    folder = os.path.join(top(cwd), OWN) if into is None else os.path.join(cwd, into)
    target = os.path.join(os.path.normpath(folder), name)
    if into is None:
        inside = os.path.realpath(top(cwd))
        if os.path.commonpath((inside, os.path.realpath(target))) != inside:
            raise UsageError(f"{target} leads out of the repository", "remove the link")
    return target


def _write(target: str, files: Tree, remedy: str = "remove it, or choose another name") -> NewSkill:
    if os.path.lexists(target):
        raise UsageError(f"{target} is there already", remedy)
    write_tree(target, files)
    return NewSkill(target, tuple(sorted(files)))
