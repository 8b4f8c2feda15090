"""Takes away for good what was deleted long ago."""

from __future__ import annotations

import sqlite3
import sys
import time

KEPT_DAYS = 30
DAY = 24 * 60 * 60


def purge(db: sqlite3.Connection, now: float) -> int:
    """How many accounts were taken away."""
    before = int(now - KEPT_DAYS * DAY)
    with db:
        return db.execute("DELETE FROM accounts WHERE deleted_at < ?", (before,)).rowcount


if __name__ == "__main__":
    print(f"{purge(sqlite3.connect(sys.argv[1]), time.time())} accounts taken away")
