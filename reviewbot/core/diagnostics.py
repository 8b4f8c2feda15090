"""Collects what is noticed while a file of rules is read."""

from __future__ import annotations

from reviewbot.core.types import Diagnostic


class Diagnostics:
    """The diagnostics of one file, in the order in which they were found. Lines and columns are 1-based."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[Diagnostic] = []

    def error(self, code: str, line: int, col: int, message: str) -> None:
        self.found.append(Diagnostic(self.path, line, col, code, "error", message))

    def warn(self, code: str, line: int, col: int, message: str) -> None:
        self.found.append(Diagnostic(self.path, line, col, code, "warning", message))

    def info(self, code: str, line: int, col: int, message: str) -> None:
        self.found.append(Diagnostic(self.path, line, col, code, "info", message))

    @property
    def failed(self) -> bool:
        return any(d.level == "error" for d in self.found)

    def sorted(self) -> tuple[Diagnostic, ...]:
        return tuple(sorted(self.found, key=lambda d: (d.line, d.col, d.code)))
