"""A Library of texts that a test wrote down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewbot.core.ports import SEARCHED, UNREAD
from reviewbot.core.types import Side, Text


class Shelf:
    def __init__(self, head: Mapping[str, str], base: Mapping[str, str] | None = None) -> None:
        self._files = {Side.RIGHT: dict(head), Side.LEFT: dict(base or {})}

    def paths(self, side: Side) -> Sequence[str]:
        return sorted(self._files[side])

    def text(self, side: Side, path: str) -> Text | None:
        content = self._files[side].get(path)
        return None if content is None or "\0" in content else Text(path, content)

    def search(self, side: Side, words: str, below: str = "") -> Sequence[tuple[str, int, str]]:
        rows: list[tuple[str, int, str]] = []
        for path in self.paths(side):
            if not below or path == below or path.startswith(f"{below}/"):
                text = self.text(side, path)
                lines = enumerate(text.lines, 1) if text else [(UNREAD, "")]
                if text or words in self._files[side][path]:
                    rows += ((path, n, line) for n, line in lines if n == UNREAD or words in line)
        return rows[:SEARCHED]
