"""The templates, and what is set into them."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError

from reviewbot.assets import prompts
from reviewbot.core.ask.legible import CUT
from reviewbot.core.ask.prompts import Prompts, prompts_hash
from reviewbot.core.ask.regexes import MAX_PATTERN, MIN_WORD
from reviewbot.core.ask.render import GAP
from reviewbot.core.ask.sweeping import bears
from reviewbot.core.types import Claim

PROMPTS = Prompts(prompts())


def test_the_checkout_has_the_prompts() -> None:
    names = [name for name, _ in PROMPTS.texts]
    assert names == sorted(names)
    assert {"find-system.md.j2", "skill.md.j2", "change.md.j2", "task.md.j2"} <= set(names)
    assert {"refute-system.md.j2", "refute.md.j2"} <= set(names)


def test_the_hash_changes_with_a_letter_a_name_and_a_template() -> None:
    one = Prompts((("a.md.j2", "x"), ("b.md.j2", "y")))
    others = [
        Prompts((("a.md.j2", "x"), ("b.md.j2", "z"))),
        Prompts((("a.md.j2", "x"), ("c.md.j2", "y"))),
        Prompts((("a.md.j2", "x"),)),
        Prompts((("a.md.j2", "xb.md.j2"), ("", "y"))),
    ]
    hashes = [prompts_hash(prompts) for prompts in (one, *others)]
    assert len(set(hashes)) == 5
    assert all(len(text) == 12 for text in hashes)
    assert prompts_hash(Prompts(one.texts[::-1])) == hashes[0]


def test_a_value_is_never_a_template_and_never_escaped() -> None:
    shown = Prompts((("a.md.j2", "{{ text }}"),)).render("a.md.j2", text='{{ 7 * 7 }} {% if x %} <b> & "')
    assert shown == '{{ 7 * 7 }} {% if x %} <b> & "'


def test_a_value_that_is_missing_is_no_empty_text() -> None:
    with pytest.raises(UndefinedError):
        Prompts((("a.md.j2", "{{ text }}"),)).render("a.md.j2")


def test_the_rules_name_all_that_an_answer_holds() -> None:
    rules = PROMPTS.render("find-system.md.j2", candidates=8, table_confidence=35)
    assert "At most 8 findings" in rules
    for field in (
        "confidence",
        "quote",
        "also",
        "cause",
        "failure",
        "evidence",
        "replacement",
        "looked",
    ):
        assert f"`{field}`" in rules
    for word in ("quote", "count", "absent", "defined", "called", "held", "nothing-found", "not-applicable"):
        assert word in rules


def test_the_second_reader_may_be_unsure_and_must_quote_to_refute() -> None:
    rules = PROMPTS.render("refute-system.md.j2")
    assert all(f"`{word}`" in rules for word in ("refuted", "confirmed", "unsure", "counter"))
    assert "confidence" not in rules


def test_the_rules_tell_which_patterns_are_run() -> None:
    """A model that is not told writes look-arounds, and its true sentences are struck."""
    rules = PROMPTS.render("find-system.md.j2", candidates=8, table_confidence=35)
    for words in ("No look-around", f"at most {MAX_PATTERN} characters", f"at least {MIN_WORD} fixed"):
        assert words in rules


@pytest.mark.parametrize(
    ("word", "claim"),
    [
        ("every", Claim("count", "", "a", "with", expected=4, guard="y", guarded=3)),
        ("never", Claim("absent", "", "a", "with")),
        ("nowhere", Claim("count", "", "a", "with", expected=0)),
        ("none", Claim("count", "", "a", "with", expected=4, guard="y", guarded=0)),
        ("the only", Claim("count", "", "a", "with", expected=1)),
    ],
)
def test_what_the_rules_say_bears_a_sentence_does(word: str, claim: Claim) -> None:
    rules = PROMPTS.render("find-system.md.j2", candidates=8, table_confidence=35)
    assert f'"{word}"' in rules
    assert bears(word, claim, "It is so with xs.")


def test_below_which_confidence_nothing_is_kept_is_that_of_the_configuration() -> None:
    """The rules said 30 where 35 was asked."""
    rules = PROMPTS.render("find-system.md.j2", candidates=8, table_confidence=42)
    assert "Below\n  42: leave it out." in rules


def test_a_procedure_is_no_order_to_the_model() -> None:
    """ "Run the smoke test" and "write a table" stood there as if the model were to do it."""
    empty = {"name": "s", "description": "d", "guidance": ""}
    told = PROMPTS.render(
        "skill.md.j2",
        skill={**empty, "steps": ("Run `./smoke.sh`.",), "report": "A table."},
        defects=(),
        suppressed=(),
        guidance=(),
    )
    assert "What they run was run by others" in told.partition("Run `./smoke.sh`.")[0]
    assert "answer in the given form" in told.partition("A table.")[0]


def test_both_readers_are_told_the_marks_of_what_is_not_shown() -> None:
    """The second one met a `\\x1b` and a cut line that nobody had explained."""
    mark = CUT.format(120)
    for rules in (
        PROMPTS.render("find-system.md.j2", candidates=8, table_confidence=35),
        PROMPTS.render("refute-system.md.j2"),
    ):
        assert f"`{mark}`" in rules
        assert "`[redacted:…]`" in rules
        assert "`\\x1b`" in rules
        assert f"`{GAP.strip()}` alone" in rules
