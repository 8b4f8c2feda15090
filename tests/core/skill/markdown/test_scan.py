"""Fences, tables and headings, with the lines at which they stand."""

from __future__ import annotations

import pytest

from reviewbot.core.skill.markdown.scan import Document, code_spans, scan, split_row
from tests.skillfiles import FRONT, codes, load, skill_of


def document(text: str) -> Document:
    return scan(text.split("\n"))


@pytest.mark.parametrize(
    ("text", "fences"),
    [
        ("```bash\na\n```\nb", [(1, 3, "bash", True)]),
        ("~~~\n```\n~~~", [(1, 3, "", True)]),
        ("````\n```\n````", [(1, 3, "", True)]),
        ("```\n~~~\n`````  ", [(1, 3, "", True)]),
        ("   ```bash gate\n   a\n   ```", [(1, 3, "bash gate", True)]),
        ("```\n``` x\n```", [(1, 3, "", True)]),
        ("a\n```sh\nb", [(2, 3, "sh", False)]),
        ("```a`b```", []),
        ("``\n``", []),
        ("~~~ a`b\n~~~", [(1, 2, "a`b", True)]),
    ],
)
def test_fences(text: str, fences: list[tuple[int, int, str, bool]]):
    assert [(f.line, f.end, f.info, f.closed) for f in document(text).fences] == fences


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# A\n## B ##\n### C #1\n####### D\n#E", [(1, 1, "A"), (2, 2, "B"), (3, 3, "C #1")]),
        ("A\n===\n\nB\n---", [(1, 1, "A"), (4, 2, "B")]),
        ("a\nb\n---", []),
        ("- a\n---", []),
        ("1. a\n---", []),
        ("```\n# A\n```", []),
        ("---\n---", []),
    ],
)
def test_headings(text: str, headings: list[tuple[int, int, str]]):
    assert [(h.line, h.level, h.text) for h in document(text).headings] == headings


def test_a_table_has_its_cells_with_their_columns():
    (table,) = document("a\n| File | Owns |\n|---|:-:|\n| `x.sh` |  b  |\n| `y.sh` | c |\n\nd | e").tables
    assert (table.line, table.end) == (2, 5)
    assert [tuple(cell) for cell in table.header] == [(3, "File"), (10, "Owns")]
    assert [(line, [tuple(c) for c in cells]) for line, cells in table.rows] == [
        (4, [(3, "`x.sh`"), (13, "b")]),
        (5, [(3, "`y.sh`"), (12, "c")]),
    ]


@pytest.mark.parametrize(
    ("line", "columns", "cells"),
    [
        ("a | b", 2, ["a", "b"]),
        ("| a | b |", 2, ["a", "b"]),
        ("| a |  |", 2, ["a", ""]),
        ("| `<a|b>.sh` | c |", 2, ["`<a|b>.sh`", "c"]),
        (r"| `x\|y` | c |", 2, ["`x|y`", "c"]),
        (r"| a\|b | c |", 2, ["a|b", "c"]),
        ("| a ` b | c ` d |", 2, ["a ` b", "c ` d"]),
        ("| ``a|`b`` | c |", 2, ["``a|`b``", "c"]),
    ],
)
def test_a_pipe_in_a_code_span_belongs_to_its_cell(line: str, columns: int, cells: list[str]):
    assert [cell.text for cell in split_row(line, columns)] == cells


def test_code_spans_pair_runs_of_one_length():
    text = "`a` ``b ` c`` ` ```d"
    assert [text[start:end] for start, end in code_spans(text)] == ["`a`", "``b ` c``"]


def test_what_looks_like_a_table_in_a_fence_is_none():
    assert document("```\n| a |\n|---|\n```").tables == ()


def test_a_delimiter_row_without_its_table_is_said():
    assert codes(FRONT + "| a | b |\n|---|\n", level="warning") == ["6:1 S107"]


@pytest.mark.parametrize("heading", ["## Defect classes", "## Files in scope", "## Mechanical gates"])
def test_a_fence_that_hides_rules_must_be_closed(heading: str):
    assert codes(f"{FRONT}{heading}\n\n1. a\n```bash\n") == ["8:1 S007"]


def test_a_fence_that_swallows_a_heading_must_be_closed():
    assert codes(FRONT + "## Notes\n```\n## Defect classes\n1. a\n") == ["6:1 S007"]


def test_an_open_fence_in_the_prose_is_a_warning():
    text = FRONT + "## Notes\n\n  ```\nx\n"
    assert load(text)[0] is not None
    assert codes(text, level="warning") == ["7:3 S007"]


def test_guidance_is_what_has_no_other_place():
    body = (
        "# T\n\nIntro,\nlonger.\n\n## Files in scope\n\nTwo sets.\n\n| File |\n|---|\n| `a.sh` |\n\n"
        "## Defect classes\n\nDearest first.\n\n1. **A.** b\n\n## Notes\n\n- c\n- d\n\n## Report\n\ne\n"
    )
    skill = skill_of(body)
    assert skill.guidance == ("# T\n\nIntro, longer.\n\nTwo sets.\n\nDearest first.\n\n## Notes\n\n- c\n- d")
    assert skill.report == "e"
