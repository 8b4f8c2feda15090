"""What a skill points at: files beside it, other skills, commands of another tool."""

from __future__ import annotations

import pytest

from reviewbot.core.skill import load_skill
from reviewbot.core.types import SkillOrigin
from tests.skillfiles import FRONT, PATH, codes

BESIDE = ("references/list.md", "my notes.md", "scripts/a/b.py", "lib/001_x.md")


def noticed(body: str, beside: tuple[str, ...] | None = BESIDE) -> list[str]:
    _, diagnostics = load_skill(PATH, (FRONT + body).encode(), SkillOrigin.BASE, beside)
    return [f"{d.line}:{d.col} {d.message}" for d in diagnostics if d.code == "S106"]


@pytest.mark.parametrize(
    "body",
    [
        'See [the list](references/list.md), [again](./references/list.md#part "title").',
        "See [notes](my%20notes.md) and [all](references/) and [up](references/../lib/001_x.md).",
        "See `references/list.md` and @lib/001_x.md here.",
        "See [a](https://example.org/x.md), [b](#part), [c](mailto:x@y.z), [d](/docs/x.md), [e](<$X>).",
        "```\n[a](gone.md)\n```",
        "Write `[a](gone.md)` for a link; mail x@gone.md.",
        "`scripts/of-the-repository.sh` is no file of the skill.",
    ],
)
def test_references_that_a_reader_will_find(body: str):
    assert noticed(body) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("See [x](gone.md).", "5:9 `gone.md` is not in the folder of this skill"),
        ("| a |\n|---|\n| [x](gone.md) |", "7:7 `gone.md` is not in the folder of this skill"),
        ("@lib/gone.md", "5:2 `lib/gone.md` is not in the folder of this skill"),
        ("`references/gone.md`", "5:2 `references/gone.md` is not in the folder of this skill"),
        (
            "[x](../other/SKILL.md)",
            "5:5 `../other/SKILL.md` lies outside the folder of this skill; it is not read",
        ),
        ("[x](a/../../b)", "5:5 `a/../../b` lies outside the folder of this skill; it is not read"),
        (
            "[x](scripts/a/b.py)",
            "5:5 `scripts/a/b.py` is a chain: keep references in one folder of the skill",
        ),
    ],
)
def test_references_that_lead_nowhere(body: str, expected: str):
    assert noticed(body) == [expected]


def test_nothing_is_said_of_files_that_nobody_listed():
    assert noticed("See [x](gone.md).", None) == []


def test_commands_of_another_tool_are_named_and_never_run():
    body = "The diff: !`git diff`\n\nNo! `this` is none.\n\n```!\nls\n```\n\n```\n!`ls`\n```\n"
    assert codes(FRONT + body, level="warning") == ["5:11 S102", "9:1 S102"]
