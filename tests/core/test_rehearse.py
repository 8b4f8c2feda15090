"""Splicing: an edit replaces its lines and leaves every other byte alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.rehearse import rehearse, splice, spliced
from reviewbot.core.types import (
    Edit,
    GatePlan,
    GateResult,
    GateStatus,
    Origin,
    Side,
    Text,
    Texts,
)
from tests.core.test_verify import candidate


@pytest.mark.parametrize(
    ("content", "edit", "result"),
    [
        ("a\nb\nc\n", Edit(2, 2, "B || exit 1"), "a\nB || exit 1\nc\n"),
        ("a\nb\nc\n", Edit(2, 3, ""), "a\n"),
        ("a\nb\n", Edit(1, 1, "x\ny"), "x\ny\nb\n"),
        ("a\nb", Edit(2, 2, "B"), "a\nB"),
        ("a\nb", Edit(1, 1, "A"), "A\nb"),
        ("a\r\nb\r\n", Edit(2, 2, "x\ny"), "a\r\nx\r\ny\r\n"),
        ("a\r\nb", Edit(2, 2, "x\ny"), "a\r\nx\r\ny"),
        ("a\nb\r\nc\n", Edit(1, 1, "A"), "A\nb\r\nc\n"),
        ("a\x0cb\u2028c\n", Edit(1, 1, "x"), "x\n"),
        ("a\n", Edit(1, 1, ""), ""),
        ("a\n\n", Edit(2, 2, "b"), "a\nb\n"),
    ],
)
def test_splice(content: str, edit: Edit, result: str):
    assert splice(Text("f", content), edit).content == result


@pytest.mark.parametrize("edit", [Edit(0, 1, "x"), Edit(2, 1, "x"), Edit(1, 3, "x"), Edit(4, 4, "x")])
def test_lines_outside_the_text_are_refused(edit: Edit):
    with pytest.raises(ValueError, match="are not in f"):
        splice(Text("f", "a\nb\n"), edit)


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=5)


@given(st.lists(WORDS, min_size=2, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.data())
def test_every_line_outside_the_edit_keeps_its_bytes(
    rows: list[str], end: str, ended: bool, data: st.DataObject
):
    rows[-1] += "x"  # an empty last line would not be a line
    content = end.join(rows) + (end if ended else "")
    start = data.draw(st.integers(1, len(rows)))
    last = data.draw(st.integers(start, len(rows)))
    new = [*data.draw(st.lists(WORDS, max_size=2)), "y"]
    result = splice(Text("f", content), Edit(start, last, "\n".join(new)))
    expected = end.join([*rows[: start - 1], *new, *rows[last:]]) + (end if ended else "")
    assert result.content == expected


def test_what_is_tried_is_bounded_by_lines_as_shellcheck_takes_a_second_for_a_thousand():
    long = Text("long.sh", "step\n" * 9000)
    edits = [candidate("step", n, path="long.sh", edit=Edit(n, n, "step || exit 1")) for n in (1, 2, 3)]
    todo, fell = spliced(edits, Texts(Side.RIGHT, {"long.sh": long}))
    assert [c.site.start_line for c in todo] == [1, 2]
    assert [o.why_not for o in fell.values()] == ["the review tried as many edits as it may before this one"]


class Passing:
    """A Gates port that passes whatever it is given."""

    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        return tuple(GateResult(run, GateStatus.PASSED, 0) for run in plan.runs)


def tried(path: str, **changes: Any) -> tuple[str, ...]:
    """What is said of a harmless edit of the first line of a file."""
    claim = candidate("step", path=path, edit=Edit(1, 1, "other"), **changes)
    texts = Texts(Side.RIGHT, {path: Text(path, "step\n")})
    [outcome] = rehearse([claim], texts, [claim], GatePlan(()), Passing(), lambda _: ((), True)).values()
    assert outcome.suggestion is not None
    return outcome.suggestion.checked


def test_only_what_was_parsed_is_said_to_parse():
    assert tried("run.sh") == ("applies", "parses", "fixes")
    assert tried("a.py") == ("applies", "parses", "fixes")
    assert tried("a.js") == ("applies", "fixes")


def test_nobody_says_that_the_edit_of_a_model_mends_what_it_claims():
    own = {"origin": Origin.MODEL, "detector": None}
    assert tried("run.sh", **own) == ("applies", "parses")
    assert tried("a.js", **own) == ("applies",)
