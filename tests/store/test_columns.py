"""What is put into a column comes out again, or is said to be cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.store.columns import KEY, Packed, fit, key
from tests.store.rows import NASTY

LONG = ["x" * length for length in range(KEY - 1, KEY + 2)]
ANY = st.text(st.characters(exclude_categories=()), max_size=9) | st.sampled_from([NASTY, *LONG])
LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY
JSON = LEAF | st.lists(LEAF, max_size=3) | st.dictionaries(ANY, st.lists(LEAF, max_size=2), max_size=3)


@given(ANY)
def test_a_key_fits_and_is_its_own_key(text: str) -> None:
    kept = key(text)
    assert len(kept) <= KEY
    assert "\0" not in kept
    assert kept.encode() is not None
    assert key(kept) == kept


@given(ANY, ANY)
def test_two_keys_stay_two(one: str, other: str) -> None:
    assert (key(one) == key(other)) == (one == other)


@given(ANY, st.integers(1, 20))
def test_words_fit(text: str, most: int) -> None:
    kept = fit(text, most)
    assert len(kept) == min(len(text), most)
    assert kept.encode() is not None


@given(JSON)
def test_what_is_packed_is_the_same_again(value: object) -> None:
    column, dialect = Packed(), None
    content = column.process_bind_param(value, dialect)  # type: ignore[arg-type]
    assert column.process_result_value(content, dialect) == value  # type: ignore[arg-type]
