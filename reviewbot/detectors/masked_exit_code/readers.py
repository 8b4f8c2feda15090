"""Who reads the exit status of a statement: a condition, `&&`, `||`, or `$?` in the next statement."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import SUBSTITUTIONS, Node, Role

_STATUS = re.compile(r"\$\?|\$\{\?\}")
_SUBSTITUTED = re.compile(r"\$\((?!\()|`")
# what a shell does not expand, `"`, and `$?`; `$$?` is a process id
_OUTSIDE = re.compile(r"\\.|\$\$|\$'(?:\\.|[^'\\])*'|'[^']*'|(\")|(\$\?|\$\{\?\})", re.DOTALL)
_INSIDE = re.compile(r"\\.|\$\$|(\")|(\$\?|\$\{\?\})", re.DOTALL)
_SAID = re.compile(r"(?:echo|printf|:|true|set|(?:log|info|warn|debug|print)\w*)$")
_NOTHING = re.compile(r"(?:true|:|exit 0|return 0)$")
_KEPT = re.compile(
    r"(?:(?:local|declare|typeset|readonly)[ \t]+(?:-\w+[ \t]+)?)?([A-Za-z_]\w*)=[\"']?\$(?:\?|\{\?\})[\"']?"
)
_READ = re.compile(r"\$\{?[#!]?([A-Za-z_]\w*)|(?:\(\(|\[\[[ \t]|\blet[ \t])([^()$\n]{0,80})")
_NAME = re.compile(r"[A-Za-z_]\w*")
_TALKS = re.compile(r"\s*(?:echo|printf|(?:log|info|warn|debug|print)\w*)\b(?!.*\b(?:exit|return)\b)")
_BRANCHES = ("if_statement", "elif_clause", "else_clause", "case_item", "compound_statement", "subshell")
_LOOPS = ("while_statement", "for_statement", "c_style_for_statement")
_SOME = 2000  # characters of a statement that are looked at
_STEPS = 40  # statements outwards; nobody nests more
_CALLS = 50  # calls of one function that are looked at


class Reading(NamedTuple):
    """One place where a status is read. `node` begins there."""

    node: Node
    how: str  # "if" | "while" | "until" | "!" | "&&" | "||" | "$?"
    said: bool = False  # nothing but a message depends on it
    via: Node | None = None  # the call of the function whose status it is
    unread: bool = False  # it is kept in a variable that nothing reads


class Readers:
    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._next: dict[Node, Node] = {}
        self._condition: dict[Node, Node] = {}  # if or loop -> the last of its conditions, which decides
        self._of_function: dict[Node, tuple[Reading, ...]] = {}
        for node in file.nodes:
            if node.role is Role.CONDITION and node.parent is not None:
                self._condition[node.parent] = node
            if node.last_statement is not None:
                self._next.update(pairwise(node.body))

    def following(self, statement: Node) -> Node | None:
        """The next statement of the same sequence."""
        return self._next.get(statement)

    def of(self, node: Node) -> Iterator[Reading]:
        """Who reads the status of a statement, also as the result of the function that it ends."""
        for _ in range(_STEPS):
            parent = node.parent
            if parent is None or node.background:
                return
            match node.role:
                case Role.CONDITION:
                    if self._condition[parent] is node:
                        yield Reading(parent, self._word(parent))
                    return
                case Role.LEFT:
                    yield from _list(parent, node)
                    return
                case Role.INNER if parent.kind == "function_definition":
                    yield from self._callers(parent)
                    return
                case Role.INNER if parent.kind == "redirected_statement":
                    heredoc = next((c for c in parent.children if c.operator in ("&&", "||")), None)
                    if heredoc is not None:
                        yield from _list(heredoc, node)
                        return
                case Role.INNER if parent.kind in _LOOPS:
                    return
                case Role.BODY:
                    if following := self._next.get(node):
                        yield from self._asks(following)
                        return
                    if parent.kind not in (*_BRANCHES, *SUBSTITUTIONS):
                        return
                case Role.ARGUMENT if parent.kind != "variable_assignment" or parent.role is Role.ARGUMENT:
                    return
                case Role.STAGE | Role.LAST_STAGE:
                    return
            node = parent

    def asked_by(self, statement: Node) -> str:
        """The text of what `statement` runs first if `$?` is in it, else ""."""
        first, last = self.asking(statement)
        return self._file.text.content[first:last]

    def asking(self, statement: Node) -> tuple[int, int]:
        """Where the text of `asked_by` stands; nowhere is (0, 0)."""
        node = statement
        for _ in range(_STEPS):
            first = next(iter(node.children), None)
            if node.kind in ("if_statement", "list", "negated_command", "redirected_statement") or node.body:
                if first is None or node.kind in (*_LOOPS, "function_definition"):
                    return 0, 0
                node = first
            else:
                break
        if node.kind in (*_LOOPS, "function_definition") or node.name == "trap":
            return 0, 0
        end = node.children[0].start if node.kind == "case_statement" and node.children else node.end
        content, end = self._file.text.content, min(end, node.start + _SOME)
        if not _STATUS.search(content, node.start, end):
            return 0, 0
        text = content[node.start : end]
        text = _SUBSTITUTED.split(text, maxsplit=1)[0]  # of `x=$(cmd)$?` it is the status of `cmd`
        return (node.start, node.start + len(text)) if expanded(text) else (0, 0)

    def read_of(self, statement: Node, text: str) -> Reading:
        """What becomes of the `$?` in `text`, by which `statement` begins."""
        kept = _KEPT.fullmatch(text.strip())
        if kept is None:
            return Reading(statement, "$?", said=bool(_SAID.match(text.split(None, 1)[0])))
        uses = self._uses(kept[1], statement)
        return Reading(statement, "$?", said=all(map(_TALKS.match, uses)), unread=not uses)

    def _uses(self, name: str, kept: Node) -> list[str]:
        """What stands in front of each reading of a variable, on its line: behind the place where it is
        set; in a loop, and where a function may read it, in front of that too."""
        content, places = self._file.text.content, self._reads.get(name, [])
        again = self._file.functions or any(a.kind in _LOOPS for a in kept.ancestors())
        first = 0 if again else bisect_left(places, kept.end)
        return [content[content.rfind("\n", 0, at) + 1 : at] for at in places[first : first + _CALLS]]

    @cached_property
    def _reads(self) -> Mapping[str, list[int]]:
        """Variable -> where its value is read, in arithmetic too."""
        reads: dict[str, list[int]] = defaultdict(list)
        for found in _READ.finditer(self._file.text.content):
            for name in [found[1]] if found[1] else _NAME.findall(found[2]):
                reads[name].append(found.start())
        return reads

    def _word(self, statement: Node) -> str:
        word = self._file.text.content[statement.start : statement.start + 5]
        return next((w for w in ("while", "until") if word.startswith(w)), "if")

    def _asks(self, statement: Node) -> Iterator[Reading]:
        if text := self.asked_by(statement):
            yield self.read_of(statement, text)

    def _callers(self, function: Node) -> tuple[Reading, ...]:
        if function not in self._of_function:
            self._of_function[function] = ()  # a function that calls itself reads nothing new
            calls = self._file.options.calls.get(function.name, ())[:_CALLS]
            readings = (r._replace(via=r.via or call) for call in calls for r in self.of(call))
            self._of_function[function] = tuple(readings)[:_CALLS]
        return self._of_function[function]


def expanded(text: str) -> list[tuple[int, int]]:
    """Where `$?` is expanded in a text: outside single quotes, but between double ones all the same."""
    found, pattern, at = [], _OUTSIDE, 0
    while part := pattern.search(text, at):
        at = part.end()
        if part[1]:
            pattern = _INSIDE if pattern is _OUTSIDE else _OUTSIDE
        elif part[2]:
            found.append(part.span())
    return found


def _list(holder: Node, left: Node) -> Iterator[Reading]:
    """Left of `&&` or `||`. `|| true` reads nothing: it says that a failure does not matter."""
    right = next((c for c in holder.children if c.role is Role.RIGHT), None)
    if right is None or holder.operator not in ("&&", "||"):
        return
    inner = innermost(right)
    if holder.operator == "||" and inner.kind == "command" and _NOTHING.match(" ".join(inner.words)):
        return
    parts = inner.body if inner.kind == "compound_statement" else [inner]
    talks = all(c.kind == "command" and _SAID.match(c.name) for c in map(innermost, parts))
    yield Reading(right, holder.operator, said=bool(parts) and talks and holder.operator == "||")
