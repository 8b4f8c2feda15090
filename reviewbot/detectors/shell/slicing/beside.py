"""What stands beside the way that a slice follows: kept, left out as `true`, or Unreducible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.reduced import Unreducible
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.slicing.budget import Budget
from reviewbot.detectors.shell.slicing.disturbing import Disturbances
from reviewbot.detectors.shell.slicing.options import written_anew
from reviewbot.detectors.shell.slicing.values import constant, held
from reviewbot.detectors.shell.tree import Node
from reviewbot.detectors.shell.wayout import leaving

_NAME = pattern(r"[A-Za-z_]\w*")
_WORD = pattern(r"[\w-]+")
_STATUS = pattern(r"\$\?|\$\{\?\}|PIPESTATUS")
_ENDS = pattern(r"\b(?:exit|return|exec|kill|break|continue|die|fatal|abort|bail|panic|fail)\b|\$\{\w+:?\?")
_TRUE = ("true", ":")
_ASKING = ("test", "[", "false")


class Beside:
    """`shows` are the variables that are read at the end; `concerns` tells whether what a text does may
    depend on what was replaced by `false`. Everything raises Unreducible."""

    def __init__(
        self,
        file: ShellFile,
        shows: tuple[str, ...],
        concerns: Callable[[str], bool],
        budget: Budget,
        disturbances: Disturbances,
    ) -> None:
        self._file = file
        self._shows = shows
        self._concerns = concerns
        self._budget = budget
        self._disturbances = disturbances
        self.kept: set[str] = set()  # variables that have a value of the script
        self.given: dict[str, str] = {}  # variable -> the value that a condition wants

    def lines(self, statement: Node, passed: bool, fresh: bool) -> list[str]:
        """An option or a constant as it is; nothing, or `true`, for what can be left out.

        `passed`: it runs behind the failure; `fresh`: `$?` in it may be the status of that.
        """
        inner = innermost(statement)
        if inner.kind == "function_definition":
            return []
        if inner.kind == "command" and inner.name == "set":
            change = written_anew(inner.words[1:])
            return [change] if change else []
        if kept := self._constant(inner):
            return [kept]
        if self._file.options.changed_in(inner) or self._leaves(inner):
            raise Unreducible
        if not passed:
            return []
        if self._minds(statement, fresh):
            raise Unreducible
        return ["true"]

    def _reached(self, statement: Node) -> Mapping[Node, str]:
        """A statement and the functions that it calls, and so on, with their text."""
        texts, seen, waiting = dict[Node, str](), set[str](), [statement]
        for node in waiting:
            texts[node] = self.text(node)
            names = self._file.functions.keys() & set(_WORD.findall(texts[node])) - seen
            waiting += (self._file.functions[name] for name in sorted(names))
            seen |= names
        return texts

    def text(self, node: Node) -> str:
        self._budget.spend(node.end - node.start)
        return self._file.text.content[node.start : node.end]

    def may_end(self, statement: Node) -> bool:
        """Whether a statement may end the script, its function or a loop by itself, or never end."""
        reached = self._reached(statement)
        return self._stays(reached) or any(map(_ENDS.search, reached.values()))

    def succeeds(self, node: Node) -> bool:
        """Whether it is a command, other than a test, that looks at nothing that may have failed."""
        inner = innermost(node)
        if inner.kind != "command" or inner.name in _ASKING or self._file.options.changed_in(inner):
            return False
        return not self.may_end(node) and not any(map(self._concerns, self._reached(node).values()))

    def test(self, node: Node, answer: bool) -> str:
        """A test that leads on where it answers `answer`; its variable is given the value for that."""
        text = self.text(node)
        if answer and text in _TRUE:
            return "true"
        found = held(text, answer)
        if found is None or self.given.setdefault(found.name, found.value) != found.value:
            raise Unreducible
        values = self._file.assigned.get(found.name, ())
        known = constant(values[0]) if len(values) == 1 else None
        if known is not None and "$" not in known and known.strip("\"'") != found.value:
            raise Unreducible  # it never leads on
        return found.test

    def _minds(self, statement: Node, fresh: bool) -> bool:
        """Whether a statement may notice the failure and end the script for it, or never end itself."""
        reached = self._reached(statement)
        texts = reached.values()
        if self._stays(reached) or (fresh and any(map(_STATUS.search, texts))):
            return True
        stops = self._file.options.errexit_at(statement) in (Setting.ON, Setting.UNKNOWN)
        ends = stops or any(map(_ENDS.search, texts))
        return ends and any(map(self._concerns, texts))

    def _stays(self, nodes: Iterable[Node]) -> bool:
        return any(map(self._disturbances.may_stay_in, nodes))

    def _constant(self, node: Node) -> str:
        """`NAME=value` of a variable that is read, where this is all that is ever assigned to it; or ""."""
        if node.kind == "declaration_command" and len(node.words) == 1 and len(node.children) == 1:
            node = node.children[0]
        found = _NAME.match(self._file.text.content, node.start, node.end)
        if node.kind != "variable_assignment" or found is None or found[0] not in self._shows:
            return ""
        values = self._file.assigned.get(found[0], ())
        value = constant(values[0]) if len(values) == 1 else None
        if value is None:
            return ""
        self.kept.add(found[0])
        return f"{found[0]}={value}"

    def _leaves(self, statement: Node) -> bool:
        """Whether it surely leaves, so that what stands behind it is not reached from here."""
        self._budget.descend(statement)
        inner = innermost(statement)
        if leaving(self._file, inner) or inner.name in ("break", "continue"):
            return True
        if inner.name == "exec":
            return len(inner.words) > 1
        ways = [inner, *(c for c in inner.children if c.kind in ("elif_clause", "else_clause"))]
        if inner.kind != "compound_statement" and ways[-1].kind != "else_clause":
            return False
        return all(any(map(self._leaves, way.body)) for way in ways)
