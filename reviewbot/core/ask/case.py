"""What the second reader is shown of one claim."""

from __future__ import annotations

from reviewbot.core.ask.legible import ForgedFence, fenced, legible
from reviewbot.core.ask.prompts import Prompts
from reviewbot.core.ask.refute import Case
from reviewbot.core.types import Part

_FORGED = "not shown: it holds the mark that tells data from instructions"


def case_parts(case: Case, prompts: Prompts, nonce: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The system's side and the data. Claim, quote and excerpts are legible already."""
    excerpts = [_fenced("code", f"({legible(e.what)})\n{e.text}", nonce, e.path) for e in case.excerpts]
    place = f"{case.place.side} line {case.place.start_line}\n{case.place.quote}"
    told = prompts.render(
        "refute.md.j2",
        claim=_fenced("claim", case.claim, nonce),
        quote=_fenced("quote", place, nonce, case.place.path),
        excerpts=excerpts,
        nonce=nonce,
    )
    return (Part(prompts.render("refute-system.md.j2"), True),), (Part(told),)


def _fenced(kind: str, text: str, nonce: str, path: str = "") -> str:
    try:
        return fenced(kind, text, nonce, path)
    except ForgedFence:
        return fenced(kind, _FORGED, nonce)
