"""What is claimed, and what becomes of it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from reviewbot.core.types.change import Side, Text
from reviewbot.core.types.skill import Grade, Severity


class Origin(StrEnum):
    """Who made a candidate."""

    DETECTOR = "detector"
    GATE = "gate"
    MODEL = "model"


class Site(NamedTuple):
    """A place in a text and the words that stand there. `quote` is whole lines, ends cut."""

    path: str
    start_line: int
    line: int
    quote: str
    side: Side = Side.RIGHT


class Edit(NamedTuple):
    """Replace the lines `start_line`..`line` by `replacement` (LF-joined, unterminated; empty deletes)."""

    start_line: int
    line: int
    replacement: str


class Claim(NamedTuple):
    """A checkable sentence. `verify` runs the check and makes the Receipt.

    quote:  `pattern` is text that stands at path:line.
    count:  the regular expression `pattern` matches exactly `expected` lines of path.
    absent: the regular expression `pattern` matches no line of path.
    run:    a command was executed; only the Gates port can make one good.

    A model may claim two more, and may leave the path of all but a quote empty, for the whole tree
    (core/ask/evidence.py checks them, and its receipts are quotes):

    defined: the symbol `pattern` is defined at path:line.
    called:  the symbol `pattern` is called at path:line.
    """

    kind: str
    text: str  # the sentence for people
    path: str
    pattern: str
    line: int | None = None
    expected: int | None = None
    within: tuple[int, int] | None = None  # count and absent: only these lines of path; None: all of them
    guard: str = ""  # count, of a model: a regular expression that `guarded` of the lines match too
    guarded: int | None = None


class Receipt(NamedTuple):
    """A claim that was checked. Of a proof, `detail` is the transcript: what ran, and what it printed."""

    kind: str
    claim: str
    path: str
    line: int | None
    ok: bool
    detail: str = ""


class Sign(NamedTuple):
    """One way in which a proof can end; every field that is given has to hold."""

    words: str  # for people, behind the command: "stops with \"unbound variable\""
    output: str = ""  # a regular expression, searched for (multi-line) in what it printed
    exits: tuple[int, ...] = ()  # one of these
    endless: bool = False  # it was ended because its time was up


class Proof(NamedTuple):
    """A command that shows a failure by running it in the sandbox. It can end in a third way, which
    proves nothing."""

    argv: tuple[str, ...]
    shows: Sign
    denies: Sign
    # All that there is, reduced from a text to what an allow-list of syntax lets through. Without it
    # the command runs in the tree at base, into which the reviewed file is copied as head has it.
    script: Text | None = None
    seconds: float = 1.0  # before it counts as endless


class Candidate(NamedTuple):
    """What a detector, a gate or a model claims. Nothing is posted before verify has seen it."""

    skill: str
    slug: str  # of the defect class
    rank: int
    title: str
    severity: Severity
    origin: Origin
    grade: Grade
    site: Site
    failure: str  # what goes wrong, in one or two sentences
    cost: str
    fix: str
    detector: str | None = None
    confidence: int = 100  # percent
    also: tuple[Site, ...] = ()  # further places of the same root cause
    edit: Edit | None = None
    claims: tuple[Claim, ...] = ()
    proof: Proof | None = None


class Rejection(NamedTuple):
    """A candidate that did not become a finding, and why. `reason` is a word of the JSON contract."""

    candidate: Candidate
    reason: str
    detail: str = ""


class Suggestion(NamedTuple):
    """An edit that was spliced into the head text and checked: `checked` names the checks that held."""

    edit: Edit
    old: tuple[str, ...]  # the lines that it replaces, ends cut
    checked: tuple[str, ...]  # "applies", "parses", "gates", "fixes"


class Refutation(NamedTuple):
    verdict: str = "not-run"  # "confirmed" | "refuted" | "unsure" | "not-run"
    reason: str = ""


class Finding(NamedTuple):
    """A candidate that survived. Only core/verify.py constructs one (a test sees to it)."""

    candidate: Candidate
    fingerprint: str
    preexisting: bool
    placement: str  # "inline" | "file" | "table"
    suggestion: Suggestion | None
    receipts: tuple[Receipt, ...]
    unsuggested: str = ""  # why a proposed edit is not offered as a suggestion
    unproven: str = ""  # why a proof that it has was not run
    refutation: Refutation = Refutation()

    @property
    def decides(self) -> bool:
        """Whether this finding counts for the verdict."""
        sure = self.candidate.grade is not Grade.HINT or self.refutation.verdict == "confirmed"
        return sure and not self.preexisting and self.refutation.verdict != "unsure"
