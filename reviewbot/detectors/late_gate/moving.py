"""The gates behind one phase as a finding, and how they are moved in front of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.facts import Facts, label
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node, Role

BRANCHES = ("if_statement", "elif_clause", "else_clause", "case_item")
_CONDITION = pattern(r"(?:el)?if\s+([^\n`]{1,80}?)\s*(?:;\s*then|\n)")
_SHOWN = 60  # characters of a test
_MANY = 5  # lines that are named
_DEEP = 30  # branches around a test that are looked at


def hit(file: ShellFile, tests: Sequence[Node], phase: Node) -> Hit:
    first, *others = tests
    what = label(phase.words)
    asked = " ".join(first.text.replace("`", "'").split())
    asked = asked if len(asked) <= _SHOWN else asked[: _SHOWN - 1] + "…"
    so = "So is the test" if len(others) == 1 else "So are the tests"
    too = f" {so} of {_lines(others)}." if others else ""
    return Hit(
        first.line,
        first.last_line,
        failure=f"`{asked}` needs nothing that `{what}` at line {phase.line} makes, and is asked only when "
        f"that has run.{too}",
        cost="The whole phase is spent before a missing value, tool or folder ends the script.",
        fix=_fix(file.text.content, tests, phase),
        grade=Grade.HINT,
        also=tuple((test.line, test.last_line) for test in others),
        claims=(Facts(file).quote(f"Line {phase.line} is the expensive phase: `{what}`.", phase.line),),
    )


def _fix(content: str, tests: Sequence[Node], phase: Node) -> str:
    """In a script of stages a test must not stop a run that leaves its stage out."""
    branches = [branch for test in tests for branch in _branches(test, phase)]
    if len(tests) > 1:
        each = ", each with the conditions that it stands under" if branches else ""
        return f"Move these tests in front of line {phase.line}{each}."
    if len(branches) == 1 and (condition := _CONDITION.match(content, branches[0].start)):
        shown = " ".join(condition[1].split())
        return f"Move the test in front of line {phase.line}, with its condition `{shown}`."
    under = f", with the conditions of {_lines(branches[::-1])}" if branches else ""
    return f"Move the test in front of line {phase.line}{under}."


def _branches(test: Node, phase: Node) -> Iterator[Node]:
    """The branches, inner ones first, that a test stands in and the phase does not."""
    outside, inner = set(phase.ancestors()), test
    for around in islice(test.ancestors(), _DEEP):
        if around in outside:
            return
        decides = around.kind in BRANCHES and inner.role is not Role.CONDITION
        if decides and not (around.kind == "if_statement" and inner.kind in ("elif_clause", "else_clause")):
            yield around
        inner = around


def _lines(nodes: Sequence[Node]) -> str:
    """Their places in words: `lines 3, 5 and 7`, of many the first."""
    shown = [str(node.line) for node in nodes[:_MANY]]
    if len(nodes) == 1:
        return f"line {shown[0]}"
    last = f"{len(nodes) - _MANY} more" if len(nodes) > _MANY else shown.pop()
    return f"lines {', '.join(shown)} and {last}"
