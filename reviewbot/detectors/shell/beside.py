"""What stands beside the way that a reduced script follows: kept, left out as `true`, or Unreducible."""

from __future__ import annotations

from collections.abc import Callable

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.reduce import Unreducible
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node
from reviewbot.detectors.shell.words import constant, held, option_change

_NAME = pattern(r"[A-Za-z_]\w*")
_WORD = pattern(r"[\w-]+")
_STATUS = pattern(r"\$\?|\$\{\?\}|PIPESTATUS")
_ENDS = pattern(r"\b(?:exit|return|exec|kill|break|continue|die|fatal|abort|bail|panic|fail)\b|\$\{\w+:?\?")
_LEAVING = ("exit", "return", "break", "continue")
_TRUE = ("true", ":")
_ASKING = ("test", "[", "false")
_NESTED = 20  # blocks, one in another
_LONG = 4000  # characters of a statement that are looked at; a longer one is not judged
_ALL = 100_000  # and of all of them
_FUNCTIONS = 30  # that one statement calls


class Beside:
    """`shows` are the variables that are read at the end; `concerns` tells whether what a text does may
    depend on what was replaced by `false`. Everything raises Unreducible."""

    def __init__(self, file: ShellFile, shows: tuple[str, ...], concerns: Callable[[str], bool]) -> None:
        self._file = file
        self._shows = shows
        self._concerns = concerns
        self._left = _ALL
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
            change = option_change(inner.words[1:])
            if change is None:
                raise Unreducible
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

    def texts(self, statement: Node) -> list[str]:
        """The text of a statement and of the functions that it calls, and so on."""
        texts, seen = [self.text(statement)], set[str]()
        for text in texts:
            for name in sorted(self._file.functions.keys() & set(_WORD.findall(text)) - seen):
                seen.add(name)
                texts.append(self.text(self._file.functions[name]))
            if len(texts) > _FUNCTIONS:
                raise Unreducible
        return texts

    def text(self, node: Node) -> str:
        self._left -= node.end - node.start
        if node.end - node.start > _LONG or self._left < 0:
            raise Unreducible
        return self._file.text.content[node.start : node.end]

    def may_end(self, statement: Node) -> bool:
        """Whether a statement may end the script, its function or a loop by itself."""
        return any(map(_ENDS.search, self.texts(statement)))

    def succeeds(self, node: Node) -> bool:
        """Whether it is a command, other than a test, that looks at nothing that may have failed."""
        inner = innermost(node)
        if inner.kind != "command" or inner.name in _ASKING or self._file.options.changed_in(inner):
            return False
        texts = self.texts(node)
        return not any(map(_ENDS.search, texts)) and not any(map(self._concerns, texts))

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
        """Whether a statement may notice the failure, and end the script for it."""
        texts = self.texts(statement)
        if fresh and _STATUS.search(texts[0]):
            return True
        stops = self._file.options.errexit_at(statement) in (Setting.ON, Setting.UNKNOWN)
        ends = stops or any(map(_ENDS.search, texts))
        return ends and any(map(self._concerns, texts))

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

    def _leaves(self, node: Node, depth: int = _NESTED) -> bool:
        """Whether a statement surely leaves, so that what stands behind it is not reached from here."""
        if node.kind == "command":
            name = node.name
            leaving = name in _LEAVING or name in self._file.exiting
            return leaving or (name == "exec" and len(node.words) > 1)
        if not depth:
            raise Unreducible
        if node.kind == "compound_statement":
            ways = [node]
        else:
            ways = [node, *(c for c in node.children if c.kind in ("elif_clause", "else_clause"))]
            if node.kind != "if_statement" or ways[-1].kind != "else_clause":
                return False
        return all(any(self._leaves(innermost(s), depth - 1) for s in way.body) for way in ways)
