"""Raw lists, streams of patches, and hunks: nothing lost, nothing taken for something else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core import diff
from reviewbot.core.diff import attach, cut, header, parse_raw, take_raw
from reviewbot.core.errors import UsageError
from reviewbot.core.hunks import apply, inverted, parse_hunks, sparse
from reviewbot.core.paths import is_safe, quoted, size_text, unquoted
from reviewbot.core.types import FileChange, Hunk, Kind, Line, Side, Status
from tests.repos import ENV

OLD, NEW = "1" * 40, "2" * 40

# Rows that pose as something else, and every character that some splitter takes for a line end.
SLY = [
    *("@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline at end of file", "-- a/x", "++ b/x", "", " "),
    *(
        "a\r",
        "\r",
        "a\rb",
        "\x0c",
        "\x0b",
        "\x1c",
        "\x85",
        "\u2028",
        "\ufeff",
        "é",
        "\U0001f600",
        "Binary files",
    ),
]
lines = st.lists(st.sampled_from(SLY) | st.text("ab +-\\@\r\t\x0c\u2028", max_size=4), max_size=14)
texts = st.builds(lambda rows, end: "\n".join(rows) + end, lines, st.sampled_from(["", "\n"]))


def git_diff(folder: Path, base: str, head: str, context: int) -> bytes:
    (folder / "base").write_bytes(base.encode())
    (folder / "head").write_bytes(head.encode())
    command = ["git", "diff", "--no-index", "--text", f"-U{context}", "base", "head"]
    return subprocess.run(command, cwd=folder, env=ENV, capture_output=True).stdout


@settings(max_examples=100, deadline=None)
@given(base=texts, head=texts, context=st.sampled_from([0, 1, 3]))
def test_the_hunks_rebuild_head_from_base_and_base_from_head(
    tmp_path_factory: pytest.TempPathFactory, base: str, head: str, context: int
) -> None:
    patch = git_diff(tmp_path_factory.getbasetemp(), base, head, context)
    hunks, (base_ends, head_ends) = parse_hunks(patch)
    assert apply(hunks, base, head_ends) == head
    assert apply(inverted(hunks), head, base_ends) == base
    for hunk in hunks:
        for line in hunk.lines():
            assert line.old is None or base.split("\n")[line.old - 1] == line.text
            assert line.new is None or head.split("\n")[line.new - 1] == line.text


@given(base=texts, head=texts)
@settings(max_examples=40, deadline=None)
def test_a_sparse_text_shows_every_known_line_at_its_number(
    tmp_path_factory: pytest.TempPathFactory, base: str, head: str
) -> None:
    hunks, _ = parse_hunks(git_diff(tmp_path_factory.getbasetemp(), base, head, 1))
    known = {line.new: line.text for hunk in hunks for line in hunk.lines() if line.new}
    shown = sparse(hunks, Side.RIGHT).split("\n")
    assert {number: shown[number - 1] for number in known} == known
    assert not any(text for number, text in enumerate(shown, 1) if number not in known)


def test_a_hunk_has_its_numbers_and_its_heading() -> None:
    rows = b" a\n-b\n-c\n+d\r\n\\ No newline at end of file\n"
    patch = b"index 1..2 100644\n--- a/x\n+++ b/x\n@@ -10,3 +10,2 @@ def f():\n" + rows
    (hunk,), ends = parse_hunks(patch)
    assert hunk == Hunk(10, 3, 10, 2, (" a", "-b", "-c", "+d\r"), "def f():")
    assert list(hunk.lines())[2:] == [Line("-", 12, None, "c"), Line("+", None, 11, "d\r")]
    assert ends == (True, False)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b" a\n", "shorter than expected"),
        (b" a\n-b\n-c\n", "longer than expected"),
        (b" a\n-b\n+c\nxyz\n", "line 5 belongs to no hunk"),
        (b" a\n-b\n+c\n+d\n", "line 5 belongs to no hunk"),
    ],
)
def test_a_hunk_that_does_not_keep_its_counts_is_an_error(body: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_hunks(b"x\n@@ -1,2 +1,2 @@\n" + body)


def test_a_hunk_that_does_not_fit_is_an_error() -> None:
    hunk = Hunk(1, 1, 1, 1, ("-a", "+b"))
    with pytest.raises(ValueError, match="line 1 does not fit"):
        apply([hunk], "other\n", True)


def stream(*patches: tuple[bytes, bytes]) -> bytes:
    return b"".join(first + b"\n" + rest for first, rest in patches)


PATCHES = (
    (b"diff --git a/x b/x", b"@@ -1 +1 @@\n-diff --git a/x b/x\n+diff --git \n"),
    (b'diff --git "a/n\\ndiff --git y" "b/n\\ndiff --git y"', b"old mode 100644\nnew mode 100755\n"),
    (b"diff --git a/z b/z", b""),
    (b"diff --git a/z b/z", b"@@ -1 +0,0 @@\n-\n"),
)


@given(sizes=st.lists(st.integers(1, 30), max_size=40))
def test_a_stream_is_cut_at_the_same_places_however_it_arrives(sizes: list[int]) -> None:
    data, chunks = stream(*PATCHES), []
    for size in sizes:
        chunks.append(data[:size])
        data = data[size:]
    found: list[list[bytes]] = []
    for first, piece in cut([*chunks, data]):
        if first:
            found.append([first, b""])
        elif piece:
            found[-1][1] += piece
    found[-1][1] = found[-1][1].removesuffix(b"\n")  # elsewhere the last LF is the next patch's
    assert found == [[first, (b"\n" + rest)[:-1]] for first, rest in PATCHES]


RAW = (
    b":100644 100755 %s %s M\0sp ace\0:100644 100644 %s %s R087\0old\0caf\xe9\0:160000 000000 %s %s D\0sub\0"
    % (OLD.encode(), NEW.encode(), OLD.encode(), NEW.encode(), OLD.encode(), b"0" * 40)
)


@given(st.integers(1, 60))
def test_the_list_is_taken_off_the_stream(size: int) -> None:
    data = RAW + b"\0diff --git rest"
    chunks = iter([data[at : at + size] for at in range(0, len(data), size)])
    files, rest = take_raw(chunks)
    assert files == [
        FileChange("sp ace", Status.MODIFIED, Kind.FILE, "sp ace", "100644", "100755", OLD, NEW),
        FileChange("caf\udce9", Status.RENAMED, Kind.FILE, "old", "100644", "100644", OLD, NEW),
        FileChange("sub", Status.DELETED, Kind.SUBMODULE, "sub", "160000", "000000", OLD, None),
    ]
    assert b"".join(rest) == b"diff --git rest"


def test_an_empty_stream_is_an_empty_list() -> None:
    files, rest = take_raw(iter([]))
    assert (files, list(rest)) == ([], [])


@pytest.mark.parametrize(
    "path", ["../x", "a/../../x", "/etc/passwd", ".git/config", "a/.GIT/hooks/x", "a//b", "./a", ""]
)
def test_a_path_that_no_checkout_would_accept_is_refused(path: str) -> None:
    assert not is_safe(path)
    with pytest.raises(UsageError, match="no checkout would accept"):
        parse_raw(b":000000 100644 %s %s A\0%s" % (b"0" * 40, NEW.encode(), path.encode() or b"a//"))


def test_an_unresolved_merge_is_an_error_with_the_path() -> None:
    with pytest.raises(UsageError, match=r"'both\.py' has merge conflicts"):
        parse_raw(b":100644 000000 %s %s U\0both.py" % (OLD.encode(), b"0" * 40))


def entry(path: str, **fields: str | None) -> FileChange:
    given = {"old_path": path, "old_mode": "100644", "new_mode": "100644", "old_blob": OLD, "new_blob": NEW}
    return FileChange(path, Status.MODIFIED, **(given | fields))  # type: ignore[arg-type]


PATCH_OF_X = b"diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n"


def test_a_patch_that_belongs_to_no_entry_is_an_error() -> None:
    with pytest.raises(UsageError, match="wrote no patch"):
        list(attach([entry("y")], [PATCH_OF_X], lambda _: True))
    with pytest.raises(UsageError, match="lacks the file"):
        list(attach([], [PATCH_OF_X], lambda _: True))


def test_an_entry_without_a_patch_is_an_error_in_commits_and_unchanged_in_the_work_tree() -> None:
    with pytest.raises(UsageError, match="'z' and wrote no patch"):
        list(attach([entry("x"), entry("z")], [PATCH_OF_X], lambda _: True))
    touched = [entry("w", new_blob=None), entry("x", new_blob=None), entry("z", new_blob=None)]
    assert [file.path for file in attach(touched, [PATCH_OF_X], lambda _: True)] == ["x"]


def test_only_what_is_wanted_is_parsed() -> None:
    (file,) = attach([entry("x")], [b"diff --git a/x b/x\n@@ -1,9 +1 @@\nbroken\n"], lambda _: False)
    assert file.hunks == ()


def test_a_patch_past_the_limit_is_not_held_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "PATCH_LIMIT", 10)
    (file,) = attach([entry("x")], [PATCH_OF_X], lambda _: True)
    assert (file.hunks, file.unread) == ((), "its diff is 19 bytes, the limit is 10 bytes")


@pytest.mark.parametrize(
    ("rows", "status", "binary"),
    [
        (b" a\n-\0b\n+b\n", Status.MODIFIED, False),
        (b" a\n-b\n+b\0\n", Status.MODIFIED, True),
        (b" \0a\n-b\n+b\n", Status.MODIFIED, True),
        (b"-\0a\n-b\n", Status.DELETED, True),
        (b"-a\n-b\n", Status.DELETED, False),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_a_nul_byte_counts_at_head_only_wherever_the_stream_breaks(
    rows: bytes, status: Status, binary: bool, size: int
) -> None:
    data = b"diff --git a/x b/x\n@@ -1,2 +1,2 @@\n" + rows
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    (file,) = attach([entry("x")._replace(status=status)], chunks, lambda _: False)
    assert file.binary is binary


@given(st.binary(min_size=1).filter(lambda name: b"\0" not in name))
def test_a_quoted_name_is_read_back(name: bytes) -> None:
    text = quoted(name)
    assert b"\n" not in text
    if text.startswith(b'"'):
        assert unquoted(text + b" rest") == (name, b" rest")
    else:
        assert text == name


def test_the_first_line_of_a_patch_is_the_one_git_writes() -> None:
    file = FileChange('q"b\\', Status.RENAMED, old_path="a b/c")
    assert header(file) == b'diff --git a/a b/c "b/q\\"b\\\\"'


@pytest.mark.parametrize(
    ("count", "text"),
    [(12, "12 bytes"), (1000, "1 kB"), (1_000_000, "1 MB"), (1_000_001, "1.1 MB"), (2_100_000, "2.1 MB")],
)
def test_a_size_past_a_limit_never_reads_like_the_limit(count: int, text: str) -> None:
    assert size_text(count) == text
