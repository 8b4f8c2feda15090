"""Whether `exit` or `return` at a failing command really keeps from running what must not run.

A status that somebody reads stops nothing by itself: `prepare || echo failed` goes on, and so does
`prepare && echo ok`. What is not understood counts as going on, so that no edit rests on it.
"""

from __future__ import annotations

from collections.abc import Callable

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import SUBSTITUTIONS, Node, Role, Status

_DIES = pattern(r"die|fatal|abort|bail|panic")  # what a sourced file may define
_STEPS = 300  # from statements outwards and to callers; nobody nests more, and a hostile script may
_MANY = 50  # calls of one function that are looked at
_BRANCHES = ("compound_statement", "if_statement", "elif_clause", "else_clause", "case_item")


def way_out(file: ShellFile, command: Node, place: Node | None) -> str:
    """`exit 1` or `return 1`, whichever keeps a failing `command` from `place`; "" where neither does.

    `place` is where the script meets what must not run: a later command, or the call that leads to
    it. None: everything that follows.
    """
    way, whole = _Way(file, place), whole_command(command)
    function = file.options.function_of(whole)
    if function is None or file.options.shell_of(whole) is not None:
        return "exit 1" if way.exited(whole) else ""
    calls = file.options.calls.get(function.name, ())
    if len(calls) > _MANY:
        return ""
    held = way.holds(function)
    going_on = [c for c in calls if not (way.ended(c) or (held and c.status is Status.READ))]
    if not going_on:
        return "return 1"
    # Whoever reads the status and goes on does so on purpose: an `exit` would break that.
    if any(call.status is Status.READ for call in going_on):
        return ""
    return "exit 1" if way.exited(whole) else ""


def ends_script(file: ShellFile, node: Node) -> bool:
    """Whether an `exit` with a failure, at `node`, ends the script: directly, or by whoever reads it."""
    return _Way(file, None).exited(node)


def leaving(file: ShellFile, statement: Node) -> Node | None:
    """The `exit`, `return`, `die`, or call of a function that exits, with which a statement ends."""
    inner = innermost(statement)
    for command in map(innermost, inner.body if inner.kind == "compound_statement" else [inner]):
        name = command.name if command.kind == "command" else ""
        if name in ("exit", "return") or name in file.exiting:
            return command
        if name not in file.functions and _DIES.fullmatch(name):
            return command
    return None


class _Way:
    """What follows the end of a statement, as far as `place`; None stands for whatever follows."""

    def __init__(self, file: ShellFile, place: Node | None) -> None:
        self._file = file
        self._options = file.options
        self._place = place
        self._left = _STEPS
        self._functions: list[Node] = []  # whose callers are being looked at

    def holds(self, node: Node | None) -> bool:
        return node is not None and self._place is not None and node.start <= self._place.start < node.end

    def exited(self, node: Node, ok: bool = False) -> bool:
        """Whether `exit` at a node keeps the script from the place."""
        detached = node.background or node.role in (Role.STAGE, Role.LAST_STAGE)
        shell = node if detached else self._options.shell_of(node)
        if shell is not None:
            return self.holds(shell) or self.ended(shell, ok)
        function = self._options.function_of(node)
        if function is None or self.holds(function):
            return True
        return self._by_callers(function, lambda call: self.exited(call, ok))

    def ended(self, node: Node, ok: bool = False, ignored: bool = False) -> bool:
        """Whether the place is out of reach once a node has ended, well (`ok`) or not.

        `ignored`: its failure comes from where bash disregards errexit.
        """
        self._left -= 1
        parent = node.parent
        if self._left < 0 or parent is None or node.background:
            return False
        match node.role:
            case Role.LEFT:
                return self._list(parent, parent, ok)
            case Role.CONDITION:
                return self._condition(node, parent, ok)
            case Role.NEGATED:
                return self.ended(parent, not ok, ignored=True)
            case Role.LAST_STAGE:
                return not ok and self.ended(parent)  # of a stage before it nothing is known
            case Role.RIGHT:
                return self.ended(parent, ok, ignored)
            case Role.BODY:
                return self._statement(node, parent, ok, ignored)
            case Role.INNER:
                return self._inner(parent, ok, ignored)
            case Role.ARGUMENT:
                return self._assigned(node, parent, ok)
        return False

    def _inner(self, parent: Node, ok: bool, ignored: bool) -> bool:
        if parent.kind == "function_definition":
            return self._by_callers(parent, lambda call: self.ended(call, ok))
        if parent.kind == "redirected_statement":
            for heredoc in (child for child in parent.children if child.operator):
                return self._list(heredoc, parent, ok)
            return self.ended(parent, ok, ignored)
        return parent.kind == "if_statement" and self.ended(parent, ok, ignored)

    def _list(self, holder: Node, whole: Node, ok: bool) -> bool:
        """Left of `&&` or `||`; `holder` has the operator and the right side."""
        right = next((child for child in holder.children if child.role is Role.RIGHT), None)
        if right is None or holder.operator not in ("&&", "||"):
            return False
        if ok is not (holder.operator == "&&"):
            return self.holds(right) or self.ended(whole, ok, ignored=True)
        return self._leaves([right])

    def _condition(self, node: Node, parent: Node, ok: bool) -> bool:
        if parent.kind == "while_statement":
            until = self._file.text.content.startswith("until", parent.start)
            body = next((child for child in parent.children if child.kind == "do_group"), None)
            return ok is until and self.holds(body)
        if [c for c in parent.children if c.role is Role.CONDITION][-1] is not node:
            return False
        if ok:
            return self._leaves(parent.body)
        clauses = [child for child in parent.children if child.role is Role.INNER]
        if any(map(self.holds, parent.body)):
            return True
        return clauses[:1] != [] and clauses[0].kind == "else_clause" and self._leaves(clauses[0].body)

    def _statement(self, node: Node, parent: Node, ok: bool, ignored: bool) -> bool:
        if not ok and not ignored and self._options.errexit_at(node) is Setting.ON:
            return self.exited(node)
        if parent.last_statement is not node:
            return False
        if parent.kind in ("subshell", *SUBSTITUTIONS):
            return self.ended(parent, ok)
        return parent.kind in _BRANCHES and self.ended(parent, ok, ignored)

    def _assigned(self, node: Node, parent: Node, ok: bool) -> bool:
        """`x=$(…)` has the status of its substitution; `local x=$(…)` and `echo $(…)` have not."""
        if parent.kind != "variable_assignment" or parent.role is Role.ARGUMENT:
            return False
        return parent.children == [node] and self.ended(parent, ok)

    def _leaves(self, statements: list[Node]) -> bool:
        """Whether the first of the statements that leaves keeps the script from the place."""
        found = ((s, leave) for s in statements if (leave := leaving(self._file, s)))
        statement, leave = next(found, (None, None))
        if statement is None or leave is None or any(self.holds(s) for s in statements):
            return False
        ok = leave.words[1:2] == ("0",)
        function = self._options.function_of(leave)
        if leave.name != "return" or function is None or self._options.shell_of(leave) is not None:
            return self.exited(leave, ok)
        return self.holds(function) or self._by_callers(function, lambda call: self.ended(call, ok))

    def _by_callers(self, function: Node, stops: Callable[[Node], bool]) -> bool:
        """Whether it stops at every call. A function that nobody calls here is left to its callers."""
        calls = self._options.calls.get(function.name, ())
        if function in self._functions or len(calls) > _MANY:
            return False
        self._functions.append(function)
        stopped = all(map(stops, calls))
        self._functions.pop()
        return stopped
