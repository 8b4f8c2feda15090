"""Defect classes: how they may be written, and what is read off each."""

from __future__ import annotations

import pytest

from reviewbot.core.types import Severity
from tests.skillfiles import FRONT, codes, load, skill_of


def titles(body: str) -> list[str]:
    return [c.title for c in skill_of(body).classes]


HEADINGS = (
    "## Defect classes to hunt, in cost order",
    "## Bugs",
    "### 3. What to look for (always)",
    "# 🔎 Failure modes",
    "## Checklist",
    "## Anti-patterns to flag",
    "## Review rules",
)


@pytest.mark.parametrize("heading", HEADINGS)
def test_headings_of_the_list(heading: str):
    assert titles(f"# Title\n\n{heading}\n\n1. **A.** b\n2. **C.** d\n") == ["A", "C"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("1. **A.** b\n2. **C**: d\n3. **E** — f", ["A", "C", "E"]),
        ("1) A. b\n2) C", ["A", "C"]),
        ("### 1. A\n\nb\n\n1. step\n2. step\n\n### 2. C\nd", ["A", "C"]),
        ("### B1. **A**\nb", ["A"]),
        ("- **A** — b\n- **C**: d\n  - **nested**", ["A", "C"]),
        ("- [ ] **A** - b\n* [x] **C**", ["A", "C"]),
        ("1. A\n1. B\n1. C", ["A", "B", "C"]),
        (" 1. A\n    1. nested\n 2. B", ["A", "B"]),
        ("1. A\n   1. nested\n   2. nested\n2. B", ["A", "B"]),
        ("1. A\n```\n2. in a fence\n```\n2. B", ["A", "B"]),
        ("1. A\n\nmore of A\n\n2. B", ["A", "B"]),
        ("\n".join(f"{n}. T{n}" for n in range(1, 13)), [f"T{n}" for n in range(1, 13)]),
        ("6. A\n7. B\n9. no item", ["A", "B"]),
        ("### Group\n\n1. A\n2. B\n\n### Other\n\n1. C", ["A", "B", "C"]),
    ],
)
def test_forms_of_the_list(body: str, expected: list[str]):
    assert titles(f"## Defect classes\n\n{body}\n\n## Notes\n\n1. not one\n") == expected


def test_what_follows_a_heading_under_the_list_is_not_in_its_last_class():
    (only,) = skill_of("## Bugs\n\n1. **A.** b\n\n### Why\n\nc\n").classes
    assert only.body == "b"


def test_a_paragraph_behind_the_list_is_not_in_its_last_class():
    skill = skill_of("## Bugs\n\n1. **A.** b\n   c\n\n   d\n\nDo not report style.\n")
    assert [(c.body, c.kind) for c in skill.classes] == [("b c\n\nd", "defect")]
    assert skill.guidance == "Do not report style."


@pytest.mark.parametrize(
    ("item", "title", "body"),
    [
        ("**`set -u` holes.** x", "`set -u` holes", "x"),
        ("**A b\nc**: d\ne", "A b c", "d e"),
        ("A first sentence. And more.", "A first sentence", "And more."),
        ("Name: what it is", "Name", "what it is"),
        ("Only a title", "Only a title", ""),
        ("**A.** `--rm` only", "A", "`--rm` only"),
        ("**A** - b", "A", "b"),
        ("**A.**\n- b\n- c", "A", "- b\n- c"),
        ("word " * 40, ("word " * 16).strip(), ("word " * 24).strip()),
        ("x" * 100, "x" * 80, "x" * 20),
    ],
)
def test_title_and_body(item: str, title: str, body: str):
    (only,) = skill_of(f"## Bugs\n\n1. {item}\n").classes
    assert (only.title, only.body) == (title, body)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("`set -u` argument holes", "set-u-argument-holes"),
        ("The code's own assumption", "the-code-s-own-assumption"),
        ("Zero-exit, no artifact!", "zero-exit-no-artifact"),
        ("snake_case", "snake-case"),
        ("Größe 未定義", "größe-未定義"),
        ("???", "class-1"),
    ],
)
def test_the_slug_is_the_stable_key(title: str, slug: str):
    assert skill_of(f"## Bugs\n\n1. **{title}** x\n").classes[0].slug == slug


def test_two_classes_of_one_name_have_two_slugs():
    body = "## Bugs\n\n1. **A.** b\n2. **A!** c\n3. **A 2.** d\n"
    assert [c.slug for c in skill_of(body).classes] == ["a", "a-2", "a-2-2"]
    assert codes(FRONT + body, level="warning") == ["8:1 S012", "9:1 S012"]


@pytest.mark.parametrize(
    ("text", "body", "fix"),
    [
        ("**A.** b. Fix: c; d. Same shape: e.", "b. Same shape: e.", "c; d."),
        ("**A.** b. **Fix:** c because of the cost.", "b.", "c because of the cost."),
        ("**A.** b.\n\n   Fix: c.\n\n   d", "b. d", "c."),
        ("**A.** Fix: c. Prove with `ps`.", "Prove with `ps`.", "c."),
        ("**A.** A quick fix: none.", "A quick fix: none.", ""),
    ],
)
def test_the_fix_is_split_off(text: str, body: str, fix: str):
    (only,) = skill_of("## Bugs\n\n1. " + text + "\n").classes
    assert (" ".join(only.body.split()), only.fix) == (" ".join(body.split()), fix)


