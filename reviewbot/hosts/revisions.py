"""Which two commits are compared: names to ids, the merge base, the base when none is named."""

from __future__ import annotations

import os

from reviewbot.core.errors import UsageError
from reviewbot.hosts.git import Git

# Where a change usually goes, best first.
BASES = (
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/remotes/upstream/HEAD",
    "refs/remotes/upstream/main",
    "refs/remotes/upstream/master",
    "refs/heads/main",
    "refs/heads/master",
)
DEEPEN = "`git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout"


def head_commit(git: Git, name: str) -> str:
    """The id of the commit to review. Raises UsageError if there is none."""
    commit = _commit(git, name)
    if commit is None and name == "HEAD":
        branch = os.fsdecode(git.attempt("symbolic-ref", "--short", "HEAD") or b"HEAD").strip()
        raise UsageError(f"branch {branch} has no commit yet", "commit something first")
    if commit is None:
        raise _unknown(git, name)
    return commit


def unborn(git: Git) -> bool:
    """Whether the branch that is checked out has no commit yet."""
    return _commit(git, "HEAD") is None and git.attempt("symbolic-ref", "--quiet", "HEAD") is not None


def empty_tree(git: Git) -> str:
    """The id of the tree without files, which git knows in every repository."""
    return git.ask("hash-object", "-t", "tree", "--stdin").decode("ascii").strip()


def merge_base(git: Git, base: str, head: str, head_name: str) -> str:
    """The id of the commit where `base` (a name) and `head` (an id) parted. Raises UsageError."""
    commit = _commit(git, base)
    if commit is None:
        raise _unknown(git, base)
    found = git.attempt("merge-base", commit, head)
    if found:
        return found.decode("ascii").strip()
    if git.shallow:
        raise UsageError(f"this shallow clone lacks the merge base of {base} and {head_name}", DEEPEN)
    raise UsageError(f"{base} and {head_name} have no common history", "name another base")


def default_base(git: Git, head: str) -> str:
    """The name of the branch that the change probably goes to: the first usual one that is not
    `head` itself, else the first. Raises UsageError if there is none."""
    form = "--format=%(refname)%00%(objectname)%00%(symref:short)%00%(refname:short)"
    rows = [row.split("\0") for row in os.fsdecode(git.ask("for-each-ref", form, *BASES)).splitlines()]
    found = {row[0]: (row[2] or row[3], row[1]) for row in rows}
    candidates = [found[ref] for ref in BASES if ref in found]
    if upstream := _commit(git, "@{upstream}"):
        candidates.append(("@{upstream}", upstream))
    if not candidates:
        raise UsageError("no base to compare with", "name one, for example main or HEAD~1")
    return next((name for name, commit in candidates if commit != head), candidates[0][0])


def _commit(git: Git, name: str) -> str | None:
    found = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}")
    return found.decode("ascii").strip() if found else None


def _unknown(git: Git, name: str) -> UsageError:
    if ".." in name:
        return UsageError(f"{name} is a range", "name its base, and its other end with --head")
    remedy = "name another, or get it with `git fetch`"
    return UsageError(f"no commit is called {name}", f"{remedy} ({DEEPEN})" if git.shallow else remedy)
