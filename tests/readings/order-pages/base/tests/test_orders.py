import sqlite3
from pathlib import Path

import pytest

from api.orders import get_orders
from jobs.reminders import due


@pytest.fixture
def db():
    db = sqlite3.connect(":memory:")
    db.executescript(Path("schema.sql").read_text())
    for n in range(1, 4):
        db.execute("INSERT INTO orders VALUES (?, 'open', ?, 100)", (n, f"c{n}"))
    return db


def test_first_page(db):
    assert [order["id"] for order in get_orders(db, {})["orders"]] == [1, 2, 3]


def test_reminders(db):
    assert due(db) == ["c1", "c2", "c3"]
