from datetime import date
from decimal import Decimal

import pytest

from ledger.entries import BadStatement, Entry
from ledger.statement import read_statement


def test_entries_come_oldest_first():
    lines = ["Date;Text;Amount", "03.02.2024;rent;-1.200,50", "01.02.2024;pay;3000.00", ";;", "x;note;"]
    assert read_statement(lines) == [
        Entry(date(2024, 2, 1), Decimal("3000.00"), "pay"),
        Entry(date(2024, 2, 3), Decimal("-1200.50"), "rent"),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [("01.02.2024;a", "2 cells"), ("1.2;a;3", "no date"), ("01.02.2024;a;x", "no amount")],
)
def test_what_cannot_be_read_is_named(line, said):
    with pytest.raises(BadStatement, match=said):
        read_statement([line])
