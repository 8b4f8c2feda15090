"""The month's paid orders as CSV, for the accountant."""

from __future__ import annotations

import csv
import sqlite3
import sys

from orders.queries import list_orders


def export(db: sqlite3.Connection, out) -> int:
    """Writes one row for each paid order; returns the sum in cents."""
    writer = csv.writer(out)
    writer.writerow(["order", "customer", "cents"])
    total = 0
    for order in list_orders(db, "paid"):
        writer.writerow([order.id, order.customer, order.cents])
        total += order.cents
    return total


if __name__ == "__main__":
    total = export(sqlite3.connect(sys.argv[1]), sys.stdout)
    print(f"{total / 100:.2f} in all", file=sys.stderr)
