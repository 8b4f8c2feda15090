"""The arms of a loop that parses arguments, and what each does if its flag is the last argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.argument_hole.positional import Fault, Outcome, Run, Script, Words, amount
from reviewbot.detectors.shell.tree import Node, Role

_LITERAL = pattern(r"=[=~]?\s*[\"']?(--?\w[\w-]*)")
_PATTERN = pattern(r"(--?\w[\w-]*)=?\*$")  # `--configs*`, `--configs=*`: the flag is what is typed
_MORE = 6  # words behind a flag that an arm may want
_TAIL = 8  # statements behind a choice that are followed


@dataclass(frozen=True, slots=True)
class Arm:
    """An item of a `case`, or a branch of an `if` in which something is shifted."""

    label: str  # the flag as the script spells it: "--model"
    head: Node  # the case_item, if_statement, elif_clause or else_clause
    statements: Sequence[Node]
    conditions: Sequence[Node]


@dataclass(frozen=True, slots=True)
class Hole:
    arm: Arm
    outcome: Outcome
    last: Node  # the statement at which it shows
    needed: int  # the least `$#` at the start of the arm with which nothing goes wrong
    shifted: int  # the words that are gone before the arm starts
    empty: tuple[str, ...]  # the variables that are left empty


class _Work(NamedTuple):
    arm: Arm | None  # None: the body of the loop itself
    statements: Sequence[Node]
    ways: list[Words]
    tail: Sequence[Node]  # what runs behind the statements


def holes(script: Script, loop: Node) -> Iterator[Hole]:
    """The arms of a `while` or `until` loop that go wrong where their flag is the last argument."""
    body = next((child.body for child in loop.children if child.kind == "do_group"), [])
    stack = [_Work(None, body, [Words()], ())]
    while stack:
        work = stack.pop()
        run = Run(script, strict=work.arm is not None)
        inner = list(_inner(script, work, run))
        stack += inner
        if work.arm and (hole := _hole(script, work.arm, work, run.fault)):
            yield hole


def _inner(script: Script, work: _Work, run: Run) -> Iterator[_Work]:
    """Runs the statements up to their end; each arm among them is work of its own."""
    ways, leaf = work.ways, True
    for i, statement in enumerate(work.statements):
        choice = _choice(script, statement)
        if choice is None:
            ways = run.through(statement, ways)
            continue
        leaf = False
        behind = [s for s in work.statements[i + 1 : i + 1 + _TAIL] if _choice(script, s) is None]
        heads, entered = _heads(choice), ways
        if choice.kind == "case_statement":
            heads, entered = run.items(choice, ways)
        for head in _open(script, heads, entered):
            arm = _arm(run, head, work.arm)
            if seen := Run(script, strict=False).holds(arm.conditions, entered):
                yield _Work(arm, arm.statements, seen, (*behind, *work.tail)[:_TAIL])
    if leaf and work.statements:
        run.end(work.statements[-1], run.sequence(work.tail, ways))


def _hole(script: Script, arm: Arm, work: _Work, fault: Fault | None) -> Hole | None:
    before = min(w.shifted for w in work.ways)
    if fault is None or (fault.outcome is Outcome.UNBOUND and before + _wanted(arm, work.tail) < 2):
        return None
    for more in range(1, _MORE):
        if not _fails(script, work, more):
            needed = min(w.left for w in work.ways) + more
            return Hole(arm, fault.outcome, fault.node, needed, before, tuple(sorted(fault.empty - {""})))
    return None  # no value behind the flag would mend this arm


def _fails(script: Script, work: _Work, more: int) -> bool:
    """Whether the arm goes wrong with so many more words behind its flag."""
    run = Run(script)
    statements = [s for s in work.statements if _choice(script, s) is None]
    ways = run.sequence(statements, [w._replace(left=w.left + more) for w in work.ways])
    if len(statements) == len(work.statements):
        run.end(work.statements[-1], run.sequence(work.tail, ways))
    return run.fault is not None


def _wanted(arm: Arm, tail: Sequence[Node]) -> int:
    """The words that the shifts of an arm want to remove."""
    nodes = (n for s in (*arm.statements, *tail) for n in (s, *s.inside()))
    return sum(amount(n) or 0 for n in nodes if n.name == "shift")


def _choice(script: Script, statement: Node) -> Node | None:
    """The `case`, or the `if` in which something is shifted, that a statement consists of."""
    if statement.kind == "redirected_statement" and statement.children:
        statement = statement.children[0]
    if statement.kind == "if_statement" and script.shifts_in(statement):
        return statement
    return statement if statement.kind == "case_statement" else None


def _open(script: Script, heads: Sequence[Node], ways: list[Words]) -> Iterator[Node]:
    """The arms that no earlier one guards: `--*) [ $# -ge 2 ] || exit 2 ;;&` goes on to those below."""
    for head in heads:
        yield head
        if head.kind == "case_item" and script.written(head).rstrip().endswith(";;&"):
            run = Run(script, strict=False)
            if "*" in run.pattern(head) and not run.sequence(head.body, ways):
                return


def _heads(choice: Node) -> list[Node]:
    return [choice, *(child for child in choice.children if child.role is Role.INNER)]


def _arm(run: Run, head: Node, outer: Arm | None) -> Arm:
    conditions = [c for c in head.children if c.role is Role.CONDITION]
    if head.kind == "case_item":
        names = [name.strip(" \t\"'\\\r\n") for name in run.pattern(head).split("|")]
    else:
        names = _LITERAL.findall(" ".join(map(run.script.written, conditions)))
    flags = sorted(
        (_PATTERN.sub(r"\1", name) for name in names if name.startswith("-")),
        key=lambda name: not name.startswith("--"),
    )
    label = flags[0] if flags else outer.label if outer else names[0] if names else "a flag"
    return Arm(label, head, head.body, conditions)
