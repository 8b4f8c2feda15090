"""The Markdown report: verdict, what is not done, defect → cost → fix, then each finding with its proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reviewbot.core.report import edits, words
from reviewbot.core.report.markup import code, details, fence, language, prose, table
from reviewbot.core.types import Finding, GateStatus, Rejection, Review
from reviewbot.core.visible import name

TAIL = 20  # lines of a failed gate's output


def render(review: Review) -> str:
    """The whole report; blocks are parted by empty lines."""
    return "\n\n".join(_blocks(review)) + "\n"


def _blocks(review: Review) -> Iterator[str]:
    kinds = words.by_meaning(review.findings)
    verdict, _, facts = words.verdict(review).partition(": ")
    yield f"**{verdict}**: {prose(facts)}"
    if where := words.compared(review.change):
        yield prose(where)
    yield from _not_done(review)
    if kinds.new:
        yield "## Defect → cost → fix"
        yield _summary(kinds.new)
        for number, finding in enumerate(kinds.new, 1):
            yield f"### {number}. {prose(finding.candidate.title)}"
            yield from _finding(finding)
    if kinds.second_look:
        yield "## Worth a second look"
        yield "Not counted in the verdict: nobody has confirmed these."
        for finding in kinds.second_look:
            yield f"### {prose(finding.candidate.title)}"
            yield from _claim(finding)
            yield f"**Fix.** {prose(finding.candidate.fix)}"
    yield from _checked(review)
    if read := words.guidance(review):
        yield f"Guidance of the repository, read at base: {prose(read)}."
    if remarks := words.remarks(review):
        yield "## Notes on the skills"
        yield _list(map(prose, remarks))
    yield from _gates(review)
    yield from _not_covered(review)
    yield from _preexisting(kinds.preexisting, words.old(review.change))
    yield from _rejected(words.rejected(review))
    if cost := words.cost(review):
        yield f"Model: {prose(cost)}."


def _not_done(review: Review) -> Iterator[str]:
    if review.incomplete:
        yield "## Not done"
        yield "The review is not whole. Nothing below says that these are in order:"
        yield _list(f"{i.stage}: {code(i.what)}: {prose(i.why)}" for i in review.incomplete)


def _summary(findings: Iterable[Finding]) -> str:
    rows = []
    for number, finding in enumerate(findings, 1):
        c = finding.candidate
        defect = f"{prose(c.title)}<br>{code(words.place(c.site))}"
        rows.append((str(number), c.severity.value, defect, prose(c.cost), prose(c.fix)))
    return table(("#", "Severity", "Defect", "Cost", "Fix"), rows)


def _finding(finding: Finding) -> Iterator[str]:
    yield from _claim(finding)
    yield f"**Fix.** {prose(finding.candidate.fix)}"
    yield from _suggestion(finding)


def _claim(finding: Finding) -> Iterator[str]:
    c = finding.candidate
    facts = [c.severity.value, c.grade.value, c.detector and code(c.detector), prose(c.skill)]
    yield f"{code(words.place(c.site))} ({', '.join(filter(None, facts))})"
    yield fence(c.site.quote, language(c.site.path))
    if c.also:
        yield f"The same cause, at: {prose(words.also(finding))}."
    yield f"**Why it matters.** {prose(c.failure)}" + (f" {prose(c.cost)}" if c.cost else "")
    if reading := words.second_reading(finding):
        yield f"**Second reading.** {prose(reading)}"
    if finding.receipts:
        yield "**Proof**, each step checked by reviewbot:"
        yield "\n".join(f"{n}. {prose(words.receipt(r))}" for n, r in enumerate(finding.receipts, 1))
        for rows in filter(None, map(words.transcript, finding.receipts)):
            yield fence("\n".join(rows), "console")
    if finding.unproven:
        yield f"Not proven by running it: {prose(finding.unproven)}."


def _suggestion(finding: Finding) -> Iterator[str]:
    suggestion = finding.suggestion
    if suggestion is None:
        yield f"No suggestion is offered: {prose(words.unsuggested(finding))}."
        return
    yield f"Suggestion for {edits.span(suggestion)}; tried: {words.checks(suggestion)}."
    yield fence("\n".join(mark + line for mark, line in edits.rows(suggestion)), "diff")


def _checked(review: Review) -> Iterator[str]:
    sayings = (
        ("held", "Checked and held", "looked for by something that finds every case"),
        ("nothing-found", "Nothing found", "looked for, which proves no absence"),
        ("not-checked", "Not checked", "nobody looked"),
        ("not-applicable", "Not applicable", "no changed file that it could be in"),
    )
    if review.checked:
        yield "## What was looked for"
    for result, title, meaning in sayings:
        if skills := words.classes(review, result):
            yield f"**{title}** ({meaning}):"
            yield _list(
                f"{prose(skill)}: {'; '.join(prose(c.title) for c in classes)}"
                for skill, classes in skills.items()
            )


def _gates(review: Review) -> Iterator[str]:
    if not review.gates:
        return
    yield "## Gates"
    rows = [
        (code(line), f"{len(results):,}", prose(what))
        for (line, what), results in words.gates(review).items()
    ]
    yield table(("Gate", "Runs", "Result"), rows)
    for result in review.gates:
        if result.status is GateStatus.FAILED and result.output.strip():
            tail = "\n".join(result.output.rstrip("\n").split("\n")[-TAIL:])
            yield details(
                "Output of a failed gate", f"{code(words.command(result))}\n\n{fence(tail, 'text')}"
            )


def _not_covered(review: Review) -> Iterator[str]:
    if not review.uncovered:
        return
    reasons = words.unlooked(review)
    yield "## Not covered"
    yield _list(f"{prose(reason)}: {words.count(len(paths), 'file')}" for reason, paths in reasons.items())
    rows = [f"{code(name(path))}: {prose(reason)}" for reason, paths in reasons.items() for path in paths]
    yield details(f"{words.count(len(rows), 'file')} by name", _list(rows))


def _preexisting(findings: tuple[Finding, ...], old: str) -> Iterator[str]:
    if findings:
        yield f"## {old.capitalize()}"
        where = "In the baseline" if old == "known" else "Older than this change"
        yield f"{where}, and no part of the verdict."
        rows = (f"{code(words.place(f.candidate.site))}: {prose(f.candidate.title)}" for f in findings)
        yield details(words.count(len(findings), "finding"), _list(rows))


def _rejected(rejections: Sequence[Rejection]) -> Iterator[str]:
    if rejections:
        rows = (
            f"{code(words.place(r.candidate.site))}: {prose(r.candidate.title)}. "
            f"**{r.reason}**: {prose(r.detail or 'no reason given')}"
            for r in rejections
        )
        yield "## Rejected"
        yield "Claims that did not survive their check."
        yield details(words.count(len(rejections), "claim"), _list(rows))


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)
