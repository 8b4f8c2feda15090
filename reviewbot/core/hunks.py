"""Hunks: from the bytes of one file's patch, and what a text on one side can be made of."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from reviewbot.core.paths import path_text
from reviewbot.core.types import Hunk, Side


def parse_hunks(patch: bytes) -> tuple[tuple[Hunk, ...], tuple[bool, bool]]:
    """The hunks in the patch of one file, and whether base and head end in LF as far as the hunks show.

    What stands before the first hunk (names, modes, ids) is not looked at. Raises ValueError for
    a hunk that is longer or shorter than its header says, or that is followed by something else.
    """
    start = patch.find(b"\n@@ -")
    if start < 0:
        return (), (True, True)
    from unidiff.errors import UnidiffParseError  # 24 ms, wasted on a change without hunks
    from unidiff.patch import PatchSet

    lines = path_text(patch[start + 1 :]).removesuffix("\n").split("\n")
    try:
        # Neutral names: unidiff strips real folders from unprefixed ones and its pattern for
        # binary files is quadratic. metadata_only keeps no object a line (2.5 times as fast); the
        # rows are cut from `lines` by the counts that it has checked.
        (parsed,) = PatchSet(chain(("--- a\n", "+++ b\n"), lines), metadata_only=True)
    except UnidiffParseError as error:
        raise ValueError(str(error)) from error
    lines.append("")  # an end to look at
    hunks, at = [], 0
    unended = {" ": False, "-": False, "+": False}
    for hunk in parsed:
        wanted, at, rows = hunk.source_length + hunk.added, at + 1, list[str]()
        while len(rows) < wanted or lines[at].startswith("\\"):
            row, at = lines[at], at + 1
            if row.startswith("\\"):
                unended[rows[-1][0]] = True
            else:
                rows.append(row)
        place = (hunk.source_start, hunk.source_length, hunk.target_start, hunk.target_length)
        hunks.append(Hunk(*place, tuple(rows), hunk.section_header))
    if at != len(lines) - 1:
        raise ValueError(f"line {at + 1} belongs to no hunk")
    base_ends, head_ends = (not (unended[" "] or unended[mark]) for mark in "-+")
    return tuple(hunks), (base_ends, head_ends)


def apply(hunks: Iterable[Hunk], base: str, ends_in_newline: bool) -> str:
    """The text at head, from the text at base; `ends_in_newline` speaks for a head whose end the
    hunks rewrote. Raises ValueError where a hunk does not fit the base."""
    old = base.split("\n")
    unended = bool(old[-1])
    if not unended:
        old.pop()
    new: list[str] = []
    at = 0
    reaches_end = False
    for hunk in hunks:
        begin = hunk.old_start - bool(hunk.old_count)  # without old rows the start is the line before
        if not at <= begin <= len(old) or old[begin : begin + hunk.old_count] != side_rows(hunk, Side.LEFT):
            raise ValueError(f"the hunk at line {hunk.old_start} does not fit")
        new += old[at:begin]
        new += side_rows(hunk, Side.RIGHT)
        at = begin + hunk.old_count
        reaches_end = at == len(old)
    new += old[at:]
    ended = ends_in_newline if reaches_end else not unended
    return "\n".join(new) + ("\n" if ended and new else "")


def side_rows(hunk: Hunk, side: Side) -> list[str]:
    """The rows that one side has, marks cut."""
    other = "+" if side is Side.LEFT else "-"
    return [row[1:] for row in hunk.rows if row[:1] != other]


def sparse(hunks: Iterable[Hunk], side: Side) -> str:
    """What the hunks show of one side: every known line at its number, the unknown ones empty.

    The starts must rise (a patch file is checked for it), and the result is as long as the highest
    line number, so the caller bounds that.
    """
    lines: list[str] = []
    for hunk in hunks:
        start = hunk.old_start if side is Side.LEFT else hunk.new_start
        rows = side_rows(hunk, side)
        if rows:
            lines += [""] * (start - 1 - len(lines))
            lines += rows
    return "\n".join(lines) + ("\n" if lines else "")


def inverted(hunks: Iterable[Hunk]) -> tuple[Hunk, ...]:
    """The hunks that lead from head to base."""
    swap = str.maketrans("+-", "-+")
    return tuple(
        Hunk(
            *(hunk.new_start, hunk.new_count, hunk.old_start, hunk.old_count),
            tuple(row[0].translate(swap) + row[1:] for row in hunk.rows),
            hunk.header,
        )
        for hunk in hunks
    )
