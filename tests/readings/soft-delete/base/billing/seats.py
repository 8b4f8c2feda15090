"""What a team pays for."""

from __future__ import annotations

from sqlite3 import Connection

CENTS_A_SEAT = 900


def seats(db: Connection) -> dict[int, int]:
    """The accounts of each team."""
    return dict(db.execute("SELECT team, count(*) FROM accounts GROUP BY team"))


def invoice_cents(db: Connection, team: int) -> int:
    return seats(db).get(team, 0) * CENTS_A_SEAT
