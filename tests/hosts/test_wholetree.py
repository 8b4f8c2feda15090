"""The whole tree of a side, for what has to run in it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.core.options import Mode
from reviewbot.core.types import Side
from reviewbot.hosts import wholetree
from reviewbot.hosts.local import LocalSource
from reviewbot.hosts.wholetree import tree_id, whole_tree
from tests.repos import Repo

Rows = dict[bytes, tuple[int, bytes]]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("a.sh", "base\n", 0o755)
    repo.write(b"caf\xe9/b", b"\0\r\n")
    repo.link("link", "../../etc/passwd")
    repo.write(".gitignore", "ignored\n")
    repo.commit("base")
    return repo


def tree(repo: Repo, side: Side = Side.RIGHT, mode: Mode = "commits") -> Rows:
    source = LocalSource.open(str(repo.path), "main", mode=mode)
    return {file.path: (file.mode, file.content) for file in whole_tree(source, side)}


BASE: Rows = {
    b"a.sh": (0o100755, b"base\n"),
    b"caf\xe9/b": (0o100644, b"\0\r\n"),
    b"link": (0o120000, b"../../etc/passwd"),
    b".gitignore": (0o100644, b"ignored\n"),
}


def test_both_sides_of_commits(repo: Repo):
    repo.git("checkout", "-q", "-b", "head")
    repo.write("a.sh", "head\n", 0o644)
    repo.rm("link")
    repo.commit("head")
    repo.write("a.sh", "not committed\n")
    changed = {**BASE, b"a.sh": (0o100644, b"head\n")}
    del changed[b"link"]
    assert tree(repo) == changed
    assert tree(repo, Side.LEFT) == BASE


def test_the_index(repo: Repo):
    repo.write("a.sh", "staged\n")
    repo.git("add", "a.sh")
    repo.write("a.sh", "not staged\n")
    assert tree(repo, mode="staged") == {**BASE, b"a.sh": (0o100755, b"staged\n")}
    assert tree(repo, Side.LEFT, "staged") == BASE


def test_the_work_tree(repo: Repo):
    repo.write("a.sh", "on disk\n", 0o644)
    repo.write("ignored", "x")
    repo.write("new/file", "new")
    repo.rm(b"caf\xe9/b")
    repo.link("new/link", "file")
    wanted = {
        **BASE,
        b"a.sh": (0o100644, b"on disk\n"),
        b"new/file": (0o100644, b"new"),
        b"new/link": (0o120000, b"file"),
    }
    del wanted[b"caf\xe9/b"]
    assert tree(repo, mode="worktree") == wanted
    assert tree(repo, Side.LEFT, "worktree") == BASE


def test_nothing_is_read_through_a_folder_that_became_a_link(repo: Repo, tmp_path: Path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/b").write_text("secret")
    repo.rm(b"caf\xe9/b")
    repo.file(b"caf\xe9").rmdir()
    repo.file(b"caf\xe9").symlink_to(tmp_path / "secret")
    found = tree(repo, mode="worktree")
    assert (b"caf\xe9/b" in found, found[b"caf\xe9"][0]) == (False, 0o120000)


def test_a_submodule_is_an_empty_folder(repo: Repo):
    commit = repo.git("rev-parse", "HEAD")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    repo.git("commit", "-q", "-m", "sub")
    assert tree(repo)[b"sub"] == (0o160000, b"")


def test_a_submodule_of_the_work_tree_is_one_too(repo: Repo):
    repo.git("clone", "-q", str(repo.path), "sub")
    repo.git("add", "-f", "sub")
    repo.commit("sub")
    assert tree(repo, mode="worktree")[b"sub"] == (0o160000, b"")


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.EPERM])
def test_a_file_that_cannot_be_read_is_not_left_out(repo: Repo, monkeypatch: pytest.MonkeyPatch, code: int):
    """It was taken for deleted, and gates passed on a tree without it."""

    def fails(top: str, path: str, cap: int) -> tuple[int, bytes]:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(wholetree, "read_file", fails)
    with pytest.raises(UsageError, match=r"a\.sh cannot be read|gitignore cannot be read"):
        tree(repo, mode="worktree")


def test_a_pipe_in_the_place_of_a_file_is_no_file(repo: Repo):
    repo.rm("a.sh")
    os.mkfifo(repo.file("a.sh"))
    found = tree(repo, mode="worktree")
    assert found == {path: file for path, file in BASE.items() if path != b"a.sh"}


def test_a_merge_that_is_not_resolved_is_no_tree(repo: Repo):
    repo.git("checkout", "-q", "-b", "other")
    repo.write("a.sh", "other\n")
    repo.commit("other")
    repo.git("checkout", "-q", "main")
    repo.write("a.sh", "main\n")
    repo.commit("main")
    repo.git("read-tree", "-m", "main~", "main", "other")
    with pytest.raises(UsageError, match="a merge that is not resolved"):
        tree(repo, mode="staged")


@pytest.mark.parametrize(("limit", "value", "words"), [("SIZE", 10, "10 bytes"), ("FILES", 3, "3 files")])
def test_a_tree_that_is_too_large_is_named(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, words: str
):
    monkeypatch.setattr(wholetree, limit, value)
    with pytest.raises(UsageError, match=f"the tree has more than {words}, the limit for gates that execute"):
        tree(repo)


def test_commits_of_one_content_have_one_id(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "head")
    repo.write("a.sh", "head\n")
    repo.commit("other")
    source = LocalSource.open(str(repo.path), "main")
    assert tree_id(source, Side.LEFT) == repo.git("rev-parse", "main^{tree}")
    assert tree_id(source, Side.RIGHT) == repo.git("rev-parse", "head^{tree}")
    repo.write("a.sh", "base\n", 0o755)
    repo.commit("back")
    source = LocalSource.open(str(repo.path), "main")
    assert tree_id(source, Side.LEFT) == tree_id(source, Side.RIGHT)


@pytest.mark.parametrize("mode", ["staged", "worktree"])
def test_what_can_change_at_any_time_has_no_id(repo: Repo, mode: Mode) -> None:
    source = LocalSource.open(str(repo.path), "main", mode=mode)
    assert tree_id(source, Side.RIGHT) == ""
    assert tree_id(source, Side.LEFT) == repo.git("rev-parse", "main^{tree}")
