"""What statements do to the positional parameters where fewer words are left than they want.

Only what touches `$1`, `$2` … and `shift` is followed; whatever might be a guard ends the way.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from ast_grep_py import SgNode

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.slicing.disturbing import Disturbances
from reviewbot.detectors.shell.tree import STATEMENTS, Node, Role


class Outcome(Enum):
    UNBOUND = "unbound"  # nounset: the shell stops where `$2` is read
    ABORTED = "aborted"  # dash: a shift past the end stops the script
    SILENT = "silent"  # errexit: the failing shift ends the script, and no message names the flag
    ENDLESS = "endless"  # the shift fails, shifts nothing, and the same word is parsed again
    DEPENDS = "depends"  # one of these; which options are on cannot be known from here
    EMPTY = "empty"  # the value is empty and the script goes on


class Words(NamedTuple):
    """How many words are left, and what the statements did to them since the loop's condition."""

    left: int = 1
    shifted: int = 0
    asked: int = 0  # words that the shifts so far wanted to remove
    stuck: bool = False  # a shift has failed
    valued: bool = False  # a value was wanted: a word that is not there was read, or two shifted at once
    unsure: bool = False  # a read or a shift may have ended the script before this point
    empty: frozenset[str] = frozenset()  # what was given a word that is not there; "" for no variable


@dataclass(frozen=True, slots=True)
class Fault:
    outcome: Outcome
    node: Node
    empty: frozenset[str] = frozenset()


_EXPANSIONS = {"rule": {"any": [{"kind": "expansion"}, {"kind": "simple_expansion"}]}}
_EXPANSION = pattern(r"\$(?:\{([1-9]\d{0,3})\b(:?[-=+?])?|([1-9]))")
_ASSIGNED = pattern(r"(?:\w+\s+(?:-\w+\s+)*)?(\w+)(?:\[[^]]*\])?\+?=")
_COUNT = pattern(r"\$#|\$\{#[}@*]|\(\(\s*#")
_ALL_WORDS = pattern(r"\$\{?[@*]")
# Tests that an empty word does not pass as any other would: `-n`, `= ""`, `[[ $2 ]]`, `x$2`; not `== -*`.
_VALUE_TEST = pattern(r"\s-[a-zA-Z]{1,2}\s|=~|\"\"|''|\?\*|[\"\s]x\"?\$|\[\[?\s*\"?\$\{?\w+\}?\"?\s*[]&|]")
GUARDS = pattern(
    r"require|need|check(?!out|point)|valid|ensure|assert|expect|must|missing|has_?(?:arg|val)", re.I
)
_LEAVES = pattern(
    r"(?:return|break|exec|(?:\w+_)?exit(?:_\w+)?|raise\w*"
    r"|(?:\w*_)?(?:die|fail|fatal|abort|bail|panic|usage|help|err(?:or)?)(?:_\w+)?)$",
    re.IGNORECASE,
)
_DEEP = 40  # levels of nesting inside one arm; what lies deeper is taken as guarded
_WAYS = 16  # different ways through one arm that are followed


class Script:
    """What the runs of one script share."""

    def __init__(self, file: ShellFile) -> None:
        self.file = file
        self.dash = file.shell in ("dash", "sh")

    @cached_property
    def _shifts(self) -> list[int]:
        return [m.start() for m in re.finditer(r"\bshift\b", self.file.text.content)]

    @cached_property
    def first_trap(self) -> int:
        """Where the first `trap` of the script stands; behind its end if there is none."""
        starts = (c.start for c in self.file.commands if c.name == "trap")
        return next(starts, len(self.file.text.content))

    @cached_property
    def disturbances(self) -> Disturbances:
        return Disturbances(self.file)

    def shifts_in(self, node: Node) -> bool:
        at = bisect_left(self._shifts, node.start)
        return at < len(self._shifts) and self._shifts[at] < node.end

    def written(self, node: Node) -> str:
        return self.file.text.content[node.start : node.end]

    def is_judged(self, node: Node, text: str) -> bool:
        """`V=$(value "$@")`: whether a function that leaves looks at the words before they are taken."""
        return "$(" in text and any(
            inner.name in self._leaving for inner in islice(node.inside(), _DEEP) if inner.name
        )

    @cached_property
    def _leaving(self) -> frozenset[str]:
        """The functions in which something leaves with a failure."""
        owners = ((self.file.options.function_of(c), c) for c in self.file.commands if _LEAVES.match(c.name))
        return frozenset(f.name for f, c in owners if f is not None and c.words[1:2] != ("0",))

    def nounset(self, node: Node) -> Setting:
        return Setting.UNKNOWN if self.file.partial else self.file.options.nounset_at(node)

    def errexit(self, node: Node) -> Setting:
        return Setting.UNKNOWN if self.file.partial else self.file.options.errexit_at(node)


