from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.hunks import parse_hunks
from reviewbot.core.publish.anchors import Anchor, anchored, offers, place
from reviewbot.core.types import Edit, FileChange, Finding, Side, Site, Status, Suggestion, Text
from tests.builders import finding
from tests.core.publish.sinks import commentable, file_change

PATCH = b"\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c\n@@ -20,3 +21,3 @@\n x\n-y\n+Y\n z\n"
ROWS = ("a", "B", "B2", "c", *(f"l{n}" for n in range(5, 21)), "x", "Y", "z", "end")
FILE = FileChange("a.py", Status.MODIFIED, old_path="a.py", hunks=parse_hunks(PATCH)[0])
TEXT = Text("a.py", "\n".join(ROWS) + "\n")


def at(first: int, last: int, text: Text = TEXT, **changes: object) -> Finding:
    return finding(path="a.py", line=first, quote=text.quote(first, last))._replace(**changes)


def fixed(first: int, last: int, new: str = "new", text: Text = TEXT, name: str = "f") -> Finding:
    """A finding at these lines whose edit replaces them."""
    suggestion = Suggestion(Edit(first, last, new), text.lines[first - 1 : last], ("applies",))
    return at(first, last, text, suggestion=suggestion, fingerprint=name)


def offer(f: Finding, text: Text = TEXT, file: FileChange = FILE) -> object:
    site = f.candidate.site
    anchor = anchored("a.py", site.start_line, site.line)
    return offers([(f, anchor)], {"a.py": file}, {"a.py": text})[f.fingerprint]


def blocked(first: int, last: int, text: Text = TEXT, new: str = "new", file: FileChange = FILE) -> str:
    made = offer(fixed(first, last, new, text), text, file)
    assert made.block is (made.why_not == "")
    assert (made.start_line, made.line) == (first, last)
    return made.why_not


def test_d1_the_rows_of_the_hunks_can_be_commented() -> None:
    assert commentable(FILE) == {
        Side.RIGHT: {1, 2, 3, 4, 21, 22, 23},
        Side.LEFT: {1, 2, 3, 20, 21, 22},
    }


def test_d2_a_line_outside_the_diff_has_no_place() -> None:
    assert place(at(10, 10), FILE, TEXT) is None


def test_d3_a_range_over_two_hunks_has_no_place() -> None:
    assert place(at(3, 22), FILE, TEXT) is None


def test_d4_one_line_is_no_range() -> None:
    assert place(at(3, 3), FILE, TEXT) == Anchor("a.py", 3)
    assert place(at(2, 4), FILE, TEXT) == Anchor("a.py", 4, Side.RIGHT, 2)


def test_d6_a_block_never_spans_a_deleted_line_or_a_gap() -> None:
    good = [(2, 3), (1, 1), (3, 4), (22, 23)]
    assert {blocked(*lines) for lines in good} == {""}
    assert blocked(1, 2) == blocked(21, 23) == "lines were deleted between these"
    assert blocked(4, 21) == "its lines are not all in one hunk of the diff"


@pytest.mark.parametrize(
    ("hunk", "right", "left"),
    [
        (b"@@ -0,0 +1 @@\n+a\n", {1}, set()),
        (b"@@ -1 +0,0 @@\n-a\n", set(), {1}),
        (b"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", {1}, {1}),
        (b"@@ -1,2 +1,2 @@\n---- x\n++++ y\n @@ -1 +1 @@\n", {1, 2}, {1, 2}),
    ],
)
def test_d7_d8_counts_left_out_and_rows_like_headers(hunk: bytes, right: set[int], left: set[int]) -> None:
    file = FILE._replace(hunks=parse_hunks(b"\n" + hunk)[0])
    assert commentable(file) == {Side.RIGHT: right, Side.LEFT: left}


def test_d9_no_patch_no_place() -> None:
    assert place(at(2, 2), FILE._replace(hunks=()), TEXT) is None
    assert place(at(2, 2), None, TEXT) is None
    assert place(at(2, 2), FILE, None) is None


def test_a_line_that_reads_otherwise_is_the_wrong_line() -> None:
    assert place(at(2, 2), FILE, Text("a.py", TEXT.content.replace("B\n", "C\n", 1))) is None


