"""The table of the summary: a row for each kind of defect, with all of its places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.ask.redact import redacted
from reviewbot.core.patterns import pattern
from reviewbot.core.publish.cap import inert
from reviewbot.core.publish.comment import MARKS
from reviewbot.core.report import words
from reviewbot.core.report.markup import code, details, table
from reviewbot.core.types import Finding, Origin

CELL = 600  # characters of a cell
PLACES = 8  # of one row

_URL = pattern(r"https?://[\w.:\[\]-]{1,253}/[\w./?=&%#:~+@-]{0,1000}")


class Row(NamedTuple):
    """A finding in the table, and what is known of its place on the page."""

    finding: Finding
    url: str = ""  # of its thread or inline comment
    state: str = ""  # for people: "new", "still there", "moved", "back", "declined"


def defects(rows: Iterable[Row]) -> Iterator[str]:
    """The table, and folded the places that it has no room for."""
    groups = list(_grouped(rows))
    yield table(("Severity", "Defect and places", "Cost", "Fix"), map(_cells, groups))
    for number, group in enumerate(groups, 1):
        if len(group) > PLACES:
            listed = "\n".join(f"- {_place(row, group[0])}" for row in group)
            yield details(f"All {len(group):,} places of row {number:,} of the table", listed)


def link(text: str, url: str) -> str:
    """Markdown that leads to an address of GitHub's own; the text alone where it is no plain one."""
    return f"[{text}]({url})" if is_plain(url) else text


def is_plain(url: str) -> bool:
    return _URL.fullmatch(url) is not None


def linked(row: Row) -> str:
    """Where a finding stands, as a link to what was said there."""
    return link(code(redacted(words.place(row.finding.candidate.site))), row.url)


def _grouped(rows: Iterable[Row]) -> Iterator[Sequence[Row]]:
    """Of a gate every fault is a kind of its own: the tool is all that they share."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        c = row.finding.candidate
        title = c.title if c.origin is Origin.GATE else ""
        groups.setdefault((c.skill, c.slug, title), []).append(row)
    yield from groups.values()


def _cells(group: Sequence[Row]) -> tuple[str, str, str, str]:
    first, more = group[0], len(group) - PLACES
    c = first.finding.candidate
    places = ", ".join(_place(row, first) for row in group[:PLACES])
    rest = f" and {more:,} more" if more > 0 else ""
    mark = f"{MARKS[c.severity]} {c.severity.value}"
    return mark, f"{_cell(c.title)}<br>{places}{rest}", _cell(c.cost or c.failure), _cell(c.fix)


def _place(row: Row, first: Row) -> str:
    """A place with what sets it apart from the first of its row."""
    c, leading = row.finding.candidate, first.finding.candidate
    apart = [row.state] if row.state else []
    apart += [c.severity.value] if c.severity is not leading.severity else []
    told = f" ({inert(', '.join(apart))})" if apart else ""
    return linked(row) + told + (f": {_cell(c.title)}" if c.title != leading.title else "")


def _cell(text: str) -> str:
    text = redacted(text)
    return inert(text if len(text) <= CELL else f"{text[: CELL - 1]}…")
