"""What a repository tells reviewers: which files count, for which changed files, and how much of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.guidance import FILE_LIMIT, LIMIT, places
from reviewbot.core.guidance import read as guidance


def read(files: dict[str, str], *paths: str) -> list[tuple[str, tuple[str, ...], str]]:
    encoded = {path: text.encode() for path, text in files.items()}
    return [(g.path, g.scope, g.text) for g in guidance(encoded, paths)]


def test_a_file_of_a_folder_speaks_of_what_is_below_it() -> None:
    files = {
        "AGENTS.md": "all",
        "src/CLAUDE.md": "src",
        "docs/REVIEW.md": "docs",
        "src/.cursor/BUGBOT.md": "bug",
    }
    assert read(files, "src/a/b.py") == [
        ("AGENTS.md", (), "all"),
        ("src/.cursor/BUGBOT.md", ("src/**",), "bug"),
        ("src/CLAUDE.md", ("src/**",), "src"),
    ]


def test_where_guidance_is_looked_for() -> None:
    paths = places(["a/b/x.py", "c.py"])
    assert "a/b/AGENTS.md" in paths
    assert "a/.cursor/BUGBOT.md" in paths
    assert "CLAUDE.md" in paths
    assert "c.py/AGENTS.md" not in paths


@pytest.mark.parametrize(
    ("front", "scope"),
    [
        ("applyTo: '**/*.py,src/{a,b}/**'", ("**/*.py", "src/{a,b}/**")),
        ('applyTo:\n  - "**/*.py"\n  - "*.sh"', ("**/*.py", "*.sh")),
        ("applyTo: ['**/*.py']", ("**/*.py",)),
        ("applyTo: '**'", ()),
        ("description: no scope", None),
        ("applyTo: '**'\nexcludeAgent: code-review", None),
        ("applyTo: '**'\nexcludeAgent: coding-agent", ()),
        ("applyTo: '../*.py'", None),
        ("applyTo: '*.sh'", None),  # no shell file is changed
    ],
)
def test_instructions_say_what_they_apply_to(front: str, scope: tuple[str, ...] | None) -> None:
    path = ".github/instructions/x.instructions.md"
    expected = [] if scope is None else [(path, scope, "text")]
    assert read({path: f"---\n{front}\n---\ntext\n"}, "src/a/m.py") == expected


@pytest.mark.parametrize(
    ("front", "scope"),
    [
        ("description: d\nglobs: **/*.py, **/*.pyi\nalwaysApply: false", ("**/*.py", "**/*.pyi")),  # no YAML
        ("globs:\nalwaysApply: true", ()),
        ('alwaysApply: "true"', None),  # Cursor ignores the quoted word
        ("description: for the agent to choose\nglobs:\nalwaysApply: false", None),
    ],
)
def test_rules_of_cursor(front: str, scope: tuple[str, ...] | None) -> None:
    path = ".cursor/rules/x.mdc"
    expected = [] if scope is None else [(path, scope, "text")]
    assert read({path: f"---\n{front}\n---\ntext\n"}, "m.py") == expected
    assert read({path: "text\n"}, "m.py") == [(path, (), "text")]


def test_a_link_beside_its_target_is_read_once() -> None:
    assert read({"AGENTS.md": "same", "CLAUDE.md": "same"}, "m.py") == [("AGENTS.md", (), "same")]


def test_what_is_over_a_limit_is_cut_and_counted() -> None:
    files = {f"{name}/AGENTS.md": (name * 40_000).encode() for name in "abcdef"}
    texts = guidance(files, [f"{name}/m.py" for name in "abcdef"])
    assert [len(g.text) for g in texts] == [FILE_LIMIT] * 4 + [0, 0]
    assert sum(len(g.text) for g in texts) == LIMIT
    assert all(g.characters == 40_000 for g in texts)


def test_no_file_in_scope_no_guidance() -> None:
    assert read({"AGENTS.md": "all"}) == []


@given(
    st.binary(max_size=400),
    st.sampled_from(["AGENTS.md", ".cursor/rules/a.mdc", ".github/instructions/a.instructions.md"]),
)
def test_any_bytes_are_read(data: bytes, path: str) -> None:
    for g in guidance({path: b"---\n" + data}, ["m.py"]):
        assert 0 < len(g.text) <= g.characters


def test_the_name_of_a_folder_is_no_glob() -> None:
    files = {"app/[id]/AGENTS.md": "id", "st*r/AGENTS.md": "star", "a{b,c}/AGENTS.md": "braces"}
    assert [path for path, _, _ in read(files, "app/[id]/page.py", "stair/x.py", "a{b,c}/x.py")] == [
        "app/[id]/AGENTS.md",
        "a{b,c}/AGENTS.md",
    ]


def test_front_matter_that_is_never_closed_claims_no_file() -> None:
    assert read({".cursor/rules/x.mdc": "---\nglobs: *.zzz\ntext"}, "m.py") == []
