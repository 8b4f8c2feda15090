"""Commits that are made beside a repository: nothing of it is written, until a branch is asked for."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_bytes, path_text, quoted
from reviewbot.hosts.git import Git, own_environment
from reviewbot.hosts.local import DIFF, LocalSource
from reviewbot.hosts.running import run

UTF8 = {"i18n.commitEncoding": "UTF-8"}
# The same for the same content, so that a second trial finds the answers of the first.
NOBODY = {
    f"GIT_{who}_{key}": value
    for who in ("AUTHOR", "COMMITTER")
    for key, value in (
        ("NAME", "reviewbot"),
        ("EMAIL", "trial@example.invalid"),
        ("DATE", "1735689600 +0000"),
    )
}
_IDENT = re.compile(r"(?P<name>.*) <(?P<email>.*)> (?P<date>\d+ [+-]\d{4})")
_UNSHOWN = ("--raw", "-z", "-M", "--full-index", "--no-abbrev")
_HEADS = "refs/heads/"


class Written(NamedTuple):
    """A file of a commit: its mode in git's octal digits, and its bytes."""

    mode: str
    content: bytes


@dataclass(frozen=True)
class Trial:
    """`head` is what is built upon. Objects go into a folder that is removed."""

    source: LocalSource
    head: str
    folder: str

    def source_with(self, files: Mapping[str, Written]) -> LocalSource:
        """The same change, as if these files had been committed on its head."""
        git = self._git()
        commit = self._commit(git, files, NOBODY, "trial")
        return replace(self.source, git=git, head=commit)

    def diff(self, source: LocalSource) -> str:
        """From the head to what a trial made, as `git diff` shows it; what is no UTF-8 as surrogates."""
        options = [option for option in DIFF if option not in _UNSHOWN]
        git = source.git.without_index()
        return path_text(git.ask("diff-tree", *options, self.head, source.head or self.head))

    def branch(self, name: str, files: Mapping[str, Written], message: str) -> str:
        """The id of a commit with these files, which a new branch holds. Raises UsageError where there is one
        of this name by now."""
        commit = self._commit(self.source.git, files, identity(self.source.git), message)
        said = f"reviewbot: fixes of {self.head[:12]}"
        try:
            self.source.git.ask("update-ref", "-m", said, _HEADS + name, commit, "0" * len(commit))
        except UsageError as error:
            raise UsageError(f"branch {name} was not made: {error}") from error
        return commit

    def _commit(self, git: Git, files: Mapping[str, Written], who: Mapping[str, str], message: str) -> str:
        index = os.path.join(self.folder, "index")
        git = git.told({"GIT_INDEX_FILE": index, **who}).configured(UTF8)
        git.ask("read-tree", self.head)
        rows = b""
        for path, file in files.items():
            blob = git.ask("hash-object", "-w", "--stdin", stdin=file.content).strip()
            rows += b"%s %s\t%s\0" % (file.mode.encode("ascii"), blob, path_bytes(path))
        git.ask("update-index", "-z", "--index-info", stdin=rows)
        tree = _word(git.ask("write-tree", "--missing-ok"))  # a partial clone lacks what nobody asked for
        return _word(git.ask("commit-tree", tree, "-p", self.head, stdin=message.encode("utf-8", "replace")))

    def _git(self) -> Git:
        own = os.fsdecode(self.source.git.ask("rev-parse", "--git-path", "objects")).removesuffix("\n")
        place = quoted(os.fsencode(os.path.join(self.source.git.folder, own)))
        place = place if place.startswith(b'"') else b'"%s"' % place  # or a colon would end it
        objects = os.path.join(self.folder, "objects")
        os.makedirs(objects, exist_ok=True)
        return self.source.git.told(
            {"GIT_OBJECT_DIRECTORY": objects, "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fsdecode(place)}
        )


@contextmanager
def trial(source: LocalSource) -> Iterator[Trial]:
    """Raises UsageError where the change has no commit at its head, or no temporary folder can be made."""
    if source.head is None:
        raise UsageError("fixes are tried on a commit", "leave out --staged and --worktree")
    try:
        folder = tempfile.TemporaryDirectory(prefix="reviewbot-fix-")
    except OSError as error:
        raise UsageError(f"no temporary folder can be made: {error.strerror}", "set TMPDIR") from error
    with folder as name:
        yield Trial(source, source.head, name)


def check_branch(git: Git, name: str) -> None:
    """Raise UsageError where no branch of this name could be made."""
    if name.startswith("-") or name == "HEAD" or git.attempt("check-ref-format", _HEADS + name) is None:
        raise UsageError(f"--branch {name!r} is no name for a branch", "see git check-ref-format --help")
    heads = os.fsdecode(git.ask("for-each-ref", "--format=%(refname)", _HEADS)).splitlines()
    for head in (head.removeprefix(_HEADS) for head in heads):
        if head == name:
            raise UsageError(f"there is a branch {name} already", "name another, or delete it first")
        if head.startswith(f"{name}/") or name.startswith(f"{head}/"):
            raise UsageError(f"a branch {name} cannot stand beside the branch {head}", "name another")


def branch_name(git: Git, commit: str, given: str) -> str:
    """What people call the commit that is built upon: the branch that is checked out, or the name that was
    given; "" where there is only its id."""
    if given == "HEAD":
        return os.fsdecode(git.attempt("symbolic-ref", "--quiet", "--short", "HEAD") or b"").strip()
    return "" if commit.startswith(given) else given


def identity(git: Git) -> dict[str, str]:
    """Who commits, by git's own configuration, as environment variables. Raises UsageError where it does
    not say: a guess from the machine's name would stand in the history for ever."""
    told: dict[str, str] = {}
    own = own_environment() | _place(git)
    for who in ("AUTHOR", "COMMITTER"):
        code, out, _ = run(git.folder, own, ("-c", "user.useConfigOnly=true", "var", f"GIT_{who}_IDENT"))
        ident = _IDENT.fullmatch(os.fsdecode(out).strip())
        if code or not ident:
            remedy = "git config user.name NAME, git config user.email ADDRESS"
            raise UsageError(f"git does not know who the {who.lower()} of a commit is", remedy)
        told |= {f"GIT_{who}_{key.upper()}": value for key, value in ident.groupdict().items()}
    return told


def _place(git: Git) -> dict[str, str]:
    return {key: git.environment[key] for key in ("GIT_DIR", "GIT_WORK_TREE") if key in git.environment}


def _word(out: bytes) -> str:
    return out.decode("ascii").strip()
