"""What of a script may stand in a reduced one that is run: an allow-list of syntax, checked on the text.

The text of strangers is run, so nothing passes that could start a program, write a file or change how
the shell works, whatever the parser took it for. Everything else is Unreducible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.tree import Node

NAME = r"[A-Za-z_][A-Za-z0-9_]*+"
# A parameter, with a default, an alternative, or a prefix or suffix taken off: what has no effects.
EXPANSION = (
    rf"\$(?:[1-9#]|{NAME}|\{{(?:\#|(?:[1-9]|{NAME})"
    r"(?:(?::?[-+]|\#\#?|%%?)(?:[A-Za-z0-9_./:=,*+-]|\"\")*+)?)\})"
)
_PLAIN = r"[A-Za-z0-9_./:=,+%@-]"
_QUOTED = r"[A-Za-z0-9_./:=,+%@ \#*?-]"
WORD = rf"(?:{_PLAIN}|{EXPANSION}|\"(?:{_QUOTED}|{EXPANSION})*+\"|'{_QUOTED}*+')++"
_GLOB = rf"(?:[*?]|{WORD})++"
_COUNT = r"(?:\"\$\#\"|\$\{?\#\}?|\"\$\{\#\}\")"


def _asks(right: str) -> str:
    """A test of words, `right` what one is compared with, or of their number."""
    return (
        rf"(?:! )?(?:-[nz] {WORD}|{_COUNT} -(?:eq|ne|g[te]|l[te]) [0-9]{{1,4}}"
        rf"|(?!-[a-z] |! ){WORD}(?: (?:==?|!=) {right})?)"
    )


_TEST, _BASH_TEST = _asks(WORD), _asks(_GLOB)
_CONDITION = rf"(?:test {_TEST}(?: -[ao] {_TEST})*+|\[ {_TEST}(?: -[ao] {_TEST})*+ \])"
_BASH_CONDITION = (
    rf"(?:{_CONDITION}|\[\[ {_BASH_TEST}(?: (?:&&|\|\|) {_BASH_TEST})*+ \]\]"
    rf"|\(\( ?{_COUNT}(?: ?(?:[<>]=?|[!=]=) ?[0-9]{{1,4}})? ?\)\))"
)
_IN_SH = pattern(rf"true|:|{_CONDITION}(?: (?:&&|\|\|) {_CONDITION})*+")
_IN_BASH = pattern(rf"true|:|{_BASH_CONDITION}(?: (?:&&|\|\|) {_BASH_CONDITION})*+")

_ASSIGNMENT = pattern(rf"{NAME}=(?:{WORD})?")
_BASH_ASSIGNMENT = pattern(rf"{NAME}\+?=(?:{WORD}|\((?:{WORD}(?: ++{WORD})*+)?\))?")
_DECLARED = pattern(r"(?:export|local)[ \t]+")
_SHIFT = pattern(r"shift(?: [0-9]{1,2})?")
# Between statements: blanks, ends of lines, comments.
_GAP = pattern(r"(?:[ \t\n;]|\\\n|(?<![^\s;])\#[^\n]*+\n)*+")
_BLANKS = pattern(r"(?:[ \t]|\\\n)++")
_JOINED = pattern(r"[ \t]*(&&|\|\|)(?:[ \t\n]|\\\n)*+")
# What the shell itself, or the loader of programs, reads: an assignment to it is more than a value.
_OWNED = pattern(
    r"_|BASH.*|LD_.*|LC_.*|DYLD_.*|COMP_.*|HIST.*|MALLOC_.*|EPOCH.*|PS[0-9]|OPT(?:ARG|IND|ERR)|S?RANDOM|E?UID"
    r"|PPID|PATH|IFS|ENV|CDPATH|SHELL|SHELLOPTS|SHLVL|SECONDS|LINENO|GROUPS|DIRSTACK|FUNC(?:NAME|NEST)"
    r"|PIPESTATUS|EXECIGNORE|GLOBIGNORE|IGNOREEOF|INPUTRC|LANG|LANGUAGE|MAIL.*|POSIXLY_CORRECT|GCONV_PATH"
    r"|PROMPT_.*|TIMEFORMAT|TMOUT|TMPDIR|TZ|HOME|PWD|OLDPWD|REPLY|MAPFILE|COPROC|LOCPATH|NLSPATH|READLINE_.*"
)
_UNSAFE = pattern(r"[^A-Za-z0-9_.+-]")
_LONG = 400  # characters of one statement that are read
_LONGEST_NAME = 80
_DEEP = 8  # `&&` and `||` in one list


class Unreducible(Exception):
    """A piece of a script that the allow-list does not let through."""


def file_name(path: str) -> str:
    """The name of a file without its folders, fit to be typed: a letter, a digit or `_` comes first."""
    name = _UNSAFE.sub("_", path.rpartition("/")[2])[-_LONGEST_NAME:]
    return name if name[:1].isalnum() or name[:1] == "_" else f"_{name}"


def is_owned(name: str) -> bool:
    """Whether the shell, or the loader of programs, reads a variable of this name."""
    return bool(_OWNED.fullmatch(name))


class Reducer(NamedTuple):
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

    def statement(self, node: Node, depth: int = _DEEP) -> str:
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
            case "list" if len(node.children) == 2 and depth:
                return self._list(node, depth)
        raise Unreducible

    def sequence(self, nodes: Sequence[Node], start: int, end: int) -> Iterator[str]:
        """The statements that are all there is from `start` to `end`."""
        for node in nodes:
            self.gap(start, node.start)
            yield self.statement(node)
            start = node.end
        self.gap(start, end)

    def _whole(self, allowed: re.Pattern[str], start: int, end: int) -> str:
        if end - start > _LONG or not allowed.fullmatch(self.content, start, end):
            raise Unreducible
        return self.content[start:end]

    def _list(self, node: Node, depth: int) -> str:
        left, right = node.children
        between = _JOINED.fullmatch(self.content, left.end, right.start)
        if not between or left.start != node.start or right.end != node.end or right.kind == "list":
            raise Unreducible
        return f"{self.statement(left, depth - 1)} {between[1]} {self.statement(right, depth - 1)}"

    def _assignment(self, node: Node) -> str:
        """`NAME=word`; in bash `NAME+=word` and `NAME=(word word)` too."""
        text = self._whole(_ASSIGNMENT if self.dash else _BASH_ASSIGNMENT, node.start, node.end)
        if is_owned(text.partition("=")[0].removesuffix("+")):
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
