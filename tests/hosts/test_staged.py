"""What a commit would take: the index that git gives its hooks, and no announced file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import reviewbot
from reviewbot.core.errors import UsageError
from reviewbot.core.types import Status
from tests.hosts.reading import change, opened, rows
from tests.repos import Repo

STAGED = """
from reviewbot.core.types import Side
from reviewbot.hosts.local import LocalSource
source = LocalSource.open(".", None, mode="staged")
change = source.change(lambda file: True)
texts = source.read(change, Side.RIGHT, [file.path for file in change.files])
print(*sorted((path, text.content) for path, text in texts.files.items()), sep="\\n")
"""


@pytest.mark.parametrize(
    ("commit", "found"),
    [
        (("-a",), ["a/launch.sh", "b/run.sh"]),
        (("a/launch.sh",), ["a/launch.sh"]),
        ((), ["b/run.sh"]),
    ],
)
@pytest.mark.parametrize("linked", [False, True])
def test_a_hook_reviews_the_index_that_is_committed(
    repo: Repo, tmp_path: Path, commit: tuple[str, ...], found: list[str], linked: bool
) -> None:
    for path in ("b/run.sh", "a/launch.sh"):
        repo.write(path, "old\n")
    repo.commit()
    (tmp_path / "staged.py").write_text(STAGED)
    root, said = Path(reviewbot.__file__).parent.parent, tmp_path / "said"
    command = f"PYTHONPATH='{root}' '{sys.executable}' '{tmp_path / 'staged.py'}' > '{said}'"
    repo.write(".git/hooks/pre-commit", f"#!/bin/sh\ncd b\n{command}\n", 0o755)
    if linked:
        repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
        repo = Repo(tmp_path / "linked")
    for path in ("b/run.sh", "a/launch.sh"):
        repo.write(path, "new\n")
    repo.git("add", "b/run.sh")
    repo.git("commit", "-qm", "x", *commit)
    assert said.read_text().splitlines() == [str((path, "new\n")) for path in found]
    assert repo.git("show", "--name-only", "--format=").split() == found


def test_an_index_elsewhere_is_an_error_that_names_it(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Repo(repo.path.parent / "other")
    index = str(other.path / ".git/index")
    repo.link(".git/leads-out", index)
    for name in (index, ".git/../../other/.git/index", ".git/leads-out"):
        monkeypatch.setenv("GIT_INDEX_FILE", name)
        with pytest.raises(UsageError) as error:
            change(repo, None, "staged")
        assert str(error.value) == (
            f"GIT_INDEX_FILE={name} is not in the git directory of {repo.path}; "
            "unset it to review the index of the repository"
        )
    assert change(repo, None, "worktree").files == ()  # this mode, like that of commits, does not ask


def test_a_first_commit_is_compared_with_nothing(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "new")
    repo.write("runners/launch.sh", "new\n")
    repo.write(".reviewbot.toml", "not even TOML\n")
    repo.git("add", ".")
    found = change(repo, None, "staged")
    assert (found.base, found.head) == (None, None)
    assert [(f.path, f.status, rows(f)) for f in found.files] == [
        (".reviewbot.toml", Status.ADDED, ["+not even TOML"]),
        ("runners/launch.sh", Status.ADDED, ["+new"]),
    ]
    assert opened(repo, None, "staged").base_files([".reviewbot.toml"]) == {}
    with pytest.raises(UsageError, match="has no commit yet"):
        change(repo, "HEAD", "staged")


def test_a_file_that_was_only_announced_is_not_staged(repo: Repo) -> None:
    repo.write("announced.sh", "new\n")
    repo.git("add", "-N", "announced.sh")
    repo.write("staged.sh", "new\n")
    repo.git("add", "staged.sh")
    found = change(repo, None, "staged")
    assert [(f.path, f.status, rows(f)) for f in found.files] == [("staged.sh", Status.ADDED, ["+new"])]
