"""Small trees on disk: read within limits, written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.hosts.trees import Limits, lay_out, read_tree, replace_tree, top, write_tree

FILES = {"SKILL.md": b"a\r\n", "rules/x.yml": b"", "rules/a/b/c": b"\xff"}


def test_what_is_written_is_read_back_sorted(tmp_path: Path):
    write_tree(str(tmp_path / "new" / "skill"), FILES)
    assert list(read_tree(str(tmp_path / "new" / "skill")).items()) == sorted(FILES.items())
    assert os.listdir(tmp_path / "new") == ["skill"]


def test_nothing_is_executable_whatever_the_mask(tmp_path: Path):
    write_tree(str(tmp_path / "skill"), FILES)
    assert (tmp_path / "skill/SKILL.md").stat().st_mode & 0o111 == 0


def test_a_name_that_is_no_utf8_survives(tmp_path: Path):
    name = os.fsdecode(b"caf\xe9")
    write_tree(str(tmp_path / "skill"), {name: b"x"})
    assert read_tree(str(tmp_path / "skill")) == {name: b"x"}


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path):
    write_tree(str(tmp_path / "skill"), FILES)
    replace_tree(str(tmp_path / "skill"), {"SKILL.md": b"b"})
    assert read_tree(str(tmp_path)) == {"skill/SKILL.md": b"b"}


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path):
    with pytest.raises(UsageError):
        write_tree(str(tmp_path / "skill"), {"SKILL.md": b"", "../x": b""})
    assert list(tmp_path.iterdir()) == []


def test_a_failed_replacement_leaves_the_old(tmp_path: Path):
    write_tree(str(tmp_path / "skill"), FILES)
    with pytest.raises(UsageError):
        replace_tree(str(tmp_path / "skill"), {"/etc/x": b""})
    assert read_tree(str(tmp_path / "skill")) == FILES


def test_what_is_there_is_not_written_over(tmp_path: Path):
    write_tree(str(tmp_path / "skill"), FILES)
    with pytest.raises(OSError, match="not empty"):
        write_tree(str(tmp_path / "skill"), {"SKILL.md": b"b"})
    assert read_tree(str(tmp_path / "skill")) == FILES


@pytest.mark.parametrize("path", ["../x", "/x", "a/../b", "a//b", ".git/hooks/x", "a/.GIT/x", "a\0b"])
def test_no_path_leads_out(tmp_path: Path, path: str):
    with pytest.raises(UsageError, match="no path inside a folder"):
        lay_out(str(tmp_path / "new"), {path: b""})


def test_a_link_and_a_pipe_are_refused_and_named(tmp_path: Path):
    for name, make in (("link", lambda p: p.symlink_to("/etc/passwd")), ("pipe", os.mkfifo)):
        folder = tmp_path / f"with-{name}"
        folder.mkdir()
        make(folder / name)
        with pytest.raises(UsageError, match=f"with-{name}/{name} is a link or a special file"):
            read_tree(str(folder))


def test_a_git_folder_is_refused(tmp_path: Path):
    (tmp_path / "head/.git").mkdir(parents=True)
    (tmp_path / "head/.git/config").touch()
    with pytest.raises(UsageError, match="no path that git stores"):
        read_tree(str(tmp_path))


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(files=2), "x holds too many files or folders; a skill may hold 2"),
        (Limits(file=2), "b is too large; a file may have 2 bytes"),
        (Limits(all=5), "c is too much; together the files may have 5 bytes"),
    ],
)
def test_limits(tmp_path: Path, limits: Limits, message: str):
    lay_out(str(tmp_path / "x"), {"a": b"1", "b": b"333", "c": b"22"})
    with pytest.raises(UsageError) as raised:
        read_tree(str(tmp_path / "x"), limits)
    assert str(raised.value).endswith(message)


def test_the_top_of_a_work_tree(tmp_path: Path):
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/a/b").mkdir(parents=True)
    (tmp_path / "linked/a").mkdir(parents=True)
    (tmp_path / "linked/.git").write_text("gitdir: elsewhere\n")
    assert top(str(tmp_path / "repo/a/b")) == str(tmp_path / "repo")
    assert top(str(tmp_path / "linked/a")) == str(tmp_path / "linked")
    assert top(str(tmp_path)) == str(tmp_path)


def test_a_tree_of_too_many_folders_is_left_while_it_is_walked(tmp_path: Path):
    for n in range(4):
        (tmp_path / f"{n}/deep").mkdir(parents=True)
    with pytest.raises(UsageError, match="holds too many files or folders"):
        read_tree(str(tmp_path), Limits(files=3))
