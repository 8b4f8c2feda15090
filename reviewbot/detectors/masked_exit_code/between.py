"""`$?` that is tested, and the command that stands between it and the one that is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.masked_exit_code.readers import Readers
from reviewbot.detectors.masked_exit_code.work import Trade, Work
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node

_SAID = pattern(r"(?:echo|printf|log|info|warn|debug|print)")
_AT_EXIT = ("EXIT", "ERR", "0")
_ASKING = ("command", "test_command", "variable_assignment", "declaration_command")
_SOME = 2000  # characters of a statement that are read
_BETWEEN = 3  # commands between that are stepped over


class Late(NamedTuple):
    """`asks` reads `$?` and gets the status of `last`. `meant` is None for the status of the script."""

    asks: Node
    last: Node
    meant: Node | None
    between: tuple[Node, ...] = ()  # `meant` and `asks`
    background: bool = False
    array: bool = False  # it is PIPESTATUS that is read, not `$?`


class Between:
    def __init__(self, file: ShellFile, readers: Readers, trade: Trade) -> None:
        self._file = file
        self._readers = readers
        self._trade = trade

    def late(self) -> Iterator[Late]:
        if not any(asked in self._file.text.content for asked in ("$?", "${?}", "PIPESTATUS")):
            return
        handlers = self._handlers()
        for node in self._file.nodes:
            if node.last_statement is None:
                continue
            body = node.body
            for at, (last, asks) in enumerate(pairwise(body)):
                if self._is_late_array(body, at):
                    yield Late(asks, last, body[at - 1], (last,), array=True)
                text = self._readers.asked_by(asks)
                if not text or _SAID.match(text) or self._readers.read_of(asks, text).unread:
                    continue
                if last.background:
                    yield Late(asks, last, last, background=True)
                elif self._trade.always_succeeds(last) or self._shows(body, at):
                    meant = self._meant(body, at - self._shows(body, at))
                    if meant is not None and self._is_open(body[meant]):
                        yield Late(asks, last, body[meant], tuple(body[meant + 1 : at + 1]))
                    elif meant is None and node.parent in handlers and at < _BETWEEN:
                        yield Late(asks, last, None)

    def _meant(self, body: list[Node], at: int) -> int | None:
        """Which statement up to `body[at]` is the last that may fail; None where all of them cannot."""
        for before in range(at, max(at - _BETWEEN, 0) - 1, -1):
            if body[before].background or not self._trade.always_succeeds(body[before]):
                return before
        return None

    def _is_late_array(self, body: list[Node], at: int) -> bool:
        """Whether PIPESTATUS is read behind `body[at]`, which has overwritten that of the pipe before it."""
        asks = innermost(body[at + 1])
        if at == 0 or asks.kind not in _ASKING or not self._trade.always_succeeds(body[at]):
            return False
        text = self._file.text.content[asks.start : min(asks.end, asks.start + _SOME)]
        return "PIPESTATUS" in text and not _SAID.match(text) and self._is_pipe(body[at - 1], body[at])

    def _is_pipe(self, meant: Node, last: Node) -> bool:
        """Whether `meant` is a pipe into a filter, and `last` does not read its array itself."""
        pipe = innermost(meant)
        read = self._file.text.content[last.start : min(last.end, last.start + _SOME)]
        return (
            pipe.kind == "pipeline" and self._trade.is_filter(pipe.children[-1]) and "PIPESTATUS" not in read
        )

    def _shows(self, body: list[Node], at: int) -> bool:
        """Whether `body[at]` only shows what the statement before it has written: `make > log; cat log`."""
        shown = innermost(body[at])
        if at == 0 or shown.name not in ("cat", "tail", "head") or len(shown.words) < 2:
            return False
        before = body[at - 1]
        written = self._file.text.content[before.start : min(before.end, before.start + _SOME)]
        return re.search(rf">\|?[ \t]*{re.escape(shown.words[-1])}(?!\S)", written) is not None

    def _is_open(self, meant: Node) -> bool:
        """Whether its failure can get as far as `$?`: it works, and errexit has not stopped the script."""
        inner = innermost(meant)
        if inner.kind == "pipeline" and inner.children:
            inner = innermost(inner.children[-1])
        substitutes = inner.kind == "variable_assignment" and inner.children != []
        if not substitutes and inner.kind not in ("command", "subshell"):
            return False
        if inner.kind == "command" and self._trade.of(inner) is Work.TALKS:
            return False
        return not meant.background and self._file.options.errexit_at(meant) is not Setting.ON

    def _handlers(self) -> set[Node]:
        """The functions that a trap runs when the script ends."""
        found = set()
        for command in self._file.commands:
            words = [unquoted(w) for w in command.words if w != "--"]
            if command.name == "trap" and any(signal in words[2:] for signal in _AT_EXIT):
                first = re.match(r"[\w-]*", words[1])
                if first and first[0] in self._file.functions:
                    found.add(self._file.functions[first[0]])
        return found
