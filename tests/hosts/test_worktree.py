"""The index and the work tree: what differs there, touching nothing, leaving nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.core.types import Kind, Side, Status
from reviewbot.hosts import worktree
from tests.hosts.reading import both, change, file_at, opened, rows
from tests.repos import Repo


def test_staged_is_the_index_and_not_the_work_tree(repo: Repo) -> None:
    repo.write("a.py", "staged\n")
    repo.git("add", "a.py")
    repo.write("a.py", "later\n")
    repo.write("untracked.py", "x\n")
    found = change(repo, None, "staged")
    assert (found.base, found.head, found.label) == (repo.git("rev-parse", "HEAD"), None, "staged changes")
    (file,) = found.files
    assert rows(file) == ["-one", "-two", "-three", "+staged"]
    assert file.new_blob == repo.git("rev-parse", ":a.py")
    assert both(repo, ["a.py"], None, "staged")[1].files["a.py"].content == "staged\n"


def test_what_was_staged_and_then_undone_on_disk_is_no_change_of_the_work_tree(repo: Repo) -> None:
    repo.write("a.py", "staged\n")
    repo.git("add", "a.py")
    repo.write("a.py", "one\ntwo\nthree\n")
    assert [file.path for file in change(repo, None, "staged").files] == ["a.py"]
    assert change(repo, None, "worktree").files == ()


def test_the_work_tree_has_untracked_files_and_not_the_ignored(repo: Repo) -> None:
    repo.write(".gitignore", "*.log\n")
    repo.commit()
    repo.write("noise.log", "x\n")
    repo.write("sub/new file.sh", "echo\r\nlast", 0o755)
    repo.link("link", "/etc/passwd")
    repo.write("empty", "")
    repo.write("a.py", "one\ntwo\n3\n")
    found = change(repo, None, "worktree")
    assert (found.head, found.label) == (None, "work tree")
    assert [(f.path, f.status, f.kind, f.new_mode, f.new_blob) for f in found.files] == [
        ("a.py", Status.MODIFIED, Kind.FILE, "100644", None),
        ("empty", Status.ADDED, Kind.FILE, "100644", None),
        ("link", Status.ADDED, Kind.SYMLINK, "120000", None),
        ("sub/new file.sh", Status.ADDED, Kind.FILE, "100755", None),
    ]
    assert rows(found.files[3]) == ["+echo\r", "+last"]
    assert found.files[3].eof_newline == (True, False)
    left, right = both(repo, [file.path for file in found.files], None, "worktree")
    assert right.files["sub/new file.sh"].content == "echo\r\nlast"
    assert right.unread == {"link": "symlink"}
    assert left.files["a.py"].content == "one\ntwo\nthree\n"


def test_the_work_tree_against_a_branch_holds_commits_and_edits(repo: Repo) -> None:
    repo.write("committed.py", "1\n")
    repo.commit()
    repo.write("a.py", "edited\n")
    found = change(repo, "main", "worktree")
    assert [file.path for file in found.files] == ["a.py", "committed.py"]
    assert (found.base, found.label) == (repo.git("rev-parse", "main"), "main...work tree")


def test_a_file_moved_on_disk_is_a_rename(repo: Repo) -> None:
    repo.file("a.py").rename(repo.file("moved.py"))
    (file,) = change(repo, None, "worktree").files
    assert (file.status, file.old_path, file.path) == (Status.RENAMED, "a.py", "moved.py")
    left, right = both(repo, ["moved.py"], None, "worktree")
    assert left.files["moved.py"].content == right.files["moved.py"].content == "one\ntwo\nthree\n"


def test_a_file_that_left_the_index_and_stayed_on_disk_is_one_edit(repo: Repo) -> None:
    repo.git("rm", "-q", "--cached", "a.py")
    repo.write("a.py", "one\ntwo\n3\n")
    (file,) = change(repo, None, "worktree").files
    assert (file.path, file.status, rows(file)) == ("a.py", Status.MODIFIED, [" one", " two", "-three", "+3"])


def test_a_new_time_stamp_is_no_change(repo: Repo) -> None:
    os.utime(repo.file("a.py"), (1, 1))
    assert change(repo, None, "worktree").files == ()


@pytest.mark.parametrize("index", ["--no-split-index", "--split-index", "--untracked-cache"])
def test_reading_the_work_tree_leaves_no_trace_in_the_repository(repo: Repo, index: str) -> None:
    repo.git("update-index", index)
    repo.write("new.py", "x\n")
    os.utime(repo.file("a.py"), (1, 1))

    def snapshot() -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in repo.path.rglob("*") if p.is_file()}

    before = snapshot()
    assert [file.path for file in change(repo, None, "worktree").files] == ["new.py"]
    assert snapshot() == before


def test_no_link_in_the_work_tree_leads_out_of_it(repo: Repo) -> None:
    secret = repo.path.parent / "outside"
    secret.mkdir()
    (secret / "x.py").write_text("secret\n")
    repo.write("sub/x.py", "inside\n")
    repo.write("y.py", "inside\n")
    repo.commit()
    source = opened(repo, "main", "worktree")
    found = source.change(lambda _: True)
    repo.rm("sub/x.py")
    repo.file("sub").rmdir()
    repo.link("sub", str(secret))
    repo.link("y.py", str(secret / "x.py"))
    texts = source.read(found, Side.RIGHT, ["sub/x.py", "y.py"])
    assert texts.files == {}
    assert set(texts.unread) == {"sub/x.py", "y.py"}
    after = change(repo, None, "worktree")
    assert [(f.path, f.status, f.kind) for f in after.files] == [
        ("sub", Status.ADDED, Kind.SYMLINK),
        ("sub/x.py", Status.DELETED, Kind.FILE),
        ("y.py", Status.TYPE_CHANGED, Kind.SYMLINK),
    ]


def test_a_pipe_in_the_place_of_a_file_is_unread_and_holds_nobody(repo: Repo) -> None:
    repo.write("a.py", "changed\n")
    source = opened(repo, None, "worktree")
    found = source.change(lambda _: True)
    repo.rm("a.py")
    os.mkfifo(repo.file("a.py"))
    assert source.read(found, Side.RIGHT, ["a.py"]).unread == {"a.py": "not readable: not a regular file"}


def test_a_pipe_that_was_there_before_is_unread_and_the_others_are_read(repo: Repo) -> None:
    repo.write("run.sh", "one\n")
    repo.write("b.py", "one\n")
    repo.commit()
    for name in ("run.sh", "staged.sh"):
        if name == "staged.sh":
            repo.write(name, "x\n")
            repo.git("add", name)
        repo.rm(name)
        os.mkfifo(repo.file(name))
    repo.write("b.py", "two\n")
    found = change(repo, None, "worktree")
    assert [(f.path, f.status, f.unread) for f in found.files] == [
        ("b.py", Status.MODIFIED, ""),
        ("run.sh", Status.TYPE_CHANGED, "not a regular file"),
        ("staged.sh", Status.TYPE_CHANGED, "not a regular file"),
    ]
    texts = both(repo, ["b.py", "run.sh"], None, "worktree")[1]
    assert (texts.files["b.py"].content, texts.unread) == ("two\n", {"run.sh": "not a regular file"})


def test_a_copied_index_is_as_old_as_the_original(tmp_path: Path) -> None:
    """A file that was edited in the second of the commit, to the same size, counted as unchanged: the
    newer copy of the index hid that git has to look into it."""
    index = tmp_path / "index"
    index.write_bytes(b"DIRC")
    os.utime(index, ns=(1_700_000_000_123_456_789,) * 2)
    worktree._copy(str(index), str(tmp_path / "copy"))
    assert (tmp_path / "copy").stat().st_mtime_ns == index.stat().st_mtime_ns


@pytest.mark.parametrize(
    "marks", [["--assume-unchanged"], ["--skip-worktree"], ["--assume-unchanged", "--skip-worktree"]]
)
@pytest.mark.parametrize("file_mode", ["true", "false"])
def test_a_file_that_git_was_told_not_to_look_at_is_seen(
    repo: Repo, marks: list[str], file_mode: str
) -> None:
    repo.git("config", "core.fileMode", file_mode)
    repo.write("run.sh", "one\n", 0o755)
    repo.write("same.sh", "same\n", 0o755)
    repo.git("add", "-A")
    repo.git("update-index", "--chmod=+x", "run.sh", "same.sh")
    repo.git("commit", "-qm", "x")
    for mark in marks:
        repo.git("update-index", mark, "run.sh", "same.sh")
    repo.write("run.sh", "two\n")
    (file,) = change(repo, None, "worktree").files
    assert (file.path, file.status, file.new_mode, rows(file)) == (
        "run.sh",
        Status.MODIFIED,
        "100755",
        ["-one", "+two"],
    )


def test_what_a_sparse_checkout_leaves_out_is_not_deleted(repo: Repo) -> None:
    repo.write("in/x.sh", "x\n")
    repo.write("out/y.sh", "y\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "in")
    assert not repo.file("out/y.sh").exists()
    repo.write("in/x.sh", "changed\n")
    assert [(f.path, f.status) for f in change(repo, None, "worktree").files] == [
        ("in/x.sh", Status.MODIFIED)
    ]
    repo.git("config", "sparse.expectFilesOutsideOfPatterns", "true")
    repo.write("out/y.sh", "changed\n")
    assert [f.path for f in change(repo, None, "worktree").files] == ["in/x.sh", "out/y.sh"]


def test_a_file_assumed_unchanged_and_gone_is_deleted(repo: Repo) -> None:
    repo.git("update-index", "--assume-unchanged", "a.py")
    repo.rm("a.py")
    assert [(f.path, f.status) for f in change(repo, None, "worktree").files] == [("a.py", Status.DELETED)]


def test_a_repository_that_ignores_time_stamps_hides_no_file(repo: Repo) -> None:
    repo.git("config", "core.ignoreStat", "true")
    repo.write("new.sh", "new\n")
    assert [(f.path, rows(f)) for f in change(repo, None, "worktree").files] == [("new.sh", ["+new"])]


def test_a_file_that_was_only_announced_is_in_the_work_tree(repo: Repo) -> None:
    repo.write("new.sh", "new\n")
    repo.git("add", "-N", "new.sh")
    assert [(f.path, f.status, rows(f)) for f in change(repo, None, "worktree").files] == [
        ("new.sh", Status.ADDED, ["+new"])
    ]


def test_a_repository_within_the_work_tree_is_named_and_not_entered(repo: Repo) -> None:
    inner = Repo(repo.path / "vendor/inner")
    inner.write("x.py", "x\n")
    assert [(f.path, f.status, f.kind) for f in change(repo, None, "worktree").files] == [
        ("vendor/inner", Status.ADDED, Kind.SUBMODULE)
    ]


def test_a_huge_untracked_file_is_listed_and_not_compared(repo: Repo) -> None:
    for name, start in (("weights.bin", b"\x93\0"), ("log.txt", b"text")):
        repo.write(name, start)
        os.truncate(repo.file(name), 3_000_000_000)  # sparse: git cannot compare past 1 GB
    repo.write("log.txt", b"x" * 16_000_001)
    found = change(repo, None, "worktree")
    assert [(f.path, f.status, f.binary, f.unread) for f in found.files] == [
        ("log.txt", Status.ADDED, False, "16.1 MB, the limit is 16 MB"),
        ("weights.bin", Status.ADDED, True, "3000 MB, the limit is 16 MB"),
    ]
    assert both(repo, ["log.txt"], None, "worktree")[1].unread == {"log.txt": "16.1 MB, the limit is 16 MB"}


def test_line_ends_that_git_would_normalise_are_no_change(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.write("a.py", "one\r\n2\r\nthree\r\n")
    (file,) = change(repo, None, "worktree").files
    assert rows(file) == [" one", "-two", "+2", " three"]
    assert both(repo, ["a.py"], None, "worktree")[1].files["a.py"].lines == ("one", "2", "three")


def test_a_place_without_temporary_folders_is_one_clear_line(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(
        UsageError, match="no temporary folder can be made: No such file or directory; set TMPDIR"
    ):
        change(repo, None, "worktree")


def test_the_users_own_ignore_file_holds(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "ignored").write_text("*.swp\n")
    (tmp_path / "config").write_text(f"[core]\nexcludesFile = {tmp_path / 'ignored'}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    repo.write("x.swp", "x\n")
    assert change(repo, None, "worktree").files == ()


def test_a_merge_conflict_is_an_error_with_the_path(repo: Repo) -> None:
    repo.write("a.py", "ours\n")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("a.py", "theirs\n")
    repo.commit()
    with pytest.raises(AssertionError, match="git"):
        repo.git("merge", "work")
    with pytest.raises(UsageError, match=r"'a\.py' has merge conflicts; resolve them first"):
        change(repo, None, "staged")
    assert "+>>>>>>> work" in rows(file_at(change(repo, None, "worktree"), "a.py"))
