"""The files in scope, as tables, bullets or front matter."""

from __future__ import annotations

import pytest

from reviewbot.core.skill import unmatched
from tests.skillfiles import FRONT, codes, load, skill_of

TABLE = "## Files in scope\n\n| Stage | File | Owns |\n|---|---|---|\n"


def patterns(body: str) -> list[str]:
    return [row.pattern for row in skill_of(body).scope]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("`a.sh`", ["a.sh"]),
        ("`a.sh`, `b/*.py`", ["a.sh", "b/*.py"]),
        ("the launchers `launch-<arch>.sh` and so on", ["launch-*.sh"]),
        ("a.sh, b/c.py<br>d.*; Makefile", ["a.sh", "b/c.py", "d.*"]),
        ("*.{sh,py}", ["*.{sh,py}"]),
        ("`<a|b>.sh`", ["{a,b}.sh"]),
        ("`!vendor/**`, `*.sh`", ["!vendor/**", "*.sh"]),
        ("`#!sh`", ["#!sh"]),
    ],
)
def test_patterns_of_a_cell(cell: str, expected: list[str]):
    assert patterns(f"{TABLE}| s | {cell} | o |\n") == expected


def test_a_row_knows_its_stage_owner_line_and_how_it_was_written():
    (row,) = skill_of(f"{TABLE}| build | `make-<x>.sh` | the plan |\n").scope
    assert (row.stage, row.owns, row.line, row.written) == ("build", "the plan", 9, "make-<x>.sh")


@pytest.mark.parametrize(
    "table",
    [
        "| Path |\n|---|\n| `a.sh` |\n",
        "| **Files** | Purpose |\n|---|---|\n| `a.sh` | x |\n",
        "| If the diff touches… | Read |\n|---|---|\n| `a.sh` | x |\n",
        "| Pattern | Area |\n|---|---|\n| `a.sh` | x |\n",
        "- `a.sh`: x\n",
        "* `a.sh` x\n",
    ],
)
def test_forms_of_the_scope(table: str):
    assert patterns(f"## Scope\n\n{table}") == ["a.sh"]


def test_front_matter_may_hold_the_scope():
    text = "---\nname: some-review\ndescription: b\npaths: a.sh, b/**\nglobs:\n  - '*.py'\n---\n"
    skill, _ = load(text)
    assert skill is not None
    assert [(row.pattern, row.line) for row in skill.scope] == [("a.sh", 4), ("b/**", 4), ("*.py", 6)]


def test_a_table_elsewhere_is_no_scope():
    assert patterns("## References\n\n| File | Content |\n|---|---|\n| `a.md` | x |\n") == []


@pytest.mark.parametrize(
    ("cell", "place"),
    [
        ("`/etc/passwd`", "9:7 S008"),
        ("`a.sh`, `../b.sh`", "9:15 S008"),
        ("`~/x.sh`", "9:7 S008"),
        ("`C:\\x.sh`", "9:7 S008"),
        ("`<all>`", "9:7 S008"),
        ("`**/*a*b*c*d*e*f*g*`", "9:7 S008"),
    ],
)
def test_patterns_outside_the_repository_are_errors(cell: str, place: str):
    assert codes(f"{FRONT}{TABLE}| s | {cell} | o |\n") == [place]


def test_a_table_that_names_no_file_is_an_error():
    text = f"{FRONT}{TABLE}| s | all the scripts | o |\n"
    assert codes(text) == ["7:11 S008"]
    assert codes(text, level="warning") == ["9:7 S105"]


def test_a_table_of_exclusions_alone_names_no_file():
    assert codes(f"{FRONT}{TABLE}| s | `!a.sh` | o |\n") == ["7:11 S008"]


def test_a_cell_without_a_pattern_is_said():
    text = f"{FRONT}{TABLE}| s | `a.sh` | o |\n| t | prose only | o |\n"
    assert codes(text) == []
    assert codes(text, level="warning") == ["10:7 S105"]


def test_a_row_of_another_length_is_said():
    text = f"{FRONT}{TABLE}| s | `a.sh` |\n"
    assert patterns(text.removeprefix(FRONT)) == ["a.sh"]
    assert codes(text, level="warning") == ["9:3 S107"]


def test_a_scope_in_prose_claims_everything_and_that_is_said():
    text = f"{FRONT}## Scope\n\nAll launchers.\n"
    assert codes(text, level="warning") == ["5:1 S105"]
    assert skill_of("## Scope\n\nAll launchers.\n").scope == ()


def test_more_patterns_than_a_table_has_are_an_error():
    rows = "".join(f"| s | `a{n}.sh` | o |\n" for n in range(201))
    assert codes(FRONT + TABLE + rows) == ["209:1 S008"]


@pytest.mark.parametrize("token", ["*", "**", "**/*", "*.*", "!**"])
def test_a_pattern_of_every_file_is_said(token: str):
    assert codes(f"{FRONT}{TABLE}| s | `a.sh`, `{token}` | o |\n", level="warning") == ["9:15 S105"]


def test_a_table_of_files_under_another_heading_is_said_to_be_ignored():
    text = f"{FRONT}## Bundle\n\n| File | Purpose |\n|---|---|\n| `a.md` | x |\n"
    assert codes(text, level="warning") == ["7:1 S105"]


@pytest.mark.parametrize("heading", ["File layout", "Files to reference", "Path traversal", "Output", "Bugs"])
def test_headings_that_only_begin_like_a_scope(heading: str):
    assert patterns(f"## {heading}\n\n- `a.sh`: x\n") == []


def test_patterns_that_match_no_tracked_file_are_said():
    skill = skill_of(
        f"{TABLE}| s | `a.sh`, `x-<n>.py`, `gone/`, `#!sh` | o |\n| t | `!old*`, `!a.sh` | o |\n"
    )
    noticed = unmatched(skill, ["a.sh", "lib/x-1.py", "b"])
    assert [str(d) for d in noticed] == [
        "skills/some-review/SKILL.md:9:1 S105 `gone/` matches no tracked file",
    ]
    assert {d.level for d in noticed} == {"warning"}


def test_a_front_matter_that_only_leaves_files_out_is_an_error() -> None:
    front = FRONT.replace("---\n", "---\npaths: ['!vendor/**']\n", 1)
    assert codes(front) == ["2:1 S008"]


def test_the_alternatives_of_all_rows_together_have_a_limit() -> None:
    rows = "".join(f"| s | `*{{0,b}}*{{c,d}}*{{e,f}}*{{g,h}}*{{i,j}}*{{k,l}}*{n}` | o |\n" for n in range(60))
    assert codes(FRONT + TABLE + rows) == ["9:1 S008"]
