"""The hidden JSON in each of our comments: all that we remember of a pull request stands on it.

It is believed only in a comment of our own account, since everybody can paste one. Every word that
the JSON holds is escaped so that it cannot end the HTML comment around it.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from reviewbot.core.types import Remark, Stamp, Who

VERSION = 1
MOST = 40_000  # characters of a marker with dismissals: past 60,000 it is not read any more
RUNNING = "running"  # the verdict of a summary whose review has not ended

PREFIX = "<!-- reviewbot:"

_FORM = re.compile(PREFIX + r"(\d{1,4}) (\{[^\n]{0,60000}?\}) -->")
_ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in "-<>&"})


class Dismissal(NamedTuple):
    """A finding that somebody with the right to do so does not want to see again."""

    fingerprint: str
    slug: str
    reason: str
    by: str


class Marker(NamedTuple):
    """What one comment of ours remembers. Fields that its kind does not need are empty.

    summary: all but those of a finding.   review: head and fingerprints.
    finding: those of a finding, head.     reply: `state` and head, what it answers, what it dismisses.
    """

    kind: str  # summary | review | finding | reply
    head: str = ""
    base: str = ""
    skills: str = ""
    config: str = ""
    verdict: str = ""
    fingerprints: tuple[str, ...] = ()  # of all findings that are shown; of a finding its own
    paused: bool = False
    by: str = ""  # who paused it
    dismissed: tuple[Dismissal, ...] = ()
    unended: tuple[str, ...] = ()  # findings whose threads were answered, and could not be turned then
    # Of a finding. The quote is a hash: the words may be a secret that was taken out of the comment.
    slug: str = ""
    path: str = ""
    quote: str = ""  # core/publish/standing.py::digest of the normalised quote
    rows: int = 0  # lines of the quote
    origin: str = ""  # detector | gate | model
    state: str = ""  # fixed | back | double | command: what a reply says
    answers: int = 0  # id of the comment that a reply answers
    verb: str = ""  # pause | resume: the command that a reply obeys

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.head, self.base, self.skills, self.config)


def write(marker: Marker) -> str:
    """One line. Of the dismissals as much as there is room for, the latest first: the answers by which they
    were made hold them too."""
    rows = marker.dismissed
    lost = range(2 * len(rows) + 1)
    fits = bisect_left(lost, True, key=lambda n: len(_written(marker, _without(rows, n))) <= MOST)
    return _written(marker, _without(rows, fits))


def _without(rows: tuple[Dismissal, ...], lost: int) -> tuple[Dismissal, ...]:
    """First the reasons are lost, then the dismissals."""
    if lost > len(rows):
        return tuple(row._replace(reason="") for row in rows[lost - len(rows) :])
    return (*(row._replace(reason="") for row in rows[:lost]), *rows[lost:])


def _written(marker: Marker, dismissals: tuple[Dismissal, ...]) -> str:
    fields = {name: value for name, value in marker._asdict().items() if value}
    if dismissals:
        fields["dismissed"] = [list(d) for d in dismissals]
    else:
        fields.pop("dismissed", None)
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return f"<!-- reviewbot:{VERSION} {text.translate(_ESCAPES)} -->"


def read(remark: Remark, me: Who) -> Marker | None:
    """The last marker of a comment of ours: what it quotes stands before it. None: somebody else's
    comment, or one that remembers nothing."""
    if remark.author != me:
        return None
    found = list(_FORM.finditer(remark.body))
    if not found or int(found[-1][1]) != VERSION:
        return None
    try:
        fields = json.loads(found[-1][2])
    except (ValueError, RecursionError):  # as deep as nobody writes it
        return None
    return _marker(fields)


def without(body: str) -> str:
    """A comment of ours as people see it."""
    return _FORM.sub("", body).rstrip()


def _marker(fields: Mapping[str, Any]) -> Marker | None:
    """Of fields that have the right types; a newer version may have written more of them."""
    kept = dict(_typed(fields))
    if not kept.get("kind"):
        return None
    return Marker(**kept)


def _typed(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, default in {"kind": "", **Marker._field_defaults}.items():
        value = fields.get(name, default)
        if name in ("fingerprints", "unended") and isinstance(value, list):
            yield name, tuple(item for item in value if isinstance(item, str))
        elif name == "dismissed" and isinstance(value, list):
            yield name, tuple(Dismissal(*row) for row in value if _is_dismissal(row))
        elif type(value) is type(default):
            yield name, value


def _is_dismissal(row: object) -> bool:
    return isinstance(row, list) and len(row) == 4 and all(isinstance(item, str) for item in row)
