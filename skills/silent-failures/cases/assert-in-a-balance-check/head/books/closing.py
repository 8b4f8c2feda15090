"""Closes a month."""

from decimal import Decimal


class Month:
    def __init__(self, entries):
        self.entries = entries
        self.closed = False

    def validate(self):
        total = sum((entry.amount for entry in self.entries), Decimal(0))
        assert total == 0, f"the entries do not balance: {total}"
        assert all(entry.receipt for entry in self.entries)

    def close(self):
        self.validate()
        self.closed = True
