"""Candidates in, findings and rejections out. The only place that makes a Finding.

In order: the quote stands where it is said to stand (law 3), its claims are checked (law 4),
one finding is left of each place (one root cause), what base had is told from what is new
(law 5), a proposed edit is rehearsed (law 6, core/rehearse.py), and each candidate ends as a
finding or as a rejection (law 2).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from reviewbot.core.rehearse import Outcome, Outcomes
from reviewbot.core.types import (
    Candidate,
    Change,
    Claim,
    FileChange,
    Finding,
    Grade,
    Origin,
    Receipt,
    Refutation,
    Rejection,
    Severity,
    Side,
    Site,
    Text,
    Texts,
)

MAX_INLINE = 10  # comments of one review, dearest first; the rest stays in the table

_RUN = re.compile(r"^(?:- )?run: (?=[^|>\s])")
_SEVERITIES = tuple(Severity)
_GRADES = tuple(Grade)


class Checked(NamedTuple):
    """A candidate whose quote and claims hold, and whether base had it already."""

    candidate: Candidate
    receipts: tuple[Receipt, ...]
    preexisting: bool = False
    unproven: str = ""  # why its proof was not run
    refutation: Refutation = Refutation()
    aside: str = ""  # why it stands in the table although a comment could: "its quote stands at lines 3, 9"


def check(candidates: Sequence[Candidate], texts: Texts) -> tuple[list[Checked], list[Rejection]]:
    """Anchor every candidate by its quote, run its claims, and leave one of each place."""
    kept: list[Checked] = []
    rejected: list[Rejection] = []
    seen: set[tuple[str, str, int]] = set()  # who says it, path, line
    for candidate in sorted(candidates, key=best_first):
        anchored = anchor(candidate, texts)
        if isinstance(anchored, Rejection):
            rejected.append(anchored)
            continue
        receipts = tuple(_receipt(anchored, claim, texts) for claim in _claims(anchored))
        place = (_says(anchored), anchored.site.path, anchored.site.start_line)
        if false := next((r for r in receipts if not r.ok), None):
            rejected.append(Rejection(anchored, "disproved", f"{false.claim}: {false.detail}"))
        elif place in seen:
            rejected.append(
                Rejection(anchored, "duplicate", f"the same at {_at(anchored.site)} stands already")
            )
        else:
            seen.add(place)
            kept.append(Checked(anchored, receipts))
    return kept, rejected


def anchor(candidate: Candidate, texts: Texts) -> Candidate | Rejection:
    """The candidate at the one place where its quote stands, or the rejection of it.

    A quote that stands at the stated lines needs no search. Otherwise it must stand exactly
    once in the file; the stated numbers never decide between two places.
    """
    if candidate.origin is Origin.GATE:
        return candidate  # its quote was cut from the text that ran, or is the skill's own gate line
    site, text = candidate.site, texts.files.get(candidate.site.path)
    if text is None:
        return Rejection(candidate, "unquoted", f"{site.path} was not read")
    if text.quote(site.start_line, site.line) == site.quote:
        return candidate
    starts = find_quote(site.quote, text)
    if len(starts) != 1:
        where = f"stands at lines {', '.join(map(str, starts))}" if starts else "does not stand in the file"
        return Rejection(candidate, "unquoted", f"the quote {where}")
    end = starts[0] + site.quote.count("\n")
    moved = site._replace(start_line=starts[0], line=end, quote=text.quote(starts[0], end))
    return candidate._replace(site=moved, edit=None)  # an edit speaks of the lines that were stated


def find_quote(quote: str, text: Text) -> list[int]:
    """The lines at which `quote` starts, white space at both ends of its lines aside."""
    wanted = [line.strip() for line in quote.split("\n")]
    if not any(wanted):
        return []
    lines = [line.strip() for line in text.lines]
    last = len(lines) - len(wanted)
    return [i + 1 for i in range(last + 1) if lines[i] == wanted[0] and lines[i : i + len(wanted)] == wanted]


def compare(checked: Iterable[Checked], base: Iterable[Candidate], change: Change) -> list[Checked]:
    """Mark what base had at the same grade as preexisting.

    Places are compared as a multiset of normalised quotes, so that a second copy of an old
    line is new and a moved or re-indented one is not. Lines that the change leaves alone take
    their counterpart in base first. A candidate is new as soon as one of its places is; what a
    gate says of several lines is then left with the new ones, since each stands by itself.
    """
    had = Counter(_identity(c, site) for c in base for site in (c.site, *c.also))
    checked = list(checked)
    named = {c.candidate.site.path for c in checked}
    added = {f.path: changed_lines(f, Side.RIGHT) for f in change.files if f.path in named}
    rows = [(i, site) for i, c in enumerate(checked) for site in (c.candidate.site, *c.candidate.also)]
    places: dict[int, list[Site]] = defaultdict(list)
    for i, site in sorted(rows, key=lambda row: _touches(row[1], added)):
        key = _identity(checked[i].candidate, site)
        if had[key]:
            had[key] -= 1
        else:
            places[i].append(site)
    return [
        c._replace(preexisting=i not in places, candidate=_left_with(c.candidate, places.get(i, [])))
        for i, c in enumerate(checked)
    ]


def new(checked: Iterable[Checked]) -> Iterator[Candidate]:
    """Those that base had not."""
    return (c.candidate for c in checked if not c.preexisting)


def digest(checked: Iterable[Checked], *, whole: bool = False) -> tuple[list[Checked], list[Rejection]]:
    """One finding for all that a style linter says, and one for what it said before; of a whole tree each by
    itself, or nobody could tell a new one from those that are known.

    ruff may name hundreds of faults of one change, and its version here is not the repository's:
    a step of a public evaluation harness (370 files) gave 221 new ones beside no other finding.
    """
    kept: list[Checked] = []
    folded: dict[bool, list[Checked]] = {False: [], True: []}
    for c in checked:
        (folded[c.preexisting] if c.candidate.slug == "gate-ruff" and not whole else kept).append(c)
    rejected = []
    for group in filter(None, folded.values()):
        first, *rest = sorted(group, key=lambda c: best_first(c.candidate))
        kept.append(first._replace(candidate=_with_count(first.candidate, [c.candidate for c in rest])))
        why = "one finding stands for all faults that ruff names"
        rejected += [Rejection(c.candidate, "capped", why) for c in rest]
    return kept, rejected


def _with_count(candidate: Candidate, rest: Sequence[Candidate]) -> Candidate:
    if not rest:
        return candidate
    places = len(candidate.also) + sum(1 + len(c.also) for c in rest)
    files = len({c.site.path for c in (candidate, *rest)})
    more = f" It names {places} more in {files} file{'s' if files > 1 else ''}."
    return candidate._replace(failure=f"{candidate.failure.rstrip('.')}.{more}")


def _left_with(candidate: Candidate, new: Sequence[Site]) -> Candidate:
    if candidate.origin is not Origin.GATE or not new:
        return candidate
    first, *rest = (site for site in (candidate.site, *candidate.also) if site in new)
    return candidate._replace(site=first, also=tuple(rest))


def conclude(
    checked: Sequence[Checked], change: Change, outcomes: Outcomes, model_inline: int = 0
) -> tuple[Finding, ...]:
    """The findings, best first, each with its fingerprint, placement and checked suggestion. At most
    `model_inline` of the model alone stand inline, the surest."""
    files = {f.path: f for f in change.files}
    ordinals: Counter[tuple[str, str, str]] = Counter()
    findings = []
    for c in sorted(checked, key=lambda c: (c.candidate.site.path, c.candidate.site.start_line)):
        site, file = c.candidate.site, files.get(c.candidate.site.path)
        name = (c.candidate.slug, normal(site.quote), (file and file.old_path) or site.path)
        outcome = outcomes.get(c.candidate, Outcome())
        findings.append(
            Finding(
                candidate=c.candidate,
                fingerprint=fingerprint(*name, ordinals[name]),
                preexisting=c.preexisting,
                placement=_placement(c, file),
                suggestion=outcome.suggestion,
                receipts=c.receipts,
                unsuggested=outcome.why_not,
                unproven=c.unproven,
                refutation=c.refutation,
            )
        )
        ordinals[name] += 1
    findings.sort(key=lambda f: (f.preexisting, best_first(f.candidate)))
    inline = [i for i, f in enumerate(findings) if f.placement == "inline"]
    alone = [i for i in inline if findings[i].candidate.origin is Origin.MODEL]
    alone.sort(key=lambda i: -findings[i].candidate.confidence)
    crowded = alone[model_inline:]
    for i in (*crowded, *[i for i in inline if i not in crowded][MAX_INLINE:]):
        findings[i] = findings[i]._replace(placement="table")
    return tuple(findings)


def fingerprint(slug: str, quote: str, path: str, ordinal: int = 0) -> str:
    """The identity of a finding: its class and normalised quote, in the file's oldest known path.

    No line number is in it; `ordinal` tells identical lines of one file apart.
    """
    parts = (slug, normal(quote), path, str(ordinal))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _claims(candidate: Candidate) -> tuple[Claim, ...]:
    site = candidate.site
    if candidate.origin is Origin.GATE:
        return candidate.claims
    first = site.quote.split("\n")[0].strip()
    own = Claim("quote", f"`{first}` stands at {_at(site)}", site.path, first, site.start_line)
    return (own, *candidate.claims)


def _receipt(candidate: Candidate, claim: Claim, texts: Texts) -> Receipt:
    if claim.kind == "run":  # the gate's own exit status: only the Gates port makes such candidates
        ok, detail = candidate.origin is Origin.GATE, "executed by reviewbot"
    elif (text := texts.files.get(claim.path)) is None:
        ok, detail = False, f"{claim.path} was not read"
    elif claim.kind == "quote":
        stands = claim.line is not None and claim.pattern in text.quote(claim.line)
        ok, detail = stands, f"line {claim.line}" if stands else f"line {claim.line} reads otherwise"
    else:
        first, last = claim.within or (1, len(text.lines))
        lines = [line for line in _matching(text, claim.pattern) if first <= line <= last]
        expected = 0 if claim.kind == "absent" else claim.expected
        ok, detail = len(lines) == expected, named_lines(lines)
    return Receipt(claim.kind, claim.text, claim.path, claim.line, ok, detail)


@lru_cache(maxsize=64)  # all findings of a script count the same guards: 500 of them took 4 s
def _matching(text: Text, pattern: str) -> tuple[int, ...]:
    return tuple(i for i, line in enumerate(text.lines, 1) if re.search(pattern, line))


def named_lines(lines: Sequence[int]) -> str:
    """`3 lines: 4, 8, 15`."""
    if not lines:
        return "no line"
    shown = ", ".join(map(str, lines[:12]))
    more = f" and {len(lines) - 12} more" if len(lines) > 12 else ""
    return f"{len(lines)} line{'s' if len(lines) > 1 else ''}: {shown}{more}"


def _identity(candidate: Candidate, site: Site) -> tuple[str, Grade, str, str]:
    # A shell that misses the end of something names the last line, whatever that is.
    quote = "" if "unexpected end of file" in candidate.title else normal(site.quote)
    return _says(candidate), candidate.grade, site.path, quote


def _says(candidate: Candidate) -> str:
    """The detector, or the fault that a gate names."""
    return candidate.detector or f"{candidate.slug} {candidate.title}"


def normal(quote: str) -> str:
    """A quote without what may change around it: white space, and whether a script of a workflow
    stands behind its `run:` or below it."""
    return _RUN.sub("", " ".join(quote.split()))


def _at(site: Site) -> str:
    return f"{site.path}:{site.start_line}"


def changed_lines(file: FileChange, side: Side) -> set[int]:
    """The lines that the change adds at head, or takes away at base."""
    rows = [line for hunk in file.hunks for line in hunk.lines()]
    if side is Side.LEFT:
        return {line.old for line in rows if line.mark == "-" and line.old}
    return {line.new for line in rows if line.mark == "+" and line.new}


def _touches(site: Site, added: Mapping[str, set[int]]) -> bool:
    return not added.get(site.path, set()).isdisjoint(range(site.start_line, site.line + 1))


def _placement(checked: Checked, file: FileChange | None) -> str:
    """Inline only where a comment can stand: new, sure, and whole inside one hunk."""
    site, verdict = checked.candidate.site, checked.refutation.verdict
    sure = verdict != "unsure" and (checked.candidate.grade is not Grade.HINT or verdict == "confirmed")
    if file is None or checked.preexisting or checked.aside or not sure or site.side is Side.LEFT:
        return "table"
    for hunk in file.hunks:
        if hunk.new_start <= site.start_line and site.line < hunk.new_start + hunk.new_count:
            return "inline"
    return "table"


def best_first(candidate: Candidate) -> tuple[int, int, int, str, int]:
    return (
        _SEVERITIES.index(candidate.severity),
        candidate.rank,
        _GRADES.index(candidate.grade),
        candidate.site.path,
        candidate.site.start_line,
    )
