"""rdjson: the DiagnosticResult of the Reviewdog Diagnostic Format, so that reviewdog posts it anywhere.

Lines and columns count from 1, columns in bytes of UTF-8, and the end of a range is exclusive. What is older
than the change is left out: reviewdog would post it. What was not done is a diagnostic too, at a place where
reviewdog does not filter it away.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.core.report.document import Document, written
from reviewbot.core.report.sayable import in_head, new, outside, paragraphs, weight
from reviewbot.core.report.words import place
from reviewbot.core.types import FileChange, Finding, Incomplete, Review, Severity, Site, Status, Suggestion
from reviewbot.core.visible import encodable, visible

_SEVERITIES = {Severity.BLOCKER: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}
_ORDER = ("ERROR", "WARNING", "INFO")


def render(review: Review) -> str:
    return written(result(review))


def result(review: Review) -> Document:
    foreign = outside(review)
    said = [_not_done(review, i) for i in review.incomplete]
    said += [_finding(review, finding, in_head(finding, foreign)) for finding in new(review)]
    worst = min((d["severity"] for d in said), key=_ORDER.index, default="")
    made: Document = {"source": {"name": "reviewbot"}, "diagnostics": said}
    return made | ({"severity": worst} if worst else {})


def _finding(review: Review, finding: Finding, placed: bool) -> Document:
    """`placed`: whether its lines are at head; else the message says where it is."""
    c = finding.candidate
    suggestion = finding.suggestion if placed else None
    said = f"{visible(c.title).strip() or c.slug}\n{paragraphs(finding)}"
    if not placed:
        said = f"{place(c.site)}: {said}"
    elif suggestion and (suggestion.edit.start_line, suggestion.edit.line) != (
        c.site.start_line,
        c.site.line,
    ):
        said = f"{said}\nFound at {place(c.site)}; the edit is for these lines."
    return {
        "message": encodable(said),
        "location": _location(c.site, suggestion) if placed else _anywhere(review, c.site.path),
        "severity": _SEVERITIES[weight(finding)],
        "code": {"value": encodable(c.slug) or "-"},
        **({"suggestions": [_suggestion(suggestion)]} if suggestion and _exact(suggestion) else {}),
    }


def _location(site: Site, suggestion: Suggestion | None) -> Document:
    """reviewdog takes a suggestion only where its lines are those of the diagnostic."""
    first, last, quote = site.start_line, max(site.line, site.start_line), site.quote.split("\n")
    if suggestion and _exact(suggestion):
        first, last, quote = suggestion.edit.start_line, suggestion.edit.line, list(suggestion.old)
    start: Document = {"line": first, "column": 1}
    end: Document = {"line": last}
    if len(quote) == last - first + 1:
        end["column"] = len(quote[-1].encode("utf-8", "surrogatepass")) + 1
    else:  # the words of the last line are not known
        del start["column"]
    return {"path": _path(site.path), "range": {"start": start, "end": end}}


def _exact(suggestion: Suggestion) -> bool:
    edit = suggestion.edit
    return 1 <= edit.start_line <= edit.line and encodable(edit.replacement) == edit.replacement


def _suggestion(suggestion: Suggestion) -> Document:
    """Linewise, for which reviewdog wants no columns: whole lines, and no line end behind the last."""
    edit = suggestion.edit
    lines = {"start": {"line": edit.start_line}, "end": {"line": edit.line}}
    return {"range": lines, "text": edit.replacement}


def _not_done(review: Review, i: Incomplete) -> Document:
    said = f"This review is incomplete ({i.stage}): {visible(i.what)}: {visible(i.why)}"
    return {
        "message": said,
        "location": _anywhere(review, i.what),
        "severity": "ERROR",
        "code": {"value": "incomplete"},
    }


def _anywhere(review: Review, path: str) -> Document:
    """The first line that the change adds to the file, or to any: reviewdog by its default drops what is at
    no added line. Without one it is the file, or the whole tree."""
    at_head = [f for f in review.change.files if f.status is not Status.DELETED]
    own = [f for f in at_head if f.path == path]
    for file in (*own, *at_head):
        if line := next(_added(file), 0):
            return {"path": _path(file.path), "range": {"start": {"line": line}, "end": {"line": line}}}
    return {"path": _path(own[0].path) if own else "."}


def _added(file: FileChange) -> Iterator[int]:
    return (line.new for hunk in file.hunks for line in hunk.lines() if line.mark == "+" and line.new)


def _path(path: str) -> str:
    return encodable(path) or "."
