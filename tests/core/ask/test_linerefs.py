"""The numbers of lines in a sentence: put right by their own file, and known or not."""

from __future__ import annotations

import pytest

from reviewbot.core.ask.linerefs import Lines, corrected, unknown

MOVED = Lines(
    "lib/run.sh",
    {("lib/run.sh", 40): 4, ("lib/run.sh", 41): 5, ("other.py", 40): 7},
    frozenset({("lib/run.sh", 4), ("lib/run.sh", 5), ("other.py", 7), ("more.py", 41)}),
)


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("It goes on at line 40 (run.sh:40).", "It goes on at line 4 (run.sh:4)."),
        ("At other.py:40 it stops.", "At other.py:7 it stops."),
        ("other.py stops at line 40.", "other.py stops at line 7."),
        ("Lines 40-41 loop.", "Lines 4-5 loop."),
        ("lib/run.sh#L40-L41 loops.", "lib/run.sh#L4-L5 loops."),
        ("See `lib/run.sh:40`.", "See `lib/run.sh:4`."),
        ("It listens on port:40.", "It listens on port:40."),
        ("It calls example.com:40 at 12:40.", "It calls example.com:40 at 12:40."),
        ("It takes 40 ms, 40 times.", "It takes 40 ms, 40 times."),
        ("more.py:41 reads it.", "more.py:41 reads it."),
    ],
)
def test_a_stated_line_is_put_right_by_its_own_file_and_other_numbers_stay(said: str, right: str):
    """`other.py:40` became `other.py:4`, `port:40` became `port:4`, and `40-41` became `4-41`."""
    assert corrected(said, MOVED) == right
    assert unknown(right, MOVED) == ""


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("At line 9999 of run.sh it stops.", "line 9999"),
        ("See nothing.py:77.", "nothing.py:77"),
        ("See other.py:4.", "other.py:4"),
        ("Lines 4-6 loop.", "Lines 4-6"),
    ],
)
def test_a_line_of_which_no_receipt_speaks_is_unknown(said: str, place: str):
    assert unknown(said, MOVED) == place
