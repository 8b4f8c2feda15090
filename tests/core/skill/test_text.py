"""The bytes: what is no text, what is too large, what a reader would not see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.skillfiles import FRONT, codes, load, skill_of


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (FRONT.encode() + b"abc\xff", "5:4 S001"),
        (FRONT.encode() + "é\n".encode() + b"a\x00", "6:2 S001"),
        (FRONT.encode() + b"x" * 256 * 1024, "1:1 S001"),
        (FRONT.encode() + b"\n" * 20_000, "20001:1 S001"),
    ],
)
def test_what_is_not_a_text_of_reasonable_size_is_refused(data: bytes, place: str):
    assert load(data)[0] is None
    assert codes(data) == [place]


def test_a_byte_order_mark_is_no_part_of_the_text():
    skill, _ = load(b"\xef\xbb\xbf" + FRONT.encode())
    assert skill is not None
    assert codes(b"\xef\xbb\xbf" + FRONT.encode(), level="warning") == ["1:1 S104"]


def test_lone_carriage_returns_are_line_ends_and_are_said():
    text = (FRONT + "## Bugs\n\n1. One.\n").replace("\n", "\r")
    skill, _ = load(text)
    assert skill is not None
    assert [(c.title, c.line) for c in skill.classes] == [("One", 7)]
    assert codes(text, level="warning") == ["1:1 S104"]


def test_invisible_characters_are_named_and_left_out():
    body = "## Bugs\n\n1. One\u200b of \u202ethem\U000e0041.\n"
    assert skill_of(body).classes[0].title == "One of them"
    messages = [d.message for d in load(FRONT + body)[1] if d.code == "S104"]
    assert messages == ["an invisible character (U+200B); left out"]


def test_joiners_of_emoji_and_of_scripts_stay():
    family = "\U0001f469\u200d\U0001f4bb"
    assert skill_of(f"## Bugs\n\n1. A {family}\n").classes[0].title == f"A {family}"
    assert skill_of("## Bugs\n\n1. he\u200dre\n").classes[0].title == "here"


def test_a_long_file_is_loaded_with_a_warning():
    assert codes(FRONT + "\n" * 600, level="warning") == ["1:1 S101"]


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: (FRONT + text).encode()))
def test_nothing_makes_the_loader_raise(data: bytes):
    skill, diagnostics = load(data)
    assert (skill is None) == any(d.level == "error" for d in diagnostics)
    assert all(d.line >= 1 and d.col >= 1 for d in diagnostics)


ROWS = """## Defect classes|### 2. A|1. **B.** x|2. C|- **D** y|10. E|   1. F|Fix: it.|## Do not flag
## Files|¦ File ¦|¦---¦|¦ `a.sh` ¦|## Procedure|gates:|## Mechanical gates|bash -n <each>|```bash|```|~~~
text|  more|---""".replace("\n", "|").split("|")


@given(st.lists(st.sampled_from([row.replace("¦", "|") for row in (*ROWS, "")]), max_size=40))
def test_no_order_of_the_parts_makes_the_loader_raise(rows: list[str]):
    skill, diagnostics = load(FRONT + "\n".join(rows))
    assert (skill is None) == any(d.level == "error" for d in diagnostics)
    if skill:
        assert [c.rank for c in skill.classes] == list(range(1, len(skill.classes) + 1))
        assert len({c.slug for c in skill.classes}) == len(skill.classes)


def test_twenty_faults_of_a_kind_are_shown_and_the_others_counted():
    body = "## Bugs\n\n" + "1. **A.** x\n" * 60
    messages = [d.message for d in load(FRONT + body)[1] if d.code == "S012"]
    assert len(messages) == 21
    assert messages[-1] == "40 more of these are not shown"
