"""Names: which one a path gives, and when it decides."""

from __future__ import annotations

import pytest

from reviewbot.core.skill import load_skill, name_of
from reviewbot.core.types import SkillOrigin
from tests.skillfiles import load

BARE = "# Review of launchers\n\nRead each launcher\nto its end.\n\n## Bugs\n\n- **A** x\n"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (".claude/skills/a-review/SKILL.md", "a-review"),
        ("skills/a-review/skill.md", "a-review"),
        (".claude/skills/a-review.md", "a-review"),
        ("builtin:a-review", "a-review"),
        ("src/api/REVIEW.md", "api"),
        ("REVIEW.md", "review"),
        ("SKILL.md", ""),
    ],
)
def test_the_name_that_a_path_gives(path: str, name: str):
    assert name_of(path) == name


@pytest.mark.parametrize(
    "path", ["skills/a/SKILL.md", "skills/a.md", "skills/a/skill.md", "skills/a/SKILL.MD"]
)
def test_it_may_be_missing_in_the_file(path: str):
    skill, diagnostics = load("---\ndescription: b\n---\n", path)
    assert skill is not None
    assert skill.name == "a"
    odd = path.lower().endswith("/skill.md") and not path.endswith("SKILL.md")
    assert [d.code for d in diagnostics if d.level == "warning"] == ["S101"] * (1 + odd)


def test_a_flat_file_is_compared_with_its_own_name():
    text = "---\nname: a\ndescription: b\n---\n"
    assert [d.code for d in load(text, ".claude/skills/a.md")[1]] == ["S109"]
    assert "S101" in [d.code for d in load(text, ".claude/skills/b.md")[1]]


def test_a_name_is_the_same_however_its_letters_are_composed():
    text = "---\nname: pru\u0308fung\ndescription: b\n---\n"
    assert [d.code for d in load(text, "skills/pr\u00fcfung/SKILL.md")[1]] == ["S109"]


@pytest.mark.parametrize(
    ("path", "origin", "name"),
    [
        ("/x/my-rules/SKILL.md", SkillOrigin.PATH, "my-rules"),
        ("/x/my-rules.md", SkillOrigin.PATH, "my-rules"),
        ("REVIEW.md", SkillOrigin.BASE, "review"),
        ("runners/REVIEW.md", SkillOrigin.BASE, "runners"),
    ],
)
def test_without_front_matter_the_path_and_the_first_paragraph_serve(
    path: str, origin: SkillOrigin, name: str
):
    skill, diagnostics = load_skill(path, BARE.encode(), origin)
    assert skill is not None
    assert (skill.name, skill.description) == (name, "Read each launcher to its end.")
    assert [(c.slug, c.line) for c in skill.classes] == [("a", 8)]
    assert [(d.line, d.code, d.level) for d in diagnostics if d.level != "info"] == [(1, "S002", "warning")]


@pytest.mark.parametrize("origin", [SkillOrigin.BASE, SkillOrigin.HEAD, SkillOrigin.BUILTIN])
def test_elsewhere_a_file_without_front_matter_is_no_skill(origin: SkillOrigin):
    skill, diagnostics = load_skill("skills/a/SKILL.md", BARE.encode(), origin)
    assert skill is None
    assert [(d.line, d.code) for d in diagnostics] == [(1, "S002")]


def test_front_matter_that_is_begun_must_be_right_even_in_a_named_file():
    for text in ("---\nname: a\n# T\n", "\n---\nname: a\ndescription: b\n---\n"):
        skill, diagnostics = load_skill("a/SKILL.md", text.encode(), SkillOrigin.PATH)
        assert skill is None
        assert [d.code for d in diagnostics] == ["S002"]


@pytest.mark.parametrize(
    ("rights", "messages"),
    [
        ("allowed-tools: [Read, Grep]", ["`allowed-tools` is read and never granted"]),
        ("allowed-tools: Read Grep Bash(git:*)", ["`allowed-tools` is read and never granted"]),
        ("allowed-tools: Read, Bash(git diff *)", ["`allowed-tools` is read and never granted"]),
        ("allowed-tools:\n  - Read\n  - Bash(x)", ["`allowed-tools` is read and never granted"]),
        ("user_invocable: true", ["`user_invocable` means nothing to reviewbot"]),
        ("user-invocable: true\nuserInvocable: no", ["means nothing"] * 2),
    ],
)
def test_keys_of_other_tools_are_no_fault(rights: str, messages: list[str]):
    skill, diagnostics = load(f"---\nname: some-review\ndescription: b\n{rights}\n---\n")
    assert skill is not None
    noticed = [d for d in diagnostics if d.code == "S102"]
    assert {d.level for d in noticed} == {"info"}
    assert all(part in d.message for part, d in zip(messages, noticed, strict=True))
