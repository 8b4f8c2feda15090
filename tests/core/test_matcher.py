"""Which row of a scope table claims a path."""

from __future__ import annotations

from reviewbot.core.globs import glob_of
from reviewbot.core.matcher import Matcher
from reviewbot.core.types import ScopeRow


def matcher(*tokens: str) -> Matcher:
    return Matcher([ScopeRow(f"s{n}", glob_of(token), written=token) for n, token in enumerate(tokens)])


def stage(table: Matcher, path: str, first_line: str = "") -> str:
    row = table.match(path, first_line)
    return row.stage if row else ""


def test_the_first_row_that_matches_claims():
    table = matcher("scripts/*.sh", "*.sh", "*.{sh,py}", "docs/")
    assert [stage(table, path) for path in ("scripts/a.sh", "b/a.sh", "a.py", "docs/a/b", "a.c")] == [
        "s0",
        "s1",
        "s2",
        "s3",
        "",
    ]


def test_a_placeholder_needs_a_character():
    assert stage(matcher("convert-<model>.sh"), "convert-.sh") == ""
    assert stage(matcher("convert-<model>.sh"), "x/convert-a.sh") == "s0"


def test_a_path_of_another_system_is_a_path():
    assert stage(matcher("tools\\x.sh"), "tools/x.sh") == "s0"
    assert stage(matcher("tools\\x.sh"), "toolsx.sh") == ""


def test_an_exclusion_wins_wherever_it_stands():
    table = matcher("!vendor/", "*.sh", "!run*.sh")
    assert [stage(table, path) for path in ("a.sh", "vendor/a.sh", "x/run-1.sh")] == ["s1", "", ""]


def test_names_are_compared_in_their_composed_form():
    assert stage(matcher("e\u0301*.sh"), "\u00e9x.sh") == "s0"
    assert stage(matcher("\u00e9*.sh"), "e\u0301x.sh") == "s0"


def test_a_name_that_is_no_utf8_is_a_name():
    assert stage(matcher("*.sh"), "a\udcff.sh") == "s0"


def test_an_interpreter_claims_files_without_extension():
    table = matcher("*.sh", "#!sh", "#!python", "!skip*")
    cases = {
        ("bin/go", "#!/bin/bash -eu"): "s1",
        ("bin/go", "#!/usr/bin/env -S python3 -u"): "s2",
        ("bin/go", "#!/usr/bin/perl"): "",
        ("bin/go", "go on"): "",
        ("bin/go.rb", "#!/bin/sh"): "",
        ("skip-me", "#!/bin/sh"): "",
        ("a.sh", ""): "s0",
    }
    assert {case: stage(table, *case) for case in cases} == cases


def test_only_an_undecided_file_needs_its_first_line():
    table = matcher("Makefile", "#!sh", "!skip*")
    paths = ("bin/go", "Makefile", "skip", "a.sh", ".bashrc")
    assert [path for path in paths if table.needs_first_line(path)] == ["bin/go"]
    assert not matcher("*.sh").needs_first_line("bin/go")


def test_a_table_of_nothing_claims_nothing():
    assert stage(matcher(), "a") == ""
