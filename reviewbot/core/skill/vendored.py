"""Skills taken from another repository: what is asked for, what is taken, and where it came from."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.errors import ConfigError, UsageError
from reviewbot.core.paths import is_safe
from reviewbot.core.patterns import pattern
from reviewbot.core.skill.bundle import SKILL_FILE
from reviewbot.core.skill.discovery import SKILL_FOLDERS

PROVENANCE = "provenance.json"
SCHEMA = "reviewbot.provenance/1"
TAKEN = ("rules/", "cases/", "references/")  # beside SKILL.md; nothing else of a skill is read
_ASKED = pattern(r"([A-Za-z0-9][\w.-]*)/([\w.-]+)((?:/[^/@]+)*)/?@([^@/]*)")


class Asked(NamedTuple):
    """`OWNER/REPO[/PATH]@SHA`."""

    repository: str  # "owner/repo"
    path: str  # of the skill's folder; "" where it is to be found
    commit: str  # 40 hex digits


class Entry(NamedTuple):
    """What a commit holds at a path. `size` is in bytes; 0 where it is no file."""

    path: str
    mode: str  # "100644", "100755", "120000" (a link), "160000" (a submodule)
    blob: str
    size: int

    @property
    def regular(self) -> bool:
        return self.mode.startswith("100")


class Provenance(NamedTuple):
    source: str  # the URL of the repository
    path: str  # of the skill's folder there
    commit: str
    date: str  # of the commit, ISO 8601
    files: Mapping[str, str]  # path in the folder -> sha256 of the content


def read_asked(text: str) -> Asked:
    """Raises UsageError with the remedy."""
    found = _ASKED.fullmatch(text)
    if not found or found[2] in (".", ".."):
        raise UsageError(
            f"{text!r} is no OWNER/REPO[/PATH]@SHA", "for example octo/checks/skills/x@<commit id>"
        )
    owner, name, path, commit = found.groups()
    if not re.fullmatch(r"[0-9a-fA-F]{40}", commit):
        remedy = "a branch, a tag or a short id can change its meaning; `git rev-parse` prints the full one"
        raise UsageError(f"{commit!r} is no full commit id (40 hex digits)", remedy)
    path = path.strip("/").removesuffix("SKILL.md").rstrip("/")
    if path and not is_safe(path):
        raise UsageError(f"{path!r} is no path in a repository", "name the folder of the skill")
    return Asked(f"{owner}/{name.removesuffix('.git')}", path, commit.lower())


def skill_folder(asked: Asked, paths: Sequence[str]) -> str:
    """The folder of the skill that is meant, among the paths of a commit. Raises UsageError."""
    there = sorted({path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] == "SKILL.md"})
    if asked.path:
        if asked.path in there:
            return asked.path
        raise UsageError(f"{asked.repository} has no {asked.path}/SKILL.md", _offer(asked, there))
    usual = [f for f in there if f.rpartition("/")[0] in SKILL_FOLDERS] or [f for f in there if not f]
    if len(usual) != 1:
        what = f"{len(usual)} skills" if usual else "no skill in the usual folders"
        raise UsageError(f"{asked.repository} has {what}", _offer(asked, usual or there))
    return usual[0]


def _offer(asked: Asked, folders: Sequence[str]) -> str:
    if not folders:
        return "there is no SKILL.md in it at all"
    shown = [f"{asked.repository}/{f}@{asked.commit}" for f in folders[:20] if f]
    more = f", and {len(folders) - 20} more" if len(folders) > 20 else ""
    return f"name one: {', '.join(shown)}{more}"


def selected(entries: Sequence[Entry], folder: str) -> tuple[dict[str, Entry], list[tuple[str, str]]]:
    """The files that are taken, by their paths in the skill's folder; and what is left out, with why.

    Raises UsageError where a crafted tree leads out of the folder.
    """
    taken: dict[str, Entry] = {}
    left: list[tuple[str, str]] = []
    start = f"{folder}/" if folder else ""
    for entry in entries:
        path = entry.path.removeprefix(start)
        if not entry.path.startswith(start):
            continue
        if path != SKILL_FILE and not path.startswith(TAKEN):
            if folder:  # what lies beside a skill at the top of a repository is not its own
                left.append((path, "no review reads it"))
        elif not entry.regular:
            left.append((path, "it is a link or a submodule"))
        elif not is_safe(path):
            raise UsageError(f"{entry.path!r} leads out of the skill", "nothing was taken; do not trust it")
        else:
            taken[path] = entry
    return taken, left


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_provenance(p: Provenance) -> bytes:
    document = {"schema": SCHEMA, **p._asdict(), "files": dict(sorted(p.files.items()))}
    return (json.dumps(document, indent=2) + "\n").encode("ascii")


def local_edits(files: Mapping[str, bytes], place: str) -> list[str]:
    """The paths at which a vendored folder is no longer what was taken. Raises ConfigError where its
    provenance cannot tell."""
    remedy = "remove the folder and add the skill again"
    if PROVENANCE not in files:
        raise ConfigError(f"{place} was not added by `skills add`: it has no {PROVENANCE}", remedy)
    try:
        taken = json.loads(files[PROVENANCE])["files"]
        known = {str(path): str(digest) for path, digest in taken.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigError(f"{place}/{PROVENANCE} is not as it was written", remedy) from error
    here = {path: sha256(content) for path, content in files.items() if path != PROVENANCE}
    return sorted(path for path in known.keys() | here.keys() if known.get(path) != here.get(path))
