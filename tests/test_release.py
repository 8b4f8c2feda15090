"""scripts/release-notes: a tag, the version and the changelog say the same, or there is no release."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG = """\
# Changelog

## [Unreleased]

## [1.2.0] - 2026-12-01

### Added

- A word.

## [1.1.0] - 2026-11-01

- Another one.
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "reviewbot").mkdir()
    shutil.copy(ROOT / "scripts" / "release-notes", tmp_path / "scripts")
    (tmp_path / "reviewbot" / "__init__.py").write_text('"""What it is."""\n\n__version__ = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    return tmp_path


def notes(tree: Path, *tags: str) -> tuple[int, str, str]:
    argv = (sys.executable, tree / "scripts" / "release-notes", *tags)
    done = subprocess.run(argv, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_the_section_of_the_version_is_printed(tree: Path) -> None:
    assert notes(tree, "v1.2.0") == (0, "### Added\n\n- A word.\n", "")


@pytest.mark.parametrize("tag", ["v1.1.0", "1.2.0", "v1.2.0-rc1", "v1.2", ""])
def test_a_tag_of_another_version_is_refused(tree: Path, tag: str) -> None:
    status, printed, said = notes(tree, tag)
    assert (status, printed) == (1, "")
    assert "reviewbot/__init__.py says 1.2.0" in said


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("[1.2.0] - 2026-12-01", "[1.2.0]", "[1.2.0] has no date"),
        ("[1.2.0] - 2026-12-01", "[1.2.1] - 2026-12-01", "has no `## [1.2.0]"),
        ("[Unreleased]\n", "[Unreleased]\n\n- Something.\n", "what is [Unreleased] is in this tag"),
        ("### Added\n\n- A word.\n", "", "says nothing under [1.2.0]"),
    ],
)
def test_a_changelog_that_is_not_ready_is_refused(tree: Path, old: str, new: str, reason: str) -> None:
    (tree / "CHANGELOG.md").write_text(CHANGELOG.replace(old, new))
    status, printed, said = notes(tree, "v1.2.0")
    assert (status, printed) == (1, "")
    assert reason in said


def test_our_own_changelog_can_be_read() -> None:
    """No traceback, whatever it says: between releases it is refused, with a reason."""
    status, printed, said = notes(ROOT, "v0.0.0")
    assert (status, printed) == (1, "")
    assert said.startswith("the tag is v0.0.0, and reviewbot/__init__.py says ")
