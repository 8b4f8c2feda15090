"""Words about all and none, and what bears them."""

from __future__ import annotations

import pytest

from reviewbot.core.ask.sweeping import bears, claims, word
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
        ('It prints "every step: done".', ""),
        ("The status is not read at all.", ""),
        ("It fails only when the cache is cold.", ""),
        ("`SELECT ALL;` reads it.", ""),
        ("Overall, it is called.", ""),
        ("No guard stands here.", ""),
    ],
)
def test_the_word_that_speaks_of_all_or_none(sentence: str, found: str):
    assert word(sentence) == found


@pytest.mark.parametrize(
    "sentence",
    [
        "It is broken at all 14 call sites.",
        "It runs after all callers ran.",
        "After all the same callers ran, it fails.",
        '"Every caller" is broken.',
        "`Every caller` is broken.",
        "No caller checks it.",
        "No test covers it.",
        "Nothing checks it.",
        "Nobody checks it.",
        "Each caller crashes.",
        "Not one caller survives.",
        "None checks it.",
        "ALL callers crash.",
        "EVERY caller crashes.",
        "There is no guard in the repository.",
        "It invariably crashes.",
        "It is the sole caller.",
        "Ev\u200bery caller crashes.",
        "\u0415very caller crashes.",
        "It \uff41lways crashes.",
        "Alle Aufrufer brechen.",
        "Jeder Aufrufer bricht.",
        "Das geht nie gut.",
        "Es gibt keinen Schutz.",
        "Tous les appels tombent.",
        "Il n'est jamais ferm\xe9.",
        "Aucun test ne le voit.",
        "Todos fallan.",
        "Nunca se cierra.",
        "No hay ning\xfan control.",
    ],
)
def test_a_word_that_was_overlooked_is_seen(sentence: str):
    """27 of 30 such sentences passed without a count."""
    assert word(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Order 51 is lost at each boundary.",
        "The two hold each other.",
        "It returns nothing.",
        "No timeout is set on the request.",
        "It is not read at all when the cache is cold.",
        "After all, it is closed.",
        "`all` is passed.",
    ],
)
def test_a_plain_sentence_speaks_of_nothing_sweeping(sentence: str):
    assert word(sentence) == ""


def counted(expected: int, guarded: int | None = None) -> Claim:
    guard = "" if guarded is None else "step"
    return Claim("count", "", "run.sh", "x", expected=expected, guard=guard, guarded=guarded)


ABSENT = Claim("absent", "", "run.sh", "step")
BARE = Claim("count", "", "run.sh", "step", expected=1)


@pytest.mark.parametrize(
    ("said", "claim", "yes"),
    [
        ("every", ABSENT, False),
        ("every", Claim("quote", "", "run.sh", "step", 1), False),
        ("every", counted(9, 9), True),
        ("every", counted(9, 8), True),
        ("every", counted(9, 2), False),
        ("every", counted(0, 0), False),
        ("every", counted(1, 1), False),
        ("Every", BARE, False),
        ("every", BARE._replace(expected=9), False),
        ("all", BARE._replace(expected=14), True),  # the sentence says so
        ("never", ABSENT, True),
        ("never", counted(9, 0), True),
        ("never", BARE._replace(expected=0), True),
        ("none", counted(9, 2), False),
        ("only", counted(9, 2), True),
        ("only", BARE, True),
        ("only", counted(0, 0), False),
        ("never", ABSENT._replace(pattern="zzzq"), False),  # the sentence does not speak of it
        ("all", Claim("count", "", "run.sh", "zzzq", expected=14), False),
    ],
)
def test_a_count_bears_a_word_only_where_its_figures_do(said: str, claim: Claim, yes: bool):
    """`absent zzzq`, and no line of which none is guarded, bore "every caller crashes, always"."""
    assert bears(said, claim, "It is so at 14 steps.") is yes


@pytest.mark.parametrize(
    ("sentence", "yes"),
    [
        ("Loop over all items.", False),
        ("Always close it.", False),
        ("Every caller is broken.", True),
        ("Nothing checks it.", True),
    ],
)
def test_an_order_claims_nothing(sentence: str, yes: bool):
    assert claims(sentence) is yes
