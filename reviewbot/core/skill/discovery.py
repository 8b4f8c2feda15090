"""Where skills lie: the skill files below some folders, and the files that belong to each.

A commit and a disk are searched in the same way, level by level, so that what is nearest to the
top is found first when a limit is reached. Only what a review needs is read: of a skill's cases,
references and scripts no more than the names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from reviewbot.core.skill.rules import MAX_RULES, is_rule, may_be_astray
from reviewbot.core.types import Diagnostic

# Where a repository keeps its skills; of two with one name that of the first folder wins.
SKILL_FOLDERS = (".reviewbot/skills", ".agents/skills", ".claude/skills", "skills")
NAME = "SKILL.md"
MAX_DEPTH = 6  # folders below the one where the search starts
MAX_FOLDERS = 2_000
MAX_MISSED = 50  # diagnostics; a folder of 200,000 dead links is not printed link by link
MAX_NOTES = 500  # of one skill; behind the 192 ways to write SKILL.md there is room for an error
MAX_ASTRAY = 20  # files of a skill that are read only to see whether they are rules
SKIPPED = frozenset([".git", "node_modules", "vendor"])


class Fault(NamedTuple):
    """Why a name is neither read nor entered."""

    code: str  # of a Diagnostic: S001 for what is no file, S010 for what leads out of the repository
    why: str


NOWHERE = Fault("S010", "a link that leads nowhere, or in a circle")
Entry = Fault | Literal["file", "folder"]  # what a name stands for, behind its links


class Place(Protocol):
    """A commit or a disk. Links are followed inside it; nothing outside is ever read."""

    def entries(self, folders: Sequence[str]) -> Sequence[Mapping[str, Entry] | Fault]:
        """What lies in each folder, by name; nothing where there is no such folder."""

    def read(self, paths: Sequence[str]) -> Sequence[bytes | Fault]:
        """Each file; what is behind the size limit of a skill file is cut off."""


class SkillFolder(NamedTuple):
    """A skill file, and what belongs to it."""

    path: str  # of the skill file
    root: str  # where the search for it started
    names: tuple[str, ...] | None = ()  # the files of its folder, as paths that start there; None: unknown
    notes: tuple[Diagnostic, ...] = ()  # with an error among them the skill is not loaded

    @property
    def read(self) -> dict[str, str]:
        """What is read: the skill file, its rules, and what may be one of them in the wrong place. The
        key is the name below the folder."""
        folder = self.path.rpartition("/")[0]
        rules = [name for name in self.names or () if is_rule(name)][: MAX_RULES + 1]
        others = [name for name in self.names or () if may_be_astray(name)][:MAX_ASTRAY]
        return {NAME: self.path} | {name: join(folder, name) for name in (*rules, *others)}


class Search(NamedTuple):
    """What was found, in order of precedence, and what may have been missed."""

    skills: tuple[SkillFolder, ...]
    missed: tuple[Diagnostic, ...]


def search(place: Place, roots: Sequence[str], depth: int = MAX_DEPTH) -> Search:
    """All skills below `roots`; those of the first root come first."""
    walk = _Walk()
    level = [_Folder(root, root, None) for root in dict.fromkeys(roots)]
    for deep in range(depth + 1):
        below: list[_Folder] = []
        for folder, entries in zip(level, place.entries([f.path for f in level]), strict=True):
            below += walk.enter(folder, entries)
        level = walk.within_limits(below, last=deep == depth)
    order = {root: number for number, root in enumerate(dict.fromkeys(roots))}
    return Search(tuple(sorted(walk.found(), key=lambda s: (order[s.root], s.path))), walk.not_found())


def join(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}" if folder else name


def is_skill_file(name: str) -> bool:
    """Some public skills are called skill.md, or SKILL.MD."""
    return name.lower() == NAME.lower()


class _Folder(NamedTuple):
    path: str
    root: str
    skill: str | None  # the folder of the skill that this one belongs to


class _Walk:
    def __init__(self) -> None:
        self._skills: dict[str, SkillFolder] = {}  # by its folder
        self._names: dict[str, list[str]] = {}
        self._missed: list[Diagnostic] = []
        self._seen: Counter[str] = Counter()  # folders below each root
        self._cut: set[tuple[str, str]] = set()

    def enter(self, folder: _Folder, entries: Mapping[str, Entry] | Fault) -> Iterator[_Folder]:
        """Notes the files of a folder; the folders in it are to be entered next."""
        if isinstance(entries, Fault):
            if folder.skill is not None:
                self._belongs(folder.skill, folder.path, entries)
            else:
                self._missed.append(error(join(folder.path, NAME), entries))
            return
        inside = folder.skill is not None and folder.skill not in SKILL_FOLDERS  # of what is no skill itself
        files = [name for name in entries if is_skill_file(name) and entries[name] == "file" and not inside]
        files.sort(key=lambda name: (name != NAME, name))
        if files:
            path = join(folder.path, files[0])
            notes = tuple(_unread(path, name) for name in files[1:])
            self._skills[folder.path] = SkillFolder(path, folder.root, notes=notes)
            self._names[folder.path] = []
            folder = folder._replace(skill=folder.path)
        for name in sorted(entries):
            path, entry = join(folder.path, name), entries[name]
            if is_skill_file(name) and entry != "file" and not inside:
                fault = Fault("S001", "a folder, not a file") if entry == "folder" else entry
                self._missed.append(error(path, fault))
            elif entry == "folder":
                if not _is_skipped(path, folder.skill):
                    yield _Folder(path, folder.root, folder.skill)
            elif folder.skill is not None:
                self._belongs(folder.skill, path, entry)
            elif isinstance(entry, Fault) and entry.code == "S010":
                self._missed.append(error(join(path, NAME), entry))

    def _belongs(self, skill: str, path: str, entry: Entry) -> None:
        name = path.removeprefix(skill).lstrip("/")
        self._names[skill].append(name)
        own = self._skills[skill]
        if isinstance(entry, Fault) and f"{name}/".startswith("rules/") and not is_rule(name):
            if len(own.notes) < MAX_NOTES:
                self._skills[skill] = own._replace(notes=(*own.notes, error(path, entry)))
        elif "/" in name and is_skill_file(name.rpartition("/")[2]) and len(own.notes) < MAX_ASTRAY:
            self._skills[skill] = own._replace(notes=(*own.notes, _unread(own.path, name, "below")))

    def within_limits(self, folders: Iterable[_Folder], last: bool) -> list[_Folder]:
        """Those that may be entered; that others are not is noted once for each root."""
        kept = []
        for folder in folders:
            self._seen[folder.root] += 1
            too_many = self._seen[folder.root] > MAX_FOLDERS
            if not last and not too_many:
                kept.append(folder)
                continue
            if folder.skill is not None:
                self._belongs(folder.skill, folder.path, Fault("S001", "too deep, or one folder too many"))
            if last and folder.skill is None:
                self._cut_off(folder.root, f"folders more than {MAX_DEPTH} deep are not searched for skills")
            elif too_many:
                self._cut_off(folder.root, f"more than {MAX_FOLDERS:,} folders: not all were searched")
        return kept

    def _cut_off(self, root: str, why: str) -> None:
        if (root, why) not in self._cut:
            self._cut.add((root, why))
            self._missed.append(error(join(root or ".", ""), Fault("S001", why)))

    def found(self) -> Iterator[SkillFolder]:
        for folder, skill in self._skills.items():
            yield skill._replace(names=tuple(self._names[folder]))

    def not_found(self) -> tuple[Diagnostic, ...]:
        """What may have been missed; of very much of it only the beginning, and how much there is."""
        shown, more = self._missed[:MAX_MISSED], len(self._missed) - MAX_MISSED
        if more <= 0:
            return tuple(shown)
        message = f"{more:,} more files or folders like this one were not read"
        return (*shown, shown[-1]._replace(message=message))


def _is_skipped(path: str, skill: str | None) -> bool:
    name = path.rpartition("/")[2]
    if skill is not None and path == join(skill, "cases"):
        return True
    return name in SKIPPED or f"/{path}".endswith("/tests/fixtures")


def _unread(path: str, other: str, where: str = "beside") -> Diagnostic:
    return Diagnostic(path, 1, 1, "S101", "warning", f"`{other}` {where} it is not read")


def error(path: str, fault: Fault) -> Diagnostic:
    """The fault as what it is for the skill that needs this path."""
    return Diagnostic(path, 1, 1, fault.code, "error", fault.why)
