"""What runs after a command of a shell script, as far as the script's structure tells.

The branches of one `if` or `case` exclude each other, `exit` and `return` end a sequence, a
function goes on behind its calls. Loops are followed forwards only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node, Role, Status

_FAR = 8  # so many of the places that follow, and of the functions on the way out, are looked at
_ENDS = ("program", "function_definition")


class Flow:
    """Where control meets one of the `marks` (commands of interest) after a given command."""

    def __init__(self, file: ShellFile, marks: Iterable[Node]) -> None:
        self._options = file.options
        self._functions = file.functions
        self.leaving = file.exiting
        self._points: dict[Node | None, list[Node]] = defaultdict(list)  # by function, in text order
        self._inside: dict[str, Node] = {}  # function -> the first mark that its call leads to
        self._spread(marks)
        self._starts = {owner: [p.start for p in points] for owner, points in self._points.items()}
        self._next: dict[Node, Node] = {}  # statement -> its sibling
        self._goal: dict[Node, Node | None] = {}  # statement -> next one with a point; an end; None: it exits
        for node in file.nodes:
            if node.last_statement is not None:
                self._sequence(node)

    def following(self, command: Node) -> Iterator[tuple[Node, Node]]:
        """(place, mark) in order: the mark itself, or the call that leads to it, with the mark."""
        yield from islice(self._following(command), _FAR)

    def statements_after(self, command: Node, count: int) -> Iterator[Node]:
        """The next statements, out of branches and loops too; none that holds a mark, none beyond it."""
        statement = command.statement
        for _ in range(count):
            for _ in range(_FAR):
                if statement in self._next or statement.parent is None:
                    break
                statement = statement.parent.statement
                if statement.kind == "function_definition":
                    return
            found = self._next.get(statement)
            if found is None or self._within(found):
                return
            yield found
            statement = found

    def _following(self, command: Node) -> Iterator[tuple[Node, Node]]:
        waiting = deque([(command, False)])  # with whether its failure is lost already
        seen: set[Node] = set()
        while waiting:
            start, lost = waiting.popleft()
            lost = lost or start.status is not Status.RESULT
            for point in self._within(start.statement):
                if point.start >= start.end:
                    yield point, self._mark(point)
            goal = self._goal.get(start.statement)
            while goal is not None and goal.kind not in _ENDS:
                for point in self._within(goal):
                    yield point, self._mark(point)
                goal = self._goal.get(goal)
            if (
                goal is not None
                and goal.kind == "function_definition"
                and goal not in seen
                and len(seen) < _FAR
            ):
                seen.add(goal)
                calls = self._options.calls.get(goal.name, ())
                # The result of a function is lost only at the calls that do not read it.
                waiting += [(c, lost) for c in calls if lost or _is_unread(c)]

    def _within(self, statement: Node) -> list[Node]:
        owner = self._options.function_of(statement)
        starts = self._starts.get(owner, [])
        first, end = bisect_left(starts, statement.start), bisect_left(starts, statement.end)
        return self._points[owner][first : min(end, first + _FAR)]

    def _mark(self, point: Node) -> Node:
        return self._inside.get(point.name, point)

    def _spread(self, marks: Iterable[Node]) -> None:
        """A call of a function that holds a mark is a point too, and so on outwards."""
        waiting = [(mark, mark) for mark in marks]
        for point, mark in waiting:
            owner = self._options.function_of(point)
            self._points[owner].append(point)
            if owner is not None and owner.name not in self._inside:
                self._inside[owner.name] = mark
                waiting += [(call, mark) for call in self._options.calls.get(owner.name, ())]
        for points in self._points.values():
            points.sort(key=lambda point: point.start)

    def _sequence(self, holder: Node) -> None:
        body = holder.body
        self._next.update(pairwise(body))
        function = self._options.function_of(body[0])
        if holder.kind == "program":
            tail: Node | None = holder
        elif holder.role is Role.INNER and holder.parent is function:
            tail = function
        else:
            tail = self._goal.get(holder.statement)
        for statement in reversed(body):
            way_out = self._way_out(statement)
            if way_out:
                tail = function if way_out == "return" else None
            self._goal[statement] = tail
            if self._within(statement):
                tail = statement

    def _way_out(self, statement: Node) -> str:
        """The `exit`, `return` or `exec` that surely ends the sequence here, or ""."""
        command = innermost(statement)
        if command.name == "return" or command.name in self.leaving:
            return "return" if command.name == "return" else "exit"
        return "exit" if command.name == "exit" or (command.name == "exec" and len(command.words) > 1) else ""


def _is_unread(call: Node) -> bool:
    return call.status in (Status.LOST, Status.RESULT)
