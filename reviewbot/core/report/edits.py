"""A checked suggestion as the lines that go and the lines that come."""

from __future__ import annotations

from reviewbot.core.types import Finding, Suggestion

Row = tuple[str, str]  # mark ("-", "+", or " " for a line that stays) and the line


def rows(finding: Finding, suggestion: Suggestion) -> list[Row]:
    """The edit as the rows of a hunk.

    The old lines are known from the quotes of the finding; of an edit that reaches beyond them
    only the new lines are.
    """
    edit = suggestion.edit
    new = edit.replacement.split("\n") if edit.replacement else []
    quoted = _quoted(finding)
    old = [quoted[n] for n in range(edit.start_line, edit.line + 1) if n in quoted]
    if len(old) != edit.line - edit.start_line + 1:
        return [("+", line) for line in new]
    before, after = _common(old, new)
    kept = len(old) - after
    return [
        *((" ", line) for line in old[:before]),
        *(("-", line) for line in old[before:kept]),
        *(("+", line) for line in new[before : len(new) - after]),
        *((" ", line) for line in old[kept:]),
    ]


def _quoted(finding: Finding) -> dict[int, str]:
    """The lines of the finding's file that it quotes, by number."""
    own = finding.candidate.site
    sites = (s for s in (*finding.candidate.also, own) if (s.path, s.side) == (own.path, own.side))
    return {n: line for s in sites for n, line in enumerate(s.quote.split("\n"), s.start_line)}


def _common(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines the two have in common at their start, and then at their end."""
    shorter = min(len(old), len(new))
    before = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - before
    return before, next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)


def span(suggestion: Suggestion) -> str:
    """The lines that the edit replaces: `line 41`, `lines 41-43`."""
    edit = suggestion.edit
    if edit.start_line == edit.line:
        return f"line {edit.line}"
    return f"lines {edit.start_line}-{edit.line}"
