"""What is no YAML is said in words that name the remedy, whichever reader found it."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.skill.front.yamlwords import in_words

FLOW = "within `{…}` a text with `[`, `{`, `,` or `: ` needs quotes, or the `{` of line 1 is not closed"
LIST = "within `[…]` a text with `[`, `{`, `,` or `: ` needs quotes, or the `[` of line 1 is not closed"
INDENTED = "the line is indented unlike those that it belongs to"
NO_COLON = f"{INDENTED}, or the one before it is no `key: value`"
BEHIND = "the text goes on behind its closing quote; put all of it into one pair of quotes"
TAB = "a tab; indent with spaces"
ESCAPE = "a backslash within \"…\" begins an escape; write the text within '…'"


def meaning(sign: str) -> str:
    return f"`{sign}` has a meaning of its own here; put the whole text in quotes"


def starts(sign: str) -> str:
    return f"a text that starts with {sign} needs quotes"


def behind(sign: str) -> str:
    return f"behind `{sign}` the text begins in the next line; one that starts with `{sign}` needs quotes"


def no_key(line: int) -> str:
    return f"line {line} is no `key: value`; quote a text of several lines, or indent it below its key"


WORDS = {
    "has: {field: name, regex: [A-Za-z]*}\n": "1:36 " + meaning("*"),
    "has: {regex: [a]b}\n": "1:17 " + FLOW,
    "has: {regex: ^(a|b){1,2}$}\n": "1:20 " + FLOW,
    "has: {regex: a: b}\n": "1:15 " + FLOW,
    "has: {regex: a\nkind: b\n": "2:5 " + FLOW,
    "paths: [a\n": "2:1 " + LIST,
    "message: a: b\n": "1:11 a text with `: ` in it needs quotes",
    "id: a\n  language: b\n": "2:11 " + NO_COLON,
    "id:a\nlanguage: bash\n": "2:9 " + NO_COLON,
    "rule:\n  kind: a\n has: b\n": "3:2 " + INDENTED,
    "  id: a\nlanguage: b\n": "2:1 " + INDENTED,
    "bad:\n  - a\n  good: b\n": "3:3 " + INDENTED,
    "message: `x` is\n": "1:10 " + starts("a backtick"),
    "message: @x is\n": "1:10 " + starts("`@`"),
    "id: a\n\tlanguage: b\n": "2:1 " + TAB,
    "rule:\n\tkind: b\n": "2:1 " + TAB,
    "bad:\n\t- b\n": "2:1 " + TAB,
    "message: 'it's'\n": "1:14 " + BEHIND,
    "regex: [a-z]+$\n": "1:13 " + meaning("]"),
    "rule: {a: b}}\n": "1:13 " + meaning("}"),
    'message: "a\nfix: b\n': "3:1 the quote that opens in line 1 is not closed",
    "message: 'a\n---\n": "2:1 the quote that opens in line 1 is not closed",
    "id: a\nlanguage bash\nfix: b\n": "3:1 " + no_key(2),
    "bad: - a\n": "1:6 a list begins in the line below its key; a text that starts with `- ` needs quotes",
    "paths: [*.py]\n": "1:10 " + meaning("*"),
    "bad:\n  - && x\n": "2:6 " + meaning("&"),
    "message: |foo\n": "1:11 " + behind("|"),
    "message: >foo\n": "1:11 " + behind(">"),
    "rule: }\n": "1:7 a value is missing here, or it needs quotes",
}


def said(text: str, loader: object) -> str:
    with pytest.raises(yaml.MarkedYAMLError) as caught:
        list(yaml.parse(text, Loader=loader))
    mark = caught.value.problem_mark
    return f"{mark.line + 1}:{mark.column + 1} {in_words(caught.value, text.split(chr(10)))}"


@pytest.mark.parametrize("loader", [yaml.CSafeLoader, yaml.SafeLoader])
@pytest.mark.parametrize("text", WORDS)
def test_a_fault_has_its_place_and_its_remedy(text: str, loader: object):
    assert said(text, loader) == WORDS[text]


@pytest.mark.parametrize("loader", [yaml.CSafeLoader, yaml.SafeLoader])
def test_a_backslash_within_double_quotes(loader: object):
    assert said('regex: "\\d+"\n', loader).partition(" ")[2] == ESCAPE


def test_a_tag_is_no_text():
    assert said("paths: [!**/tests/**]\n", yaml.CSafeLoader) == "1:21 " + starts("`!`")


def test_lines_are_counted_from_where_the_text_begins():
    text = 'message: "a\n'
    with pytest.raises(yaml.MarkedYAMLError) as caught:
        list(yaml.parse(text, Loader=yaml.CSafeLoader))
    assert in_words(caught.value, text.split("\n"), first=2) == "the quote that opens in line 2 is not closed"


def test_a_long_line_of_dashes_costs_nothing():
    text = "-" * 500_000 + ": : x"
    assert said(f"a: b\n  {text}\n", yaml.CSafeLoader).startswith("2:")


@given(st.text("abc:-[]{},'\"*&!|>%@`\\\t\n #?", max_size=30))
def test_no_reader_says_what_has_no_words(text: str):
    said = []
    for loader in (yaml.CSafeLoader, yaml.SafeLoader):
        try:
            list(yaml.parse(text, Loader=loader))
        except yaml.MarkedYAMLError as error:
            said.append(in_words(error, text.split("\n")))
    assert all(said)