@pytest.mark.parametrize(
    ("item", "severity"),
    [
        ("**A.** b. Severity: critical.", Severity.BLOCKER),
        ("**A.** **Severity**: high", Severity.WARNING),
        ("**[P0] A**", Severity.BLOCKER),
        ("**A (minor)** b", Severity.NOTE),
        ("**A.** [medium] b", Severity.WARNING),
        ("**Warning where it breaks.** A critical thing, of low note.", None),
        ("**A.** it is (high) up", None),
    ],
)
def test_severity_is_only_read_where_it_is_meant(item: str, severity: Severity | None):
    (only,) = skill_of(f"## Bugs\n\n1. {item}\n").classes
    assert only.severity is severity
    if severity and only.title != "Warning where it breaks":
        assert only.slug == "a"


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ("**Shellcheck's honest false positive**: quotes are meant.", "suppress"),
        ("**Quotes.** This is a known false positive.", "suppress"),
        ("**Quotes.** Correct as it stands; do not flag it.", "suppress"),
        ("**Quotes.** Never report these.", "suppress"),
        ("**Workers.** Threads that do not report errors.", "defect"),
        ('**Quotes.** Say so; do not "fix" it.', "suppress"),
        ("**Retries.** They hide false positives of the check.", "defect"),
        ("**Sleep.** Do not fix by sleeping longer.", "defect"),
    ],
)
def test_what_a_class_forbids_to_report(item: str, kind: str):
    assert [c.kind for c in skill_of(f"## Bugs\n\n1. {item}\n").classes] == [kind]


def test_a_section_of_what_not_to_report():
    body = "## Bugs\n\n1. **A.** b\n\n### Do not flag\n\n- **Style** — c\n\n### More\n\n- **D** e\n"
    skill = skill_of(body)
    assert [(c.rank, c.title, c.kind) for c in skill.classes] == [
        (1, "A", "defect"),
        (2, "Style", "suppress"),
        (3, "D", "defect"),
    ]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("1. A\n3. C", "8:1 S012"),
        ("1. A\n2. B\n2. C", "9:1 S012"),
        ("1. A\n2. B\n\n1. C", "10:1 S012"),
        ("6. A\n7. B", "7:1 S012"),
        ("1. A\n```\nx\n```\n2. B", "8:1 S012"),
    ],
)
def test_slips_of_the_numbers_are_warnings(body: str, place: str):
    assert codes(f"{FRONT}## Bugs\n\n{body}\n", level="warning") == [place]


def test_a_year_at_the_start_of_a_line_is_no_item():
    body = "## Bugs\n\n1. **A.** seen in\n999. and later\n2. **B.**\n"
    assert [c.body for c in skill_of(body).classes] == ["seen in\n999. and later", ""]
    assert codes(FRONT + body, level="warning") == []


def test_a_section_without_a_list_is_said():
    assert codes(FRONT + "## Defect classes\n\nUse judgement.\n", level="warning") == ["5:1 S012"]


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "## Blocking issues",
            "## Known issues",
            "## Fixing bugs",
            "## Final checklist",
            "## Severity rules",
        ),
        *("## Failure", "## Issue", "## When NOT to use", "## Key principles", "## How to report issues"),
    ],
)
def test_headings_that_list_no_defects(heading: str):
    assert titles(f"{heading}\n\n1. **A.** b\n2. **C.** d\n") == []


@pytest.mark.parametrize(
    "table",
    [
        "| Severity | Meaning |\n|---|---|\n| high | soon |\n",
        "| Argument | What to do |\n|---|---|\n| a number | x |\n",
        "| # | File |\n|---|---|\n| 1 | `a.md` |\n",
        "| Issue | Where |\n|---|---|\n| [title] | [file:line] |\n",
    ],
)
def test_tables_that_list_no_defects(table: str):
    assert titles(f"## Bugs\n\n{table}") == []


@pytest.mark.parametrize(
    ("lead", "kinds"),
    [
        ("**Do NOT flag:**", ["suppress", "suppress"]),
        ("Do not comment on", []),
        ("Never report a finding without:", []),
        ("Do not report until these are done:", []),
        ("Rules:", ["defect", "defect"]),
        ("**What to look for**", ["defect", "defect"]),
        ("Principles:", []),
    ],
)
def test_a_line_that_heads_a_list(lead: str, kinds: list[str]):
    body = f"# Title\n\nText.\n\n{lead}\n\n- a\n- b\n\nMore:\n\n- c\n"
    assert [c.kind for c in skill_of(body).classes] == kinds


def test_a_line_heads_classes_only_where_no_heading_does():
    assert titles("# T\n\nRules:\n- a\n\n## Bugs\n\n- b\n") == ["b"]
    assert titles("# T\n\n## Posting\n\nRules:\n- a\n") == []


def test_what_not_to_report_in_prose_keeps_its_heading_in_the_guidance():
    assert skill_of("## Out of scope\n\nFormatting.\n").guidance == "## Out of scope\n\nFormatting."


def test_a_checklist_among_the_steps_is_one_and_bare_issues_are_a_step():
    body = "## Workflow\n\n### 1. Read\n\na\n\n### 2. {}\n\n- b\n\n### 3. Report\n\nc\n"
    listed = skill_of(body.format("What to check"))
    assert [c.title for c in listed.classes] == ["b"]
    assert listed.steps == ("**Read**\n\na", "**Report**\n\nc")
    step = skill_of(body.format("Open issues for bugs"))
    assert step.classes == ()
    assert len(step.steps) == 3


def test_more_classes_than_anyone_hunts_are_an_error():
    body = "## Bugs\n\n" + "".join(f"1. T{n}\n" for n in range(201))
    assert codes(FRONT + body) == ["207:1 S012"]


def test_no_classes_make_a_skill_that_only_a_model_can_follow():
    skill, diagnostics = load(FRONT + "# T\n\nBe kind.\n")
    assert skill is not None
    assert (skill.classes, skill.guidance) == ((), "# T\n\nBe kind.")
    assert [(d.code, d.level) for d in diagnostics] == [("S109", "info")]
