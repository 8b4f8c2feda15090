"""What the pipeline asks of the outside world. The adapters are built in wiring/ only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from reviewbot.core.types import (
    Answer,
    Change,
    FileChange,
    GatePlan,
    GateResult,
    Question,
    Reply,
    Request,
    RulePlan,
    RuleRun,
    Side,
    Text,
    Texts,
)


class Source(Protocol):
    """Where a change comes from. Raises UsageError where it cannot be read at all."""

    def change(self, wanted: Callable[[FileChange], bool]) -> Change:
        """The changed files; hunks only for those that are `wanted`."""

    def read(self, change: Change, side: Side, paths: Collection[str]) -> Texts:
        """The texts of `paths` (head paths; the base side is found through renames, and keyed
        by the head path)."""

    def base_files(self, paths: Sequence[str], below: Sequence[str] = ()) -> Mapping[str, bytes]:
        """Of the files at `paths` and of those below the folders `below`, the ones that base has:
        configuration, guidance. Small files only; no repository: empty."""


class Gates(Protocol):
    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        """One result for each run of the plan, in its order. Never raises for what a gate does."""


class Rules(Protocol):
    def start(self, plan: RulePlan) -> Callable[[], RuleRun]:
        """Begin to run every rule over its texts, within a time budget, beside what else is done. What is
        returned waits for the end, and tells it. Never raises for what a rule does."""


class Model(Protocol):
    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        """One answer to each question, in their order; they are asked side by side. Never raises for
        what a provider does."""


SEARCHED = 1_000  # rows that one search of a Library gives at most: the first ones
UNREAD = 0  # the line of a file that has the words, or may have them, and cannot be read


class Library(Protocol):
    """The whole tree of each side, for what a model looks up. Raises UsageError where it cannot be
    read, or not in time."""

    def paths(self, side: Side) -> Sequence[str]:
        """All files, sorted."""

    def text(self, side: Side, path: str) -> Text | None:
        """None: there is no such file, or it is no text."""

    def search(self, side: Side, words: str, below: str = "") -> Sequence[tuple[str, int, str]]:
        """The (path, line, text) of lines that hold `words`, below a folder or in a file; sorted, bounded.
        A file that cannot be read has one row, of the line UNREAD."""


class Progress(Protocol):
    def __call__(self, stage: str, done: int = 0, total: int = 0) -> None: ...


class Sink(Protocol):
    """GitHub, to write to. Waits for its limits, within bounds; never raises for what GitHub does."""

    def send(self, request: Request) -> Reply:
        """Send it once. An answer that was lost is looked for by the request's marker; only what is not
        there is sent a second time."""

    def find(self, request: Request) -> Reply:
        """What a request with a marker has made, as `send` would tell it. Status 404: it is not there; 0:
        GitHub does not say."""

    def head(self) -> str:
        """The pull request's head as it is now; "" where GitHub does not say."""

    def comments(self, review: int) -> Sequence[tuple[str, int | None, str, str]] | None:
        """The (path, line, body, address) of each comment of a review; None where GitHub does not say."""
