"""What a failing gate says beside the faults that have a place: counts of failures, and rows that speak of
one. Base has to have said all of it before, or head fails in another way too."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from reviewbot.core.gates.output import faults, placed
from reviewbot.core.gates.places import LONGEST, passages
from reviewbot.core.gates.sarif import Said
from reviewbot.core.patterns import pattern
from reviewbot.core.types import GateResult

_COLOURS = pattern(r"\x1b\[[0-9;]{0,20}m")
_COUNT = pattern(
    r"(?<![\w.])(\d{1,9}) (?:tests? |checks? )?(failed|failures?|errors?|failing)\b"
    r"|\b(failures|errors|failed)[=:] ?(\d{1,9})\b",
    re.IGNORECASE,
)
_NONE = pattern(r"\b(?:0|no) (?:tests? )?(?:failed|failures?|errors?|failing|exceptions?)\b", re.IGNORECASE)
_FAILS = pattern(
    r"fail|error|exception|traceback|abort|killed|seg(?:mentation )?fault|panic|fatal|not ok\b|refused|denied"
    r"|crash|core dumped|cannot|can't|could not|unable|undefined|not found|no such|timed? ?out|[✗✘✖]",
    re.IGNORECASE,
)
_PLACE = pattern(r"[ \t]*(?:[^\s:(][^:(]{0,300}|[^\s(]{1,300}?)(?::\d{1,9}:|\(\d{1,9}\):)")
_SUMMARY = pattern(
    r"^[=-]{3}|^g?make(?:\[\d+\])?: \*\*\*|^FAILED(?: \(|$)|^(?:Ran|Tests?|Test Suites):? "
    r"|\d (?:passed|failed|failing|errors?)\b"
)
_TEMPORARY = pattern(r"(?:/private)?(?:/var)?/(?:tmp|folders)/[^\s'\":,;)\]]+")
_CHANCE = pattern(
    r"\b(?:0x)?(?=[a-fA-F-]{0,20}\d)[0-9a-fA-F]{6,}(?:-[0-9a-fA-F]{4,}){0,8}\b"
    r"|\b0x[0-9a-fA-F]+|(?<!\w)\d+(?:[.,:]\d+)*(?: ?m?s\b)?"
)


def counts_more(head: GateResult, base: GateResult) -> str:
    """In words, the figure by which head counts more failures than base; "" where there is none."""
    ours, before = _counts(head.output), _counts(base.output)
    for word, figures in ours.items():
        had = before.get(word, ())
        for one, old in zip_longest(figures, had[: len(figures)], fillvalue=0):
            if one > old:
                return f"{word}: {one}, and {old} on base"
    return ""


def _counts(output: str) -> dict[str, list[int]]:
    """By word, the figures that an output names, largest first."""
    figures: dict[str, list[int]] = {}
    for found in _COUNT.finditer(_COLOURS.sub("", output)):
        word = "errors" if "err" in (found[2] or found[3]).lower() else "failures"
        figures.setdefault(word, []).append(int(found[1] or found[4]))
    return {word: sorted(own, reverse=True) for word, own in figures.items()}


def says_more(head: GateResult, base: GateResult) -> str:
    """A row of head that speaks of a failure which base had not, nor has it a place; "" where there is none.

    Where head places nothing, any row is such a one. A row that the second attempt at head has not is drawn
    by lot, unless both attempts have more of them than base.
    """
    every = not faults(head)
    rows, had = _rows(head, every), _rows(base, every)
    more = rows - Counter({row: n if _looks(row) else rows[row] for row, n in had.items()})
    if again := head.again:
        comes = _rows(again, every)
        fewer = min(rows.total(), comes.total()) <= had.total()
        more = more & comes if fewer else more
    return next((row for row in _unplaced(head, every) if _normal(row) in more), "")


def failure(result: GateResult) -> str:
    """How a gate failed, as 16 hexadecimal digits: its exit status, and where no fault has a place also what
    it says at each attempt and what it counts, without what differs by chance."""
    parts = [str(result.exit)]
    if not faults(result):
        rows = _rows(result, every=True)
        rows &= _rows(result.again, every=True) if result.again else rows
        parts += [f"{row} {number}" for row, number in sorted(rows.items())]
        parts.append(repr(sorted(_counts(result.output).items())))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def telling(output: str) -> str:
    """The row of an output that is nearest to a reason: the last that speaks of a failure and sums nothing
    up, else the last; "" where there is none."""
    rows = [" ".join(_COLOURS.sub("", row[:LONGEST]).split()) for row in output.rsplit("\n", 200)]
    rows = [row for row in reversed(rows) if row]
    failing = [row for row in rows if _FAILS.search(_NONE.sub("", row))]
    return next((row for row in failing if not _SUMMARY.search(row)), (failing or rows or [""])[0])


def _rows(result: GateResult, every: bool) -> Counter[str]:
    return Counter(row for row in map(_normal, _unplaced(result, every)) if row)


def _unplaced(result: GateResult, every: bool) -> Iterator[str]:
    """Every row of a result, or those that look like a failure, but for those of its placed faults; a failure
    that could not be placed is among them, whatever it says."""
    texts = {text.path: text for text in result.named}
    rows, found = passages(result.output)
    told: set[int] = set()
    lost: set[int] = set()
    for passage in found:
        if passage.said is None or placed(passage.said, texts):
            told.update(passage.rows)
        elif passage.rows:
            told.update(passage.rows[:-1])
            lost.add(passage.rows[-1])
        else:
            yield _row(passage.said)
    for i, row in enumerate(rows):
        if every or i in lost or (i not in told and _looks(row[:LONGEST])):
            yield row


def _row(said: Said) -> str:
    path = said.where[0][0] if said.where else ""
    return f"{path}: {said.code} {said.message}"


def _looks(row: str) -> bool:
    return bool(_PLACE.match(row) or _FAILS.search(_NONE.sub("", row)))


@lru_cache(maxsize=8192)  # each row of two outputs is asked for some ten times
def _normal(row: str) -> str:
    """A row without what differs from run to run: numbers, durations, hex, temporary paths."""
    text = _TEMPORARY.sub("…", _COLOURS.sub("", row[:LONGEST]))
    return " ".join(_CHANCE.sub("…", text).split())
