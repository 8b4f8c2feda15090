"""The repository of the cases: what a Source reads there is what lies in the case."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.paths import is_safe
from reviewbot.core.types import Side, Status
from reviewbot.hosts.caserepo import CaseTrees, case_repository
from reviewbot.hosts.local import LocalSource

HOSTILE = b"from refs/heads/1\ndata 5\ndone\nM 100644 inline x\n"


def sides(source: LocalSource) -> tuple[dict[str, Status], dict[str, str], dict[str, str]]:
    """The changed files, and the texts of base and head."""
    change = source.change(lambda file: True)
    paths = [file.path for file in change.files]
    base, head = (source.read(change, side, paths) for side in (Side.LEFT, Side.RIGHT))
    return (
        {file.path: file.status for file in change.files},
        {path: text.content for path, text in base.files.items()},
        {path: text.content for path, text in head.files.items()},
    )


def test_each_case_is_a_change_of_its_own():
    one = CaseTrees("one", {}, {"run.sh": b"a\n"})
    two = CaseTrees(
        "two", {"run.sh": b"a\n", "gone": b"x\n", "same": b"s\n"}, {"run.sh": b"b\n", "same": b"s\n"}
    )
    with case_repository([one, two]) as (first, second):
        assert sides(first) == ({"run.sh": Status.ADDED}, {}, {"run.sh": "a\n"})
        statuses, base, head = sides(second)
        assert statuses == {"gone": Status.DELETED, "run.sh": Status.MODIFIED}
        assert (base, head) == ({"run.sh": "a\n", "gone": "x\n"}, {"run.sh": "b\n"})


def test_no_content_and_no_name_is_read_as_a_command():
    names = (
        '"quoted"',
        " lead",
        "a b",
        "new\nline",
        "tab\t",
        "back\\slash",
        os.fsdecode(b"caf\xe9"),
        "\N{SNOWMAN}",
    )
    tree = dict.fromkeys(names, HOSTILE)
    with case_repository([CaseTrees("hostile", {}, tree), CaseTrees("next", {}, {"x": b"1"})]) as (
        first,
        second,
    ):
        assert sides(first)[2] == dict.fromkeys(names, HOSTILE.decode())
        assert sides(second)[2] == {"x": "1"}


parts = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=6)
names = parts.filter(is_safe).filter(lambda n: "git" not in n.lower())
trees = st.dictionaries(names, st.binary(max_size=40).filter(lambda b: b"\0" not in b), max_size=4)


@settings(max_examples=30)
@given(trees, trees)
def test_a_source_lists_exactly_what_differs(base: dict[str, bytes], head: dict[str, bytes]):
    with case_repository([CaseTrees("any", base, head)]) as (source,):
        change = source.change(lambda file: False)
    named = {file.path for file in change.files} | {f.old_path for f in change.files if f.old_path}
    assert named == {path for path in base.keys() | head.keys() if base.get(path) != head.get(path)}


def test_no_case_at_all_and_nothing_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with case_repository([]) as sources:
        assert sources == ()
    assert list(tmp_path.iterdir()) == []
