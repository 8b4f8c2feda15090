"""What GitHub takes of a SARIF file: https://docs.github.com/en/code-security, "SARIF results exceed limits".

Of a larger one it takes nothing at all, so what is least comes last and is left out, which is said.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

from reviewbot.core.report.document import Document, written
from reviewbot.core.report.words import count

RESULTS = 25_000  # of one run; the first 5,000 by severity are kept, and 1,000 are shown
BYTES = 10_000_000  # compressed by gzip; its frame is some bytes larger than zlib's
_ROOM = 1_000

Log = Callable[[Sequence[Document], str], Document]


def fitted(results: Sequence[Document], log: Log, most: int = RESULTS, room: int = BYTES - _ROOM) -> str:
    """The text of `log(results, what was left out)` with as many of the first results as fit."""
    kept = min(len(results), most)
    while True:
        text = written(log(results[:kept], _left(len(results), kept)), indent=None)
        if len(text) <= room or not kept:
            return text
        size = len(zlib.compress(text.encode("ascii"), 6))
        if size <= room:
            return text
        kept = min(kept - 1, kept * room // size * 9 // 10)


def _left(all: int, kept: int) -> str:
    if kept == all:
        return ""
    return (
        f"{count(all - kept, 'result')} of {all:,} left out: GitHub takes {RESULTS:,} results and "
        f"{BYTES // 1_000_000} MB. The JSON report has all of them."
    )
