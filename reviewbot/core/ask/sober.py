"""What of a model's prose can stand by what was counted, and what is struck of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reviewbot.core.ask import sweeping
from reviewbot.core.ask.linerefs import Lines, corrected, unknown
from reviewbot.core.types import Claim, Receipt


class Said(NamedTuple):
    """What is left of a text, its lines put right, and each sentence that was struck of it."""

    text: str
    struck: tuple[Receipt, ...]


def fault(sentence: str, counted: Sequence[Claim], lines: Lines) -> str:
    """Why a sentence is struck, or ""."""
    word = sweeping.unborne(sentence, counted)
    return f"`{word}` was not counted" if word else _unplaced(sentence, lines)


def told(text: str, counted: Sequence[Claim], lines: Lines) -> Said:
    """A text that says how things are."""
    return _said(text, [fault(s, counted, lines) for s in sweeping.sentences(text)], lines)


def ordered(text: str, counted: Sequence[Claim], lines: Lines) -> Said:
    """A text that says what to do: "loop over all items" claims nothing, "every caller is broken" does."""
    faults = [
        fault(s, counted, lines) if sweeping.claims(s) else _unplaced(s, lines)
        for s in sweeping.sentences(text)
    ]
    return _said(text, faults, lines)


def struck(text: str, why: str) -> Receipt:
    return Receipt("quote", f'"{text}"', "", None, False, why)


def _unplaced(sentence: str, lines: Lines) -> str:
    place = unknown(corrected(sentence, lines), lines)
    return f"no check speaks of {place}" if place else ""


def _said(text: str, faults: Sequence[str], lines: Lines) -> Said:
    rows = list(zip(sweeping.sentences(text), faults, strict=True))
    kept = " ".join(corrected(sentence, lines) for sentence, why in rows if not why)
    return Said(kept, tuple(struck(sentence, why) for sentence, why in rows if why))
