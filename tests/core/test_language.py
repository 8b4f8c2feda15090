from __future__ import annotations

import pytest

from reviewbot.core.language import interpreter, language


@pytest.mark.parametrize(
    ("path", "first_line", "expected"),
    [
        ("run.sh", "", "shell"),
        ("a/b.sbatch", "#!/bin/bash", "shell"),
        ("run.sh", "#!/usr/bin/env zsh", ""),
        ("run.sh", "#!/usr/bin/env python3.12", ""),
        ("run.sh", "@PLACEHOLDER@", "shell"),
        ("launch", "#!/bin/sh -e", "shell"),
        ("launch", "#! /usr/bin/env -S bash -e", "shell"),
        ("launch", "#!/usr/bin/env LC_ALL=C bash", "shell"),
        ("launch", "#!/opt/bash-5.2/bin/bash\r", "shell"),
        ("launch", "#!/usr/bin/fish", ""),
        ("launch", "echo hello", ""),
        ("launch.v2", "#!/bin/bash", ""),
        ("x.py", "#!/bin/sh", "python"),
        ("x.pyi", "", "python"),
        ("tool", "#!/usr/bin/env python3", "python"),
        ("tool", "#!/usr/bin/python3.11 -I", "python"),
        ("tool", "#!", ""),
        ("tool", "#!/usr/bin/env", ""),
        ("tool", "", ""),
        ("README.md", "", ""),
        (".github/workflows/ci.yml", "", "workflow"),
        (".github/workflows/ci.yaml", "#!/bin/sh", "workflow"),
        (".github/workflows/old/ci.yml", "", ""),
        ("docs/.github/workflows/ci.yml", "", ""),
        (".github/workflows/ci.sh", "", "shell"),
        (".github/actions/a/b/action.yml", "", "workflow"),
        (".github/actions/a/other.yml", "", ""),
        ("action.yaml", "", "workflow"),
        ("setup/action.yml", "", "workflow"),
        (".gitlab-ci.yml", "", ""),
    ],
)
def test_language_of_a_file(path: str, first_line: str, expected: str):
    assert language(path, first_line) == expected


def test_a_long_first_line_costs_nothing():
    assert interpreter("#!" + "/ " * 1_000_000) == ""
