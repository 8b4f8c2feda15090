"""Programs are never taken from the files that are reviewed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewbot.hosts import searchpath


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree with folders in which a stranger could have put programs."""
    for folder in ("repo/.git", "repo/bin", "repo/sub", "tools", "repository"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def kept(monkeypatch: pytest.MonkeyPatch, folder: Path, *entries: str | Path) -> list[str]:
    """The entries of PATH that are left for a review in the folder."""
    monkeypatch.setenv("PATH", ":".join(map(str, entries)))
    searchpath.keep_out(str(folder))
    return os.environ["PATH"].split(":")


@pytest.mark.parametrize("entry", ["", ".", "bin", "./bin", "..", "~/bin"])
def test_a_relative_entry_is_left_out(monkeypatch: pytest.MonkeyPatch, tree: Path, entry: str) -> None:
    assert kept(monkeypatch, tree / "repo", entry, "/usr/bin") == ["/usr/bin"]
    assert kept(monkeypatch, tree / "repo", "/usr/bin", entry, "/bin") == ["/usr/bin", "/bin"]


@pytest.mark.parametrize(
    "entry", ["repo", "repo/", "repo/bin", "repo/bin/", "repo/none", "tools/../repo/bin"]
)
def test_a_folder_of_the_work_tree_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tree: Path, entry: str
) -> None:
    for folder in ("repo", "repo/sub"):
        assert kept(monkeypatch, tree / folder, f"{tree}/{entry}", "/usr/bin") == ["/usr/bin"]


def test_a_link_into_the_work_tree_is_left_out(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    (tree / "link").symlink_to("repo/bin")
    (tree / "home").symlink_to("repo")
    assert kept(monkeypatch, tree / "repo", tree / "link", tree / "home/bin", "/bin") == ["/bin"]
    assert kept(monkeypatch, tree / "home", tree / "repo/bin", "/bin") == ["/bin"]


def test_a_link_of_the_work_tree_is_left_out_wherever_it_leads(
    monkeypatch: pytest.MonkeyPatch, tree: Path
) -> None:
    (tree / "repo" / "link").symlink_to("../tools")
    assert kept(monkeypatch, tree / "repo", tree / "repo/link", "/bin") == ["/bin"]


def test_other_folders_stay_in_their_order(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    mine = [str(tree / "tools"), str(tree / "repository"), str(tree), "/none", "/usr/bin"]
    assert kept(monkeypatch, tree / "repo", *mine) == mine


def test_a_linked_work_tree_is_one(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    (tree / "tools" / ".git").write_text("gitdir: elsewhere\n")
    assert kept(monkeypatch, tree / "tools", tree / "tools", "/bin") == ["/bin"]


def test_without_a_work_tree_only_what_is_relative_goes(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    assert kept(monkeypatch, tree / "tools", ".", tree / "tools") == [str(tree / "tools")]


@pytest.mark.parametrize("entries", [(), (".",), ("", "")])
def test_what_is_left_is_never_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, tree: Path, entries: tuple[str, ...]
) -> None:
    assert kept(monkeypatch, tree / "repo", *entries) == os.defpath.split(":")
    monkeypatch.delenv("PATH")
    searchpath.keep_out(str(tree / "repo"))
    assert "PATH" not in os.environ  # for which every system has folders of its own


def test_what_runs_on_the_users_word_has_all_of_path(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    mine = [str(tree / "repo/bin"), str(tree / "tools"), "/bin"]
    assert kept(monkeypatch, tree / "repo", *mine) == mine[1:]
    searchpath.keep_out(str(tree / "tools"))
    (tree / "tools" / ".git").mkdir()
    searchpath.keep_out(str(tree / "tools"))
    assert os.environ["PATH"] == "/bin"
    assert searchpath.given() == ":".join(mine)
    monkeypatch.setenv("PATH", str(tree))
    assert searchpath.given() == str(tree)
