"""Shell: a command that failed, or a count that is off, is only warned of, and the script goes on with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.dataflow import Dataflow, names_a_file
from reviewbot.detectors.shell.expensive import is_expensive
from reviewbot.detectors.shell.facts import Facts, label
from reviewbot.detectors.shell.flow import Flow
from reviewbot.detectors.shell.launches import is_launch
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node, Role

_TALKS = pattern(
    r"echo|printf|cat|tee|:|(?:\w{1,20}_)?(?:log|warn|warning|info|msg|message|err|error)(?:_\w{1,20})?", re.I
)
_WARNS = pattern(r"warn|⚠", re.I)
_COMPARES = pattern(r"-(?:ne|eq|lt|gt|le|ge)\b|!=|==|[^=!<>]=[^=~]")
_BROKEN = pattern(
    r"mis-?match|(?:do(?:es)?|did)(?: not|n't) match|differ|corrupt|incorrect|inconsistent|checksum"
    r"|expected\b.{0,80}\b(?:got|but|found)|wrong (?:number|size|hash)",
    re.I,
)
_HANDLED = pattern(
    r"fall(?:ing)? ?back|ignor|skip|instead|default|retry|version|optional|already|clean", re.I
)
# What is run for its answer: it shares no variable with the launch that it lets through.
_GUARDS = pattern(r"(?:wait|check|verify|validate|ensure)(?:_\w{1,40})?|\w{1,40}_(?:ready|healthy|up)", re.I)
_ASIDE = pattern(
    r"rm|kill|pkill|cleanup\w*|stop\w*|umount|ulimit|nvidia-smi|sysctl|modprobe|ls|which|command"
)
_SOME = 600  # characters of a warning that are read


def find_shell(file: ShellFile) -> Iterator[Hit]:
    warned = list(_warned(file))
    if warned:
        yield from _Warnings(file).hits(warned)


def _warned(file: ShellFile) -> Iterator[tuple[Node, Node]]:
    """(what failed or was asked, the statement that only warns of it)."""
    for node in file.nodes:
        parent = node.parent
        if node.role is Role.RIGHT and parent is not None and parent.operator == "||":
            inner = innermost(node)
            body = inner.body if inner.kind == "compound_statement" else [node]
            if _only_warns(file, body):
                yield parent.children[0], node
        elif node.kind == "if_statement" and _only_warns(file, node.body):
            conditions = [child for child in node.children if child.role is Role.CONDITION]
            if len(conditions) == 1 and not any(child.role is Role.INNER for child in node.children):
                yield conditions[0], node


def _only_warns(file: ShellFile, statements: Sequence[Node]) -> bool:
    names = [innermost(statement).name for statement in statements]
    if not names or not all(_TALKS.fullmatch(name) and name not in file.exiting for name in names):
        return False
    return bool(_WARNS.search(file.text.content, statements[0].start, statements[-1].end))


class _Warnings:
    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._facts = Facts(file)
        self._dataflow = Dataflow(file)
        self._flow = Flow(file, filter(self._is_phase, file.commands))

    def _is_phase(self, node: Node) -> bool:
        command = self._dataflow.bare(node)
        return is_launch(command) or is_expensive(node, command)

    def hits(self, warned: list[tuple[Node, Node]]) -> Iterator[Hit]:
        for asked, warning in warned:
            text = self._file.text.content[warning.start : min(warning.end, warning.start + _SOME)]
            if _HANDLED.search(text):
                continue
            if asked.kind == "test_command" or asked.name == "test":
                if _COMPARES.search(asked.text[:_SOME]) and _BROKEN.search(text):
                    yield _found_wrong(asked, warning)
            elif command := _failed(asked, warning):
                yield from self._used(command, warning)

    def _used(self, command: Node, warning: Node) -> Iterator[Hit]:
        """The first phase that works on what a command prepares, or starts though it was to wait."""
        guards = _GUARDS.fullmatch(command.name)
        for place, phase in self._flow.following(command):
            names = tuple(filter(names_a_file, self._dataflow.shared(command, phase, place)))
            if guards or names:
                yield _failed_hit(self._facts, command, warning, phase, place, names)
                return


def _failed(asked: Node, warning: Node) -> Node | None:
    """The command left of `|| echo WARNING`, or behind `if !`; of a list its first."""
    if warning.kind == "if_statement" and asked.kind != "negated_command":
        return None
    node: Node | None = asked
    while node is not None and node.kind != "command":
        node = node.children[0] if node.children else None
    return node if node is not None and not _ASIDE.fullmatch(node.name) else None


def _found_wrong(test: Node, warning: Node) -> Hit:
    shown = " ".join(test.text[:_SOME].replace("`", "'").split())
    return _hit(test, warning, f"`{shown[:60]}` finds what must not be, and the script only warns of it.")


def _failed_hit(
    facts: Facts, command: Node, warning: Node, phase: Node, place: Node, names: tuple[str, ...]
) -> Hit:
    failure = (
        f"`{label(command.words)}` may fail, and only a warning follows: `{label(phase.words)}` at line "
        f"{phase.line} starts on what it has left."
    )
    return _hit(command, warning, failure)._replace(claims=tuple(facts.launch(phase, place, names)))


def _hit(asked: Node, warning: Node, failure: str) -> Hit:
    return Hit(
        min(asked.line, warning.line),
        warning.last_line,
        failure=failure,
        cost="Hours on an input that the script knows to be wrong, and a line in a log that nobody reads.",
        fix="`exit 1` behind the warning (in a function `return 1`), or handle the case.",
        grade=Grade.HINT,
    )
