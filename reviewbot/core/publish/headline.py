"""The line that says what a review of a pull request found: the same in the summary, the check run, the
posted review and the answers to commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.publish.cap import inert
from reviewbot.core.report import words
from reviewbot.core.scope import UNCLAIMED
from reviewbot.core.types import Finding, Review

_STATES = {  # of a row, in the order in which they are told
    "new": "new since the last review",
    "back": "back",
    "still there": "still there",
    "declined": "declined",
}


class Headline(NamedTuple):
    """Plain text. `lead` is what is set in bold: "4 findings", "Clean"."""

    lead: str
    found: str  # of the lead's sentence the rest: ": nothing found", " (2 warnings)"
    looked: str  # a sentence on how much was looked at; "": all is said

    def __str__(self) -> str:
        return f"{self.lead}{self.found}." + (f" {self.looked}." if self.looked else "")

    @property
    def markdown(self) -> str:
        """With the lead in bold, all else inert."""
        mark, _, found = self.found.partition(" ")
        return f"**{self.lead}**{mark} {inert(found)}." + (f" {inert(self.looked)}." if self.looked else "")


def headline(review: Review, states: Sequence[str] = ()) -> Headline:
    """`states`: of each finding that decides, against the review before; none where this is the first."""
    new = words.by_meaning(review.findings).new
    looked = "; ".join(_looked(review))
    if review.incomplete:
        left = f": {words.count(len(review.incomplete), 'planned step')} not done"
        return Headline("Incomplete", f"{left}; {''.join(counted(new, states))}" if new else left, looked)
    if new:
        return Headline(*counted(new, states), looked)
    if not words.in_scope(review):
        return Headline("Nothing to review", f": {_nothing(review)}", "")
    return Headline("Clean", ": nothing found in this change", looked)


def counted(findings: Sequence[Finding], states: Iterable[str] = ()) -> tuple[str, str]:
    """`4 findings` and ` (2 warnings, 2 notes): 1 new since the last review, 3 still there`."""
    numbers = Counter("still there" if state == "moved" else state for state in states)
    told = [(numbers[state], what) for state, what in _STATES.items() if numbers[state]]
    rest = f" ({words.severities(findings)})"
    if len(told) == 1:
        rest += f", {'all ' if len(findings) > 1 else ''}{told[0][1]}"
    elif told:
        rest += f": {', '.join(f'{number:,} {what}' for number, what in told)}"
    return words.count(len(findings), "finding"), rest


def above(said: str, comments: int, left: int, annotated: bool) -> str:
    """What a review says above its comments. `left`: new findings that have none. `annotated`: whether these
    are annotations of a check run."""
    where = "in the table of the summary" + (" and in the annotations of the check" if annotated else "")
    few = f"{words.count(comments, 'comment')}, the dearest first; {words.count(left, 'more finding')}"
    rest = f"{few} {'is' if left == 1 else 'are'} {where}." if left else "The summary has the whole review."
    return f"{said}. {rest}"


def _looked(review: Review) -> Iterator[str]:
    kinds = words.by_meaning(review.findings)
    left = {u.path for u in review.uncovered}
    covered = sum(f.path not in left for f in review.change.files)
    yield f"{covered:,} of {words.count(len(review.change.files), 'changed file')} reviewed"
    if kinds.second_look:
        yield f"{len(kinds.second_look):,} worth a second look"
    if kinds.preexisting:
        yield f"{len(kinds.preexisting):,} older than this change"
    if passed_over := sum(c.result == "not-checked" for c in review.checked):
        kind = "kind" if len(review.checked) == 1 else "kinds"
        was = "was" if passed_over == 1 else "were"
        who = "" if review.reader else "no model; "
        yield f"{who}{passed_over:,} of {len(review.checked):,} {kind} of defect {was} not looked for"


def _nothing(review: Review) -> str:
    """Why there was nothing to do, as a clause."""
    number = len(review.change.files)
    if not number:
        return "the change is empty"
    reasons = words.unlooked(review)
    if list(reasons) == [UNCLAIMED]:
        any_of = "the" if number == 1 else "any of the"
        return f"no skill claims {any_of} {words.count(number, 'changed file')}"
    why = "; ".join(f"{reason}: {words.count(len(paths), 'file')}" for reason, paths in reasons.items())
    return f"none of {words.count(number, 'changed file')} could be reviewed ({why})"
