"""Closes a month."""


def validate(entries):
    total = sum(entry.amount for entry in entries)
    assert total == 0, f"the entries do not balance: {total}"


def close(month):
    validate(month.entries)
    month.closed = True
