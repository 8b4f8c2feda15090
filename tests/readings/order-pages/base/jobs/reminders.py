"""Asks customers to pay: a hundred a day, the oldest orders first."""

from __future__ import annotations

from sqlite3 import Connection

from orders.queries import list_orders

A_DAY = 100


def due(db: Connection) -> list[str]:
    return [order.customer for order in list_orders(db, "open", limit=A_DAY)]
