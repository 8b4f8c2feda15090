"""`reviewbot init`: what a repository is given to start with, and what stands there already."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from reviewbot import __version__
from reviewbot.core.errors import UsageError
from reviewbot.core.generated import hidden
from reviewbot.core.home import files, skill
from reviewbot.core.home.seen import Seen
from reviewbot.core.language import is_foreign_pipeline, language
from reviewbot.core.types import SkillOrigin, Text
from reviewbot.detectors.shell.launches import is_launch
from reviewbot.detectors.survey import survey
from reviewbot.hosts import newfiles
from reviewbot.hosts.git import Git
from reviewbot.hosts.origin import repository
from reviewbot.hosts.revisions import default_base
from reviewbot.hosts.texts import TEXT_LIMIT, decoded
from reviewbot.hosts.tracked import first_lines, tracked_files
from reviewbot.hosts.worktree import read_file
from reviewbot.wiring.inventory import built_in, chosen, in_work_tree, settings_on_disk

OWN = ".reviewbot/"
ACTION = ".github/actions/review"
MAX_READ = 3_000  # scripts and workflows; the first ones, by path
_USED = re.compile(rf"\breviewbot (?:action|replay|pr|diff)\b|{re.escape(ACTION)}\b")
_GITHUB = re.compile(r"github\.", re.IGNORECASE)


class Fate(StrEnum):
    """What becomes of a file; the value is the word for it."""

    NEW = "wrote"
    SAME = "as it was"
    KEPT = "kept yours"
    REPLACED = "replaced"


class Planned(NamedTuple):
    path: str  # from the top of the work tree
    content: bytes
    fate: Fate


class Home(NamedTuple):
    folder: str  # the top of the work tree
    seen: Seen
    files: tuple[Planned, ...]
    left_out: tuple[tuple[str, str], ...]  # "skill" or "workflow", and why there is none
    review: str  # "diff HEAD~1": what has something to look at here; "" before the first commit
    ignored: tuple[str, ...]  # paths among `files` that git ignores

    @property
    def writes(self) -> tuple[Planned, ...]:
        return tuple(file for file in self.files if file.fate in (Fate.NEW, Fate.REPLACED))


def plan(cwd: str, *, force: bool = False) -> Home:
    """What `init` would do around `cwd`; nothing is written. Raises UsageError, or ConfigError for a
    configuration that is there and wrong."""
    git = _opened(cwd)
    if not git.has_work_tree:
        raise UsageError(f"{cwd} has no work tree to write into", "clone the repository, and go into that")
    paths = tracked_files(git)
    texts, unread = _texts(git, paths)
    seen = survey([text for text in texts if not _own(text.path)], unread)
    contents = {files.CONFIG_PATH: files.CONFIG}
    left_out = []
    if why := _no_skill(git, seen):
        left_out.append(("skill", why))
    else:
        contents[_skill_path(seen)] = skill.skill_text(seen)
    if why := _no_workflow(git, paths, texts):
        left_out.append(("workflow", why))
    else:
        contents[files.WORKFLOW_PATH] = files.workflow(_action(paths), __version__)
    planned = tuple(_planned(git.folder, path, text.encode(), force) for path, text in contents.items())
    plain = git.told({"GIT_LITERAL_PATHSPECS": "0"})  # check-ignore knows no others
    ignored = tuple(p.path for p in planned if plain.attempt("check-ignore", "-q", p.path) is not None)
    return Home(git.folder, seen, planned, tuple(left_out), _review(git), ignored)


def write(home: Home) -> None:
    """Write what is new. Raises UsageError, and says what was written before it."""
    done: list[str] = []
    for file in home.writes:
        try:
            newfiles.write(home.folder, file.path, file.content)
        except UsageError as error:
            before = f"written before it: {', '.join(done)}" if done else "nothing was written"
            raise UsageError(str(error), before) from error
        done.append(file.path)


def _opened(cwd: str) -> Git:
    try:
        return Git.open(cwd)
    except UsageError as error:
        if "not in a git repository" not in str(error):
            raise
        raise UsageError(f"{cwd} is not in a git repository", "go into one, or make one: git init") from error


def _planned(top: str, path: str, content: bytes, force: bool) -> Planned:
    there = newfiles.standing(top, path)
    if there is None:
        return Planned(path, content, Fate.NEW)
    if there == content:
        return Planned(path, content, Fate.SAME)
    return Planned(path, content, Fate.REPLACED if force else Fate.KEPT)


def _texts(git: Git, paths: Sequence[str]) -> tuple[list[Text], int]:
    """The files that something can be told of, and how many more of them were not read. Of Python only
    what its name calls a launch is read; the others count."""
    own = hidden({})
    offered = [path for path in paths if not own(path)]
    bare = first_lines(git, [path for path in offered if "." not in path.rpartition("/")[2]])
    texts: list[Text] = []
    read = unread = 0
    for path in offered:
        tongue = language(path, bare.get(path, ""))
        if tongue == "python" and not is_launch(("python3", path)):
            texts.append(Text(path, bare.get(path, "")))
        elif tongue or is_foreign_pipeline(path):
            text = _text(git.folder, path) if read < MAX_READ else None
            read += 1
            unread += text is None
            texts += [text] if text else []
    return texts, unread


def _text(top: str, path: str) -> Text | None:
    try:
        size, content = read_file(top, path, TEXT_LIMIT + 1)
    except OSError:  # removed from the disk, and still in the index
        return None
    text = decoded(path, size, content, TEXT_LIMIT)
    return None if isinstance(text, str) else text


def _own(path: str) -> bool:
    """Whether a file is ours to write: what it says must not change what is written."""
    return path == files.WORKFLOW_PATH or path.startswith((OWN, f"{ACTION}/"))


def _skill_path(seen: Seen) -> str:
    return f"{OWN}skills/{skill.skill_name(seen)}/SKILL.md"


def _no_skill(git: Git, seen: Seen) -> str:
    """Why no skill is proposed; "" where one is."""
    if not skill.skill_name(seen):
        return "nothing here starts a job or a release by a script: the built-in skills review it"
    rows = in_work_tree(git.folder)
    skills = chosen(rows, built_in(), settings_on_disk(git.folder))
    others = [
        s.name for s in skills.active if s.origin is not SkillOrigin.BUILTIN and s.path != _skill_path(seen)
    ]
    return f"{', '.join(others[:3])} of this repository reviews here already" if others else ""


def _no_workflow(git: Git, paths: Sequence[str], texts: Sequence[Text]) -> str:
    """Why no workflow is written; "" where one is."""
    for text in texts:
        if text.path.startswith(".github/workflows/") and not _own(text.path) and _USED.search(text.content):
            return f"{text.path} runs reviewbot already"
    on_github = any(path.startswith(".github/") for path in paths) or any(map(_GITHUB.search, _remotes(git)))
    return "" if on_github else "no remote on GitHub, and no .github folder"


def _remotes(git: Git) -> Iterator[str]:
    """The host of each remote."""
    listed = git.attempt("config", "--null", "--get-regexp", r"^remote\..*\.url$") or b""
    for entry in listed.decode("utf-8", "replace").split("\0")[:-1]:
        url = entry.partition("\n")[2]
        scheme, marked, rest = url.partition("://")
        authority = rest.partition("/")[0] if marked else scheme.partition(":")[0]
        if "/" not in authority:  # else it is a folder
            yield authority.rpartition("@")[2].partition(":")[0].lower()


def _action(paths: Sequence[str]) -> str:
    """How the workflow names our action; "" where its address is not known."""
    if f"{ACTION}/action.yml" in paths:
        return f"./{ACTION}"
    known = repository()
    return f"{known[0]}/{ACTION}@{known[1]}" if known else ""


def _review(git: Git) -> str:
    """The command that has a change to review; "" where nothing is committed yet."""
    head = git.attempt("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if head is None:
        return ""
    try:
        name = default_base(git, head.decode("ascii").strip())
        base = git.attempt("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except UsageError:  # no usual branch is here: `diff` would ask for a base
        base = head
    if base != head:
        return "diff"
    parent = git.attempt("rev-parse", "--verify", "--quiet", "HEAD~1^{commit}")
    return "diff HEAD~1" if parent else "diff --worktree"
