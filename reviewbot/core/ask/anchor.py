"""Where a model's quote stands. The words decide; the line that it states only helps (law 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from reviewbot.core.ask.legible import legible
from reviewbot.core.ask.newness import fresh
from reviewbot.core.errors import UsageError
from reviewbot.core.hunks import sparse
from reviewbot.core.ports import Library
from reviewbot.core.types import Change, Receipt, Side, Site, Text, Texts
from reviewbot.core.verify import find_quote, named_lines

MAX_QUOTE_LINES = 40
_SHOWN = 120  # characters of a line in a receipt
_T = TypeVar("_T")


class Sources(NamedTuple):
    """All that a claim is checked against: the texts that everybody read, and the tree around them.

    `text` and `search` raise UsageError where the tree cannot be read, and keep the reason: what could
    not be checked is neither true nor false, and makes no clean review.
    """

    change: Change
    head: Texts
    base: Texts  # keyed by head paths
    library: Library
    failed: dict[str, None]  # why something could not be read, in the order in which it was wanted

    def text(self, side: Side, path: str) -> Text | None:
        read = self.head if side is Side.RIGHT else self.base
        if known := read.files.get(path):
            return known
        file = next((f for f in self.change.files if f.path == path), None)
        if (
            side is Side.LEFT
            and file
            and file.hunks
            and path in self.head.files
            and self.head.files[path].partial
        ):
            return Text(path, sparse(file.hunks, side), partial=True)  # a patch has no other base
        return self._from_tree(lambda: self.library.text(side, self._named(side, path)))

    def search(self, side: Side, words: str) -> Sequence[tuple[str, int, str]]:
        return self._from_tree(lambda: self.library.search(side, words))

    def _from_tree(self, ask: Callable[[], _T]) -> _T:
        try:
            return ask()
        except UsageError as error:
            self.failed[str(error)] = None
            raise

    def _named(self, side: Side, path: str) -> str:
        """The name that a file has at `side`."""
        old = (f.old_path for f in self.change.files if f.path == path and f.old_path)
        return next(old, path) if side is Side.LEFT else path

    def changes(self, site: Site) -> bool:
        """Whether the change made a line of `site` what it is."""
        file = next((f for f in self.change.files if f.path == site.path), None)
        lines = fresh(file, site.side, self.change, self._known, self._perhaps) if file else set()
        return not lines.isdisjoint(range(site.start_line, site.line + 1))

    def _known(self, side: Side, path: str) -> Text | None:
        with suppress(UsageError):  # which is named
            return self.text(side, path)
        return None

    def _perhaps(self, side: Side, path: str) -> Text | None:
        """What tells a moved line from a new one. Where it cannot be read, the line is new."""
        with suppress(UsageError):
            return self.library.text(side, self._named(side, path))
        return None


class Place(NamedTuple):
    site: Site  # in the words of the text, as a model is shown it
    others: tuple[Site, ...]  # where the quote stands too
    moved: int  # lines from the stated one to `site`
    receipt: Receipt
    text: Text  # in which it stands


def anchor(stated: Site, sources: Sources) -> Place | str:
    """The place at which a quote stands, or why there is none."""
    try:
        text = sources.text(stated.side, stated.path)
    except UsageError as error:
        return f"it could not be looked for: {error}"
    if text is None:
        return f"{stated.path} is not there, or no text"
    if (lines := stated.quote.count("\n") + 1) > MAX_QUOTE_LINES:
        return f"the quote has {lines} lines, and at most {MAX_QUOTE_LINES} are looked for"
    starts = standing(stated.quote, text)
    if not starts:
        return "the quote does not stand in the file"
    starts.sort(key=lambda start: start != stated.start_line)  # of several it decides nothing: it leads
    first, *rest = (_site(stated, start, text) for start in starts)
    return Place(
        first,
        tuple(rest),
        first.start_line - stated.start_line if not rest else 0,
        quoted(stated.path, stated.quote, stated.start_line, starts),
        text,
    )


def overlap(one: Site, other: Site) -> bool:
    same = (one.path, one.side) == (other.path, other.side)
    return same and one.start_line <= other.line and other.start_line <= one.line


def standing(quote: str, text: Text) -> list[int]:
    """The lines at which `quote` starts.

    White space at both ends of a line never counts. Where nothing is found so, other white space does
    not count either, and then the text is read as the model was shown it.
    """
    if quote.count("\n") >= MAX_QUOTE_LINES:
        return []
    return next(filter(None, _tries(quote, text)), [])


def quoted(path: str, quote: str, line: int, starts: list[int]) -> Receipt:
    """The receipt of a quote that stands at `starts`, and was said to stand at `line` (0: not said)."""
    first = f"`{legible(quote).strip().partition(chr(10))[0][:_SHOWN]}`"
    if len(starts) > 1:
        claim = f"{first} stands in {path}, {len(starts)} candidates"
        return Receipt("quote", claim, path, None, True, named_lines(sorted(starts)))
    other = f", not at line {line}" if line not in (0, *starts) else ""
    claim = f"{first} stands at {path}:{starts[0]}{other}"
    return Receipt("quote", claim, path, starts[0], True, f"line {starts[0]}")


@lru_cache(maxsize=32)  # legible() of a large file takes a while, and quotes of it come in crowds
def shown(text: Text) -> Text:
    """The text as a model is shown it."""
    return replace(text, content=legible(text.content))


def _tries(quote: str, text: Text) -> Iterator[list[int]]:
    yield find_quote(quote, text)
    yield find_quote(_squeezed(quote), _squeezed_text(text))
    yield find_quote(_squeezed(quote), _squeezed_text(shown(text)))


def _squeezed(lines: str) -> str:
    return "\n".join(" ".join(line.split()) for line in lines.split("\n"))


@lru_cache(maxsize=32)
def _squeezed_text(text: Text) -> Text:
    return replace(text, content=_squeezed(text.content))


def _site(stated: Site, start: int, text: Text) -> Site:
    end = start + stated.quote.count("\n")
    return Site(stated.path, start, end, shown(text).quote(start, end), stated.side)
