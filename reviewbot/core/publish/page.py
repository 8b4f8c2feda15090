"""What the final summary knows of each finding's place on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from reviewbot.core.publish.delivery import Posted
from reviewbot.core.publish.marker import Marker
from reviewbot.core.publish.standing import Continued, Standing, State, ours
from reviewbot.core.publish.summary import Closing
from reviewbot.core.publish.table import Row
from reviewbot.core.report.words import count, place
from reviewbot.core.types import Finding, Review, Said

MAX_SHOWN = 1_000  # fingerprints of a marker: 19 of its characters each
_WORDS = {State.STILL: "still there", State.MOVED: "moved", State.BACK: "back", State.DECLINED: "declined"}


def found_words(
    review: Review, found: Continued, posted: Posted, earlier: Marker, head: str, first: bool
) -> tuple[tuple[Row, ...], tuple[Closing, ...], tuple[str, ...]]:
    """The rows of the findings that decide, the threads whose finding is gone, and a sentence of each comment
    that GitHub refused. `first`: whether nobody has reviewed this pull request before."""
    rows = rows_of(review, found, posted, first)
    before = set(earlier.fingerprints)  # a thread in which people talk is left open: told once all the same
    closed = tuple(
        _closing(s, review, head)
        for s in found.standing
        if s.state == State.FIXED and s.why and not (s.silent and before.isdisjoint(s.marker.fingerprints))
    )
    refused = tuple(
        f"GitHub takes no comment at {place(f.candidate.site)}, so it stands in the table: {why}."
        for f in review.findings
        if (why := posted.refused.get(f.fingerprint, "").rstrip("."))
    )
    return rows, closed, refused


def rows_of(review: Review, found: Continued, posted: Posted, first: bool) -> tuple[Row, ...]:
    """A row of each finding that decides. Of a first review none is called new."""
    spoken = {s.finding.fingerprint: s for s in found.standing if s.finding is not None}
    new = {f.fingerprint for f in (*found.fresh, *found.tabled)}
    rows = (_row(f, spoken.get(f.fingerprint), new, posted) for f in review.findings if f.decides)
    return tuple(row._replace(state="") if first else row for row in rows)


def left_open(found: Continued) -> tuple[str, ...]:
    """What is to be said of open threads that no finding of this review speaks for."""
    alone = [s for s in found.standing if s.finding is None and not s.thread.resolved]
    there = sum(s.state in (State.STILL, State.MOVED) for s in alone)
    unknown = sum(s.state == State.UNKNOWN for s in alone)
    notes = []
    if there:
        subject = count(there, "open conversation speaks", "open conversations speak")
        notes.append(f"{subject} of lines that still stand and that this review did not name again.")
    if unknown:
        subject = count(unknown, "open conversation")
        notes.append(f"Of {subject} it is not known whether the finding is fixed.")
    return tuple(notes)


def unshown(review: Review, found: Continued, posted: Posted) -> list[Finding]:
    """The findings that no comment stands beside: they are annotations of the check run."""
    beside = set(posted.urls)
    for s in found.standing:
        elsewhere = s.state == State.MOVED or (s.state == State.BACK and s.thread.outdated)
        if s.finding is not None and not elsewhere:
            beside.add(s.finding.fingerprint)
    return [f for f in review.findings if not f.preexisting and f.fingerprint not in beside]


def shown_fingerprints(review: Review, posted: Posted, earlier: Marker) -> Sequence[str]:
    """What the next review does not call new. One that is not whole takes nothing back: what it did not see
    may be there."""
    names = [f.fingerprint for f in review.findings if f.decides]
    if review.incomplete:
        names += earlier.fingerprints
    return [name for name in dict.fromkeys(names) if name not in posted.lost][:MAX_SHOWN]


def turned_down(review: Review, said: Said, earlier: Marker) -> tuple[tuple[str, int], ...]:
    """By class, how many of its findings people dismissed or did not like."""
    votes = {(d.slug, d.fingerprint) for d in earlier.dismissed}
    votes |= {(m.slug, name) for t, m in ours(said) if t.thumbs_down for name in m.fingerprints}
    titles = _titles(review)
    return tuple(Counter(titles.get(slug, slug) for slug, _ in sorted(votes)).most_common())


def _row(finding: Finding, standing: Standing | None, new: set[str], posted: Posted) -> Row:
    name = finding.fingerprint
    if standing is not None:
        first = standing.thread.remarks[0]
        return Row(finding, first.url, _WORDS.get(standing.state, ""))
    return Row(finding, posted.urls.get(name, ""), "new" if name in new else "still there")


def _titles(review: Review) -> Mapping[str, str]:
    """By the slug of each class."""
    return {c.slug: c.title for skill in review.skills.active for c in skill.classes}


def _closing(standing: Standing, review: Review, head: str) -> Closing:
    own, first = standing.marker, standing.thread.remarks[0]
    what = f"fixed in {head[:7]}: {standing.why}"
    return Closing(_titles(review).get(own.slug, own.slug), own.path, first.url, what)
