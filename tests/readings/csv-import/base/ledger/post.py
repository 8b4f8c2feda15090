"""Statements into the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from ledger.statement import read_statement


def balance(opening: Decimal, lines: Iterable[str]) -> Decimal:
    """Raises BadStatement."""
    return opening + sum((entry.amount for entry in read_statement(lines)), Decimal(0))
