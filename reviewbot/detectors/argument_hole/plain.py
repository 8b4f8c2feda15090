"""What of an arm may stand in a script that is run: an allow-list of syntax, checked on the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.reduced import NAME, WORD, Unreducible, is_assignable
from reviewbot.detectors.shell.tree import Node

_GLOB = rf"(?>(?:[*?]|{WORD})+)"
_COUNT = r"(?:\"\$\#\"|\$\{?\#\}?|\"\$\{\#\}\")"


def _asks(right: str) -> str:
    """A test of words, `right` what one is compared with, or of their number."""
    return (
        rf"(?:! )?(?:-[nz] {WORD}|{_COUNT} -(?:eq|ne|g[te]|l[te]) [0-9]{{1,4}}"
        rf"|(?!-[a-z] |! ){WORD}(?: (?:==?|!=) {right})?)"
    )


_TEST, _BASH_TEST = _asks(WORD), _asks(_GLOB)
_CONDITION = rf"(?:test {_TEST}(?>(?: -[ao] {_TEST})*)|\[ {_TEST}(?>(?: -[ao] {_TEST})*) \])"
_BASH_CONDITION = (
    rf"(?:{_CONDITION}|\[\[ {_BASH_TEST}(?>(?: (?:&&|\|\|) {_BASH_TEST})*) \]\]"
    rf"|\(\( ?{_COUNT}(?: ?(?:[<>]=?|[!=]=) ?[0-9]{{1,4}})? ?\)\))"
)
_IN_SH = pattern(rf"true|:|{_CONDITION}(?>(?: (?:&&|\|\|) {_CONDITION})*)")
_IN_BASH = pattern(rf"true|:|{_BASH_CONDITION}(?>(?: (?:&&|\|\|) {_BASH_CONDITION})*)")

_ASSIGNMENT = pattern(rf"{NAME}=(?:{WORD})?")
_BASH_ASSIGNMENT = pattern(rf"{NAME}\+?=(?:{WORD}|\((?:{WORD}(?>(?: ++{WORD})*))?\))?")
_DECLARED = pattern(r"(?:export|local)[ \t]+")
_SHIFT = pattern(r"shift(?: [0-9]{1,2})?")
# Between statements: blanks, ends of lines, comments.
_GAP = pattern(r"(?>(?:[ \t\n;]|\\\n|(?<![^\s;])\#[^\n]*+\n)*)")
_BLANKS = pattern(r"(?>(?:[ \t]|\\\n)+)")
_JOINED = pattern(r"[ \t]*(&&|\|\|)(?>(?:[ \t\n]|\\\n)*)")
LONG = 400  # characters of one statement that are read


class Plain(NamedTuple):
    """What is plain in one script. Every method raises Unreducible for what is not."""

    content: str
    dash: bool

    def gap(self, start: int, end: int) -> None:
        """Nothing but blanks and comments stands there."""
        if not _GAP.fullmatch(f"{self.content[start:end]}\n"):
            raise Unreducible

    def condition(self, start: int, end: int) -> str:
        """One that looks at words and their number only."""
        return self._whole(_IN_SH if self.dash else _IN_BASH, start, end)

    def statement(self, node: Node) -> str:
        """An assignment, a shift, a condition, or a list of them; on one line."""
        match node.kind:
            case "variable_assignment":
                return self._assignment(node)
            case "variable_assignments" | "declaration_command":
                return self._assignments(node)
            case "command" if self.content.startswith("shift", node.start):
                return self._whole(_SHIFT, node.start, node.end)
            case "command" | "test_command" | "compound_statement":
                return self.condition(node.start, node.end)
            case "list" if len(node.children) == 2 and node.end - node.start <= LONG:
                return self._list(node)
        raise Unreducible

    def sequence(self, nodes: Sequence[Node], start: int, end: int) -> Iterator[str]:
        """The statements that are all there is from `start` to `end`."""
        for node in nodes:
            self.gap(start, node.start)
            yield self.statement(node)
            start = node.end
        self.gap(start, end)

    def _whole(self, allowed: re.Pattern[str], start: int, end: int) -> str:
        if end - start > LONG or not allowed.fullmatch(self.content, start, end):
            raise Unreducible
        return self.content[start:end]

    def _list(self, node: Node) -> str:
        left, right = node.children
        between = _JOINED.fullmatch(self.content, left.end, right.start)
        if not between or left.start != node.start or right.end != node.end or right.kind == "list":
            raise Unreducible
        return f"{self.statement(left)} {between[1]} {self.statement(right)}"

    def _assignment(self, node: Node) -> str:
        """`NAME=word`; in bash `NAME+=word` and `NAME=(word word)` too."""
        text = self._whole(_ASSIGNMENT if self.dash else _BASH_ASSIGNMENT, node.start, node.end)
        if not is_assignable(text.partition("=")[0].removesuffix("+")):
            raise Unreducible
        return text

    def _assignments(self, node: Node) -> str:
        """Several in one statement. `export` and `local` go: neither changes what is assigned."""
        start, made = node.start, list[str]()
        if node.kind == "declaration_command":
            declared = _DECLARED.match(self.content, start, node.end)
            start = declared.end() if declared else start
        for part in node.children:
            if part.kind != "variable_assignment":
                raise Unreducible
            if part.start != start and not (made and _BLANKS.fullmatch(self.content, start, part.start)):
                raise Unreducible
            made.append(self._assignment(part))
            start = part.end
        if not made or start != node.end:
            raise Unreducible
        return " ".join(made)
