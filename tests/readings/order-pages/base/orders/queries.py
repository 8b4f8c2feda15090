"""Orders, read from the database."""

from __future__ import annotations

from sqlite3 import Connection
from typing import NamedTuple


class Order(NamedTuple):
    id: int
    status: str
    customer: str
    cents: int


def get_order(db: Connection, order_id: int) -> Order | None:
    row = db.execute("SELECT id, status, customer, cents FROM orders WHERE id = ?", (order_id,)).fetchone()
    return Order(*row) if row else None


def list_orders(db: Connection, status: str, *, offset: int = 0, limit: int | None = None) -> list[Order]:
    """The orders with a status, oldest first."""
    rows = db.execute(
        "SELECT id, status, customer, cents FROM orders WHERE status = ? ORDER BY id LIMIT ? OFFSET ?",
        (status, -1 if limit is None else limit, offset),
    )
    return [Order(*row) for row in rows]
