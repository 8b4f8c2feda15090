"""A script reduced to what decides whether control gets from one place to another.

Kept are the shell options, the structure around both places, and the calls that lead from one to the
other; every other command is `true`. What cannot be written anew from an allow-list is Unreducible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.errexit import OPTIONS, Setting
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.reduced import NAME, Unreducible, is_assignable, is_name
from reviewbot.detectors.shell.script import ShellFile, innermost, variables_read
from reviewbot.detectors.shell.slicing.beside import Beside
from reviewbot.detectors.shell.slicing.budget import Budget
from reviewbot.detectors.shell.slicing.callers import outwards
from reviewbot.detectors.shell.slicing.disturbing import Disturbances
from reviewbot.detectors.shell.slicing.layout import after, indented, joined, without_repeats
from reviewbot.detectors.shell.slicing.options import set_command
from reviewbot.detectors.shell.slicing.values import STAND_IN, literal
from reviewbot.detectors.shell.tree import Node, Role

_ASSIGNED = pattern(rf"({NAME})=")
_EXIT = pattern(r"\d{1,3}")
_ROUNDS = 4  # of a `for`


class Plan(NamedTuple):
    """How a script is followed from `first` to `last`, a later place or the same one."""

    stubs: Mapping[Node, Sequence[str]]  # the lines that stand for a node
    first: Node
    last: Node
    via: Node | None = None  # a call that leads to one of them
    # Of an `if`: what it does where the status of `first` comes to it as 0, and where as another.
    branches: Mapping[Node, tuple[Sequence[str], Sequence[str]]] = MappingProxyType({})
    behind: Mapping[Node, Sequence[str]] = MappingProxyType({})  # what is added behind a statement
    shows: tuple[str, ...] = ()  # variables that a stub reads
    concerns: Callable[[str], bool] = bool  # whether what a text does may depend on `first`


class Slice(NamedTuple):
    lines: tuple[str, ...]
    stood_in: tuple[str, ...]  # of the variables that a stub reads those whose value is not in the script


class Slicer:
    """Makes the slices of one script."""

    def __init__(self, file: ShellFile) -> None:
        self.file = file
        self.disturbances = Disturbances(file)
        self._budget = Budget()

    def slice(self, plan: Plan) -> Slice | None:
        """None where something would have to be kept that the allow-list does not let through."""
        if not self._is_known:
            return None
        try:
            self._budget.spend(self.disturbances.cost)
            writer = _Writer(self.file, plan, self._budget, self.disturbances)
            lines = writer.lines()
        except Unreducible:
            return None
        if self.disturbances.before(writer.route, lines, plan.stubs):
            return None
        return Slice(lines, tuple(name for name in plan.shows if name not in writer.kept))

    @cached_property
    def _is_known(self) -> bool:
        """Whether all of the script is here, and every word of a slice has its own meaning in it."""
        whole = bool(self.file.shell) and not self.file.partial
        return whole and not self.disturbances.names_are_taken


class _Writer:
    def __init__(self, file: ShellFile, plan: Plan, budget: Budget, disturbances: Disturbances) -> None:
        self._file = file
        self._plan = plan
        self._budget = budget
        self._ours, theirs = (tuple(outwards(file, n, plan.via, budget)) for n in (plan.first, plan.last))
        if plan.via is not None and plan.via not in (*self._ours, *theirs):
            raise Unreducible
        self.route = theirs
        self._first, self._last = _around(self._ours), _around(theirs)
        self._path = self._first | self._last | _around(plan.stubs)
        self._beside = Beside(file, plan.shows, plan.concerns, budget, disturbances)

    @property
    def kept(self) -> Set[str]:
        """The variables that have a value of the script."""
        return self._beside.kept

    def lines(self) -> tuple[str, ...]:
        """The reduced script. Raises Unreducible."""
        body = self._program()
        start = set_command({o: Setting.ON for o in OPTIONS if o != "errtrace" and self._starts_with(o)})
        read = sorted(variables_read("\n".join(body)) - self.kept)
        wanted = {name: STAND_IN for name in read if is_assignable(name)}
        if self._beside.given.keys() & self.kept:
            raise Unreducible  # a condition asks for what a loop or an assignment changes
        given = [f"{name}={value}" for name, value in (wanted | self._beside.given).items()]
        return (*filter(None, (start,)), *given, *body)

    def _program(self) -> list[str]:
        options, tree = self._file.options, self._file.tree
        function = options.function_of(self.route[-1])
        if function is None:
            return self._sequence(tree)
        self._budget.spend(len(tree.body))
        # Nobody calls it here: whoever does has the options of a shell that has just been started.
        changed = any(options.changed_in(s) for s in tree.body if s.kind != "function_definition")
        if changed or any(map(self._starts_with, OPTIONS)):
            raise Unreducible
        return [*self._statement(function), function.name]

    def _starts_with(self, option: str) -> bool:
        return self._file.options.setting_at(self._file.tree, option) is Setting.ON

    def _sequence(self, holder: Node) -> list[str]:
        """The statements of a body. Of one that does not hold the first place all come behind it."""
        body, lines = holder.body, list[str]()
        self._budget.spend(len(body))
        first = min(self._leading(body, self._first), default=-1)
        last = max(self._leading(body, self._last), default=len(body))
        if last < first:
            raise Unreducible
        for at, statement in enumerate(body):
            if statement in self._path and (at <= last or statement.kind == "function_definition"):
                lines += self._statement(statement)
            elif at < last:
                lines += self._beside.lines(statement, first < at, lines[-1:] != ["true"])
            lines += self._plan.behind.get(statement, ())
        return without_repeats(lines) or ["true"]

    def _leading(self, body: Sequence[Node], places: Set[Node]) -> list[int]:
        """Which of the statements hold one of the places, and run it: a function does not where it stands."""
        return [at for at, s in enumerate(body) if s in places and s.kind != "function_definition"]

    def _statement(self, node: Node) -> list[str]:
        """A statement on the way, written anew."""
        if node in self._plan.stubs:
            return [*self._plan.stubs[node]]
        write = _WRITERS.get(node.kind)
        if write is None or node.background:
            raise Unreducible
        return write(self, node)

    def _command(self, node: Node) -> list[str]:
        function = self._file.functions.get(node.name)
        if function is None or function not in self._path:
            raise Unreducible  # one of its arguments leads on
        return [node.name]

    def _redirected(self, node: Node) -> list[str]:
        if node.children[0].role is not Role.INNER:
            raise Unreducible
        lines = self._statement(node.children[0])
        for heredoc in node.children[1:]:
            if heredoc.operator in ("&&", "||"):
                right = next((c for c in heredoc.children if c.role is Role.RIGHT), None)
                lines = joined(lines, heredoc.operator, self._side(right))
            elif heredoc.operator:
                raise Unreducible
        return lines

    def _list(self, node: Node) -> list[str]:
        left = next((c for c in node.children if c.role is Role.LEFT), None)
        right = next((c for c in node.children if c.role is Role.RIGHT), None)
        if left is None or node.operator not in ("&&", "||"):
            raise Unreducible
        if left in self._path:
            return joined(self._statement(left), node.operator, self._side(right))
        test = self._condition(left, node.operator == "&&", commands=True)
        return joined(test, node.operator, self._side(right))

    def _side(self, node: Node | None) -> list[str]:
        """What stands behind `&&` or `||`."""
        if node is None:
            raise Unreducible
        if node in self._path:
            return self._statement(node)
        inner = innermost(node)
        statements = inner.body if inner.kind == "compound_statement" else [inner]
        lines = [line for s in statements for line in self._end(s)]
        return lines if inner.kind != "compound_statement" else ["{", *indented(lines), "}"]

    def _end(self, statement: Node) -> list[str]:
        """A command of what runs when the first place has failed: a way out, or what only talks."""
        self._budget.spend(1)
        command = innermost(statement)
        if command.kind == "command" and command.name in ("exit", "return"):
            return [self._way_out(command)]
        if command.kind not in ("command", "declaration_command") or self._file.options.changed_in(command):
            raise Unreducible
        if self._beside.may_end(statement):
            raise Unreducible
        return ["true"]

    def _way_out(self, command: Node) -> str:
        """`exit` or `return`; with 1 for any failure: 2 and 127 are what a shell says of a broken script."""
        operand = unquoted(command.words[1]) if len(command.words) > 1 else ""
        if not operand:
            return command.name
        if len(command.words) > 2 or not _EXIT.fullmatch(operand):
            raise Unreducible
        return f"{command.name} {min(int(operand), 1)}"

    def _condition(self, node: Node, answer: bool, commands: bool = False) -> list[str]:
        """A condition that leads on where it answers `answer`; one of `commands` too, which succeed."""
        parts = [node]
        while answer and parts[0].kind == "list" and parts[0].operator == "&&":
            self._budget.spend(1)
            parts[:1] = parts[0].children
        return [" && ".join(self._part(part, answer, commands) for part in parts)]

    def _part(self, node: Node, answer: bool, commands: bool) -> str:
        if commands and answer and self._beside.succeeds(node):
            return "true"
        return self._beside.test(node, answer)

    def _block(self, node: Node) -> list[str]:
        opens, closes = ("(", ")") if node.kind == "subshell" else ("{", "}")
        return [opens, *indented(self._sequence(node)), closes]

    def _pipeline(self, node: Node) -> list[str]:
        stages, seen = list[str](), False
        for stage in node.children:
            if stage in self._path:
                lines, seen = self._statement(stage), True
                if stage.kind == "list" or len(lines) > 1:
                    raise Unreducible
                stages += lines
            else:
                stages.append("cat" if seen else "true")
        return [" | ".join(stages)]

    def _negated(self, node: Node) -> list[str]:
        return after("! ", self._statement(node.children[0]))

    def _if(self, node: Node, word: str = "if") -> list[str]:
        conditions = [c for c in node.children if c.role is Role.CONDITION]
        clauses = [c for c in node.children if c.kind in ("elif_clause", "else_clause")]
        if len(conditions) != 1:
            raise Unreducible
        condition, inside = conditions[0], any(s in self._path for s in node.body)
        on_the_way = condition in self._path
        test = self._statement(condition) if on_the_way else self._condition(condition, inside)
        if branches := self._plan.branches.get(node):
            then, other = branches[::-1] if self._is_negated(node) else branches
            return [*after(f"{word} ", test), "then", *indented(then), "else", *indented(other), "fi"]
        lines = [*after(f"{word} ", test), "then", *indented(self._branch(node, inside, on_the_way))]
        for clause in clauses:
            here = any(c in self._path for c in clause.inside())
            if clause.kind == "elif_clause":
                if here or on_the_way:
                    lines += self._if(clause, "elif")
            elif here or on_the_way:
                lines += ["else", *indented(self._branch(clause, here, on_the_way))]
        return lines if word == "elif" else [*lines, "fi"]

    def _is_negated(self, reader: Node) -> bool:
        """Whether an `if` gets the opposite of the status that comes to it from the first place."""
        negated = False
        for place in self._ours:
            for outer in (place, *place.ancestors()):
                if outer is reader:
                    return negated
                if outer.kind == "function_definition":
                    break
                negated ^= outer.role is Role.NEGATED
        return negated

    def _branch(self, node: Node, on_path: bool, on_the_way: bool) -> list[str]:
        """The body of a branch: of one that leads nowhere only what could end the script."""
        if on_path:
            return self._sequence(node)
        if on_the_way:
            return [line for s in node.body for line in self._end(s)] or ["true"]
        return ["true"]

    def _for(self, node: Node) -> list[str]:
        name = node.source.field("variable")
        body = next((c for c in node.children if c.kind == "do_group"), None)
        if name is None or body is None or not is_assignable(name.text()):
            raise Unreducible
        words = [literal(part.text()) for part in node.source.field_children("value")]
        known = words and all(words) and len(words) <= _ROUNDS
        values = " ".join(w for w in words if w) if known else STAND_IN
        self._beside.kept.add(name.text())
        return [f"for {name.text()} in {values}; do", *indented(self._sequence(body)), "done"]

    def _function(self, node: Node) -> list[str]:
        body = next((c for c in node.children if c.role is Role.INNER), None)
        if not is_name(node.name) or body is None or body not in self._path:
            raise Unreducible
        if body.kind not in ("compound_statement", "subshell"):
            raise Unreducible
        return after(f"{node.name}() ", self._block(body))

    def _assignment(self, node: Node) -> list[str]:
        """`V=$(…)` or `local V=$(…)` on the way."""
        declared = node.kind == "declaration_command"
        found = node.children[-1] if declared and node.children else node
        name = _ASSIGNED.match(self._file.text.content, found.start, found.end)
        inner = [c for c in found.children if c.kind == "command_substitution"]
        if name is None or not is_assignable(name[1]) or len(inner) != 1:
            raise Unreducible
        word = node.words[0] if declared and node.words else ""
        if word not in ("", "local", "declare", "export", "readonly"):
            raise Unreducible
        lines = self._sequence(inner[0])
        return [f"{word} {name[1]}=$(".lstrip(), *indented(lines), ")"]


_WRITERS: Mapping[str, Callable[[_Writer, Node], list[str]]] = {
    "command": _Writer._command,
    "redirected_statement": _Writer._redirected,
    "list": _Writer._list,
    "compound_statement": _Writer._block,
    "subshell": _Writer._block,
    "pipeline": _Writer._pipeline,
    "negated_command": _Writer._negated,
    "if_statement": _Writer._if,
    "for_statement": _Writer._for,
    "function_definition": _Writer._function,
    "variable_assignment": _Writer._assignment,
    "declaration_command": _Writer._assignment,
}


def _around(nodes: Iterable[Node]) -> frozenset[Node]:
    """Some nodes and all around them."""
    return frozenset(outer for node in nodes for outer in (node, *node.ancestors()))
