"""The report for a terminal: the findings, a table of them, what was not looked at; the verdict last.

The last line is what stays on the screen. The furniture is ASCII, so that it is right in every
locale; rich is not used because its import takes 80 of the 500 ms that a whole review may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from reviewbot.core.report import edits, words
from reviewbot.core.report.layout import Ink, chop, labelled, table, wrap
from reviewbot.core.types import Finding, Review
from reviewbot.core.visible import name, visible

Link = Callable[[str], str]

MAX_PROSE = 100  # cells; longer lines are hard to read
IN_FULL = 25  # findings, and rows of a list; the table names all findings
QUOTED = 12  # rows of one quote
EDITED = 40  # rows of one suggestion
WITH_COST = 110  # cells; from here on the table has room for the costs
IN_MARKDOWN = "(--format markdown names them)"
NAMED = 5  # files named for each reason why nobody looked at them

_COLOURS = {"blocker": ("bold", "red"), "warning": ("bold", "yellow"), "note": ("cyan",)}
_MARKS = {"-": ("red",), "+": ("green",), " ": ()}
_VERDICTS = {"clean": "green", "findings": "yellow", "incomplete": "red"}


def render(review: Review, width: int = 80, colour: bool = False, link: Link | None = None) -> str:
    """The whole report; no line is longer than `width` cells (40 at least)."""
    return "\n".join(_Terminal(max(40, width), Ink(colour), link).report(review)) + "\n"


class _Terminal:
    def __init__(self, width: int, ink: Ink, link: Link | None) -> None:
        self.width = width
        self.prose = min(width, MAX_PROSE)
        self.ink = ink
        self.link = link

    def report(self, review: Review) -> Iterator[str]:
        kinds = words.by_meaning(review.findings)
        for number, finding in enumerate(kinds.new[:IN_FULL], 1):
            yield from self.finding(number, finding)
        if len(kinds.new) > 1:
            yield from self.index(kinds.new)
        if len(kinds.new) > IN_FULL:
            note = f"The first {IN_FULL} are set out in full; --format markdown does so for all."
            yield from [*wrap(note, self.prose), ""]
        yield from self.second_look(kinds.second_look)
        ledger = list(self.ledger(review, len(kinds.preexisting)))
        yield from [*ledger, ""] if ledger else []
        yield from self.verdict(review)

    def finding(self, number: int, finding: Finding) -> Iterator[str]:
        c = finding.candidate
        head = f"{number}. "
        where, *more = chop(visible(words.place(c.site)), self.width - len(head) - 10)
        url = self.link(c.site.path) if self.link else None
        severity = self.ink(c.severity.value, *_COLOURS[c.severity.value])
        yield f"{head}{self.ink.link(self.ink(where, 'bold'), url)}  {severity}"
        yield from (" " * len(head) + row for row in more)
        for row in wrap(visible(c.title), self.prose - 3):
            yield f"   {self.ink(row, 'bold')}"
        yield ""
        yield from self.quote(c.site.quote.split("\n"), c.site.start_line)
        yield ""
        yield from self.field("failure", c.failure)
        yield from self.field("cost", c.cost)
        yield from self.field("also at", words.also(finding))
        yield from self.field("2nd read", words.second_reading(finding))
        label = "proof"
        for receipt in finding.receipts:
            stands_above = receipt.kind == "quote" and receipt.line == c.site.start_line
            if receipt.ok and not stands_above:  # what was struck is told by the other formats
                yield from self.field(label, words.receipt(receipt))
                yield from self.transcript(words.transcript(receipt))
                label = ""
        yield from self.field("fix", c.fix)
        yield from self.suggestion(finding)
        yield ""

    def quote(self, lines: Sequence[str], start: int) -> Iterator[str]:
        gutter = len(str(start + len(lines) - 1)) + 3
        rows = [
            (str(number) if i == 0 else "", piece)
            for number, line in enumerate(lines, start)
            for i, piece in enumerate(self.pieces(line, gutter + 3))
        ]
        for number, piece in rows[:QUOTED]:
            yield f"{self.ink(f'{number:>{gutter}} |', 'dim')} {piece}".rstrip()
        if len(rows) > QUOTED:
            yield f"{'':>{gutter}}   ({words.count(len(rows) - QUOTED, 'more row')})"

    def transcript(self, lines: Sequence[str]) -> Iterator[str]:
        """What was run and what it printed, as somebody sees it who types it in."""
        rows = [piece for line in lines for piece in self.pieces(line, 15)]
        bar = self.ink("|", "dim")
        yield from (f"{'':13}{bar} {row}".rstrip() for row in rows[:EDITED])
        if len(rows) > EDITED:
            yield f"{'':15}({words.count(len(rows) - EDITED, 'more row')})"

    def suggestion(self, finding: Finding) -> Iterator[str]:
        if finding.suggestion is None:
            yield from self.field("", f"No suggestion: {words.unsuggested(finding)}.")
            return
        tried = f"{edits.span(finding.suggestion)}; tried: {words.checks(finding.suggestion)}"
        yield from self.field("edit", tried)
        yield ""
        rows = [  # not wrapped: these lines are for copying
            self.ink(f"   {mark} {visible(line).expandtabs(4)}".rstrip(), *_MARKS[mark])
            for mark, line in edits.rows(finding.suggestion)
        ]
        yield from rows[:EDITED]
        if len(rows) > EDITED:
            yield f"     ({words.count(len(rows) - EDITED, 'more row')})"

    def pieces(self, line: str, margin: int) -> list[str]:
        """A line of code, cut where the screen ends."""
        return chop(visible(line).expandtabs(4), self.width - margin)

    def field(self, label: str, text: str) -> Iterator[str]:
        if text:
            first, *rest = labelled(label, visible(text), self.prose, 3, 13)
            yield first.replace(label, self.ink(label, "dim"), 1)
            yield from rest

    def index(self, findings: tuple[Finding, ...]) -> Iterator[str]:
        """One row for each finding; its cost too, where there is room for it."""
        columns = ["#", "severity", "where", "defect", "fix"]
        if wide := self.width >= WITH_COST:
            columns.insert(4, "cost")
        rows = []
        for number, finding in enumerate(findings, 1):
            c = finding.candidate
            fix = "edit" if finding.suggestion else "by hand"
            texts = (words.place(c.site), c.title, *((c.cost,) if wide else ()))
            rows.append((str(number), c.severity.value, *map(visible, texts), fix))
        head, *body = table(columns, rows, self.width)
        yield from (self.ink(line, "dim") for line in head)
        for lines in body:
            yield from lines
        yield ""

    def second_look(self, findings: tuple[Finding, ...]) -> Iterator[str]:
        if findings:
            yield "Worth a second look, not in the verdict:"
            claims = [(words.place(f.candidate.site), f.candidate) for f in findings]
            for text in capped([f"{place}: {c.title}. {c.failure} Fix: {c.fix}" for place, c in claims]):
                yield from labelled("-", visible(text), self.prose, 1, 3)
            yield ""

    def ledger(self, review: Review, preexisting: int) -> Iterator[str]:
        """What was looked at and what was not."""
        yield from self.row("compared", filter(None, [words.compared(review.change)]))
        yield from self.row("guidance", filter(None, [words.guidance(review)]))
        yield from self.row("skill notes", words.remarks(review))
        held = words.classes(review, "held").items()
        yield from self.row("held", (f"{skill}: {'; '.join(c.title for c in rows)}" for skill, rows in held))
        if unlooked := sum(map(len, words.classes(review, "not-checked").values())):
            classes = words.count(len(review.checked), "class", "classes")
            own = (f"{skill}: {titles}" for skill, titles in words.own_unlooked(review))
            yield from self.row("not checked", [f"{unlooked} of {classes} {IN_MARKDOWN}", *own])
        gates = (
            f"{line}: {what}" + (f" ({words.count(runs, 'run')})" if runs > 1 else "")
            for line, what, runs in words.told(review)
        )
        yield from self.row("gates", gates)
        yield from self.row("not proven", words.unproven(review.findings))
        if claims := words.rejected(review):
            reasons = Counter(r.reason for r in claims)
            told = ", ".join(f"{number} {reason}" for reason, number in reasons.items())
            yield from self.row("rejected", [f"{words.count(len(claims), 'claim')}: {told} {IN_MARKDOWN}"])
        yield from self.row("model", filter(None, [words.cost(review)]))
        files = (f"{reason}: {named(paths)}" for reason, paths in words.unlooked(review).items())
        yield from self.row("not covered", files)
        if preexisting:
            yield from self.row(words.old(review.change), [f"{preexisting:,} {IN_MARKDOWN}"])
        not_done = (f"{i.stage}: {i.what}: {i.why}" for i in review.incomplete)
        yield from self.row("NOT DONE", not_done, "bold", "red")

    def row(self, label: str, texts: Iterable[str], *styles: str) -> Iterator[str]:
        for text in capped(list(texts)):
            first, *rest = labelled(label, visible(text), self.prose, 0, 13)
            yield first.replace(label, self.ink(label, *styles or ("dim",)), 1)
            yield from rest
            label = ""

    def verdict(self, review: Review) -> Iterator[str]:
        first, *rest = wrap(visible(words.verdict(review)), self.prose)
        yield first.replace(review.verdict, self.ink(review.verdict, "bold", _VERDICTS[review.verdict]), 1)
        yield from rest


def capped(texts: Sequence[str]) -> Sequence[str]:
    """A list short enough to read; its last entry counts what is left out."""
    if len(texts) <= IN_FULL:
        return texts
    return [*texts[:IN_FULL], f"{len(texts) - IN_FULL:,} more {IN_MARKDOWN}"]


def named(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - NAMED:,} more" if len(paths) > NAMED else ""
    return ", ".join(map(name, paths[:NAMED])) + more
