"""Words about all and none, and the numbers of lines."""

from __future__ import annotations

import pytest

from reviewbot.core.ask.sweeping import bears, corrected, word
from reviewbot.core.types import Claim


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Every clone is guarded.", "Every"),
        ("It always fails.", "always"),
        ("All of them are guarded.", "All"),
        ("It never returns.", "never"),
        ("There is no guard for it anywhere.", "no guard for it anywhere"),
        ("None of the callers checks it.", "None of"),
        ("Of these, none is guarded.", "none"),
        ("The only caller passes it.", "The only"),
        ("Only `main` calls it.", "Only"),
        ("It reads only 2 of them.", "only 2"),
        ("It only reads the first one.", ""),
        ("No other call is left bare.", "No other"),
        ("Everything is lost.", "Everything"),
        ("A clone fails.", ""),
        ("The value can be None.", ""),
        ("`git add --all` stages it.", ""),
        ('It prints "every step done".', ""),
        ("The status is not read at all.", ""),
        ("It fails only when the cache is cold.", ""),
        ("SELECT ALL reads it.", ""),
        ("Overall, it is called.", ""),
        ("No guard stands here.", ""),
    ],
)
def test_the_word_that_speaks_of_all_or_none(sentence: str, found: str):
    assert word(sentence) == found


def counted(expected: int, guarded: int | None = None) -> Claim:
    return Claim("count", "", "run.sh", "x", expected=expected, guard="y", guarded=guarded)


@pytest.mark.parametrize(
    ("said", "claim", "yes"),
    [
        ("every", Claim("absent", "", "run.sh", "x"), True),
        ("every", Claim("quote", "", "run.sh", "x", 1), False),
        ("every", counted(9, 9), True),
        ("every", counted(9, 8), True),
        ("every", counted(9, 2), False),
        ("Every", counted(9), False),
        ("never", counted(9, 0), True),
        ("never", counted(0), True),
        ("none", counted(9, 2), False),
        ("only", counted(9, 2), True),
        ("only", counted(1), True),
    ],
)
def test_a_count_bears_a_word_only_where_its_figures_do(said: str, claim: Claim, yes: bool):
    assert bears(said, claim) is yes


def test_a_stated_line_is_put_right_and_other_numbers_stay():
    text = "It goes on at line 478 (run.sh:478, see lines 12 and 478 ms): 478 times."
    assert (
        corrected(text, {478: 485})
        == "It goes on at line 485 (run.sh:485, see lines 12 and 478 ms): 478 times."
    )
    assert corrected(text, {}) == text
