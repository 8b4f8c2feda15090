"""Collects what is noticed while a file of rules is read."""

from __future__ import annotations

from collections import Counter

from reviewbot.core.types import Diagnostic

MAX_ALIKE = 20  # of one code; a file of 20,000 faults is not printed fault by fault


class Diagnostics:
    """The diagnostics of one file. Lines and columns are 1-based."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.failed = False
        self._found: list[Diagnostic] = []
        self._alike: Counter[tuple[str, str]] = Counter()

    def error(self, code: str, line: int, col: int, message: str) -> None:
        self.failed = True
        self._add(Diagnostic(self.path, line, col, code, "error", message))

    def warn(self, code: str, line: int, col: int, message: str) -> None:
        self._add(Diagnostic(self.path, line, col, code, "warning", message))

    def info(self, code: str, line: int, col: int, message: str) -> None:
        self._add(Diagnostic(self.path, line, col, code, "info", message))

    def _add(self, found: Diagnostic) -> None:
        self._alike[found.code, found.level] += 1
        if self._alike[found.code, found.level] <= MAX_ALIKE:
            self._found.append(found)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """In the order of the file, and behind them how many are not shown."""
        last = max((d.line for d in self._found), default=1)
        more = [
            Diagnostic(self.path, last, 1, code, level, f"{count - MAX_ALIKE} more of these are not shown")
            for (code, level), count in self._alike.items()
            if count > MAX_ALIKE
        ]
        return (*sorted(self._found, key=lambda d: (d.line, d.col, d.code)), *more)