class Run:
    """One run of an arm. A way that meets a guard or leaves the loop ends; the first fault is kept.

    Not `strict`: for what precedes the arms of a loop, where every word passes and nothing is a fault.
    """

    def __init__(self, script: Script, *, strict: bool = True) -> None:
        self.script = script
        self.strict = strict
        self.fault: Fault | None = None
        self._continued: list[Words] = []
        self._depth = 0

    def sequence(self, nodes: Iterable[Node], ways: Sequence[Words]) -> list[Words]:
        left = list(ways)
        for node in nodes:
            left = self.through(node, left)
        return left

    def end(self, last: Node, ways: Iterable[Words]) -> None:
        """The loop tests its condition again: what has become of the words by then? `last` ran last."""
        for w in (*ways, *self._continued):
            if w.asked > 1 and w.stuck and not w.shifted:
                self._fail(Outcome.ENDLESS, last, w)
            elif w.asked > 1 and w.empty - {""}:
                self._fail(Outcome.EMPTY, last, w)

    def through(self, node: Node, ways: Sequence[Words]) -> list[Words]:
        if not ways or self._depth == _DEEP:
            return []
        self._depth += 1
        match node.kind:
            case "command":
                after = self._command(node, ways)
            case "list":
                after = self._list(node, ways)
            case "if_statement":
                after = self._if(node, ways)
            case "case_statement":
                after = self._case(node, ways)
            case "compound_statement" if node.body:
                after = self.sequence(node.body, ways)
            case "redirected_statement" | "negated_command":
                after = self.sequence([c for c in node.children if c.kind in STATEMENTS][:1], ways)
            case "test_command":
                after = [] if self._tests_value(node, ways) else self._reads(node, ways)
            case "function_definition":
                after = list(ways)
            case _:
                loops = node.kind.endswith(("while_statement", "for_statement"))
                after = [] if loops and self.script.shifts_in(node) else self._reads(node, ways)
        self._depth -= 1
        return list(dict.fromkeys(after))[:_WAYS]

    def _fail(self, outcome: Outcome, node: Node, words: Words) -> None:
        if self.strict and words.valued and not self.fault:
            self.fault = Fault(Outcome.DEPENDS if words.unsure else outcome, node, words.empty)

    def _command(self, node: Node, ways: Sequence[Words]) -> list[Words]:
        name = node.name
        if name == "shift":
            return self._shift(node, ways)
        if name == "continue":
            self._continued += ways
            return []
        parses = name in self.script.file.functions and _ALL_WORDS.search(self.script.written(node))
        if name in ("test", "[") and self._tests_value(node, ways):
            return []
        sets = name in ("set", "eval") and re.search(r"\s--\s|shift", self.script.written(node))
        if parses or sets or _LEAVES.match(name) or GUARDS.search(name):
            return []
        return self._reads(node, ways)

    def _shift(self, node: Node, ways: Sequence[Words]) -> list[Words]:
        by = amount(node)
        if by is None:
            return []
        after = []
        for w in ways:
            if by <= w.left:
                after.append(w._replace(left=w.left - by, shifted=w.shifted + by, asked=w.asked + by))
                continue
            w = w._replace(asked=w.asked + by, stuck=True, valued=w.valued or by > 1)
            errexit = self.script.errexit(node)
            if self.script.dash:
                self._fail(Outcome.ABORTED, node, w)
            elif errexit is Setting.ON:
                self._fail(Outcome.SILENT, node, w)
            else:
                after.append(w._replace(unsure=w.unsure or errexit is Setting.UNKNOWN))
        return after

    def _list(self, node: Node, ways: Sequence[Words]) -> list[Words]:
        if len(node.children) != 2:
            return self._reads(node, ways)
        left, right = node.children
        command = left.children[0] if left.kind == "redirected_statement" and left.children else left
        by = amount(command) if command.name == "shift" else None
        if by is None:
            done = self.through(left, ways)
            further = self.through(right, done)
            if node.operator == "||" and not further and self._speaks_of_missing([left], done):
                return []  # `is_number "$2" || usage`
            return [*done, *further]
        after: list[Words] = []
        for w in ways:
            goes_on = (by > w.left) is (node.operator == "||")
            done = self.through(left, [w])
            after += self.through(right, done) if goes_on else done
        return after

    def _if(self, node: Node, ways: Sequence[Words]) -> list[Words]:
        after, untaken, clause = [], list(ways), node
        for clause in (node, *(c for c in node.children if c.role is Role.INNER)):
            conditions = [c for c in clause.children if c.role is Role.CONDITION]
            untaken = self.sequence(conditions, untaken)
            taken = self.sequence(clause.body, untaken)
            if not taken and self._speaks_of_missing(conditions, untaken):
                return []  # `if ! is_number "$2"; then usage; fi`
            after += taken
        return after if clause.kind == "else_clause" else [*after, *untaken]

    def holds(self, conditions: Iterable[Node], ways: Sequence[Words]) -> list[Words]:
        """The ways on which the conditions of a branch are true: with `&&`, both sides are."""
        left = list(ways)
        for condition in conditions:
            if condition.kind == "list" and condition.operator == "&&" and self._depth < _DEEP:
                self._depth += 1
                left = self.holds(condition.children, left)
                self._depth -= 1
            else:
                left = self.through(condition, left)
        return left

    def _speaks_of_missing(self, nodes: Iterable[Node], ways: Sequence[Words]) -> bool:
        return any(_missing(self.script.written(node), w) for node in nodes for w in ways)

    def _case(self, node: Node, ways: Sequence[Words]) -> list[Words]:
        items, entered = self.items(node, ways)
        after = [w for item in items for w in self.sequence(item.body, entered)]
        catch_all = any(self.pattern(item) == "*" for item in items)
        return after if catch_all else [*after, *entered]

    def items(self, case: Node, ways: Sequence[Words]) -> tuple[list[Node], list[Words]]:
        """The items of a `case` that may be taken, and the ways on which they are entered."""
        items = [c for c in case.children if c.kind == "case_item"]
        subject = self.script.file.text.content[case.start : items[0].start if items else case.end]
        if any(_missing(subject, w) for w in ways):
            items = [item for item in items if self.pattern(item) in ("*", '""', "''")]
        return items, self._reads(case, ways, case.source.field("value"))

    def pattern(self, item: Node) -> str:
        end = item.children[0].start if item.children else item.end
        return self.script.file.text.content[item.start : end].split(")")[0].strip("( \t\r\n")

    def _tests_value(self, node: Node, ways: Sequence[Words]) -> bool:
        text = self.script.written(node)
        return bool(_VALUE_TEST.search(text)) and self._speaks_of_missing([node], ways)

    def _reads(self, node: Node, ways: Sequence[Words], source: SgNode | None = None) -> list[Words]:
        """What the expansions of a statement do where the word that they name is not there."""
        text = self.script.written(node) if source is None else source.text()
        if counts_words(text) or (source is None and self.script.is_judged(node, text)):
            return []
        if not any(w.empty or _missing(text, w) for w in ways):
            return list(ways)
        after = list(ways)
        parts = [c for c in node.children if c.kind == "variable_assignment"] if source is None else []
        for part in parts or [node]:
            target = _ASSIGNED.match(self.script.written(part))
            name = target.group(1) if target and source is None else ""
            inherited = variables_read(self.script.written(part)) if name else frozenset()
            after = [
                w._replace(empty=w.empty | {name} if inherited & w.empty else w.empty - {name}) for w in after
            ]
            for expansion in (source or part.source).find_all(_EXPANSIONS):  # type: ignore[call-overload]
                if found := _EXPANSION.match(expansion.text()):
                    after = self._read(node, after, int(found[1] or found[3]), found[2] or "", name)
        return after

    def _read(self, node: Node, ways: Sequence[Words], index: int, operator: str, name: str) -> list[Words]:
        after = []
        nounset = self.script.nounset(node)
        for w in ways:
            if index <= w.left:
                after.append(w)
                continue
            if operator.endswith("?"):
                continue
            w = w._replace(valued=True, empty=w.empty if operator else w.empty | {name})
            if nounset is Setting.ON and self.strict and not operator:
                self._fail(Outcome.UNBOUND, node, w)
            else:
                after.append(w._replace(unsure=w.unsure or (nounset is Setting.UNKNOWN and not operator)))
        return after


def counts_words(text: str) -> bool:
    """Whether a piece of shell text looks at the number of words."""
    return bool(_COUNT.search(text))


def _missing(text: str, words: Words) -> bool:
    """Whether a piece of shell text speaks of a word that is not there, or of a variable made from one."""
    indices = (int(braced or bare) for braced, _, bare in _EXPANSION.findall(text))
    return any(i > words.left for i in indices) or bool(words.empty and words.empty & variables_read(text))


def amount(shift: Node) -> int | None:
    """By how many words a `shift` command shifts; None where only a run can tell."""
    words = shift.words[1:2] or ("1",)
    return int(words[0]) if re.fullmatch(r"\d{1,4}", words[0]) else None
