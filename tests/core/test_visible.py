from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.visible import encodable, visible
from tests.strategies import any_character


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain `code` — dash\n\tindented", "plain `code` — dash\n\tindented"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\rb", "a\\rb"),
        ("\x9b2J", "\\x9b2J"),  # CSI in one character
        ("if admin\u202e⁦// check", "if admin\\u202e\\u2066// check"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("hidden\ufe01\U000e0101", "hidden\\ufe01\\U000e0101"),
        ("ㅤ", "\\u3164"),
        ("line\u2028end", "line\\u2028end"),
        (b"caf\xe9".decode("utf-8", "surrogateescape"), "caf\\xe9"),
        ("\ud800", "\\ud800"),
        ("漢字 é ⚠️", "漢字 é ⚠️"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(any_character))
def test_nothing_invisible_is_left_and_nothing_visible_is_lost(text: str) -> None:
    shown = visible(text)
    assert {unicodedata.category(c) for c in shown if c not in "\n\t"} & {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    } == set()
    assert visible(shown) == shown
    assert sum(map(text.count, "\n\t")) == sum(map(shown.count, "\n\t"))


@given(st.text(any_character))
def test_encodable_text_is_utf8_and_keeps_what_was_utf8(text: str) -> None:
    assert encodable(text).encode("utf-8").decode("utf-8") == encodable(text)
    kept = "".join(c for c in text if not "\ud800" <= c <= "\udfff")
    assert encodable(kept) == kept
