"""Where a comment can stand, and where GitHub can apply what it offers.

GitHub takes a whole review or none of it, and does not say which comment was wrong: what it would
refuse is told here, from the same hunks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from reviewbot.core.publish.comment import Offer
from reviewbot.core.types import FileChange, Finding, Hunk, Side, Suggestion, Text
from reviewbot.core.verify import normal
from reviewbot.core.visible import encodable


class Anchor(NamedTuple):
    """The lines of a comment. `start_line` is None where there is one line: GitHub refuses a range of one."""

    path: str
    line: int
    side: Side = Side.RIGHT
    start_line: int | None = None

    @property
    def first(self) -> int:
        return self.line if self.start_line is None else self.start_line


def anchored(path: str, first: int, last: int, side: Side = Side.RIGHT) -> Anchor:
    return Anchor(path, last, side, first if first < last else None)


def nameable(path: str) -> bool:
    """Whether JSON can hold it: a path of other bytes than UTF-8 is refused, and the whole review with it."""
    return encodable(path) == path


def place(finding: Finding, file: FileChange | None, text: Text | None) -> Anchor | None:
    """Where a comment on `finding` can stand; `text` is that of its side. None: its lines are not whole in
    one hunk, or they do not read as quoted, or GitHub has no name for the file."""
    site = finding.candidate.site
    if not nameable(site.path):
        return None
    if file is None or text is None or _hunk(file, site.side, site.start_line, site.line) is None:
        return None
    if normal(text.quote(site.start_line, site.line)) != normal(site.quote):
        return None
    return anchored(site.path, site.start_line, site.line, site.side)


def offers(
    placed: Iterable[tuple[Finding, Anchor]], files: Mapping[str, FileChange], texts: Mapping[str, Text]
) -> Mapping[str, Offer]:
    """By fingerprint, how each comment carries its fix. `placed` is gravest first: of two that would change
    the same lines the first one keeps its block. `texts` are those of head."""
    made: dict[str, Offer] = {}
    taken: dict[str, list[tuple[int, int]]] = {}
    for finding, anchor in placed:
        path, suggestion = anchor.path, finding.suggestion
        offer = Offer(anchor.first, anchor.line, False)
        if suggestion is not None:
            first, last = suggestion.edit.start_line, suggestion.edit.line
            why = _obstacle(finding, suggestion, anchor, files.get(path), texts.get(path))
            if not why and any(a <= last and first <= b for a, b in taken.get(path, [])):
                why = "another comment offers to change the same lines"
            if why:
                offer = offer._replace(why_not=why)
            else:
                offer = Offer(first, last, True)
                taken.setdefault(path, []).append((first, last))
        made[finding.fingerprint] = offer
    return made


def _obstacle(
    finding: Finding, suggestion: Suggestion, anchor: Anchor, file: FileChange | None, text: Text | None
) -> str:
    """Why GitHub could not apply the edit as a suggestion; "": it can."""
    edit, site = suggestion.edit, finding.candidate.site
    if anchor.side is Side.LEFT:
        return "it speaks of lines that are gone"
    if file is None or text is None or text.partial:
        return "the text of the file is not known whole"
    if edit.line < site.start_line - 1 or edit.start_line > site.line + 1:
        return "the fix belongs on other lines than these"
    if "\r" in text.content:
        return "the file has CRLF line ends" if "\r\n" in text.content else "the file holds carriage returns"
    old = text.lines[edit.start_line - 1 : edit.line]
    if old != suggestion.old or len(old) != edit.line - edit.start_line + 1:
        return "these lines read otherwise by now"
    if edit.line == len(text.lines) and not text.content.endswith("\n"):
        return "the last line of the file has no line end"
    if edit.replacement == "\n".join(old) and edit.replacement:
        return "it would change nothing"
    hunk = _hunk(file, Side.RIGHT, edit.start_line, edit.line)
    if hunk is None:
        return "its lines are not all in one hunk of the diff"
    if _deletes_between(hunk, edit.start_line, edit.line):
        return "lines were deleted between these"
    return ""


def _hunk(file: FileChange, side: Side, first: int, last: int) -> Hunk | None:
    for hunk in file.hunks:
        old = side is Side.LEFT
        start, rows = (hunk.old_start, hunk.old_count) if old else (hunk.new_start, hunk.new_count)
        if start <= first <= last < start + rows:
            return hunk
    return None


def _deletes_between(hunk: Hunk, first: int, last: int) -> bool:
    rows = list(hunk.lines())
    begin = next(i for i, row in enumerate(rows) if row.new == first)
    end = next(i for i, row in enumerate(rows) if row.new == last)
    return any(row.mark == "-" for row in rows[begin:end])
