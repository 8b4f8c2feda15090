"""Statements of banks, as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from operator import attrgetter

from ledger.entries import BadStatement, Entry

HEAD = "Date"
CELLS = 3


def read_statement(lines: Iterable[str]) -> list[Entry]:
    """The entries, oldest first; those of one day in the order of the file. Rows without an amount
    (the bank's notes) are passed over. Raises BadStatement."""
    entries = (_entry(number, row) for number, row in _with_amount(lines))
    return sorted(entries, key=attrgetter("day"))


def _with_amount(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    rows = enumerate(csv.reader(lines, delimiter=";"), 1)
    for number, row in rows:
        if _is_head(number, row) or not any(map(str.strip, row)):
            continue
        if len(row) < CELLS:
            raise BadStatement(f"row {number}: {len(row)} cells, not {CELLS}")
        if row[2].strip():
            yield number, row


def _is_head(number: int, row: Sequence[str]) -> bool:
    return number == 1 and row[:1] == [HEAD]


def _entry(number: int, row: Sequence[str]) -> Entry:
    day, text, amount, *_ = row
    return Entry(_day(day, number), _amount(amount, number), text.strip())


def _day(cell: str, number: int) -> date:
    try:
        day, month, year, *_ = map(int, cell.strip().split(".")[:CELLS])
        return date(year, month, day)
    except ValueError:  # too few parts are one as well
        raise BadStatement(f"row {number}: no date: {cell}") from None


def _amount(cell: str, number: int) -> Decimal:
    """`1.200,50` and `1200.50` are the same; a point alone is a decimal point."""
    text = cell.strip()
    try:
        return Decimal(text.replace(".", "").replace(",", ".") if "," in text else text)
    except InvalidOperation:
        raise BadStatement(f"row {number}: no amount: {cell}") from None
