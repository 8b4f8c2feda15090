"""A web page of a skill, pasted, as the file again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.skill import clean
from tests.skillfiles import TWIN, load

FILE = TWIN.read_text("utf-8")
PATH = "skills/distill-campaign-review/SKILL.md"


def pasted(text: str, header: str = "103 lines\n6.1 KiB\nMarkdown\n103 lines\n6.1 KiB\nMarkdown\n") -> str:
    """The text as a browser copies it: its size, borders behind every line, no leading white space."""
    return header + "".join(f"{line.lstrip()}\n|\n||\n" for line in text.rstrip("\n").split("\n"))


def test_a_pasted_page_is_the_file_again():
    assert (clean(pasted(FILE)) or "").split() == FILE.split()


def test_what_was_pasted_says_the_same_as_the_file():
    skill, diagnostics = load(clean(pasted(FILE)) or "", PATH)
    original, _ = load(FILE, PATH)
    assert skill is not None
    assert original is not None
    assert (skill.classes, skill.steps[:2], skill.scope) == (
        original.classes,
        original.steps[:2],
        original.scope,
    )
    assert [" ".join(s.split()) for s in skill.steps] == [" ".join(s.split()) for s in original.steps]
    assert [gate.argv for gate in skill.gates] == [gate.argv for gate in original.gates]
    assert [d.code for d in diagnostics if d.level == "warning"] == []  # the fences are in their items again


def test_continuations_and_fences_are_set_below_their_item():
    page = pasted(
        "---\nname: a\n---\n\n# T\n\n1. One\nmore\n```sh\na\n\nb\n```\n- inner\n2. Two\n\nText.\n- x\ny\n"
    )
    assert clean(page) == (
        "---\nname: a\n---\n\n# T\n\n1. One\n   more\n   ```sh\n   a\n\n   b\n   ```\n   - inner\n2. Two\n\n"
        "Text.\n- x\n  y\n"
    )


@pytest.mark.parametrize("end", ["\n|\n||\n", "\n|\n||", "\n|", "\n", ""])
def test_a_paste_may_be_cut_anywhere_in_its_last_border(end: str):
    page = pasted(FILE).removesuffix("\n|\n||\n") + end
    assert (clean(page) or "").split() == FILE.split()


@pytest.mark.parametrize(
    "change", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, lambda t: "\n" + t]
)
def test_line_ends_and_a_mark_at_the_top_do_not_matter(change):
    assert (clean(change(pasted(FILE))) or "").split() == FILE.split()


def test_white_space_that_was_kept_is_left_alone():
    page = "9 lines\n" + "".join(f"{line}\n|\n||\n" for line in ["# T", "", "1. a", "   b", "c"])
    assert clean(page) == "# T\n\n1. a\n   b\nc\n"


def test_a_header_without_borders_is_cut_off():
    assert clean("2 lines\n12 Bytes\nRaw\n# T\ntext\n") == "# T\ntext\n"


@pytest.mark.parametrize("text", [FILE, "", "# T\n\n| a |\n|---|\n| b |\n", "---\nname: a\n---\n2 lines\n"])
def test_a_file_is_no_page(text: str):
    assert clean(text) is None


@given(st.lists(st.sampled_from(["1. a", "b", "- c", "```", "# d", "", "| e |", "---"]), min_size=8))
def test_no_word_is_lost_or_made_up(lines: list[str]):
    text = "\n".join(["---", "name: x", "---", "first", *lines])
    cleaned = clean(pasted(text))
    assert cleaned is not None
    assert cleaned.split() == text.split()
    assert clean(cleaned) is None
    assert not re.search(r"^\|{1,2}$", cleaned, re.MULTILINE)
