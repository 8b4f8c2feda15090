"""Closes a month, and opens it again."""


def close(month):
    validate(month.entries)
    month.closed = True


def reopen(month):
    month.closed = False


def validate(entries):
    total = sum(entry.amount for entry in entries)
    assert total == 0, f"the entries do not balance: {total}"
