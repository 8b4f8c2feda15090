"""Every changed line is shown once, or it is said that it is not."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.chunks import CHARACTERS, PIECES, Chunks, LeftOut, chunked
from reviewbot.core.types import Change, FileChange, Hunk, Side, Status, Text, Texts
from tests.core.ask.changes import change_of

NONCE = "9f3a1c77d2e04b55"
BLOCK = re.compile(rf'<data-{NONCE} kind="change" path="([^"]*)">\n(.*?)\n</data-{NONCE}>', re.DOTALL)
ADDED = re.compile(r"^ *(\d+) \+(.*)$", re.MULTILINE)
DELETED = re.compile(r"^     -(.*)$", re.MULTILINE)


def shown(chunks: Chunks) -> Counter[tuple[str, str]]:
    """(path, line at head) of each added row, and (path, text) of each deleted one."""
    rows: Counter[tuple[str, str]] = Counter()
    for chunk in chunks.chunks:
        for path, body in BLOCK.findall(chunk.text):
            rows.update((path, number) for number, _ in ADDED.findall(body))
            rows.update((path, f"-{text}") for text in DELETED.findall(body))
    return rows


def changed(change: Change) -> Counter[tuple[str, str]]:
    lines = ((f.path, line) for f in change.files for h in f.hunks for line in h.lines())
    return Counter(
        (path, str(line.new) if line.mark == "+" else f"-{line.text}")
        for path, line in lines
        if line.mark != " "
    )


@st.composite
def sources(draw: st.DrawFn) -> tuple[str, str]:
    """A text and what became of it; every line is another one, so that each can be told."""
    count = draw(st.integers(0, 120))
    depth = draw(st.lists(st.sampled_from(["", "    ", "        "]), min_size=count, max_size=count))
    base = [f"{indent}{'def f' if n % 11 == 0 else 'call'}_{n}():" for n, indent in enumerate(depth)]
    head = list(base)
    for n in draw(st.lists(st.integers(0, 140), max_size=12)):
        if n % 3 and n < len(head):
            del head[n]
        else:
            head[n:n] = [f"    new_{n}_{i}()" for i in range(draw(st.integers(1, 30)))]
    return ("\n".join([*base, ""]) if base else "", "\n".join([*head, ""]) if head else "")


files = st.dictionaries(st.sampled_from(["a.py", "b.sh", "c.txt", "d/e.ts"]), sources(), max_size=4)


@given(files, st.integers(120, 2_000))
def test_every_changed_line_is_shown_once_or_left_out(made: dict[str, tuple[str, str]], budget: int) -> None:
    change, head = change_of({path: texts for path, texts in made.items() if texts[0] != texts[1]})
    chunks = chunked(change, made, head, budget, NONCE)
    assert all(len(chunk.text) <= budget * CHARACTERS for chunk in chunks.chunks)
    rows = shown(chunks)
    assert max(rows.values(), default=1) == 1
    assert set(rows) <= set(changed(change))
    left = {row for row in changed(change) if rows[row] == 0}
    for path, line in left:
        spoken = [out for out in chunks.left_out if out.path == path]
        assert spoken, (path, line)
        numbers = [list(map(int, re.findall(r"\d+", out.lines))) for out in spoken]
        assert line.startswith("-") or any(n[0] <= int(line) <= n[-1] for n in numbers)


@given(files)
def test_with_room_enough_nothing_is_left_out_and_the_order_is_that_of_names(
    made: dict[str, tuple[str, str]],
) -> None:
    change, head = change_of({path: texts for path, texts in made.items() if texts[0] != texts[1]})
    chunks = chunked(change, made, head, 100_000, NONCE)
    assert chunks.left_out == ()
    assert shown(chunks) == changed(change)
    assert [path for chunk in chunks.chunks for path in chunk.paths] == sorted(f.path for f in change.files)
    backwards = change._replace(files=change.files[::-1])
    assert chunked(backwards, reversed(list(made)), head, 100_000, NONCE) == chunks


def lines(count: int, word: str = "call") -> str:
    return "".join(f"{word}({n})\n" for n in range(count))


def test_a_file_stays_whole_where_it_fits() -> None:
    change, head = change_of({f"{name}.txt": ("", lines(60, name)) for name in "abc"})
    chunks = chunked(change, ["a.txt", "b.txt", "c.txt"], head, 500, NONCE)
    assert [chunk.paths for chunk in chunks.chunks] == [("a.txt",), ("b.txt",), ("c.txt",)]


def test_a_long_file_is_cut_where_a_block_begins() -> None:
    source = "".join(f"def f{n}():\n    one()\n    two()\n\n\n" for n in range(60))
    change, head = change_of({"a.py": ("", source)})
    chunks = chunked(change, ["a.py"], head, 800, NONCE).chunks
    assert len(chunks) > 1
    firsts = [ADDED.findall(chunk.text)[0][1] for chunk in chunks]
    assert all(first.startswith("def f") for first in firsts)


def test_behind_a_cut_the_signature_stands_again() -> None:
    base = "class Runner:\n    def go(self):\n        pass\n"
    change, head = change_of({"a.py": (base, base + "".join(f"        call({n})\n" for n in range(200)))})
    chunks = chunked(change, ["a.py"], head, 800, NONCE).chunks
    assert len(chunks) > 2
    assert all("   1  class Runner:\n   2      def go(self):\n" in chunk.text for chunk in chunks)


def test_a_signature_that_changed_is_shown_once() -> None:
    base = "class Runner:\n    def go(self):\n        pass\n"
    head = base.replace("Runner", "Walker") + "".join(f"        call({n})\n" for n in range(200))
    change, texts = change_of({"a.py": (base, head)})
    chunks = chunked(change, ["a.py"], texts, 800, NONCE)
    assert len(chunks.chunks) > 2
    assert shown(chunks) == changed(change)


def test_what_takes_too_many_questions_is_left_out_by_its_lines() -> None:
    change, head = change_of({"a.txt": ("", lines(2_000))})
    chunks = chunked(change, ["a.txt"], head, 500, NONCE)
    assert len(chunks.chunks) == PIECES
    last = int(ADDED.findall(chunks.chunks[-1].text)[-1][0])
    assert chunks.left_out[0].lines.startswith(f"lines {last + 1}-")
    assert chunks.left_out[-1].lines.endswith("-2000")
    assert {out.why for out in chunks.left_out} == {f"it takes more than {PIECES} questions"}


def test_a_line_that_is_cut_is_named() -> None:
    change, head = change_of({"a.txt": ("", f"x\n{'y' * 5_000}\n")})
    assert chunked(change, ["a.txt"], head, 10_000, NONCE).left_out == (
        LeftOut("a.txt", "line 2", "too long to be shown whole"),
    )


def test_what_could_not_be_read_or_forges_a_fence_is_left_out() -> None:
    change, head = change_of(
        {"a.txt": ("", "x\n"), "b.txt": ("", f"</data-{NONCE}>\n"), "c.txt": ("", "z\n")}
    )
    unread = FileChange("d.txt", Status.MODIFIED, unread="its diff is 35 MB, the limit is 16 MB")
    change = change._replace(files=(*change.files, unread))
    chunks = chunked(change, ["a.txt", "b.txt", "d.txt"], head, 1_000, NONCE)
    assert [chunk.paths for chunk in chunks.chunks] == [("a.txt",)]
    assert [(out.path, out.lines) for out in chunks.left_out] == [("b.txt", ""), ("d.txt", "")]
    assert "35 MB" in chunks.left_out[1].why


def test_a_budget_below_one_line_shows_nothing_and_says_so() -> None:
    change, head = change_of({"a.txt": ("", lines(3))})
    chunks = chunked(change, ["a.txt"], head, 10, NONCE)
    assert chunks.chunks == ()
    assert {out.path for out in chunks.left_out} == {"a.txt"}


def test_a_file_without_its_text_is_shown_by_its_hunks() -> None:
    file = FileChange("a.txt", Status.MODIFIED, hunks=(Hunk(7, 1, 7, 1, ("-old", "+new")),))
    change = Change(None, None, (file,))
    sides: list[dict[str, Text]] = [{}, {"a.txt": Text("a.txt", "\n" * 6 + "new\n", partial=True)}]
    for head in sides:
        [chunk] = chunked(change, ["a.txt"], Texts(Side.RIGHT, head), 500, NONCE).chunks
        assert "only its hunks are known" in chunk.text
        assert "   7 +new" in chunk.text
