"""Statements of banks, as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import date
from decimal import Decimal, InvalidOperation

from ledger.entries import BadStatement, Entry


def read_statement(lines: Iterable[str]) -> list[Entry]:
    """The entries, oldest first; those of one day in the order of the file. Rows without an amount
    (the bank's notes) are passed over. Raises BadStatement."""
    entries = []
    for number, row in enumerate(csv.reader(lines, delimiter=";"), 1):
        if number == 1 and row and row[0] == "Date":
            continue
        if not row or all(cell.strip() == "" for cell in row):
            continue
        if len(row) < 3:
            raise BadStatement(f"row {number}: {len(row)} cells, not 3")
        if row[2].strip() == "":
            continue
        try:
            parts = row[0].strip().split(".")
            day = date(int(parts[2]), int(parts[1]), int(parts[0]))
        except (ValueError, IndexError):
            raise BadStatement(f"row {number}: no date: {row[0]}") from None
        try:
            text = row[2].strip()
            if "," in text:
                text = text.replace(".", "").replace(",", ".")
            amount = Decimal(text)
        except InvalidOperation:
            raise BadStatement(f"row {number}: no amount: {row[2]}") from None
        entries.append(Entry(day, amount, row[1].strip()))
    entries.sort(key=lambda entry: entry.day)
    return entries
