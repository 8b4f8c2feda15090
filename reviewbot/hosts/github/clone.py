"""A pull request's commits in a clone that is kept: no history, and of files only what a review reads."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from reviewbot.core.errors import UsageError
from reviewbot.core.options import silent
from reviewbot.core.ports import Progress
from reviewbot.hosts.fetch import remote_git
from reviewbot.hosts.github.kept import MOST, Kept, kept
from reviewbot.hosts.github.partial import LINK, SUBMODULE, PartialGit
from reviewbot.hosts.github.remote import (
    BOUNDS,
    ByIdRefused,
    Gone,
    NoAccess,
    NotReached,
    Remote,
    Unfetched,
    placeless,
)
from reviewbot.hosts.local import ATTRIBUTES, LocalSource
from reviewbot.hosts.running import Bounds

__all__ = ["Gone", "NoAccess", "NotReached", "Unfetched", "opened", "source"]

STAGE = "fetch"
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
# What every review reads at base, beside what has changed.
_READ = re.compile(rf"(.*/)?({re.escape(ATTRIBUTES)}|SKILL\.md)|\.reviewbot/[^/]+", re.IGNORECASE)


@contextmanager
def opened(
    url: str,
    token: str,
    commits: Sequence[str],
    pull: int,
    folder: str,
    progress: Progress = silent,
    *,
    bounds: Bounds = BOUNDS,
    most: int = MOST,
) -> Iterator[PartialGit]:
    """Git on the `commits` of the repository at `url`, the merge base first, in the clone of it that is
    kept below `folder`. One that no branch holds any more is looked for as the head of the pull request.
    What differs from the first commit has its files, on both sides.

    Raises NoAccess, Gone, or NotReached: then the change may still be read by another way.
    """
    if wrong := next((name for name in commits if not _COMMIT.fullmatch(name)), ""):
        raise UsageError(f"{wrong!r} is no id of a commit", "give all 40 digits of it")
    with kept(folder, url, most) as clone:
        yield _filled(clone, url, token, commits, pull, progress, bounds)


def source(git: PartialGit, base: str, head: str, label: str) -> LocalSource:
    """The change from `base`, the merge base, to `head`: in a clone without history none is looked for."""
    return LocalSource(git, base, head, "commits", label)


def _filled(
    clone: Kept, url: str, token: str, commits: Sequence[str], pull: int, progress: Progress, bounds: Bounds
) -> PartialGit:
    """Where git stumbles over what is here, that is thrown away and made anew, once."""

    def fill() -> PartialGit:
        remote = Remote(url, token, clone.place, bounds)
        return _fill(clone, remote, commits, pull, progress)

    with clone.alone():
        if clone.is_worn():
            clone.discard()
    try:
        return fill()
    except Unfetched:
        raise
    except UsageError:
        with clone.alone():
            clone.discard()
    try:
        return fill()
    except Unfetched:
        raise
    except UsageError as error:
        raise NotReached(placeless(str(error), clone.place)) from error


def _fill(clone: Kept, remote: Remote, commits: Sequence[str], pull: int, progress: Progress) -> PartialGit:
    progress(STAGE, 0, 2)
    with clone.alone():
        plain = remote_git(clone.place, "")
        git = PartialGit(
            plain.folder, False, True, plain.environment, clone, remote, tuple(dict.fromkeys(commits))
        )
        _make(git)
        _fetch_commits(git, pull)
    progress(STAGE, 1, 2)
    base, *others = git.commits
    changed = list(dict.fromkeys(id for other in others for id in _changed(git, base, other)))
    git.fill([*changed, *_read_at(git, base)])
    if not all(git.blobs(changed, 0)):  # and so each is unpacked once: a broken one shows now
        raise UsageError(f"{clone.place} lacks files of the change")
    progress(STAGE, 2, 2)
    return git


def _make(git: PartialGit) -> None:
    os.makedirs(git.folder, 0o700, exist_ok=True)
    if git.attempt("rev-parse", "--git-dir") is None:
        git.ask("init", "--quiet", "--bare", "--template=")


def _fetch_commits(git: PartialGit, pull: int) -> None:
    """All in one request; only where the repository does not know one of them, one by one."""
    if not (lacking := _lacking(git)):
        return
    try:
        git.remote.commits(lacking)
    except (Gone, ByIdRefused) as error:
        for name in (*lacking, f"refs/pull/{pull}/head"):
            with suppress(Gone, ByIdRefused):
                git.remote.commits([name])
        if lacking := _lacking(git):
            raise _not_there(git, lacking[0], error) from error
    if lacking := _lacking(git):
        raise UsageError(f"{git.folder} lacks {lacking[0]} after it was fetched")


def _lacking(git: PartialGit) -> list[str]:
    return [c for c in git.commits if git.attempt("cat-file", "-e", f"{c}^{{tree}}") is None]


def _not_there(git: PartialGit, commit: str, why: Unfetched) -> Unfetched:
    if isinstance(why, ByIdRefused):
        return why
    remedy = "the pull request has moved on or was rewritten, run it again"
    return Gone(f"{git.remote.url} has no commit {commit}", remedy)


def _changed(git: PartialGit, base: str, other: str) -> Iterator[bytes]:
    """The ids of the files in which two commits differ, on both sides."""
    rows = git.ask("diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", base, other).split(b"\0")
    for about in rows[:-1:2]:
        old_mode, new_mode, old, new, _ = about.removeprefix(b":").split(b" ")
        for mode, id in ((old_mode, old), (new_mode, new)):
            if mode not in (b"000000", SUBMODULE):
                yield id


def _read_at(git: PartialGit, base: str) -> Iterable[bytes]:
    """The links, and what every review reads."""
    for path, (mode, id) in git.listed(base).items():
        if mode == LINK or (mode != SUBMODULE and _READ.fullmatch(path)):
            yield id
