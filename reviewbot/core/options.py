"""What a front door asks for: which change, which skills."""

from __future__ import annotations

from typing import Literal, NamedTuple

from reviewbot.core.ports import Progress

Mode = Literal["commits", "staged", "worktree"]


def silent(stage: str, done: int = 0, total: int = 0) -> None:
    """The Progress of someone who does not watch."""


class DiffOptions(NamedTuple):
    """The change of one `reviewbot diff`; relative paths and `--skill` paths start in `cwd`."""

    cwd: str
    base: str | None = None  # a revision; None: the usual target branch, or HEAD for the other modes
    head: str = "HEAD"  # a revision
    mode: Mode = "commits"  # what is compared with base
    patch: bytes | None = None  # the text of `git diff`, instead of a repository's change
    patch_name: str = ""
    skills: tuple[str, ...] = ()  # paths or names; empty: those of the repository and the built-in ones
    unsafe_gates: bool = False  # gates that execute run without a sandbox
    model: bool = True  # asked if there is a key too
    max_usd: float | None = None  # of this review; None: what the configuration says
    thorough: bool = False
    progress: Progress = silent
