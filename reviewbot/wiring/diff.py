"""Options → a review."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from reviewbot.core.options import DiffOptions
from reviewbot.core.types import Review
from reviewbot.hosts import searchpath
from reviewbot.hosts.local import LocalSource
from reviewbot.pipeline import review
from reviewbot.wiring.prepare import prepare

if TYPE_CHECKING:
    from reviewbot.hosts.patch import PatchSource


def run_diff(options: DiffOptions) -> Review:
    """Review what the options name. Raises UsageError or ConfigError before any work starts.

    From then on no program of the reviewed work tree is on the PATH of this process."""
    searchpath.keep_out(options.cwd)
    source = _source(options)
    with ExitStack() as closing:
        prepared = prepare(options, source, closing)
        return review(prepared.skills, prepared.tools)


def _source(options: DiffOptions) -> LocalSource | PatchSource:
    if options.patch is not None:
        from reviewbot.hosts.patch import PatchSource  # 10 ms, only where there is a patch

        return PatchSource.open(options.patch, options.patch_name, options.cwd)
    return LocalSource.open(options.cwd, options.base, head=options.head, mode=options.mode)
