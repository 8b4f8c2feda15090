"""Whose failure is looked at, or allowed on purpose, by what stands around a step or right behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node, Role
from reviewbot.detectors.shell.wayout import leaving

_STATUS = pattern(r"\$\?|\$\{?PIPESTATUS")
_ONLY_SAID = pattern(r"(?:echo|printf|log\w*|info|warn\w*)\b")
_GOES_ON = pattern(r"(?:\{\s*)?(?:(?:true|echo|printf|log\w*|info|warn\w*)\b|:(?:\s|$))")
_FILTERS = ("tee", "ts", "cat")
_FAR = 30  # ancestors of a step, or calls of its function


def reads_status(head: str) -> bool:
    """Whether the first line of a statement looks at the status before it, and does not only print it."""
    return bool(_STATUS.search(head) and not _ONLY_SAID.match(head))


def status_readers(file: ShellFile) -> frozenset[str]:
    """The functions that look at `$?` before they do anything: `check() { [ $? -eq 0 ] || exit 1; }`."""
    return frozenset(name for name, function in file.functions.items() if _begins_with_status(file, function))


def _begins_with_status(file: ShellFile, function: Node) -> bool:
    body = next((child for child in function.children if child.role is Role.INNER), None)
    first = body.body[0] if body is not None and body.body else None
    if first is None:
        return False
    return reads_status(file.text.content[first.start : first.end].partition("\n")[0])


def best_effort(file: ShellFile, command: Node) -> bool:
    """Whether the block around it, or each call of its function, says what happens when it fails: nothing."""
    if any(_may_fail(file, node) for node in _outwards(command)):
        return True
    function = file.options.function_of(command)
    calls = file.options.calls.get(function.name, ()) if function is not None else ()
    return 0 < len(calls) <= _FAR and all(_may_fail(file, call) for call in calls)


def _outwards(command: Node) -> Iterator[Node]:
    for _, node in zip(range(_FAR), command.ancestors(), strict=False):
        if node.kind == "function_definition":
            return
        yield node


def _may_fail(file: ShellFile, node: Node) -> bool:
    """`prepare || true`, `prepare || echo "going on without"`."""
    while node.parent is not None and node.parent.kind == "redirected_statement":
        node = node.parent
    parent = node.parent
    if node.role is not Role.LEFT or parent is None or parent.operator != "||":
        return False
    right = next((child for child in parent.children if child.role is Role.RIGHT), None)
    if right is None or leaving(file, right) is not None:
        return False
    return bool(_GOES_ON.match(file.text.content, right.start, right.end))


def is_filtered(command: Node) -> bool:
    """Whether the output of a command goes through `tee` and its like, whose status takes its place."""
    stage = command
    while stage.parent is not None and stage.parent.kind == "redirected_statement":
        stage = stage.parent
    pipeline = stage.parent
    if stage.role is not Role.STAGE or pipeline is None:
        return False
    return all(innermost(s).name in _FILTERS for s in _behind(stage, pipeline.children))


def _behind(stage: Node, stages: Iterable[Node]) -> Iterator[Node]:
    return (other for other in stages if other.start > stage.start)