def test_the_old_side_counts_the_lines_of_base() -> None:
    base = Text("a.py", "\n".join(["a", "b", "c", *map(str, range(4, 20)), "x", "y", "z"]))
    there = finding(path="a.py", line=21, quote="y")
    gone = there._replace(candidate=there.candidate._replace(site=Site("a.py", 21, 21, "y", Side.LEFT)))
    assert place(gone, FILE, base) == Anchor("a.py", 21, Side.LEFT)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("a\r\nB\r\nB2\r\nc\r\n", "the file has CRLF line ends"),
        ("a\nB\nB2\r\nc\n", "the file has CRLF line ends"),
        ("a\nB\nB2\rx\nc\n", "the file holds carriage returns"),
    ],
)
def test_d39_no_block_where_line_ends_are_not_plain(content: str, why: str) -> None:
    assert blocked(2, 2, Text("a.py", content)) == why


def test_d39_no_block_over_an_unended_last_line() -> None:
    text = Text("a.py", "a\nB\nB2\nc")
    assert blocked(3, 4, text) == "the last line of the file has no line end"
    assert blocked(2, 3, text) == ""


def test_d40_no_block_that_changes_nothing() -> None:
    assert blocked(2, 3, new="B\nB2") == "it would change nothing"


def test_a_block_can_delete_a_blank_line() -> None:
    text = Text("a.py", "a\n\nB2\nc\n")
    assert blocked(2, 2, text, new="") == ""


def test_d40_of_two_blocks_on_one_line_the_graver_keeps_its_own() -> None:
    grave, light, apart = fixed(2, 3, name="g"), fixed(3, 4, name="l"), fixed(22, 23, name="a")
    rows = [
        (f, anchored("a.py", f.candidate.site.start_line, f.candidate.site.line))
        for f in (grave, light, apart)
    ]
    made = offers(rows, {"a.py": FILE}, {"a.py": TEXT})
    assert [made[name].block for name in "gla"] == [True, False, True]
    assert made["l"].why_not == "another comment offers to change the same lines"


def test_a_comment_with_a_block_stands_on_what_it_replaces() -> None:
    near = at(3, 3, suggestion=Suggestion(Edit(2, 2, "new"), ("B",), ("applies",)))
    made = offer(near)
    assert (made.start_line, made.line, made.block) == (2, 2, True)


def test_a_fix_elsewhere_is_no_block() -> None:
    far = at(1, 1, suggestion=Suggestion(Edit(3, 3, "new"), ("B2",), ("applies",)))
    made = offer(far)
    assert (made.start_line, made.line, made.block) == (1, 1, False)
    assert made.why_not == "the fix belongs on other lines than these"


def test_an_edit_of_lines_that_have_changed_is_no_block() -> None:
    stale = at(2, 2, suggestion=Suggestion(Edit(2, 2, "new"), ("older",), ("applies",)))
    assert offer(stale).why_not == "these lines read otherwise by now"


def test_a_text_known_in_part_gets_no_block() -> None:
    assert (
        blocked(2, 2, Text("a.py", TEXT.content, partial=True)) == "the text of the file is not known whole"
    )


def test_without_a_suggestion_there_is_nothing_to_explain() -> None:
    assert offer(at(2, 2)) == (2, 2, False, "")


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=14)


@given(LINES, LINES, st.data())
def test_what_is_placed_and_offered_github_takes(old: list[str], new: list[str], data: st.DataObject) -> None:
    """The rules of GitHub, told another way: by walking the rows of the diff."""
    before, after = ("".join(line + "\n" for line in lines) for lines in (old, new))
    file, text = file_change("a.py", before, after), Text("a.py", after)
    if not new:
        return
    first = data.draw(st.integers(1, len(new)))
    last = data.draw(st.integers(first, len(new)))
    f = fixed(first, last, "entirely new", text)
    anchor = place(f, file, text)
    spans = [[row.new for row in hunk.lines() if row.new] for hunk in file.hunks]
    assert (anchor is not None) == any(first in span and last in span for span in spans)
    if anchor is not None:
        made = offers([(f, anchor)], {"a.py": file}, {"a.py": text})["f"]
        (rows,) = ([*hunk.lines()] for hunk, span in zip(file.hunks, spans, strict=True) if first in span)
        inside = [r.new for r in rows]
        marks = [r.mark for r in rows[inside.index(first) : inside.index(last) + 1]]
        assert made.block == ("-" not in marks)
