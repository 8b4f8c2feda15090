"""Which rows of a changed file are shown, and how: each hunk in its function, every line numbered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from reviewbot.core.ask.enclosing import Span, spans
from reviewbot.core.ask.legible import BOM, is_cut
from reviewbot.core.ask.listing import Row, listing
from reviewbot.core.ask.redact import redacted
from reviewbot.core.types import FileChange, Text
from reviewbot.core.visible import name

WHOLE = 120  # lines of a function that is shown whole around a change
LEAD = 2_000  # characters of the signatures around a row; more say nothing
CONTEXT = 8  # lines around a change elsewhere
GAP = "     …"


class Page(NamedTuple):
    """One changed file, ready to be shown."""

    file: FileChange
    rows: tuple[Row, ...]
    # Indices of rows that belong together: a function with its changes, or a few lines around some. Each
    # changed row is in one of them.
    stretches: tuple[range, ...]
    around: Around
    whole: bool  # False: only the hunks are known

    def lead(self, first: int) -> tuple[int, ...]:
        """The unchanged rows before row `first` that say what it stands in."""
        return self.around.lead(first)

    def text(self, indices: Iterable[int]) -> str:
        """What is said of the file, and the rows at `indices`; a mark stands for those between them."""
        chosen = sorted(set(indices))
        lines = [self._said(chosen)]
        before = -1
        for i in chosen:
            lines += [GAP] * (i > before + 1)
            lines.append(str(self.rows[i]))
            before = i
        if self.whole and before + 1 < len(self.rows):
            lines.append(GAP)
        return "\n".join(lines)

    def _said(self, chosen: Sequence[int]) -> str:
        file = self.file
        said = [file.status.value]
        if file.old_path and file.old_path != file.path:
            said.append(f"was {name(redacted(file.old_path))}")
        if file.old_mode != file.new_mode and "000000" not in (file.old_mode, file.new_mode):
            said.append(f"mode {file.old_mode} became {file.new_mode}")
        said += _line_ends(file)
        if not self.whole:
            said.append("only its hunks are known")
        changed = sum(row.mark != " " for row in self.rows)
        here = sum(self.rows[i].mark != " " for i in chosen)
        said.append(
            f"{here} of {changed} changed lines shown here" if changed else "no line of it is changed"
        )
        if cut := sum(is_cut(self.rows[i].text) for i in chosen):
            said.append(f"{cut} long lines are cut")
        return "; ".join(said)


def _line_ends(file: FileChange) -> Iterable[str]:
    """What the rows do not show."""
    rows = [row for hunk in file.hunks for row in hunk.rows]
    for mark, word in (("+", "added"), ("-", "deleted")):
        if ended := sum(row.startswith(mark) and row.endswith("\r") for row in rows):
            yield f"{ended} {word} lines end in CR LF"
    added, deleted = (any(row.startswith(mark + BOM) for row in rows) for mark in "+-")
    if added != deleted:
        yield f"a byte order mark was {'added' if added else 'deleted'}"
    before, after = file.eof_newline
    if before != after:
        yield f"the line end at its end was {'added' if after else 'removed'}"


@lru_cache(maxsize=32)  # a file is shown to each skill that has it, and again for each claim about it
def page(file: FileChange, head: Text | None) -> Page:
    """`head` is None where the file could not be read; then its hunks are all there is."""
    rows, whole = listing(file, head)
    changed = [i for i, row in enumerate(rows) if row.mark != " "]
    around = Around(rows, spans(head) if head and whole and len(changed) < len(rows) else ())
    return Page(file, rows, tuple(_stretches(changed, around)), around, whole)


def _stretches(changed: Iterable[int], around: Around) -> Iterable[range]:
    found: list[range] = []
    for i in changed:
        if found and i in found[-1]:
            continue
        own = around.shown(i)
        if found and own.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(own.stop, found[-1].stop))
        else:
            found.append(own)
    return found


class Around:
    """What stands around each row."""

    def __init__(self, rows: Sequence[Row], found: Sequence[Span]) -> None:
        self._rows = rows
        self._at = {row.new: i for i, row in enumerate(rows) if row.new}
        self._line: list[int] = []  # of each row at head; a deleted one stands at the line before it
        for row in rows:
            self._line.append(row.new or (self._line[-1] if self._line else 0))
        self._inner: dict[int, Span] = {}
        self._outer: dict[Span, Span] = {}
        for span in found:  # outer ones first
            if parent := self._inner.get(span.start):
                self._outer[span] = parent
            self._inner |= dict.fromkeys(range(span.start, span.end + 1), span)

    def shown(self, i: int) -> range:
        """The rows that are shown for the sake of row `i`."""
        span = self._inner.get(self._line[i])
        if span is None or span.lines > WHOLE:
            return range(max(i - CONTEXT, 0), min(i + CONTEXT + 1, len(self._rows)))
        return range(min(i, self._at[span.start]), max(i, self._at[span.end]) + 1)

    def lead(self, first: int) -> tuple[int, ...]:
        found: list[int] = []
        span = self._inner.get(self._line[first])
        while span:
            found += (self._at[line] for line in range(span.start, span.signature + 1))
            span = self._outer.get(span)
        lead = sorted(n for n in found if n < first and self._rows[n].mark == " ")
        return tuple(lead) if sum(len(self._rows[n].text) for n in lead) <= LEAD else ()
