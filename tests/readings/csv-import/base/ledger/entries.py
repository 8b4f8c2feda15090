"""What a statement of a bank says."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import NamedTuple


class Entry(NamedTuple):
    day: date
    amount: Decimal
    text: str


class BadStatement(ValueError):
    """A row that cannot be read; says which."""
