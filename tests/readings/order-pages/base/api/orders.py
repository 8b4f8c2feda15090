"""GET /orders?status=…&page=…"""

from __future__ import annotations

from collections.abc import Mapping
from sqlite3 import Connection
from typing import Any

from orders.queries import list_orders

PAGE = 50


def get_orders(db: Connection, query: Mapping[str, str]) -> dict[str, Any]:
    page = int(query.get("page", "0"))
    orders = list_orders(db, query.get("status", "open"), offset=page * PAGE, limit=PAGE)
    return {"orders": [order._asdict() for order in orders], "page": page}
