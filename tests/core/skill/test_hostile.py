"""Files made to hang the loader or to bury a rule: one clear error each, with its place.

Each of these took seconds, or the whole memory, in some reader of Markdown or YAML."""

from __future__ import annotations

import pytest

from tests.skillfiles import FRONT, codes, load

TABLE = "## Bugs\n\n" + "|a" * 5_000 + "|\n" + "|-" * 5_000 + "|\n" + "|x" * 4_999 + "|\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a" * 10_000_000, "1:1 S001"),
        (FRONT + "1. a\n" * 60_000, "1:1 S001"),
        (FRONT + "## Bugs\n" + "1. a\n" * 19_000, "206:1 S012"),
        (FRONT + "## Bugs\n" + "- a\n" * 19_000, "206:1 S012"),
        (FRONT + "## Bugs\n" + "### a\n" * 19_000, "206:1 S012"),
        (FRONT + "## Bugs\n1. a\n" * 9_000, "1006:1 S012"),
        (FRONT + "Do not flag:\n- a\n\n" * 6_000, "1506:1 S012"),
        (FRONT + "## Gates\n```\na\n```\n" * 4_000, "207:1 S009"),
        (FRONT + "## Files\n|File|\n|-|\n" + "|`a.sh`|\n" * 19_000, "208:1 S008"),
        ("---\nname: a\ndescription: b\n" + "a: &a [x]\n" * 90 + "---\n", "4:4 S006"),
        ("---\nname: a\ndescription: " + "[" * 16_000 + "\n---\n", "3:18 S006"),
        ("---\nname: a\ndescription: {" + "a: b, " * 2_600 + "}\n---\n", "3:21 S005"),
        ("9 lines\n" + "a\n|\n||\n" * 6_000, "1:1 S108"),
    ],
    ids=range(13),
)
def test_what_is_too_much_is_one_error_with_its_place(text: str, error: str):
    skill, diagnostics = load(text)
    errors = [d for d in diagnostics if d.level == "error"]
    assert skill is None
    assert f"{errors[0].line}:{errors[0].col} {errors[0].code}" == error
    assert {d.code for d in errors} == {errors[0].code}


@pytest.mark.parametrize(
    "body",
    [
        "[" * 200_000,
        "](" * 100_000,
        "`a" * 100_000,
        ">" * 200_000,
        "|" * 200_000,
        "## Bugs\n1. " + "*" * 200_000,
        "## Bugs\n1. **a** " + " ***" * 50_000,
        "## Bugs\n1. [" + "file " * 40_000,
        "## Bugs\n### critical" + " " * 200_000 + "x",
        "## " + "do not flag " * 16_000 + "if",
        "abc" + " " * 200_000 + "x\n- a",
        "".join("  " * depth + "- a\n" for depth in range(480)),
        "gate " * 40_000 + "\n```\na\n```\n",
        "[a](b.md) " * 25_000,
        TABLE,
    ],
    ids=range(15),
)
def test_what_is_only_odd_is_read_in_time_linear_in_its_size(body: str):
    """A quadratic step would need minutes for each of these."""
    skill, _ = load(FRONT + body)
    assert skill is not None


def test_a_table_of_5000_columns_is_a_class_with_a_warning():
    skill, _ = load(FRONT + TABLE)
    assert skill is not None
    assert [(c.title, c.line) for c in skill.classes] == [("x", 9)]
    assert codes(FRONT + TABLE, level="warning") == ["9:2 S107"]
