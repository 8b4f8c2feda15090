"""The dry run of proposed edits: spliced, parsed, gated and swept again before anybody sees a button."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from reviewbot.core.gates import read_gates, rehearse_gates
from reviewbot.core.language import language
from reviewbot.core.ports import Gates
from reviewbot.core.types import (
    Candidate,
    Edit,
    GatePlan,
    GateResult,
    GateStatus,
    Origin,
    Side,
    Suggestion,
    Text,
    Texts,
)

# What one review tries: each edit costs its gates and a sweep, and shellcheck takes 1 s for 1000 lines.
MAX_EDITS = 50
MAX_LINES = 20_000  # of the texts that are tried, together


class Outcome(NamedTuple):
    suggestion: Suggestion | None = None
    why_not: str = ""


class Rehearsal(NamedTuple):
    """What the detectors and the free gates say of one spliced text."""

    found: tuple[Candidate, ...]
    whole: bool  # whether every detector could read it
    gates: tuple[GateResult, ...]
    gated: tuple[Candidate, ...]  # the candidates read from `gates`


Outcomes = Mapping[Candidate, Outcome]


def rehearse(
    proposed: Iterable[Candidate],
    texts: Texts,
    candidates: Sequence[Candidate],
    plan: GatePlan,
    gates: Gates,
    sweep: Callable[[Texts], tuple[Sequence[Candidate], bool]],
) -> dict[Candidate, Outcome]:
    """Try every edit of `proposed`: splice it, sweep the result, and run the syntax check and the free
    gates of its file on it.

    `texts` and `candidates` are those of head, `plan` is what ran there. All gates of all texts run as one
    plan, so that they share the processors. `sweep` gives the detectors' candidates, and whether all of
    them could read the text.
    """
    todo, outcomes = spliced(proposed, texts)
    runs = {c: rehearse_gates(plan, text) for c, text in todo.items()}
    results = iter(gates.run(GatePlan(tuple(run for own in runs.values() for run in own))))
    for candidate, text in todo.items():
        path = candidate.site.path
        own = tuple(next(results) for _ in runs[candidate])
        found, whole = sweep(Texts(Side.RIGHT, {path: text}))
        before = [c for c in candidates if c.site.path == path]
        outcomes[candidate] = judge(
            candidate, texts.files[path], before, Rehearsal(tuple(found), whole, own, read_gates(own))
        )
    return outcomes


def splice(text: Text, edit: Edit) -> Text:
    """`text` with the lines of `edit` replaced. The file keeps its own line ends and its end of file.

    Raises ValueError where the edit's lines are not in the text.
    """
    rows = text.content.split("\n")
    ended = rows[-1] == ""
    if ended:
        rows.pop()
    if not 1 <= edit.start_line <= edit.line <= len(rows):
        raise ValueError(f"lines {edit.start_line}-{edit.line} are not in {text.path}")
    crlf = rows[edit.line - 1].endswith("\r") or (edit.line == len(rows) > 1 and rows[0].endswith("\r"))
    new = edit.replacement.split("\n") if edit.replacement else []
    last = len(rows) == edit.line and not ended
    rows[edit.start_line - 1 : edit.line] = [
        row + "\r" if crlf and not (last and i == len(new) - 1) else row for i, row in enumerate(new)
    ]
    return replace(text, content="\n".join(rows) + ("\n" if ended and rows else ""))


def spliced(
    candidates: Iterable[Candidate], texts: Texts
) -> tuple[dict[Candidate, Text], dict[Candidate, Outcome]]:
    """The texts to rehearse, and the edits that have fallen before that."""
    todo: dict[Candidate, Text] = {}
    lines = 0
    fell: dict[Candidate, Outcome] = {}
    for candidate in candidates:
        text = texts.files.get(candidate.site.path)
        if candidate.edit is None or text is None:
            continue
        try:
            new = splice(text, candidate.edit)
        except ValueError as error:
            fell[candidate] = Outcome(why_not=str(error))
            continue
        if new.content == text.content:
            fell[candidate] = Outcome(why_not="the edit changes nothing")
        elif text.partial:
            fell[candidate] = Outcome(
                why_not="only the hunks of the file are known, so it could not be tried"
            )
        elif len(todo) == MAX_EDITS or lines + len(text.lines) > MAX_LINES:
            fell[candidate] = Outcome(why_not="the review tried as many edits as it may before this one")
        else:
            lines += len(text.lines)
            todo[candidate] = new
    return todo, fell


def judge(candidate: Candidate, head: Text, before: Sequence[Candidate], rehearsal: Rehearsal) -> Outcome:
    """Offer the edit only if the result parses, no gate says more than before, and the finding is gone.

    `before` holds every candidate of the file as it stands at head.
    """
    edit = candidate.edit
    if edit is None:
        return Outcome()
    for gate in rehearsal.gates:
        if gate.run.syntax and gate.status is not GateStatus.PASSED:
            what = (
                "does not parse"
                if gate.status is GateStatus.FAILED
                else f"could not be parsed ({gate.reason})"
            )
            return Outcome(why_not=f"the result {what}")
        if gate.status not in (GateStatus.PASSED, GateStatus.FAILED, GateStatus.SKIPPED):
            return Outcome(
                why_not=f"{' '.join(gate.run.argv[:2])} could not run on the result: {gate.reason}"
            )
    if worse := _kinds(rehearsal.gated) - _kinds(c for c in before if c.detector is None):
        return Outcome(why_not=f"on the result, {next(iter(worse))} would newly fail")
    if not rehearsal.whole:
        return Outcome(why_not="a detector could not read the result")
    had, found = _kinds(c for c in before if c.detector), _kinds(rehearsal.found)
    own = candidate.detector or candidate.title
    claimed = candidate.origin is Origin.MODEL  # nobody can tell by machine whether its edit mends it
    if found[own] >= had[own] and not claimed:
        return Outcome(why_not="the finding would still stand on the result")
    if worse := found - had:
        return Outcome(why_not=f"the result would have a new {next(iter(worse))}")
    old = head.lines[edit.start_line - 1 : edit.line]
    return Outcome(Suggestion(edit, old, tuple(_held(head, rehearsal, claimed))))


def _held(head: Text, rehearsal: Rehearsal, claimed: bool) -> Iterator[str]:
    """The checks that were made, of those that nothing speaks against."""
    yield "applies"
    # There is a syntax check for shell and Python only; a workflow was parsed by who read its scripts.
    swept = language(head.path, head.first_line) == "workflow" and not claimed
    if swept or any(gate.run.syntax for gate in rehearsal.gates):
        yield "parses"
    if any(not g.run.syntax and g.status is not GateStatus.SKIPPED for g in rehearsal.gates):
        yield "gates"
    if not claimed:
        yield "fixes"


def _kinds(candidates: Iterable[Candidate]) -> Counter[str]:
    return Counter(c.detector or c.title for c in candidates)
