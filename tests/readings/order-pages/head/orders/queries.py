"""Orders, read from the database."""

from __future__ import annotations

from sqlite3 import Connection
from typing import NamedTuple

PAGE = 50


class Order(NamedTuple):
    id: int
    status: str
    customer: str
    cents: int


class Page(NamedTuple):
    """Some orders, and where the next page begins; None behind the last one."""

    orders: list[Order]
    after: int | None


def get_order(db: Connection, order_id: int) -> Order | None:
    row = db.execute("SELECT id, status, customer, cents FROM orders WHERE id = ?", (order_id,)).fetchone()
    return Order(*row) if row else None


def list_orders(db: Connection, status: str, *, after: int = 0, limit: int = PAGE) -> list[Order]:
    """The orders with a status that come after the order `after`, oldest first.

    By id and not by offset: an offset reads all the rows that it skips, and shifts when an order
    changes its status while somebody turns the pages.
    """
    rows = db.execute(
        "SELECT id, status, customer, cents FROM orders WHERE status = ? AND id > ? ORDER BY id LIMIT ?",
        (status, after, limit),
    )
    return [Order(*row) for row in rows]


def page_of_orders(db: Connection, status: str, after: int = 0, size: int = PAGE) -> Page:
    """One page. It asks for one order more than it shows, to know whether there is another page."""
    orders = list_orders(db, status, after=after, limit=size + 1)
    if len(orders) <= size:
        return Page(orders, None)
    return Page(orders[:size], orders[size].id)
