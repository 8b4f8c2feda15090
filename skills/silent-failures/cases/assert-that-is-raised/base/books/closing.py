"""Closes a month."""


def validate_balance(entries):
    total = sum(entry.amount for entry in entries)
    assert total == 0, f"the entries do not balance: {total}"
    return entries
