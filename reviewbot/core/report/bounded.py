"""How much of a report a page shows: the worst first, and what is cut is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

EACH = 4_000  # characters of a text
OUTPUT = 64 * 1024  # characters of a gate's output: its end
ITEMS = 50  # of a list within a row
LIMITS: Mapping[str, tuple[int, int]] = {  # rows, and about how many bytes of the page
    "findings": (100, 350_000),
    "rejections": (100, 80_000),
    "incomplete": (200, 80_000),
    "gates": (50, 400_000),
    "reasons": (50, 20_000),
    "uncovered": (300, 40_000),
    "checked": (300, 60_000),
    "skills": (100, 30_000),
    "notes": (100, 30_000),
    "guidance": (100, 30_000),
    "configuration": (300, 60_000),
    "posted": (100, 30_000),
}
_ROW, _LINE, _MARK = 60, 60, 5  # bytes of markup around a value, a line, and of a mark that is escaped

T = TypeVar("T")
Worst = Callable[[Any], int]


class Bounds:
    """For one page. `more`: how many rows of what were left out."""

    def __init__(self, limits: Mapping[str, tuple[int, int]] | None) -> None:
        """None: all is shown."""
        self._limits = limits
        self._left = dict(limits or {})
        self.more: dict[str, int] = {}

    def some(self, rows: Sequence[T], kind: str, name: str = "", worst: Worst | None = None) -> list[T]:
        """As many rows as what is left for their kind allows, in their own order if that is all of them."""
        if self._limits is None:
            self.more[name or kind] = 0
            return list(rows)
        most, room = self._left[kind]
        order = sorted(rows, key=worst) if worst and len(rows) > most else rows
        shown: list[T] = []
        for row in order[:most]:
            made = clipped(row)
            room -= weight(made)
            if room < 0 and shown:
                break
            shown.append(made)
        self._left[kind] = (most - len(shown), max(room, 0))
        self.more[name or kind] = len(rows) - len(shown)
        return shown

    def left(self, *lists: Sequence[Any]) -> int:
        """How many items of a row's lists will not be shown."""
        return 0 if self._limits is None else sum(max(len(each) - ITEMS, 0) for each in lists)


def clipped(value: Any) -> Any:
    """With no text and no list of texts that is longer than a page has room for."""
    if isinstance(value, str):
        return value if len(value) <= EACH else f"{value[:EACH]}… and {_rest(len(value) - EACH)}"
    if isinstance(value, Mapping):
        return {key: _output(each) if key == "tail" else clipped(each) for key, each in value.items()}
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        made = [clipped(each) for each in value[:ITEMS]]
        texts = bool(made) and all(isinstance(each, str) for each in made)
        return [*made, f"… and {len(value) - ITEMS:,} more"] if texts and len(value) > ITEMS else made
    return value


def weight(value: Any, line: int = _LINE) -> int:
    """About how many bytes of a page it takes; line: of markup around each of its lines."""
    if isinstance(value, str):
        marks = sum(map(value.count, "<>&\"'"))
        return len(value.encode("utf-8", "replace")) + _MARK * marks + line * value.count("\n") + _ROW
    if isinstance(value, Mapping):
        return sum(weight(each, 0 if key == "tail" else line) for key, each in value.items())
    return sum(map(weight, value)) if isinstance(value, list | tuple) else _ROW


def _output(text: str) -> str:
    return text if len(text) <= OUTPUT else f"… {_rest(len(text) - OUTPUT)} before:\n{text[-OUTPUT:]}"


def _rest(characters: int) -> str:
    return f"{characters:,} more characters (in the JSON report)"
