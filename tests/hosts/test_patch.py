"""A patch that somebody hands in: read whole or refused with the line, never taken for clean."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.core.types import Change, FileChange, Kind, Side, Status, Text, Texts
from reviewbot.hosts.patch import PatchSource
from tests.patches import EDIT
from tests.repos import ENV, Repo


@pytest.fixture(autouse=True)
def _nobodys_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL"):
        monkeypatch.setenv(key, ENV[key])


def change(patch: bytes, repository: Path | None = None) -> Change:
    return source(patch, repository).change(lambda _: True)


def source(patch: bytes, repository: Path | None = None) -> PatchSource:
    return PatchSource.open(patch, "fix.patch", str(repository) if repository else None)


def read(patch: bytes, side: Side, *paths: str, repository: Path | None = None) -> Texts:
    opened = source(patch, repository)
    return opened.read(opened.change(lambda _: True), side, paths)


def only(patch: bytes) -> FileChange:
    (file,) = change(patch).files
    return file


def rows(file: FileChange) -> list[str]:
    return [row for hunk in file.hunks for row in hunk.rows]


OWN = "the repository's own skills and configuration are not read for a patch"

# --- what is read --------------------------------------------------------------------------


def test_without_a_repository_only_the_hunks_are_known_and_it_is_said() -> None:
    found = change(EDIT)
    assert (found.base, found.head, found.label) == (None, None, "fix.patch")
    assert found.notes == ("only the hunks of fix.patch were read: 1 file without the whole text",)
    (file,) = found.files
    assert (file.path, file.status, file.old_blob, file.new_blob) == ("run.sh", Status.MODIFIED, None, None)
    assert rows(file) == [" a", "-b", "+B", "+C", " d"]
    assert read(EDIT, Side.RIGHT, "run.sh").files["run.sh"] == Text("run.sh", "\n" * 9 + "a\nB\nC\nd\n", True)
    assert read(EDIT, Side.LEFT, "run.sh").files["run.sh"] == Text("run.sh", "\n" * 9 + "a\nb\nd\n", True)


def test_added_and_deleted_files_are_whole() -> None:
    patch = b"""diff --git a/new b/new
new file mode 100755
index 0000000..1111111
--- /dev/null
+++ b/new
@@ -0,0 +1,2 @@
+one
+two
\\ No newline at end of file
diff --git a/old b/old
deleted file mode 100644
index 1111111..0000000
--- a/old
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
"""
    found = change(patch)
    assert [(f.path, f.status, f.old_path, f.old_mode, f.new_mode) for f in found.files] == [
        ("new", Status.ADDED, None, "000000", "100755"),
        ("old", Status.DELETED, "old", "100644", "000000"),
        ("empty", Status.ADDED, None, "000000", "100644"),
    ]
    assert found.notes == ()
    right = read(patch, Side.RIGHT, "new", "old", "empty")
    assert right.files == {"new": Text("new", "one\ntwo"), "empty": Text("empty", "")}
    assert right.unread == {"old": "absent"}
    left = read(patch, Side.LEFT, "new", "old")
    assert (left.files, left.unread) == ({"old": Text("old", "gone\n")}, {"new": "absent"})


def test_only_what_is_wanted_has_hunks() -> None:
    (file,) = source(EDIT).change(lambda _: False).files
    assert file.hunks == ()


@pytest.mark.parametrize("nothing", [b"", b"\n"])
def test_an_empty_patch_is_the_failure_of_what_should_have_written_it(nothing: bytes) -> None:
    with pytest.raises(UsageError, match="is empty; did the command that writes it fail"):
        change(nothing)


def test_nul_bytes_and_binary_files_are_binary() -> None:
    differ = b"diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n"
    literal = (
        b"diff --git a/y b/y\nindex 1111111..2222222 100644\nGIT binary patch\n"
        b"literal 5\nMcmZ=;_a&\n\nliteral 0\nHcmV?d00001\n\n"
    )
    text = EDIT.replace(b"+B", b"+\0")
    assert [(f.path, f.binary) for f in change(differ + literal + text).files] == [
        ("x", True),
        ("y", True),
        ("run.sh", True),
    ]
    assert read(differ, Side.RIGHT, "x").unread == {"x": "binary"}


def test_a_script_with_a_nul_byte_is_unread_at_its_line() -> None:
    assert read(EDIT.replace(b"+B", b"+\0"), Side.RIGHT, "run.sh").unread == {
        "run.sh": "holds a NUL byte at line 11"
    }


def test_a_nul_byte_that_is_taken_away_makes_nothing_binary() -> None:
    patch = EDIT.replace(b"-b", b"-\0")
    assert (only(patch).binary, rows(only(patch))) == (False, [" a", "-\0", "+B", "+C", " d"])
    assert read(patch, Side.RIGHT, "run.sh").files["run.sh"].lines[9:] == ("a", "B", "C", "d")
    (unwanted,) = source(patch).change(lambda _: False).files
    assert not unwanted.binary


def test_a_long_binary_line_costs_no_time() -> None:
    line = b"Binary files " + b"a and " * 20_000 + b"x"
    with pytest.raises(UsageError, match=r"fix\.patch:1: a line of more than 8192 bytes"):
        change(line)
    with pytest.raises(UsageError, match=r"fix\.patch:2: a line of more than 8192 bytes"):
        change(b"diff --git a/x b/x\n" + line)


def test_rows_that_pose_as_headers_are_rows() -> None:
    patch = b"""diff --git a/a.sql b/a.sql
