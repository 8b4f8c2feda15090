"""Which finding a command means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from reviewbot.core.mention import HEX, PLACE
from reviewbot.core.publish.comment import NAMED
from reviewbot.core.publish.standing import ours, remembered
from reviewbot.core.report.markup import code
from reviewbot.core.types import Asked, Command, Finding, Review, Said, Thread

_LISTED = 5  # findings of which one is to be chosen


class Known(NamedTuple):
    """A finding by what stands on the pull request, and by what the last review found."""

    fingerprint: str
    slug: str = ""  # "": only its fingerprint is remembered
    thread: Thread | None = None
    finding: Finding | None = None  # None: there is no review at hand, or it does not have it

    def at(self, path: str, first: int, last: int) -> bool:
        """Whether the finding, or its thread, shares a line with `first` to `last` of the file at head."""
        site = self.finding.candidate.site if self.finding else None
        if site and site.path == path and site.start_line <= last and first <= site.line:
            return True
        thread = self.thread
        if thread is None or thread.path != path or thread.line is None:
            return False
        return (thread.start_line or thread.line) <= last and first <= thread.line


def known(said: Said, review: Review | None) -> tuple[Known, ...]:
    """All findings that somebody can speak of, each once."""
    memory = remembered(said).marker
    found = {d.fingerprint: Known(d.fingerprint, d.slug) for d in memory.dismissed}
    found |= {name: Known(name) for name in memory.fingerprints if name not in found}
    for thread, own in ours(said):
        for name in own.fingerprints[:1]:
            found[name] = Known(name, own.slug, thread)
    for finding in review.findings if review else ():
        before = found.get(finding.fingerprint, Known(finding.fingerprint))
        found[finding.fingerprint] = before._replace(slug=finding.candidate.slug, finding=finding)
    return tuple(found.values())


def meant(command: Command, asked: Asked, findings: Iterable[Known]) -> tuple[Known | str, str]:
    """The finding that a command names, or why there is none as a sentence of Markdown; and the text
    that is left."""
    findings, word, text = tuple(findings), command.argument, command.text
    name = word.lower()
    own = next((f for f in findings if f.thread and began(f.thread, asked)), None)
    if HEX.fullmatch(name):
        hits = [f for f in findings if f.fingerprint.startswith(name)]
        if not hits and own and name.isalpha():  # a word like "facade"
            return own, f"{word} {text}".strip()
        return _only(hits, f"No finding on this pull request has a name that begins with {code(name)}."), text
    if place := PLACE.fullmatch(word):
        path, first, last = place[1], int(place[2]), int(place[3] or place[2])
        hits = [f for f in findings if f.at(path.removeprefix("./"), first, last)]
        return _only(hits, f"No finding on this pull request stands at {code(word)}."), text
    return own or "Which finding? Name it by its eight characters or by `path:line`.", text


def began(thread: Thread, asked: Asked) -> bool:
    """Whether the command stands in this thread."""
    return bool(thread.remarks) and thread.remarks[0].id == asked.thread


def _only(hits: list[Known], none: str) -> Known | str:
    if len(hits) == 1:
        return hits[0]
    if not hits:
        return none
    names = ", ".join(code(f.fingerprint[:NAMED]) for f in hits[:_LISTED])
    more = f" and {len(hits) - _LISTED:,} more" if len(hits) > _LISTED else ""
    return f"Which of these: {names}{more}?"
