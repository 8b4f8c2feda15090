"""The calls that lead to a place, as far as there is no choice between them."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.reduced import Unreducible
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.slicing.budget import Budget
from reviewbot.detectors.shell.tree import Node, Status


def outwards(file: ShellFile, node: Node, via: Node | None, budget: Budget) -> Iterator[Node]:
    """The place and the calls that lead to it, the outermost last; `via` where it is one of several.

    Raises Unreducible where they may do different things with its status.
    """
    options, passed = file.options, set[Node]()
    while True:
        budget.descend(node)
        yield node
        function = options.function_of(node)
        if function is None:
            return
        if function in passed or file.functions.get(function.name) is not function:
            raise Unreducible  # it calls itself, or another one takes its name
        passed.add(function)
        calls = options.calls.get(function.name, ())
        if not calls:
            return
        budget.spend(len(calls))
        several = calls[1:] and (via is None or via not in calls)
        ignored = options.errexit_at(node) is Setting.IGNORED
        if several and (ignored or any(call.status is Status.READ for call in calls)):
            raise Unreducible  # each of them may do another thing with its status
        node = via if via is not None and via in calls else calls[0]
