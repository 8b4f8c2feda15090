"""The summary of a step: within GitHub's limit, and whole up to where it is cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.report.stepsummary import LIMIT, step_summary

WHERE = "The artifact has the whole report."
FOLD = "<details><summary>x</summary>\n\nbody\n\n</details>"
BLOCKS = ("one line", "```\ncode\n\nmore code\n```", FOLD, "é" * 40)


def test_what_has_room_is_left_as_it_is() -> None:
    assert step_summary((), "**clean**: all\n", WHERE) == "**clean**: all\n"
    assert step_summary(("A <b> note.",), "x\n", WHERE) == "> A \\<b\\> note.\n\nx\n"


def test_a_large_one_is_cut_and_says_where_the_rest_is() -> None:
    cut = step_summary(("Note.",), "word\n\n" * LIMIT, WHERE)
    assert LIMIT - 1000 < len(cut.encode()) <= LIMIT
    assert cut.endswith(f"GitHub shows 1,024 KiB. {WHERE}\n")


@given(st.lists(st.sampled_from(BLOCKS), max_size=60), st.integers(300, 2000))
def test_no_block_is_cut_in_two(blocks: list[str], most: int) -> None:
    cut = step_summary((), "\n\n".join(blocks) + "\n", WHERE, most)
    assert len(cut.encode()) <= most
    assert cut.count("```") % 2 == 0
    assert cut.count("<details>") == cut.count("</details>")
