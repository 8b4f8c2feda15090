"""Every changed file is claimed, or is named with the reason why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.globs import glob_of
from reviewbot.core.scope import assign, claims, needs_first_line
from reviewbot.core.types import (
    Change,
    FileChange,
    Kind,
    Scope,
    ScopeRow,
    Side,
    SkillOrigin,
    Skills,
    Status,
    Texts,
    Uncovered,
)
from tests.builders import skill


def skills(*tables: tuple[str, ...], **more: object) -> Skills:
    """One skill for each table of tokens; an empty table claims everything."""
    rows = [tuple(ScopeRow("", glob_of(t), written=t) for t in table) for table in tables]
    return Skills(tuple(skill(name=f"skill-{n}", scope=scope, **more) for n, scope in enumerate(rows)))


def change(*files: FileChange | str, attributes: str = "") -> Change:
    whole = (f if isinstance(f, FileChange) else FileChange(f, Status.MODIFIED) for f in files)
    return Change("a", "b", tuple(whole), attributes={".gitattributes": attributes} if attributes else {})


def uncovered(scope: Scope) -> dict[str, str]:
    return {u.path: u.reason for u in scope.uncovered}


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (FileChange("a.sh", Status.DELETED), "deleted"),
        (FileChange("a.sh", Status.MODIFIED, Kind.SUBMODULE), "submodule"),
        (FileChange("a.sh", Status.ADDED, Kind.SYMLINK), "symlink"),
        (FileChange("a.so", Status.ADDED, binary=True), "binary"),
        (FileChange("bin/tool", Status.ADDED, binary=True), "binary"),
        (FileChange("vendor/a.sh", Status.ADDED), "vendored"),
        (FileChange("uv.lock", Status.MODIFIED), "generated"),
        (FileChange("a.gen.sh", Status.MODIFIED), "generated"),
        (FileChange("a.c", Status.MODIFIED), "no skill claims it"),
        (FileChange("vendor/a.sh", Status.DELETED), "deleted"),
    ],
)
def test_what_is_not_reviewed_says_why(file: FileChange, reason: str):
    scope = assign(
        change(file, attributes="*.gen.sh linguist-generated"), skills(("*.sh", "*.lock", "*.so", "bin/*"))
    )
    assert (scope.paths, scope.uncovered) == ((), (Uncovered(file.path, reason),))


def test_a_nul_byte_takes_no_script_out_of_scope():
    files = [FileChange(path, Status.ADDED, binary=True) for path in ("a.sh", "a.py", "bin/go", "bin/elf")]
    asked = skills(("*.sh", "*.py", "#!sh"))
    assert [file.path for file in files if claims(asked)(file)] == ["a.sh", "a.py", "bin/go", "bin/elf"]
    assert needs_first_line(change(*files), asked) == ("bin/go", "bin/elf")
    sniffed = Texts(Side.RIGHT, {}, {"bin/go": "holds a NUL byte at line 2", "bin/elf": "binary"})
    scope = assign(change(*files), asked, sniffed.first_lines())
    assert (scope.paths, uncovered(scope)) == (("a.sh", "a.py", "bin/go"), {"bin/elf": "binary"})


def test_each_skill_gets_the_files_that_it_claims_in_their_order():
    scope = assign(change("b.sh", "a.py", "a.sh", "c.c"), skills(("*.sh",), ("a.*",), ("*.go",)))
    assert [a.paths for a in scope.assignments] == [("b.sh", "a.sh"), ("a.py", "a.sh"), ()]
    assert scope.paths == ("b.sh", "a.py", "a.sh")
    assert uncovered(scope) == {"c.c": "no skill claims it"}


def test_a_skill_without_a_scope_claims_every_text_file():
    scope = assign(change("a.c", "README", FileChange("b", Status.ADDED, binary=True)), skills(()))
    assert scope.paths == ("a.c", "README")
    assert uncovered(scope) == {"b": "binary"}


def test_without_skills_nothing_is_claimed():
    assert uncovered(assign(change("a.sh"), Skills(()))) == {"a.sh": "no skill claims it"}


def test_the_general_skill_leaves_out_what_a_skill_of_the_repository_claims():
    general = skill(name="change-review", scope=(ScopeRow("", "*.py"), ScopeRow("", "*.go")))
    builtin = skill(name="other", scope=(ScopeRow("", "*.py"),))
    own = skill(name="own", origin=SkillOrigin.BASE, scope=(ScopeRow("", "a.*"),))
    files = change("a.py", "b.py", "c.go", "d.txt")
    scope = assign(files, Skills((own, builtin, general)))
    assert {a.skill.name: a.paths for a in scope.assignments} == {
        "own": ("a.py",),
        "other": ("a.py", "b.py"),
        "change-review": ("b.py", "c.go"),
    }
    assert uncovered(scope) == {"d.txt": "no skill claims it"}
    named = own._replace(origin=SkillOrigin.PATH)
    assert assign(files, Skills((named, general))).assignments[1].paths == ("b.py", "c.go")


@pytest.mark.parametrize("status", [Status.ADDED, Status.RENAMED, Status.COPIED, Status.TYPE_CHANGED])
def test_a_changed_file_of_any_kind_of_change_is_claimed(status: Status):
    file = FileChange("a.sh", status, old_mode="100644", new_mode="100755")  # nothing but its mode, say
    assert assign(change(file), skills(("*.sh",))).paths == ("a.sh",)


def test_pairs_come_in_cost_order():
    first = skill(name="s")
    two = first.classes[0]._replace(rank=2, slug="b")
    never = first.classes[0]._replace(rank=3, slug="c", kind="suppress")
    scope = assign(change("a.sh", "b.sh"), Skills((first._replace(classes=(two, never, first.classes[0])),)))
    assert [(path, c.slug) for path, _, c in scope.pairs()] == [
        ("a.sh", "a-class"),
        ("b.sh", "a-class"),
        ("a.sh", "b"),
        ("b.sh", "b"),
    ]


def test_a_first_line_decides_for_files_without_extension():
    asked = skills(("*.py", "#!sh"))
    files = change("bin/go", "bin/stop", "LICENSE", "a.py", FileChange("gone", Status.DELETED))
    assert needs_first_line(files, asked) == ("bin/go", "bin/stop", "LICENSE")
    scope = assign(files, asked, {"bin/go": "#!/bin/sh", "bin/stop": "#!/usr/bin/ruby", "LICENSE": "Apache"})
    assert scope.paths == ("bin/go", "a.py")
    assert assign(files, asked).paths == ("a.py",)


def test_claims_answers_before_the_first_lines_are_known():
    wanted = claims(skills(("*.py", "#!sh")))
    files = change("a.py", "bin/go", "a.c", FileChange("b.py", Status.DELETED)).files
    assert [file.path for file in files if wanted(file)] == ["a.py", "bin/go"]
    assert not claims(Skills(()))(files[0])
    assert claims(skills(()))(files[2])


PATHS = st.sampled_from(
    [folder + name + end for folder in ("", "vendor/", "a/") for name in "ab" for end in (".sh", ".lock", "")]
)
FILES = st.lists(
    st.builds(FileChange, PATHS, st.sampled_from(Status), st.sampled_from(Kind), binary=st.booleans()),
    max_size=12,
    unique_by=lambda file: file.path,
)
TABLES = st.lists(
    st.lists(st.sampled_from(["*.sh", "*.py", "a/**", "!b*", "#!sh", "vendor/"]), max_size=3).map(tuple),
    max_size=3,
)


@given(
    FILES,
    TABLES,
    st.dictionaries(PATHS, st.sampled_from(["#!/bin/sh", "#!python", "x"]), max_size=4),
    st.sampled_from(SkillOrigin),
    st.booleans(),
)
def test_law_2_every_changed_file_is_covered_or_uncovered(
    files: list[FileChange],
    tables: list[tuple[str, ...]],
    first_lines: dict[str, str],
    origin: SkillOrigin,
    general: bool,
):
    whole = change(*files, attributes="a/* linguist-generated")
    found = skills(*tables, origin=origin)
    if general:
        found = Skills((*found.active, skill(name="change-review", scope=(ScopeRow("", "*.sh"),))))
    scope = assign(whole, found, first_lines)
    assert sorted([*scope.paths, *uncovered(scope)]) == sorted(file.path for file in files)
    assert len(uncovered(scope)) == len(scope.uncovered)
    assert {path for a in scope.assignments for path in a.paths} == set(scope.paths)
    assert all(uncovered(scope).values())
    wanted = claims(found)
    assert all(wanted(file) for file in files if file.path in scope.paths)


@pytest.mark.parametrize(
    ("file", "touched"),
    [
        (FileChange("a.sh", Status.DELETED), True),
        (FileChange("a.sh", Status.TYPE_CHANGED, Kind.SYMLINK), True),
        (FileChange("a.sh", Status.ADDED, Kind.SUBMODULE), True),
        (FileChange("vendor/a.sh", Status.ADDED), True),
        (FileChange("b.txt", Status.RENAMED, old_path="a.sh"), True),
        (FileChange("b.txt", Status.DELETED), False),
    ],
)
def test_a_skill_is_touched_by_what_is_no_text_to_review(file: FileChange, touched: bool):
    """A change that only deleted a file of its scope ran none of its gates."""
    (some, every) = assign(change(file), skills(("*.sh",), ())).assignments
    assert (some.touched, some.paths) == (touched, ())
    assert every.touched
