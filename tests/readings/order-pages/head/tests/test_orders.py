import sqlite3
from pathlib import Path

import pytest

from api.orders import get_orders
from jobs.reminders import due
from orders.queries import page_of_orders


@pytest.fixture
def db():
    db = sqlite3.connect(":memory:")
    db.executescript(Path("schema.sql").read_text())
    for n in range(1, 4):
        db.execute("INSERT INTO orders VALUES (?, 'open', ?, 100)", (n, f"c{n}"))
    return db


def test_first_page(db):
    answer = get_orders(db, {})
    assert [order["id"] for order in answer["orders"]] == [1, 2, 3]
    assert answer["next"] is None


def test_there_is_another_page(db):
    page = page_of_orders(db, "open", size=2)
    assert [order.id for order in page.orders] == [1, 2]
    assert page.after is not None


def test_reminders(db):
    assert due(db) == ["c1", "c2", "c3"]
