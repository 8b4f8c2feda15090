"""Options → fixes that were tried together, and the review of what they leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import NamedTuple

from reviewbot.core import fix
from reviewbot.core.errors import UsageError
from reviewbot.core.fix import Fix, Kept
from reviewbot.core.options import DiffOptions, silent
from reviewbot.core.types import Change, Review, Settings, Side, Texts, Usage
from reviewbot.hosts import inplace, searchpath
from reviewbot.hosts.local import LocalSource
from reviewbot.hosts.revisions import head_commit
from reviewbot.hosts.trial import Trial, Written, branch_name, check_branch, identity, trial
from reviewbot.pipeline import review
from reviewbot.wiring.prepare import prepare

PASSES = 25  # reviews of one fix; each may run the gates
Contents = Mapping[str, Written]


class Attempt(NamedTuple):
    """What was tried, before anything is written. `first` is the review of the head, `review` that of the
    head with the fixes `done`, which `diff` shows; `kept` says what was left, and why."""

    first: Review
    review: Review
    done: tuple[Fix, ...]
    kept: tuple[Kept, ...]
    diff: str
    onto: str  # the name of the branch of the head; "" for none
    base: str  # its name for people
    head: str
    old: Contents
    new: Contents
    trial: Trial
    options: DiffOptions


class Applied(NamedTuple):
    review: Review
    kept: tuple[Kept, ...] = ()  # what was tried and could not be written
    refused: bool = False  # by the user


@contextmanager
def attempt(options: DiffOptions, branch: str | None) -> Iterator[Attempt]:
    """Review, and try what can be fixed; nothing is written for it but to a temporary folder.

    `branch` is the name of a branch to make; None: the work tree is to be changed. Raises UsageError before
    any work where neither could be done.
    """
    searchpath.keep_out(options.cwd)
    source = LocalSource.open(options.cwd, options.base, head=options.head)
    _check(source, options, branch)
    with trial(source) as made:
        yield _Attempting(options, source, made, in_place=branch is None).run()


def _check(source: LocalSource, options: DiffOptions, branch: str | None) -> None:
    if branch is not None:
        check_branch(source.git, branch)
        identity(source.git)
        return
    if not source.git.has_work_tree:
        raise UsageError(
            "--fix: there is no work tree here", "have the fixes on a branch: --fix --branch NAME"
        )
    if source.head != head_commit(source.git, "HEAD"):
        message = f"--fix: {options.head} is not what is checked out"
        raise UsageError(message, "check it out, or have the fixes on a branch: --fix --branch NAME")
    inplace.check_clean(source.git)


class _Attempting:
    def __init__(self, options: DiffOptions, source: LocalSource, made: Trial, *, in_place: bool) -> None:
        self._options, self._source, self._trial, self._in_place = options, source, made, in_place
        self._settings = Settings()
        self._change = Change(None, None, ())  # of the head as it was
        self._model = False
        self._kept: dict[str, str] = {}
        self._refused: set[tuple[str, str]] = set()
        self._old: dict[str, Written] = {}

    def run(self) -> Attempt:
        first = self._review(self._source, self._options)
        self._change = first.change
        last, done, new = self._passes(first)
        if done and self._model:
            last, done, new = self._read_again(first, last, done, new)
        tried = self._trial.source_with(new) if new else self._source
        left = {**self._kept, **self._unfixed(last), **self._overlapped(first, done)}
        name = branch_name(self._source.git, self._trial.head, self._options.head)
        return Attempt(
            first=first,
            review=last,
            done=tuple(done),
            kept=tuple(Kept(*row) for row in left.items()),
            diff=self._trial.diff(tried) if new else "",
            onto=name,
            base=self._source.label.rpartition("...")[0],
            head=self._trial.head,
            old={path: self._old[path] for path in new},
            new=new,
            trial=self._trial,
            options=self._left(last.usage),
        )

    def _review(self, source: LocalSource, options: DiffOptions) -> Review:
        with ExitStack() as closing:
            prepared = prepare(options, source, closing)
            self._settings, self._model = prepared.settings, self._model or prepared.model
            return review(prepared.skills, prepared.tools)

    def _passes(self, first: Review) -> tuple[Review, list[Fix], dict[str, Written]]:
        """The last review that nothing speaks against, the fixes that led to it, and the files."""
        source, last, done = self._source, first, list[Fix]()
        new: dict[str, Written] = {}
        apart: set[str] = set()
        # A model reads once more at the end. To switch it off would choose other skills.
        quiet = self._options._replace(max_usd=0.0) if self._model else self._options
        for number in range(1, PASSES + 1):
            chosen = fix.batch(self._fitting(source, last), apart)
            if not chosen:
                break
            self._options.progress(f"fixes, pass {number}")
            files = {**new, **self._applied(source, last.change, chosen)}
            tried = self._trial.source_with(files)
            after = self._review(tried, quiet)
            if faults := fix.worse(last, after, chosen):
                self._take_back(chosen, faults, apart)
            else:
                source, last, new = tried, after, files
                done += chosen
        return last, done, new

    def _fitting(self, source: LocalSource, last: Review) -> list[Fix]:
        """What is left to try. A file that could not be written is not tried."""
        offered = [one for one in fix.fixes(last) if one.identity not in self._refused]
        unknown = {one.path for one in offered} - self._old.keys() - self._kept.keys()
        for path, written in self._contents(unknown).items():
            why = inplace.unfit(source.git.folder, path, written.content) if self._in_place else ""
            if why:
                self._kept[path] = why
            else:
                self._old[path] = written
        return [one for one in offered if one.path in self._old]

    def _contents(self, paths: set[str]) -> dict[str, Written]:
        """Files of the head as it was; what cannot be read is kept."""
        texts = self._texts(self._source, self._change, paths)
        self._kept |= texts.unread
        modes = {file.path: file.new_mode for file in self._change.files}
        return {p: Written(modes[p], text.content.encode("utf-8")) for p, text in texts.files.items()}

    def _applied(self, source: LocalSource, change: Change, chosen: Sequence[Fix]) -> dict[str, Written]:
        texts = fix.applied(chosen, self._texts(source, change, {one.path for one in chosen}).files)
        return {p: Written(self._old[p].mode, text.content.encode("utf-8")) for p, text in texts.items()}

    def _texts(self, source: LocalSource, change: Change, paths: set[str]) -> Texts:
        limited = replace(source, limit=self._settings.max_file_bytes)
        return limited.read(change, Side.RIGHT, sorted(paths))

    def _take_back(self, chosen: Sequence[Fix], faults: Mapping[str, str], apart: set[str]) -> None:
        """What made something worse is tried by itself; what did so by itself is tried no more."""
        for where, why in faults.items():
            guilty = [one for one in chosen if where in (one.path, fix.WHOLE)]
            if len(guilty) > 1:
                apart.add(where)
                continue
            [one] = guilty
            self._refused.add(one.identity)
            self._kept[_place(one)] = f"the fix was taken back: {why}"

    def _read_again(
        self, first: Review, last: Review, done: list[Fix], new: dict[str, Written]
    ) -> tuple[Review, list[Fix], dict[str, Written]]:
        """The model reads what came of it, for what is left of the money."""
        spent = first.usage
        while new:
            last = self._review(self._trial.source_with(new), self._left(spent))
            spent = spent.plus(last.usage)
            faults = fix.touched(first, last, done)
            if not faults:
                return last._replace(usage=spent), done, new
            self._kept |= {path: f"its fixes were taken back: {why}" for path, why in faults.items()}
            done = [one for one in done if one.path not in faults]
            new = {path: file for path, file in new.items() if path not in faults}
        return first._replace(usage=spent), [], {}

    def _left(self, spent: Usage) -> DiffOptions:
        """The options with what is left of the money."""
        most = self._settings.model.max_usd if self._options.max_usd is None else self._options.max_usd
        return self._options._replace(max_usd=max(0.0, most - spent.usd)) if self._model else self._options

    def _unfixed(self, last: Review) -> dict[str, str]:
        """What the review still offers and nobody tried."""
        told = {*self._kept}
        return {
            _place(one): f"not tried: {PASSES} passes were made; run it again"
            for one in fix.fixes(last)
            if one.path not in told and _place(one) not in told and one.identity not in self._refused
        }

    def _overlapped(self, first: Review, done: Sequence[Fix]) -> dict[str, str]:
        """Fixes of the model that no later pass could try: it is not asked in between."""
        settled = self._refused | {one.identity for one in done}
        return {
            _place(one): "it overlaps another fix"
            for one in fix.fixes(first)
            if one.by_model and one.identity not in settled and one.path not in self._kept
        }


def _place(one: Fix) -> str:
    return f"{one.path}:{one.start_line}"


def apply(made: Attempt) -> Applied:
    """Write the fixes into the work tree, each file whole or not at all. Raises UsageError, with nothing
    written, where another commit is checked out by now or the tree is no longer clean."""
    git, kept = made.trial.source.git, []
    with inplace.alone(git):
        if head_commit(git, "HEAD") != made.head:
            raise UsageError(
                "another commit was checked out while the fixes were tried",
                "nothing was changed; run it again",
            )
        inplace.check_clean(git)
        for path, file in made.new.items():
            if why := inplace.put(git.folder, path, made.old[path].content, file.content):
                kept.append(Kept(path, why))
    if not kept:
        label = f"{made.base}...work tree"
        return Applied(made.review._replace(change=made.review.change._replace(head=None, label=label)))
    return Applied(_as_it_is(made), tuple(kept))


def _as_it_is(made: Attempt) -> Review:
    """The review of a work tree that is not what was tried."""
    source = replace(made.trial.source, head=None, mode="worktree", label=f"{made.base}...work tree")
    with ExitStack() as closing:
        prepared = prepare(made.options._replace(progress=silent), source, closing)
        return review(prepared.skills, prepared.tools)


def on_branch(made: Attempt, name: str) -> Applied:
    """Commit the fixes to a new branch; index and work tree are not touched. Raises UsageError."""
    commit = made.trial.branch(name, made.new, fix.message(made.done, made.onto, made.head))
    change = made.review.change._replace(head=commit, label=f"{made.base}...{name}")
    return Applied(made.review._replace(change=change))
