"""Options → the review of a whole tree, and what of it is known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from reviewbot.core import baseline, baselinefile
from reviewbot.core.baselinefile import Known
from reviewbot.core.errors import ConfigError, UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.ports import Gates
from reviewbot.core.types import EXECUTING, GatePlan, GateResult, GateStatus, Review, Side
from reviewbot.hosts import newfiles, output, searchpath
from reviewbot.hosts.audited import TreeSource
from reviewbot.pipeline import review
from reviewbot.wiring.hands import Around
from reviewbot.wiring.model import KEY
from reviewbot.wiring.prepare import prepare

NOTHING = "an audit compares with nothing"


class AuditOptions(NamedTuple):
    """`review` says how it is reviewed; the change of it is not used."""

    review: DiffOptions
    paths: tuple[str, ...] = ()
    worktree: bool = False
    baseline: str | None = None  # a file; None: the default one, if it is there
    write: str | None = None  # where a baseline is to be written; "": in the place of the one that counts


class Audited(NamedTuple):
    review: Review
    stale: tuple[Known, ...]
    written: str  # the path of the baseline that was written; "" for none
    entries: int = 0  # in it


class Alone:
    """Implements Gates: what would execute at base is skipped, and so every failure counts as new."""

    def __init__(self, gates: Gates) -> None:
        self._gates = gates

    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        runs = (
            run._replace(verdict=GateStatus.SKIPPED, reason=NOTHING)
            if run.tool == EXECUTING and run.side is Side.LEFT
            else run
            for run in plan.runs
        )
        return self._gates.run(GatePlan(tuple(runs)))


def run_audit(options: AuditOptions) -> Audited:
    """Raises UsageError or ConfigError before any work starts, OutputError where the baseline cannot be
    written."""
    searchpath.keep_out(options.review.cwd)
    source = TreeSource.of(options.review.cwd, options.paths, worktree=options.worktree)
    path, entries = _known(options, source.git.folder)
    target = _target(options, path, source.git.folder)
    with ExitStack() as closing:
        prepared = prepare(options.review, source, closing, Around(gates=Alone))
        if options.review.model and not prepared.model:
            raise UsageError("--model: there is no key and no provider", f"set {KEY}, or leave it out")
        made = review(prepared.skills, prepared.tools)
    if target:
        unjudged = _compared(made, entries, options, source).unjudged
        entries = (*baseline.entries_of(made), *unjudged)
        _check_way(target, source.git.folder)  # the work took its time
        output.save(baselinefile.written(entries), target)
        path = target
    compared, shown = _compared(made, entries, options, source), _short(path, options.review.cwd)
    return Audited(_noted(compared, shown), compared.stale, shown if target else "", len(set(entries)))


def _compared(
    made: Review, entries: Sequence[Known], options: AuditOptions, source: TreeSource
) -> baseline.Compared:
    within = {file.path for file in made.change.files}
    everything = not source.paths and not options.review.skills
    return baseline.compare(made, entries, everything=everything, within=within)


def _known(options: AuditOptions, top: str) -> tuple[str, tuple[Known, ...]]:
    """The baseline that counts, and what it says. Raises UsageError for one that was named and is not
    there, ConfigError for one that is malformed."""
    given, most = options.baseline or options.write, baselinefile.LARGEST + 1
    if not given:
        path = os.path.join(top, baselinefile.DEFAULT)
        data = newfiles.standing(top, baselinefile.DEFAULT, most)  # nobody named it: no link is followed
        return path, () if data is None else _parsed(data, path, options.review.cwd)
    path = _named(options, given)
    if not os.path.lexists(path) and not options.baseline:
        return path, ()
    return path, _read(path, options.review.cwd)


def _named(options: AuditOptions, given: str) -> str:
    return os.path.normpath(os.path.join(options.review.cwd, given))


def _read(path: str, cwd: str) -> tuple[Known, ...]:
    return _parsed(output.read_regular(path, "the baseline", baselinefile.LARGEST + 1), path, cwd)


def _parsed(data: bytes, path: str, cwd: str) -> tuple[Known, ...]:
    shown = _short(path, cwd)
    if len(data) > baselinefile.LARGEST:
        raise ConfigError(
            f"{shown}: larger than {baselinefile.LARGEST // 1_000_000} MB", baselinefile.WRITE_IT
        )
    return baselinefile.parse(data, shown)


def _target(options: AuditOptions, path: str, top: str) -> str:
    """Where to write; "" for nowhere. Raises for a place that holds something else than a baseline, and for
    one in the repository that is behind a link."""
    if options.write is None:
        return ""
    target = _named(options, options.write) if options.write else path
    _check_way(target, top)
    _check_target(target)
    if target != path and os.path.lexists(target):
        _read(target, options.review.cwd)
    return target


def _check_way(path: str, top: str) -> None:
    """Raise where a link of the repository would lead the writer to another place."""
    if inside := newfiles.below(top, path):
        newfiles.standing(top, inside, 0)


def _check_target(path: str) -> None:
    """Raise before the work where a baseline could not be written after it; its own folder is made."""
    if os.path.basename(os.path.dirname(path)) == os.path.dirname(baselinefile.DEFAULT):
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            raise UsageError(f"{os.path.dirname(path)} cannot be made: {error.strerror}") from error
    output.check_place(path, "--write-baseline")


def _short(path: str, cwd: str) -> str:
    found = os.path.relpath(path, cwd)
    return path if found.startswith(os.pardir) else found


def _noted(compared: baseline.Compared, path: str) -> Review:
    """The review, its verdict line with what is known and what is stale."""
    notes = [f"the baseline is {path}"] if compared.known else []
    notes += filter(None, [baseline.stale_text(compared.stale, path)])
    made = compared.review
    return made._replace(change=made.change._replace(notes=(*made.change.notes, *notes)))
