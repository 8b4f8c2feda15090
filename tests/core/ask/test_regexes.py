"""Expressions of a stranger: what they cost is known before they are run."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.regexes import Refused, read_pattern


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "1 to 300 characters"),
        ("a" * 301, "1 to 300 characters"),
        ("a\nb", "in one line"),
        ("(", "no expression"),
        ("a{2}{3}", "no expression"),
        ("a{99999999999}", "no expression"),
        (r"(a+)+$", "repeated group"),
        (r"(a|a)*b", "repeated group"),
        (r"((a?))+b", "repeated group"),
        (r"(a?){40}b", "repeated group"),
        (r"(?:ab*){2,}", "repeated group"),
        (r"(.)\1", r"`\1` is not run"),
        (r"(?P<x>a)(?P=x)", "look-arounds"),
        (r"a(?=b)", "look-arounds"),
        (r"a(?i:b)", "look-arounds"),
        (r"[[:space:]]x", "may mean two things"),
        (r"\N{DIGIT ONE}+", r"`\N` is not run"),
        (r"[0||", "a set is never closed"),
        (r"\q", r"`\q` is not run"),
    ],
)
def test_what_has_no_bound_or_no_meaning_is_refused(written: str, why: str):
    with pytest.raises(Refused, match=re.escape(why)):
        read_pattern(written)


@pytest.mark.parametrize(
    ("written", "factor", "degree"),
    [
        (r"git clone", 1, 1),
        (r"^git clone", 1, 0),
        (r"git clone.*", 1, 2),
        (r"^\s*git\s+clone\b.*\|\|\s*exit", 1, 2),
        (r"^(?:git|hg)\s+clone", 2, 2),
        (r".*.*x", 1, 3),
        (r"[ab]*[bc]*d", 1, 3),
        (r"[^=]*=", 1, 2),
        (r"\s*\s?x", 2, 2),
        (r"(?:ab)*a", 1, 2),
        (r"[é]*x", 1, 2),
        (r"[\u00e9-\u00ff]*[\u00f0]*x", 1, 3),
        (r"a?" * 30, 2**30, 1),
        (r"(?:a|a)" * 20, 2**20, 1),
    ],
)
def test_the_bound_knows_in_how_many_ways_a_line_can_match(written: str, factor: int, degree: int):
    pattern = read_pattern(written)
    assert (pattern.factor, pattern.degree) == (factor, degree)


@pytest.mark.parametrize(
    "written", [r"(a*)*b", r"a?" * 25 + "a" * 25, r".*.*.*.*x", r"\s*\s*\s*\s*x", r"(?i)[k]*[k]*[K]*x"]
)
def test_an_expression_that_would_hang_is_refused_or_dear(written: str):
    line = "a" * 400
    try:
        dear = read_pattern(written).steps([line])
    except Refused:
        return
    assert dear > 10**9


@pytest.mark.parametrize(
    ("written", "word"),
    [
        (r"\bgit clone\b", "git clone"),
        (r"^\s*os\.environ\[", "os.environ["),
        (r"foo(?:bar|baz)quux", "quux"),
        (r"colou?r_map", "r_map"),
        (r"this|that", ""),
        (r"(?i)strict", ""),
        (r"\w+\s*=", ""),
    ],
)
def test_a_tree_is_searched_for_a_word_that_every_match_holds(written: str, word: str):
    assert read_pattern(written).word == word


ATOMS = [*"ab ", r"\s", r"\w", r"\S", ".", "[ab]", "[^a]", r"\.", r"\b", "(ab)", "(?:a|b)", "(?:a+)"]
REPEATS = ["", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?"]
expressions = st.lists(
    st.tuples(st.sampled_from(ATOMS), st.sampled_from(REPEATS)), min_size=1, max_size=6
).map(lambda parts: "".join(map("".join, parts)))


@given(st.sampled_from(["", "^", "(?i)"]), expressions, st.lists(st.text("abAB .", max_size=12), max_size=4))
def test_what_is_run_matches_as_re_does_and_holds_its_word(start: str, rest: str, lines: list[str]):
    try:
        pattern = read_pattern(start + rest)
    except Refused:
        return
    found = tuple(n for n, line in enumerate(lines, 1) if re.search(start + rest, line))
    assert pattern.matching(lines) == found
    assert all(pattern.word in lines[n - 1] for n in found)


@pytest.mark.parametrize("written", ["[]--", "[^]--", "[]", "[^]||"])
def test_a_set_that_only_seems_to_be_closed_is_refused_without_a_warning(written: str):
    """`]` is the first member of such a set. Python warned of it, in the reviewer's output."""
    with pytest.raises(Refused, match="never closed"):
        read_pattern(written)


@given(
    st.text(st.characters(exclude_categories=()), max_size=40)
    | st.text(r"()[]{}*+?|\^$.,ab1-&~:<=!P", max_size=30)
)
def test_an_expression_of_any_characters_is_bounded_or_refused(written: str):
    try:
        pattern = read_pattern(written)
    except Refused:
        return
    assert pattern.steps(["x"]) > 0