index 1111111..2222222 100644
--- a/a.sql
+++ b/a.sql
@@ -1,2 +1,3 @@
--- comment
+++ more
+diff --git a/evil b/evil
 @@ -1 +1 @@
"""
    assert rows(only(patch)) == ["--- comment", "+++ more", "+diff --git a/evil b/evil", " @@ -1 +1 @@"]


def test_context_lines_whose_blank_was_trimmed_are_empty_lines() -> None:
    patch = EDIT.replace(b" a\n", b"\n").replace(b" d\n", b"\r\n")
    assert rows(only(patch)) == [" ", "-b", "+B", "+C", " \r"]


def test_odd_characters_stay_within_their_line() -> None:
    row = "a\rb\x0cc\x0b\x1c\x85\u2028".encode()
    assert rows(only(EDIT.replace(b"+B", b"+" + row + b"\r")))[2] == "+" + row.decode() + "\r"


def test_what_is_not_utf8_is_unread() -> None:
    patch = EDIT.replace(b"+B", b"+caf\xe9")
    assert read(patch, Side.RIGHT, "run.sh").unread == {"run.sh": "not UTF-8 (byte 0xE9 at line 11)"}


def test_a_line_number_that_would_fill_the_memory_is_refused() -> None:
    patch = EDIT.replace(b"+10,4", b"+900000000,4")
    assert read(patch, Side.RIGHT, "run.sh").unread == {"run.sh": "more than 900.1 MB, the limit is 1 MB"}


def test_a_path_that_is_not_in_the_patch_is_unread() -> None:
    assert read(EDIT, Side.RIGHT, "other").unread == {"other": "not part of the change"}


def test_what_git_show_puts_before_its_diff_is_skipped() -> None:
    message = b"    diff --git a/evil b/evil\n    --- a/evil\n"
    show = (
        b"commit " + b"1" * 40 + b" (HEAD -> main)\nAuthor: A <a@b>\nDate:   now\n\n" + message + b"\n" + EDIT
    )
    assert only(show).path == "run.sh"


def test_plain_diffs_are_read() -> None:
    hunk = b"@@ -1 +1 @@\n-a\n+b\n"
    assert only(b"--- a/x.sh\t2024-01-01 00:00:00\n+++ b/x.sh\t2024-01-01\n" + hunk).path == "x.sh"
    assert only(b"diff -ru old/s/x.sh new/s/x.sh\n--- old/s/x.sh\n+++ new/s/x.sh\n" + hunk).path == "s/x.sh"
    svn = b"Index: x.sh\n" + b"=" * 67 + b"\n--- x.sh\t(revision 1)\n+++ x.sh\t(working copy)\n" + hunk
    assert only(svn).status is Status.MODIFIED
    for old in (b"/dev/null", b"old/x.sh\t1970-01-01 01:00:00.000000000 +0100"):
        added = (
            b"--- " + old + b"\n+++ " + (b"b/" if old[:1] == b"/" else b"new/") + b"x.sh\n@@ -0,0 +1 @@\n+b\n"
        )
        assert (only(added).path, only(added).status) == ("x.sh", Status.ADDED)
    deleted = only(b"--- a/x.sh\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n")
    assert (deleted.path, deleted.status) == ("x.sh", Status.DELETED)


# --- with a repository ---------------------------------------------------------------------

TEXT = "".join(f"line {number}\n" for number in range(40))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """base: `a` has 40 lines; head: one differs."""
    made = Repo(tmp_path / "repo")
    made.write("a", TEXT)
    made.commit()
    made.write("a", TEXT.replace("line 20", "line twenty"))
    made.commit()
    return made


def test_a_repository_that_has_the_blobs_gives_the_whole_texts(repo: Repo) -> None:
    patch = repo.git_bytes("diff", "HEAD~", "HEAD")
    found = change(patch, repo.path)
    assert found.notes == (OWN,)
    assert found.files[0].new_blob == repo.git("rev-parse", "HEAD:a")
    assert read(patch, Side.LEFT, "a", repository=repo.path).files["a"] == Text("a", TEXT)
    right = read(patch, Side.RIGHT, "a", repository=repo.path).files["a"]
    assert right == Text("a", TEXT.replace("line 20", "line twenty"))


def test_one_blob_is_enough_for_both_sides(repo: Repo) -> None:
    repo.write("a", TEXT.replace("line 20", "line 2O") + "end")
    patch = repo.git_bytes("diff", "HEAD~")
    assert change(patch, repo.path).notes == (OWN,)
    right = read(patch, Side.RIGHT, "a", repository=repo.path).files["a"]
    assert right == Text("a", TEXT.replace("line 20", "line 2O") + "end")
    back = repo.git_bytes("diff", "-R", "HEAD~")
    assert read(back, Side.LEFT, "a", repository=repo.path).files["a"] == right
    assert read(back, Side.RIGHT, "a", repository=repo.path).files["a"] == Text("a", TEXT)


def test_a_blob_that_the_hunks_do_not_fit_is_not_believed(repo: Repo) -> None:
    patch = repo.git_bytes("diff", "HEAD~", "HEAD").replace(b" line 19\n", b" line nineteen\n")
    found = change(patch, repo.path)
    assert found.notes == (
        OWN,
        "only the hunks of fix.patch were read: 1 file without the whole text",
    )
    assert (found.files[0].old_blob, found.files[0].new_blob) == (None, None)
    assert read(patch, Side.RIGHT, "a", repository=repo.path).files["a"].partial


def test_a_blob_past_the_limit_is_said_on_both_sides(repo: Repo) -> None:
    opened = PatchSource.open(repo.git_bytes("diff", "HEAD~", "HEAD"), "fix.patch", str(repo.path), limit=300)
    found = opened.change(lambda _: True)
    for side in (Side.LEFT, Side.RIGHT):
        (why,) = opened.read(found, side, ["a"]).unread.values()
        assert why in ("310 bytes, the limit is 300 bytes", "314 bytes, the limit is 300 bytes")
    repo.write("a", TEXT + "more\n")
    half = PatchSource.open(repo.git_bytes("diff", "HEAD~"), "fix.patch", str(repo.path), limit=300)
    texts = half.read(half.change(lambda _: True), Side.RIGHT, ["a"])
    assert texts.unread == {"a": "its other side is past the limit"}


def test_a_folder_without_a_repository_does_no_harm(tmp_path: Path) -> None:
    assert change(EDIT, tmp_path).files[0].path == "run.sh"


def test_no_skill_is_read_from_the_repository_of_a_patch(repo: Repo) -> None:
    assert source(EDIT, repo.path).base_files(["a"]) == {}


NAMES = ["sp ace", "tab\there", 'q"\\', "caf\u00e9", "x b/y.sh", "b/b/f", "-rf", "new\nline"]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """base and head differ in every way, under every name."""
    repo = Repo(tmp_path_factory.mktemp("odd"))
    for name in NAMES:
        repo.write(name, TEXT)
    repo.write("moved", TEXT + "more\n")
    repo.write("typed", "x\n")
    repo.write("emptied", "x")
    repo.commit()
    for number, name in enumerate(NAMES):
        text = TEXT.replace("line 7\n", f"odd\r \u2028 {number}\n")
        repo.write(name, text, 0o755 if number % 2 else None)
    repo.rm("moved")
    repo.write("y b/moved", TEXT + "more\n")
    repo.link("typed", "b")
    repo.write("emptied", "")
    repo.write("blob", b"\0\1")
    repo.git("add", "-A")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    repo.git("commit", "-qm", "x")
    return repo


CONFIGS = [(), ("diff.noprefix=true",), ("diff.mnemonicPrefix=true",), ("core.quotePath=false",)]


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("options", [(), ("--full-index", "--text"), ("--binary",), ("-U0",), ("-U20",)])
def test_what_git_writes_is_read_with_every_name_and_kind(
    odd: Repo, config: tuple[str, ...], options: tuple[str, ...]
) -> None:
    flags = [flag for value in config for flag in ("-c", value)]
    patch = odd.git_bytes(*flags, "diff", *options, "HEAD~", "HEAD")
    found = {file.path: file for file in change(patch).files}
    assert set(found) == {*NAMES, "y b/moved", "typed", "emptied", "blob", "sub"}
    for number, name in enumerate(NAMES):
        assert f"+odd\r \u2028 {number}" in rows(found[name])
    assert found["y b/moved"].old_path == "moved"
    assert (found["typed"].status, found["typed"].kind) == (Status.TYPE_CHANGED, Kind.SYMLINK)
    assert (found["sub"].kind, found["blob"].binary) == (Kind.SUBMODULE, True)
    assert rows(found["emptied"]) == ["-x"]
    assert found["emptied"].eof_newline == (False, True)


def test_plain_diff_r_of_two_folders_is_read(tmp_path: Path) -> None:
    for side, text in (("old", "a\nb\n"), ("new", "a\nB\n")):
        (tmp_path / side / "s").mkdir(parents=True)
        (tmp_path / side / "s" / "x y.sh").write_text(text)
    (tmp_path / "new" / "added.sh").write_text("n\n")
    patch = subprocess.run(["diff", "-ruN", "old", "new"], cwd=tmp_path, capture_output=True).stdout
    assert [(f.path, f.status) for f in change(patch).files] == [
        ("added.sh", Status.ADDED),
        ("s/x y.sh", Status.MODIFIED),
    ]
