"""A patch file is read whole or refused with the line, never taken for clean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.errors import UsageError
from reviewbot.core.hunks import parse_hunks
from reviewbot.core.patchfile import parse_patch
from reviewbot.core.types import FileChange, Status
from tests.patches import EDIT


def only(patch: bytes) -> FileChange:
    (found,) = parse_patch(patch, "fix.patch")
    return found.file


@pytest.mark.parametrize(
    ("names", "path"),
    [
        (b"a/x b/y.sh b/x b/y.sh", "x b/y.sh"),
        (b"a/b/b/file b/b/b/file", "b/b/file"),
        (b'"a/caf\\303\\251" "b/caf\\303\\251"', "caf\u00e9"),
        (b'"a/\\tq\\"\\\\\\n" "b/\\tq\\"\\\\\\n"', '\tq"\\\n'),
        (b"a/sp ace b/sp ace", "sp ace"),
        (b"b/b/file.txt b/b/file.txt", "b/b/file.txt"),  # diff.noprefix
        (b"w/sp ace w/sp ace", "w/sp ace"),  # diff.noprefix
        (b"i/x.py w/x.py", "x.py"),  # diff.mnemonicPrefix
        (b"a/a b/a b/a b/a", "a b/a"),
    ],
)
def test_the_name_of_a_change_of_mode_is_read(names: bytes, path: str) -> None:
    file = only(b"diff --git " + names + b"\nold mode 100644\nnew mode 100755\n")
    assert (file.path, file.status, file.new_mode) == (path, Status.MODIFIED, "100755")


@pytest.mark.parametrize("prefix", [(b"", b""), (b"a/", b"b/"), (b"c/", b"i/")])
def test_a_rename_has_the_names_of_its_own_lines(prefix: tuple[bytes, bytes]) -> None:
    old, new = prefix[0] + b"x b/y.sh", prefix[1] + b"x b/z b.sh"
    patch = (
        b"diff --git "
        + old
        + b" "
        + new
        + b"\nsimilarity index 90%\nrename from x b/y.sh\nrename to x b/z b.sh\n"
        b"index 1111111..2222222 100644\n--- " + old + b"\t\n+++ " + new + b"\t\n@@ -1 +1 @@\n-a\n+b\n"
    )
    (found,) = parse_patch(patch, "fix.patch")
    file = found.file
    assert (file.status, file.old_path, file.path) == (Status.RENAMED, "x b/y.sh", "x b/z b.sh")
    hunks, _ = parse_hunks(found.hunks)
    assert [row for hunk in hunks for row in hunk.rows] == ["-a", "+b"]


@pytest.mark.parametrize("path", [b"../x", b"x/../../y", b"/etc/passwd", b".git/config", b"a//b"])
def test_a_name_that_leaves_the_repository_is_refused(path: bytes) -> None:
    git = b"diff --git a/%s b/%s\nold mode 100644\nnew mode 100755\n" % (path, path)
    plain = b"--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-a\n+b\n" % (path, path)
    for patch in (git, plain):
        with pytest.raises(UsageError, match="no checkout would accept"):
            parse_patch(patch, "fix.patch")


MAIL = b"From " + b"1" * 40 + b" Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: x\n\n" + EDIT
COMBINED = b"diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n"
COLOUR = b"\x1b[1mdiff --git a/x b/x\x1b[m\n"


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        (b"\n", r"fix\.patch is empty; did the command that writes it fail\?"),
        (b"<html>rate limit</html>\n", r":1: this is no line of a git diff: '<html>rate limit</html>'"),
        (MAIL, r":1: the patch is a mail, not a diff"),
        (MAIL[MAIL.index(b"Subject") :], r":1: the patch is a mail"),
        (COMBINED, r":1: the patch is the combined diff of a merge, which cannot be reviewed"),
        (EDIT + COMBINED, r":11: the patch is the combined diff"),
        (COLOUR, r":1: the patch has colour codes; make it again: git diff --no-color"),
        (EDIT.decode().encode("utf-16"), r"fix\.patch is UTF-16"),
        (EDIT.replace(b"\n", b"\r\n"), r":\d: the patch has CRLF line ends"),
        (
            b"commit " + b"1" * 40 + b"\n\n" + EDIT + b"\ncommit " + b"2" * 40 + b"\n",
            r":14: .* more than one commit",
        ),
        (EDIT + b"Only in new: x\n", r":11: the patch names a file without its content; .*diff -ruN"),
        (EDIT + b" e\n", r":11: this is no line of a git diff: ' e'"),
        (EDIT + EDIT, r"fix\.patch changes 'run\.sh' twice"),
        (
            EDIT[:-4],
            r":10: the patch ends within a hunk, 1 or more rows are missing",
        ),
        (EDIT[: EDIT.index(b"+B")], r":8: the patch ends within a hunk, 3 or more rows are missing"),
        (EDIT[: EDIT.index(b"@@")], r":5: the hunks of 'run\.sh' are missing"),
        (EDIT[: EDIT.index(b"+++")], r":3: the hunks of 'run\.sh' are missing"),
        (EDIT[: EDIT.index(b"index")], r":2: the hunks of 'run\.sh' are missing"),
        (EDIT.replace(b"-10,3", b"-10,2"), r":10: this row does not belong to the hunk"),
        (EDIT.replace(b"-10,3", b"-10,x"), r":5: this is no hunk header"),
        (EDIT.replace(b"-10,3", b"-1%s,3" % (b"0" * 5000)), r":5: this is no hunk header"),
        (EDIT.replace(b" a\n", b"\\ No newline\n"), r":6: this row does not belong"),
        (EDIT + b"@@ -5 +5 @@\n-x\n+y\n", r":11: the hunks are not in order"),
        (EDIT.replace(b"+++ b/run.sh", b"+++ b/other.sh"), r"the names do not agree"),
        (
            EDIT.replace(b"a/run.sh", b"old/run.sh"),
            r":1: the names are not understood: 'old/run\.sh b/run\.sh'",
        ),
        (EDIT.replace(b"1111111..2222222", b"x..y"), r"an index or mode line that is not understood"),
        (
            EDIT.replace(b"index", b"new file mode 100644\nindex").replace(b"--- a/run.sh", b"--- /dev/null"),
            r"'run\.sh' is added, and its hunks say otherwise",
        ),
        (b"--- a/x\n", r":1: a --- line without its \+\+\+ line"),
        (b"--- a/x\n+++ b/x\n", r":3: a file without a hunk"),
        (b"--- x.orig\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", r"the names of base and head differ"),
        (
            b"diff --git a/new b/new\nnew file mode 100644\nindex 0000000..1234567\n",
            r"the hunks of 'new' are missing",
        ),
        (b'diff --git "a/x b/x\n', r"a quoted name that does not end"),
        (EDIT.replace(b"--- a/run.sh", b"--- /dev/null"), r"the names do not agree"),
        (b"diff --git a/xYb/x\nold mode 100644\n", r":1: the names are not understood"),
        (b"diff --git ", r":1: the names are not understood"),
    ],
)
def test_what_is_no_whole_diff_is_refused_with_its_line(patch: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message) as error:
        parse_patch(patch, "fix.patch")
    assert "\n" not in str(error.value)


@settings(max_examples=300)
@given(at=st.integers(0, len(EDIT) - 1), junk=st.binary(max_size=6), cut=st.integers(0, 6))
def test_a_damaged_patch_is_read_or_refused_and_nothing_else(at: int, junk: bytes, cut: int) -> None:
    try:
        found = parse_patch(EDIT[:at] + junk + EDIT[at + cut :], "fix.patch")
        for patch in found:
            parse_hunks(patch.hunks)
    except UsageError:
        return
    assert found
