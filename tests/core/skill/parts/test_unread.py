"""A list of defects under a heading that nobody knows is named; prose stays guidance, without a word."""

from __future__ import annotations

import pytest

from tests.skillfiles import FRONT, load, skill_of

NUMBERED = "1. A lost status. Why.\n2. An endless wait. Why.\n"
HEADINGS = "### A lost status\n\nWhy.\n\n### An endless wait\n\nWhy.\n"
BOLD = "- **A lost status**: why\n- **An endless wait**: why\n"


def unread(body: str, front: str = FRONT) -> list[tuple[int, str]]:
    """(line in the body, message) of each warning."""
    skill, noticed = load(front + body)
    assert skill is not None
    return [(d.line - front.count("\n"), f"{d.code} {d.message}") for d in noticed if d.level == "warning"]


@pytest.mark.parametrize("items", [NUMBERED, HEADINGS, BOLD])
@pytest.mark.parametrize("title", ["Problems", "Common mistakes", "Always check", "Structure"])
def test_a_list_under_an_unknown_heading_is_named(title: str, items: str):
    """It once vanished: a skill without classes, and not one word."""
    body = f"# Review\n\nOn launches.\n\n## {title}\n\n{items}\n## Report\n\nA table.\n"
    assert unread(body) == [
        (
            5,
            f"S012 the list under `{title}` is not read as defect classes: call the heading "
            "Defect classes, What to look for, Checklist or Rules",
        )
    ]
    assert skill_of(body).classes == ()
    assert "A lost status" in skill_of(body).guidance


@pytest.mark.parametrize(
    "body",
    [
        "# Review\n\nOnly prose.\n\n## Problems\n\nMany, in every script.\n",
        "# Review\n\n## Problems\n\n1. A lost status.\n",
        "# Review\n\n## Problems\n\n- plain\n- bullets\n",
        f"# Review\n\n{NUMBERED}",
        f"# Review\n\n## Lost\n\n### When to use\n\n{NUMBERED}",
        *(
            f"# Review\n\n## {title}\n\n{NUMBERED}"
            for title in (
                "Procedure",
                "Report",
                "When to use this skill",
                "How to review",
                "Review principles",
            )
        ),
        *(
            f"# Review\n\n## {title}\n\n{BOLD}"
            for title in ("Output format", "Tools", "Severity", "Blocking issues")
        ),
        f"# Review\n\n## Problems\n\n{NUMBERED}\n## Checklist\n\n{NUMBERED}",
        "# Review\n\n## Problems\n\n- **[file:line]** <what is wrong>\n- **[file:line]** <what is wrong>\n",
    ],
)
def test_what_is_no_list_of_defects_is_not(body: str):
    assert unread(body) == []


def test_of_several_the_one_that_speaks_of_defects_is_named_once():
    body = f"# Review\n\n## Areas\n\n{BOLD}\n## Mistakes\n\n{HEADINGS}\n## Traps\n\n{NUMBERED}"
    assert [(line, message[:28]) for line, message in unread(body)] == [(8, "S012 the list under `Mistake")]


def test_the_list_is_that_of_the_outer_heading():
    body = f"# Review\n\n## Lenses\n\n### Status\n\n{BOLD}\n### Waits\n\n{BOLD}"
    assert [line for line, _ in unread(body)] == [3]


def test_a_skill_for_other_work_may_list_what_it_likes():
    front = "---\nname: slides\ndescription: Make slides.\n---\n"
    _, noticed = load(
        f"{front}# Slides\n\n## Common mistakes\n\n{NUMBERED}", ".claude/skills/slides/SKILL.md"
    )
    assert [d for d in noticed if d.level == "warning"] == []
