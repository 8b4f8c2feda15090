"""GET /orders?status=…&after=…"""

from __future__ import annotations

from collections.abc import Mapping
from sqlite3 import Connection
from typing import Any

from api.errors import BadRequest
from orders.queries import page_of_orders


def get_orders(db: Connection, query: Mapping[str, str]) -> dict[str, Any]:
    """One page; `next` is what `after` has to be for the page behind it, null behind the last one.
    Raises BadRequest."""
    if "page" in query:
        raise BadRequest("`page` is gone: ask with `after`")
    page = page_of_orders(db, query.get("status", "open"), int(query.get("after", "0")))
    return {"orders": [order._asdict() for order in page.orders], "next": page.after}
