"""The templates, and what is set into them."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError

from reviewbot.assets import prompts
from reviewbot.core.ask.prompts import Prompts, prompts_hash

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
    rules = PROMPTS.render("find-system.md.j2", candidates=8)
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
        "summary",
    ):
        assert f"`{field}`" in rules
    for word in ("quote", "count", "absent", "defined", "called", "held", "nothing-found", "not-applicable"):
        assert word in rules


def test_the_second_reader_may_be_unsure_and_must_quote_to_refute() -> None:
    rules = PROMPTS.render("refute-system.md.j2")
    assert all(f"`{word}`" in rules for word in ("refuted", "confirmed", "unsure", "counter"))
    assert "confidence" not in rules
