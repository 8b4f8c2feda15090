"""Annotations of GitHub Actions, as workflow commands on stdout.

The runner shows the first ten of each level of a step and swallows the rest without a word, so what is
left out is said. What was not done comes first, as warnings. Nothing preexisting is annotated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from reviewbot.core.report.sayable import in_head, new, outside, paragraphs, weight
from reviewbot.core.report.words import count, place
from reviewbot.core.types import Finding, Review, Severity
from reviewbot.core.visible import name, visible

# Of ten. The Action's own words about an incomplete review take one, the runner's "exit code 1" an
# error, and what says how many are left out a notice.
ROOM = {"error": 8, "warning": 9, "notice": 9}
LONGEST = 16_000  # characters of a message: GitHub's 64 KB are bytes, of which one has up to four
TITLE = 255

_LEVELS = {Severity.BLOCKER: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


class Note(NamedTuple):
    level: str
    properties: Mapping[str, str]
    message: str


def render(review: Review) -> str:
    """One command a line; without anything to say it is empty."""
    notes = [*_not_done(review), *_findings(review)]
    room, left = dict(ROOM), 0
    rows = []
    for note in notes:
        if room[note.level]:
            room[note.level] -= 1
            rows.append(command(note))
        else:
            left += 1
    if left:
        rows.append(command(_left_out(left)))
    return "".join(f"{row}\n" for row in rows)


def command(note: Note) -> str:
    """`::error file=…,line=…::message`, escaped as the runner reads it."""
    given = ((key, _property(value)) for key, value in note.properties.items() if value)
    head = ",".join(f"{key}={value}" for key, value in given)
    return f"::{note.level} {head}::{_data(note.message)}"


def _not_done(review: Review) -> Iterator[Note]:
    for i in review.incomplete:
        said = f"{i.what}: {i.why}" if i.what.strip() else i.why
        yield Note("warning", {"title": f"Not done: {i.stage}"}, _clipped(visible(said), LONGEST))


def _findings(review: Review) -> Iterable[Note]:
    foreign = outside(review)
    return (_finding(finding, in_head(finding, foreign)) for finding in new(review))


def _finding(finding: Finding, placed: bool) -> Note:
    """`placed`: whether its lines are at head; else the message says where it is."""
    c = finding.candidate
    where, said = {}, paragraphs(finding)
    if placed:
        where = {"file": name(c.site.path), "line": f"{c.site.start_line}"}
        where["endLine"] = f"{max(c.site.line, c.site.start_line)}"
    else:
        said = f"{place(c.site)}\n{said}"
    title = _clipped(" ".join(visible(c.title).split()), TITLE)
    return Note(_LEVELS[weight(finding)], {**where, "title": title}, _clipped(said, LONGEST))


def _left_out(number: int) -> Note:
    are = "is" if number == 1 else "are"
    said = (
        f"{count(number, 'more annotation')} {are} left out: GitHub shows ten of a kind. "
        "The summary of the step and the report have everything."
    )
    return Note("notice", {"title": "reviewbot"}, said)


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
