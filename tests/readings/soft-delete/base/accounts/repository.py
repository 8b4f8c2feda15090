"""Accounts in the database."""

from __future__ import annotations

from sqlite3 import Connection
from typing import NamedTuple

from accounts.clock import now_ms

COLUMNS = "id, team, email, secret_hash, created_at"


class Account(NamedTuple):
    id: int
    team: int
    email: str
    secret_hash: str
    created_at: int


def add(db: Connection, team: int, email: str, secret_hash: str) -> int:
    """Returns its id. Raises IntegrityError where the address is in use."""
    cursor = db.execute(
        "INSERT INTO accounts (team, email, secret_hash, created_at) VALUES (?, ?, ?, ?)",
        (team, email, secret_hash, now_ms()),
    )
    return cursor.lastrowid


def get(db: Connection, account_id: int) -> Account | None:
    row = db.execute(f"SELECT {COLUMNS} FROM accounts WHERE id = ?", (account_id,)).fetchone()
    return Account(*row) if row else None


def find_by_email(db: Connection, email: str) -> Account | None:
    row = db.execute(f"SELECT {COLUMNS} FROM accounts WHERE email = ?", (email,)).fetchone()
    return Account(*row) if row else None


def of_team(db: Connection, team: int) -> list[Account]:
    rows = db.execute(f"SELECT {COLUMNS} FROM accounts WHERE team = ? ORDER BY id", (team,))
    return [Account(*row) for row in rows]


def delete(db: Connection, account_id: int) -> bool:
    """Whether there was one."""
    return db.execute("DELETE FROM accounts WHERE id = ?", (account_id,)).rowcount == 1
