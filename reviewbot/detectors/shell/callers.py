"""The calls that lead to a place, as far as there is no choice between them."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.reduce import Unreducible
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node, Status

_DEEP = 8  # calls, one in another
_MANY = 50  # calls of one function that are looked at


def outwards(file: ShellFile, node: Node, via: Node | None) -> Iterator[Node]:
    """The place and the calls that lead to it, the outermost last; `via` where it is one of several.

    Raises Unreducible where they may do different things with its status.
    """
    options = file.options
    for _ in range(_DEEP):
        yield node
        function = options.function_of(node)
        if function is None:
            return
        if file.functions.get(function.name) is not function:
            raise Unreducible  # another one takes its name
        calls = options.calls.get(function.name, ())
        if not calls:
            return
        if len(calls) > _MANY:
            raise Unreducible
        several = calls[1:] and (via is None or via not in calls)
        ignored = options.errexit_at(node) is Setting.IGNORED
        if several and (ignored or any(call.status is Status.READ for call in calls)):
            raise Unreducible  # each of them may do another thing with its status
        node = via if via is not None and via in calls else calls[0]
    raise Unreducible
