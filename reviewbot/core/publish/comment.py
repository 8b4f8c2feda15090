"""What a comment on a line, or on a file, says about one finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviewbot.core.ask.redact import redacted
from reviewbot.core.publish.cap import capped, inert
from reviewbot.core.report import edits, words
from reviewbot.core.report.markup import MAX_FENCE, code, details, fence, language, longest_run
from reviewbot.core.types import Finding, Grade, Receipt, Severity, Suggestion
from reviewbot.core.visible import visible

MARKS = {Severity.BLOCKER: "🔴", Severity.WARNING: "🟠", Severity.NOTE: "🔵"}
OPEN_STEPS = 2  # of a proof that is not folded
NAMED = 8  # characters of a fingerprint: enough for people to name a finding

_GRADES = {
    Grade.PROVEN: "proven: the failure was brought about by running it",
    Grade.STRONG: "strong: what was checked stands by itself",
    Grade.HINT: "hint: it wants a second reading",
}
_SECRET = "what it puts there looks like a secret, which is not repeated here"
_HIDDEN = "it holds characters that cannot be seen"
_ELSEWHERE = "it changes other lines than those of this comment"


class Offer(NamedTuple):
    """How a comment on a line may carry the fix."""

    start_line: int  # RIGHT lines that the comment stands on, and that a suggestion block replaces
    line: int
    block: bool  # whether a block that can be committed is allowed
    why_not: str = ""  # a clause: "the file has CRLF line ends"


def inline(finding: Finding, offer: Offer, marker: str, name: str = "") -> str:
    """The body of a comment on a line; `marker` is its last line.

    name: what a dismissal is addressed to; "" where the body is no thread's first comment.
    """
    suggestion = finding.suggestion
    why = _no_block(suggestion, offer) if suggestion else ""
    if suggestion and not why:
        block = _block(suggestion)
        body = redacted(_body(finding, [block], name))
        if f"\n\n{block}\n\n" in body:  # else something was taken out of it
            return capped(body, marker)
        why = _SECRET
    return capped(redacted(_body(finding, _by_hand(finding, why), name)), marker)


def on_file(finding: Finding, marker: str, name: str = "") -> str:
    """The body of a comment on a whole file: there is no line that a block could replace."""
    place = code(words.place(finding.candidate.site))
    why = "a comment on a file holds no suggestion"
    return capped(redacted(_body(finding, _by_hand(finding, why), name, place)), marker)


def heading(finding: Finding) -> str:
    """The severity and the title, in bold."""
    severity = finding.candidate.severity
    return f"{MARKS[severity]} **{severity.value.capitalize()}: {inert(finding.candidate.title)}**"


def proof(finding: Finding) -> str:
    """The receipts as numbered steps; "" where there are none."""
    return _steps(finding.receipts)


def _steps(receipts: Iterable[Receipt]) -> str:
    return "\n".join(f"{n}. {inert(words.receipt(r))}" for n, r in enumerate(receipts, 1))


def _proof(finding: Finding) -> Iterator[str]:
    """The steps that say more than the quote above them; folded where they are many, with what ran."""
    steps = [r for r in finding.receipts if not _is_quote(finding, r)]
    shown = list(transcripts(finding))
    if len(steps) > OPEN_STEPS or shown:
        title = f"Proof: {words.count(len(steps), 'step')}, {'each ' if len(steps) > 1 else ''}checked"
        yield details(title, "\n\n".join([_steps(steps), *shown]))
    elif steps:
        yield f"**Proof**, {'each step ' if len(steps) > 1 else ''}checked by reviewbot:"
        yield _steps(steps)


def _is_quote(finding: Finding, receipt: Receipt) -> bool:
    """Whether a step only repeats the whole quote."""
    site = finding.candidate.site
    own = ("quote", site.path, site.start_line, True)
    return (receipt.kind, receipt.path, receipt.line, receipt.ok) == own


def transcripts(finding: Finding) -> Iterator[str]:
    """What each proof ran and printed, as fences."""
    for rows in filter(None, map(words.transcript, finding.receipts)):
        yield fence("\n".join(rows), "console")


def _body(finding: Finding, fix: Iterable[str], name: str, place: str = "") -> str:
    c = finding.candidate
    blocks = [heading(finding), place, fence(c.site.quote, language(c.site.path))]
    blocks.append(f"**Why it matters.** {inert(c.failure)}" + (f" {inert(c.cost)}" if c.cost else ""))
    blocks.append(f"**Fix.** {inert(c.fix)}")
    blocks += fix
    blocks += _proof(finding)
    blocks.append(details("Details", "\n".join(f"- {line}" for line in _reasoning(finding))))
    if name:
        blocks.append(f"Not useful? Reply {code(f'@{name} dismiss <reason>')}")
    return "\n\n".join(filter(None, blocks))


def _reasoning(finding: Finding) -> Iterator[str]:
    c = finding.candidate
    if finding.suggestion is not None:
        yield f"The edit was tried before it was offered: {words.checks(finding.suggestion)}."
    if reading := words.second_reading(finding):
        yield f"{inert(reading[:1].upper() + reading[1:])}."
    if c.also:
        yield f"The same cause, at: {inert(words.also(finding))}."
    if finding.unproven:
        yield f"Not proven by running it: {inert(finding.unproven)}."
    yield f"Grade: {_GRADES[c.grade]}."
    by = f"detector {code(c.detector)}" if c.detector else f"a {c.origin.value}"
    yield f"Found by {by}, for class {inert(c.slug)} of the skill {inert(c.skill)}."
    yield f"Its name in commands: {code(finding.fingerprint[:NAMED])}."


def _no_block(suggestion: Suggestion, offer: Offer) -> str:
    """Why a suggestion is not offered as a block; "" where it is. The text of a block has to be exact, so
    nothing in it can be taken out or made visible."""
    text, edit = suggestion.edit.replacement, suggestion.edit
    if not offer.block:
        return offer.why_not or "it cannot be committed from here"
    if (edit.start_line, edit.line) != (offer.start_line, offer.line):
        return _ELSEWHERE
    if longest_run(text) >= MAX_FENCE:
        return "no fence of GitHub's is longer than the backticks in it"
    return _HIDDEN if visible(text) != text else ""


def _block(suggestion: Suggestion) -> str:
    """An empty one deletes the lines."""
    text = suggestion.edit.replacement
    run = "`" * max(3, 1 + longest_run(text))
    return "\n".join([f"{run}suggestion", *([text] if text else []), run])


def _by_hand(finding: Finding, why: str) -> Iterator[str]:
    """The fix where there is no button for it."""
    if finding.suggestion is None:
        yield f"No one-click fix: {inert(words.unsuggested(finding))}."
        return
    yield f"Change {edits.span(finding.suggestion)} by hand ({inert(why)}):"
    yield fence("\n".join(mark + line for mark, line in edits.rows(finding.suggestion)), "diff")
