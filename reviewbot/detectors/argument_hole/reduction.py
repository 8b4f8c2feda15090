"""A loop that parses arguments, cut down to the arm of one hole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.argument_hole.arms import Hole
from reviewbot.detectors.argument_hole.plain import LONG, Plain
from reviewbot.detectors.argument_hole.positional import Script
from reviewbot.detectors.shell.reduced import WORD, Unreducible
from reviewbot.detectors.shell.tree import Node, Role

_WHILE = pattern(r"(?:while|until)[ \t]+")
_CASE = pattern(rf"case[ \t]+({WORD})[ \t]+in\b")
_IF = pattern(r"(?:el)?if[ \t]+")
_THEN = pattern(r"[ \t\n;]*then\b")
_PATTERN = r"(?:[A-Za-z0-9_./:=,+@*?-]++|\"[A-Za-z0-9_./:=,+@-]++\"|'[A-Za-z0-9_./:=,+@-]++')"
_PATTERNS = pattern(rf"\(?[ \t]*({_PATTERN}(?>(?:[ \t]*\|[ \t]*{_PATTERN})*))[ \t]*\)")
_EQUALS = pattern(r"[^!<>=]==?\s*[\"']?(-[\w*?-]*)")
_OR = pattern(r"\|\||-o")
# Behind the flag no other word comes, so that what is not this arm ends the loop, and says so.
_ELSE = "printf 'reviewbot: not this arm\\n'; break"


class Reduced(NamedTuple):
    lines: Sequence[str]
    arm: Sequence[str]  # those of the arm itself, unindented
    fails_at: int  # the line, 1-based, of the statement at which the hole shows


def reduced(script: Script, loop: Node, hole: Hole) -> Reduced:
    """Raises Unreducible where there is more than the allow-list knows, in the arm or around it in the
    loop, or where the flag may be for an earlier arm."""
    return _Reduction(script, hole).loop(loop)


class _Reduction:
    def __init__(self, script: Script, hole: Hole) -> None:
        self._content = script.file.text.content
        self._plain = Plain(self._content, script.dash)
        self._hole = hole
        self._lines: list[str] = []
        self._fails_at = 0

    def loop(self, loop: Node) -> Reduced:
        head = self._hole.arm.head
        choice = head if head.kind == "if_statement" else head.parent
        body = next((child for child in loop.children if child.kind == "do_group"), None)
        if body is None or choice is None or choice.parent is not body or choice not in body.body:
            raise Unreducible  # an arm within an arm
        keyword = self._match(_WHILE, loop.start)
        condition = self._content[keyword.end() : body.start].rstrip(" \t\n;")
        condition = self._plain.condition(keyword.end(), keyword.end() + len(condition))
        self._lines.append(f"{keyword[0].strip()} {condition}; do")
        start, end = self._between(body, "do", "done")
        at = body.body.index(choice)
        self._write(body.body[:at], start, choice.start, "  ")
        arm = self._case(choice, head) if head.kind == "case_item" else self._if(choice, head)
        self._write(body.body[at + 1 :], choice.end, end, "  ")
        self._lines.append("done")
        return Reduced(self._lines, arm, self._fails_at)

    def _case(self, case: Node, head: Node) -> Sequence[str]:
        subject = self._match(_CASE, case.start)
        items = [child for child in case.children if child.kind == "case_item"]
        self._plain.gap(subject.end(), items[0].start)
        for item in items[: items.index(head)]:
            if self._typed(self._patterns(item)):
                raise Unreducible
        patterns = self._patterns(head)
        if not (typed := self._typed(patterns)):
            raise Unreducible
        self._lines += [f"  case {subject[1]} in", f"    {typed})"]
        arm = self._write(head.body, patterns.end(), head.end, "      ")
        self._lines += ["      ;;", f"    *) {_ELSE} ;;", "  esac"]
        return arm

    def _patterns(self, item: Node) -> re.Match[str]:
        return self._match(_PATTERNS, item.start, min(item.end, item.start + LONG))

    def _typed(self, patterns: re.Match[str]) -> str:
        """The pattern of an item that the flag matches, as it is written; "" for none."""
        written = (one.strip() for one in patterns[1].split("|"))
        return next((one for one in written if fnmatchcase(self._hole.arm.label, one.strip("\"'"))), "")

    def _if(self, choice: Node, head: Node) -> Sequence[str]:
        heads = [choice, *(child for child in choice.children if child.role is Role.INNER)]
        at = heads.index(head)
        for earlier in heads[:at]:
            self._differs(self._condition(earlier)[0])
        condition, start = self._condition(head)
        end = heads[at + 1].start if heads[at + 1 :] else self._between(choice, "if", "fi")[1]
        self._lines.append(f"  if {condition}; then")
        arm = self._write(head.body, start, end, "    ")
        self._lines += ["  else", f"    {_ELSE}", "  fi"]
        return arm

    def _condition(self, head: Node) -> tuple[str, int]:
        """The condition of a branch, and where its statements start."""
        conditions = [child for child in head.children if child.role is Role.CONDITION]
        if len(conditions) != 1 or self._match(_IF, head.start).end() != conditions[0].start:
            raise Unreducible
        then = self._match(_THEN, conditions[0].end)
        return self._plain.condition(conditions[0].start, conditions[0].end), then.end()

    def _differs(self, condition: str) -> None:
        """Each way to make the condition true names another flag."""
        for way in _OR.split(condition):
            named = _EQUALS.search(way)
            if "!" in way or not named or fnmatchcase(self._hole.arm.label, named[1]):
                raise Unreducible

    def _write(self, nodes: Sequence[Node], start: int, end: int, indent: str) -> Sequence[str]:
        rows = list(self._plain.sequence(nodes, start, end))
        for node, row in zip(nodes, rows, strict=True):
            self._lines.append(indent + row)
            if node.start <= self._hole.last.start < node.end:
                self._fails_at = len(self._lines)
        return rows

    def _between(self, node: Node, first: str, last: str) -> tuple[int, int]:
        """Where what stands between the first and the last word of a node starts and ends."""
        text = self._content[node.start : node.end]
        if not (text.startswith(first) and text.endswith(last)):
            raise Unreducible
        return node.start + len(first), node.end - len(last)

    def _match(self, expected: re.Pattern[str], start: int, end: int | None = None) -> re.Match[str]:
        found = expected.match(self._content, start, len(self._content) if end is None else end)
        if found is None:
            raise Unreducible
        return found
