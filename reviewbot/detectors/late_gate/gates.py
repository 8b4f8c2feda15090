"""The gates of a script: tests of a precondition by which it ends, and what each of them asks about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.decided import refuses
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node, Role

_SOME = 300  # characters of a test; a longer one is no simple precondition
_COMPUTED = pattern(r"\$\(|`|\$[?!$@*]|PIPESTATUS|[=<>]|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)\b")
_UNARY = pattern(r"(?:^|\s|!)-([a-zA-Z])\s+([^\s\]]+)")
_COUNTED = pattern(r"\[\[?\s+[\"']?(?:\$#|\$\{#\})[\"']?\s+-\w\w\s+\d+\s+\]\]?")
_REQUIRED = pattern(r"\$\{([A-Za-z_]\w*):?\?")
_LOOKUPS = {"command": ("-v", "-V"), "which": (), "type": ("-p", "-P", "-t"), "hash": ()}


class Gate(NamedTuple):
    """`names`: variables that must be set or hold a path; `tools`: programs that must be there."""

    test: Node
    names: frozenset[str]
    paths: bool  # asks the file system
    tools: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return " ".join(self.test.text.split())


def gates(file: ShellFile) -> Iterator[Gate]:
    for node in file.nodes:
        gate = None
        if node.kind == "test_command" or (node.kind == "command" and node.name == "test"):
            gate = _test(node)
        elif node.kind == "command" and node.name in _LOOKUPS:
            gate = _lookup(node)
        elif node.kind == "command" and node.name == ":":
            names = frozenset(_REQUIRED.findall(node.text[:_SOME]))
            if names and node.role is Role.BODY:
                yield Gate(node, names, paths=False)
        if gate and refuses(file, node):
            yield gate


def _test(node: Node) -> Gate | None:
    """`[ -z "$V" ]`, `[ ! -d "$V" ]`, `[ $# -lt 2 ]`, or several of them in one; None for other tests."""
    text = node.text[: _SOME + 1]
    if _COUNTED.fullmatch(text):
        return Gate(node, frozenset(), paths=False)
    if len(text) > _SOME or _COMPUTED.search(text):
        return None
    asked = _UNARY.findall(text)
    names = variables_read(text)
    if not asked or not names or any("$" not in operand for _, operand in asked):
        return None
    letters = {letter for letter, _ in asked}
    return Gate(node, names, paths=bool(letters - {"z", "n", "v"})) if letters <= set("zndefrwxshL") else None


def _lookup(node: Node) -> Gate | None:
    options = _LOOKUPS[node.name]
    words = [unquoted(word) for word in node.words[1:]]
    if options and words[:1] and words[0] not in options:
        return None
    tools = tuple(word for word in words if not word.startswith("-"))
    if not tools or any("$" in tool for tool in tools):
        return None
    return Gate(node, frozenset(), paths=False, tools=tools)
