"""Closes a month."""


def validate_balance(entries):
    total = sum(entry.amount for entry in entries)
    if total != 0:
        raise ValueError(f"the entries do not balance: {total}")
    return entries
