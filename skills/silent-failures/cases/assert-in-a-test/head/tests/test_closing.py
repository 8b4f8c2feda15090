"""Closing a month."""

from books.closing import Month


def check_closed(month):
    assert month.closed
    assert all(entry.receipt for entry in month.entries)


def test_a_month_without_entries_can_be_closed():
    month = Month([])
    month.close()
    check_closed(month)
