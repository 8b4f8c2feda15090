"""Two commits of a repository on GitHub → a review of what the second adds. It posts nothing.

The checkout is read where it has the history for it. Actions give a shallow one, in which no merge base
can be trusted: then the commits are fetched beside it, and the merge base is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.types import Review
from reviewbot.gates import state
from reviewbot.hosts import searchpath
from reviewbot.hosts.git import Git
from reviewbot.hosts.local import LocalSource
from reviewbot.hosts.revisions import DEEPEN
from reviewbot.pipeline import review
from reviewbot.wiring.hands import PLAIN, Around
from reviewbot.wiring.prepare import prepare

if TYPE_CHECKING:
    from reviewbot.hosts.github.client import Access


class Range(NamedTuple):
    """`base` is a full id or the name of a branch, `head` a full id; `repo` is owner/name."""

    repo: str
    base: str
    head: str
    label: str  # for people
    is_branch: bool = False  # whether `base` is one


def run_range(wanted: Range, options: DiffOptions, around: Around = PLAIN) -> Review:
    """Raises UsageError where the commits can be reached neither here nor on GitHub."""
    searchpath.keep_out(options.cwd)
    with ExitStack() as closing:
        source = _in_checkout(wanted, options.cwd)
        if source is None:
            source = closing.enter_context(_fetched(wanted, options))
        prepared = prepare(options, source, closing, around)
        return review(prepared.skills, prepared.tools)


def _in_checkout(wanted: Range, cwd: str) -> LocalSource | None:
    """None: there is no checkout, or it is shallow, or it lacks one of the commits."""
    try:
        git = Git.open(cwd)
    except UsageError:
        return None
    if git.shallow:
        return None
    base = f"refs/remotes/origin/{wanted.base}" if wanted.is_branch else wanted.base
    found = git.attempt("merge-base", base, wanted.head)
    if not found:
        return None
    return LocalSource(git, found.decode("ascii").strip(), wanted.head, "commits", wanted.label)


@contextmanager
def _fetched(wanted: Range, options: DiffOptions) -> Iterator[LocalSource]:
    from reviewbot.hosts.github import clone
    from reviewbot.hosts.github.client import Client
    from reviewbot.hosts.github.compared import parted

    door = _access()
    base = parted(Client(door), wanted.repo, wanted.base, wanted.head)
    with ExitStack() as closing:
        folder = state.folder("clones") or closing.enter_context(TemporaryDirectory(prefix="reviewbot-"))
        url, commits = f"{door.server}/{wanted.repo}.git", (base, wanted.head)
        try:
            git = closing.enter_context(clone.opened(url, door.token, commits, 0, folder, options.progress))
        except clone.Unfetched as error:
            raise UsageError(
                f"the checkout lacks the commits, and they cannot be had: {error}", DEEPEN
            ) from error
        yield clone.source(git, base, wanted.head, wanted.label)


def _access() -> Access:
    from reviewbot.hosts.github.client import access

    try:
        return access()
    except UsageError as error:
        raise UsageError(f"the checkout lacks the commits, and {error}", f"or: {DEEPEN}") from error
