"""The summary of a step of GitHub Actions: what is to be known first, and the Markdown report."""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.report.markup import prose
from reviewbot.core.visible import encodable

LIMIT = 1_048_576  # bytes that GitHub shows of a step's summary; of more it shows nothing
_FENCE = pattern(r"(`{3,}|~{3,})")


def step_summary(notes: Sequence[str], report: str, where: str, most: int = LIMIT) -> str:
    """`notes`: sentences, plain text. `report`: Markdown, cut between two of its blocks where there is not
    room for all. `where`: a sentence that says where the rest is."""
    above = "".join(f"> {prose(note)}\n\n" for note in notes)
    whole = encodable(above + report)
    if len(whole.encode()) <= most:
        return whole
    end = f"**The rest is cut:** GitHub shows {most // 1024:,} KiB. {where}\n"
    room = most - len(end.encode()) - 2
    return _cut(whole, room) + "\n\n" + end


def _cut(text: str, room: int) -> str:
    """The blocks from the beginning on that fit into `room` bytes; a fence, a table and what is folded stay
    whole."""
    size = kept = at = folds = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        size += len(line.encode())
        if size > room:
            break
        at += len(line)
        if opened := _FENCE.match(line):
            if not fence:
                fence = opened[0]
            elif line.rstrip() == fence:
                fence = ""
        elif not fence:
            folds += line.count("<details>") - line.count("</details>")
            if not line.strip() and folds <= 0:
                kept = at
    return text[:kept].rstrip()
