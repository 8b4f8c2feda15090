"""New comments, sent as one review. Where GitHub refuses it, each by itself; and read back, since what it
has accepted may still not be there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from reviewbot.core.ports import Sink
from reviewbot.core.publish import comment, marker, requests
from reviewbot.core.publish.anchors import Anchor, anchored, offers, place
from reviewbot.core.publish.marker import Marker
from reviewbot.core.publish.standing import digest
from reviewbot.core.report.words import count
from reviewbot.core.types import FileChange, Finding, Incomplete, Pull, Reply, Text

STAGE = "publish"
MOVED = "the pull request has moved on to another head"


class Comment(NamedTuple):
    """A finding and its comment on a line. `key` is its marker, as the body holds it."""

    finding: Finding
    anchor: Anchor
    body: str
    key: str


class Posted(NamedTuple):
    """What became of the comments: each that was tried is in `urls`, in `refused` or in `lost`."""

    urls: Mapping[str, str] = {}  # fingerprint -> address: it stands where it was meant to
    refused: Mapping[str, str] = {}  # fingerprint -> why: GitHub does not take it there, and will not
    lost: frozenset[str] = frozenset()  # fingerprints of which the next review tries again
    incomplete: tuple[Incomplete, ...] = ()
    moved: bool = False  # the head is another one by now: nothing was posted

    def plus(self, other: Posted) -> Posted:
        return Posted(
            {**self.urls, **other.urls},
            {**self.refused, **other.refused},
            self.lost | other.lost,
            (*self.incomplete, *other.incomplete),
            self.moved or other.moved,
        )


def drafted(
    findings: Iterable[Finding],
    files: Mapping[str, FileChange],
    texts: Mapping[str, Text],
    head: str,
    name: str,
) -> tuple[Comment, ...]:
    """The comments of those findings that can stand on a line; gravest first, as they came.

    name: what dismissals are addressed to.
    """
    placed = []
    for finding in findings:
        path = finding.candidate.site.path
        anchor = place(finding, files.get(path), texts.get(path)) if finding.placement == "inline" else None
        if anchor is not None:
            placed.append((finding, anchor))
    offered = offers(placed, files, texts)
    made = []
    for finding, anchor in placed:
        offer, key = offered[finding.fingerprint], own_marker(finding, head)
        anchor = anchored(anchor.path, offer.start_line, offer.line, anchor.side)
        made.append(Comment(finding, anchor, comment.inline(finding, offer, key, name), key))
    return tuple(made)


def own_marker(finding: Finding, head: str) -> str:
    """What a comment remembers of its finding."""
    candidate = finding.candidate
    quote = candidate.site.quote
    return marker.write(
        Marker(
            "finding",
            head=head,
            fingerprints=(finding.fingerprint,),
            slug=candidate.slug,
            path=candidate.site.path,
            quote=digest(quote),
            rows=quote.count("\n") + 1,
            origin=candidate.origin.value,
        )
    )


def post_comments(pull: Pull, sink: Sink, comments: Sequence[Comment], said: str) -> Posted:
    """At most one request and one for each comment. `said`: what the review says above them."""
    if not comments:
        return Posted()
    names = tuple(c.finding.fingerprint for c in comments)
    key = marker.write(Marker("review", head=pull.head_sha, fingerprints=names))
    body = f"{said}\n\n{key}"
    fields = [requests.comment(c.anchor, c.body) for c in comments]
    reply = sink.send(requests.review(pull, body, fields, key))
    if reply.done:
        return _read_back(sink, comments, reply)
    if reply.status != 422:
        return _lost(_findings(comments), "the comments on lines", reply.why)
    if sink.head() not in ("", pull.head_sha):
        return Posted(moved=True)
    return _singly(pull, sink, comments, fields)


def post_on_files(pull: Pull, sink: Sink, findings: Sequence[Finding], addressed: str) -> Posted:
    """A comment on the whole file of each. None after the first that is lost.

    addressed: what dismissals are addressed to.
    """
    posted = Posted()
    for n, finding in enumerate(findings):
        key, path = own_marker(finding, pull.head_sha), finding.candidate.site.path
        reply = sink.send(requests.file_comment(pull, path, comment.on_file(finding, key, addressed), key))
        name = finding.fingerprint
        if reply.done:
            posted = posted.plus(Posted({name: _url(reply)}))
        elif reply.status == 422:
            posted = posted.plus(Posted(refused={name: reply.why}))
        else:
            left = findings[n:]
            what = f"the comment on {path}" if len(left) == 1 else f"{len(left)} comments on files"
            return posted.plus(_lost(left, what, reply.why))
    return posted


def _singly(
    pull: Pull, sink: Sink, comments: Sequence[Comment], fields: Sequence[Mapping[str, Any]]
) -> Posted:
    """Nobody says which comment GitHub did not like."""
    urls: dict[str, str] = {}
    refused: dict[str, str] = {}
    for n, c in enumerate(comments):
        reply = sink.send(requests.single_comment(pull, fields[n], c.key))
        if reply.done:
            urls[c.finding.fingerprint] = _url(reply)
        elif reply.status == 422:
            refused[c.finding.fingerprint] = reply.why
        else:  # what stops this one stops the next ones too
            what = count(len(comments) - n, "comment on a line", "comments on lines")
            return _lost(_findings(comments[n:]), what, reply.why).plus(Posted(urls, refused))
    return Posted(urls, refused)


def _read_back(sink: Sink, comments: Sequence[Comment], reply: Reply) -> Posted:
    number = reply.data.get("id")
    rows = None if number is None else sink.comments(number)
    if rows is None:
        why = "they were posted and could not be read back"
        return _lost(_findings(comments), "the comments on lines", why)
    urls, gone = {}, []
    for c in comments:
        at = [(path, line, url) for path, line, body, url in rows if c.key in body]
        # An outdated comment has no line: the head has moved since, and its own review looks after that.
        stands = [url for path, line, url in at if path == c.anchor.path and line in (None, c.anchor.line)]
        if stands:
            urls[c.finding.fingerprint] = stands[0]
        else:
            gone.append(c)
    if not gone:
        return Posted(urls)
    what = count(len(gone), "comment on a line", "comments on lines")
    why = "GitHub took it, and it does not stand where it was put"
    return _lost(_findings(gone), what, why).plus(Posted(urls))


def _findings(comments: Iterable[Comment]) -> list[Finding]:
    return [comment.finding for comment in comments]


def _lost(findings: Iterable[Finding], what: str, why: str) -> Posted:
    names = frozenset(finding.fingerprint for finding in findings)
    return Posted(lost=names, incomplete=(Incomplete(STAGE, what, why),))


def _url(reply: Reply) -> str:
    return str(reply.data.get("html_url", ""))
