"""Skills of another repository: what is asked for, what is taken, and whether it is still the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.errors import ConfigError, UsageError
from reviewbot.core.skill.vendored import (
    PROVENANCE,
    Asked,
    Entry,
    Provenance,
    local_edits,
    read_asked,
    selected,
    sha256,
    skill_folder,
    write_provenance,
)

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (f"octo/checks@{SHA}", Asked("octo/checks", "", SHA)),
        (f"octo/checks.git@{SHA.upper()}", Asked("octo/checks", "", SHA)),
        (f"octo/checks/skills/x@{SHA}", Asked("octo/checks", "skills/x", SHA)),
        (f"octo/checks/skills/x/@{SHA}", Asked("octo/checks", "skills/x", SHA)),
        (f"octo/checks/skills/x/SKILL.md@{SHA}", Asked("octo/checks", "skills/x", SHA)),
    ],
)
def test_what_is_asked_for(text: str, asked: Asked):
    assert read_asked(text) == asked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "octo/checks@main",
            "'main' is no full commit id (40 hex digits); a branch, a tag or a short id can",
        ),
        (f"octo/checks@{SHA[:12]}", "is no full commit id"),
        (f"octo/checks@{SHA}0", "is no full commit id"),
        ("octo/checks@", "is no full commit id"),
        ("octo/checks", "is no OWNER/REPO[/PATH]@SHA; for example "),
        (f"octo@{SHA}", "is no OWNER/REPO"),
        (f"octo/..@{SHA}", "is no OWNER/REPO"),
        (f"-x/checks@{SHA}", "is no OWNER/REPO"),
        (f"../checks@{SHA}", "is no OWNER/REPO"),
        (f"https://example.invalid/octo/checks@{SHA}", "is no OWNER/REPO"),
        (f"octo/checks/../../x@{SHA}", "'../../x' is no path in a repository"),
        (f"octo/checks/.git@{SHA}", "'.git' is no path in a repository"),
        ("octo/checks" + "/a" * 50_000, "is no OWNER/REPO"),
    ],
)
def test_what_cannot_be_asked_for(text: str, message: str):
    with pytest.raises(UsageError) as raised:
        read_asked(text)
    assert message in str(raised.value)


ONE = Asked("octo/checks", "", SHA)


@pytest.mark.parametrize(
    ("paths", "folder"),
    [
        (["README.md", "skills/x/SKILL.md", "docs/example/SKILL.md"], "skills/x"),
        ([".claude/skills/x/SKILL.md"], ".claude/skills/x"),
        (["SKILL.md", "rules/a.yml"], ""),
        (["SKILL.md", "skills/x/SKILL.md"], "skills/x"),
    ],
)
def test_the_only_skill_in_the_usual_folders(paths: list[str], folder: str):
    assert skill_folder(ONE, paths) == folder


def test_a_folder_that_is_named_lies_anywhere():
    assert skill_folder(ONE._replace(path="docs/x"), ["docs/x/SKILL.md", "skills/y/SKILL.md"]) == "docs/x"


@pytest.mark.parametrize(
    ("path", "paths", "message"),
    [
        (
            "",
            ["skills/a/SKILL.md", "skills/b/SKILL.md"],
            f"has 2 skills; name one: octo/checks/skills/a@{SHA}, octo/",
        ),
        ("", ["docs/a/SKILL.md"], f"no skill in the usual folders; name one: octo/checks/docs/a@{SHA}"),
        ("", ["README.md"], "no skill in the usual folders; there is no SKILL.md in it at all"),
        (
            "skills/c",
            ["skills/a/SKILL.md"],
            f"has no skills/c/SKILL.md; name one: octo/checks/skills/a@{SHA}",
        ),
        ("", [f"skills/{n}/SKILL.md" for n in range(23)], ", and 3 more"),
    ],
)
def test_which_skill_is_meant_must_be_clear(path: str, paths: list[str], message: str):
    with pytest.raises(UsageError) as raised:
        skill_folder(ONE._replace(path=path), paths)
    assert message in str(raised.value)


def entry(path: str, mode: str = "100644") -> Entry:
    return Entry(path, mode, "b" * 40, 1)


def test_what_is_taken_and_what_is_left_out():
    entries = [
        entry("skills/x/SKILL.md", "100755"),
        entry("skills/x/cases/a/head/run.sh"),
        entry("skills/x/references/more.md"),
        entry("skills/x/rules/a.yml"),
        entry("skills/x/rules/link.yml", "120000"),
        entry("skills/x/cases/module", "160000"),
        entry("skills/x/scripts/install.sh", "100755"),
        entry("skills/x/provenance.json"),
        entry("skills/xx/SKILL.md"),
        entry("README.md"),
    ]
    taken, left = selected(entries, "skills/x")
    assert list(taken) == ["SKILL.md", "cases/a/head/run.sh", "references/more.md", "rules/a.yml"]
    assert left == [
        ("rules/link.yml", "it is a link or a submodule"),
        ("cases/module", "it is a link or a submodule"),
        ("scripts/install.sh", "no review reads it"),
        ("provenance.json", "no review reads it"),
    ]


def test_at_the_top_of_a_repository_only_the_skills_own_is_spoken_of():
    taken, left = selected([entry("SKILL.md"), entry("rules/a.yml"), entry("setup.py")], "")
    assert (list(taken), left) == (["SKILL.md", "rules/a.yml"], [])


@pytest.mark.parametrize(
    "path", ["rules/../../../x.yml", "cases//x", "cases/.git/hooks/post-checkout", "rules/./x"]
)
def test_a_crafted_tree_is_refused_whole(path: str):
    with pytest.raises(UsageError, match="leads out of the skill; nothing was taken"):
        selected([entry("skills/x/SKILL.md"), entry(f"skills/x/{path}")], "skills/x")


def vendored(files: dict[str, bytes]) -> dict[str, bytes]:
    digests = {path: sha256(content) for path, content in files.items()}
    return {
        **files,
        PROVENANCE: write_provenance(Provenance("https://example.invalid", "", SHA, "", digests)),
    }


contents = st.dictionaries(st.sampled_from(["SKILL.md", "rules/a", "cases/b"]), st.binary(max_size=3))


@given(contents, contents)
def test_an_edit_an_addition_and_a_removal_are_seen(taken: dict[str, bytes], here: dict[str, bytes]):
    now = {**here, PROVENANCE: vendored(taken)[PROVENANCE]}
    expected = [path for path in sorted(taken.keys() | here.keys()) if taken.get(path) != here.get(path)]
    assert local_edits(now, "x") == expected


def test_a_folder_without_provenance_was_not_added():
    with pytest.raises(
        ConfigError, match=r"x was not added by `skills add`: it has no provenance\.json; remove"
    ):
        local_edits({"SKILL.md": b""}, "x")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"files": 3}', "\xff", "[" * 100_000, '{"files": [["a", "b"]]}']
)
def test_a_provenance_that_was_changed_by_hand(text: str):
    with pytest.raises(ConfigError, match=r"x/provenance.json is not as it was written; remove the folder"):
        local_edits({PROVENANCE: text.encode("latin-1")}, "x")


def test_provenance_is_plain_json_whatever_the_names_are():
    data = vendored({"rules/caf\udce9.yml": b""})[PROVENANCE]
    assert json.loads(data)["files"] == {"rules/caf\udce9.yml": sha256(b"")}
