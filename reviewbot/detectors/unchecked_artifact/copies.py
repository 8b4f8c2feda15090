"""Shell: the results of a phase are filed with `cp … || true`, and that there are none ends nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.facts import Facts, label
from reviewbot.detectors.shell.flow import Flow
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node, Role

_FILES = ("cp", "mv", "rsync", "scp")
# Logs, plots and caches may be missing; this is what the hours were spent on.
_RESULT = pattern(r"(?<![a-z])(?:results?|metrics?|scores?)(?![a-z])", re.IGNORECASE)
_SOME = 500  # characters of a test that are read


def find_copies(file: ShellFile, phases: Sequence[Node]) -> Iterator[Hit]:
    """The copies that one of the phases comes before; a handler that a trap runs has none before it."""
    copies = [node for node in file.commands if node.name in _FILES and _is_forgiven(node)]
    copies = [node for node in copies if _files_results(node)]
    if not copies or any(_RESULT.search(node.text[:_SOME]) for node in file.nodes if _asks(node)):
        return  # none, or it was seen already that the results are there
    flow, facts = Flow(file, copies), Facts(file)
    said: set[Node] = set()
    for phase in phases:
        for place, node in flow.following(phase):
            if place is node and node not in said:
                said.add(node)
                yield _hit(facts, node, phase)


def _asks(node: Node) -> bool:
    return node.kind == "test_command" or (node.kind == "command" and node.name in ("test", "jq", "find"))


def _is_forgiven(command: Node) -> bool:
    """Whether `|| true` or `|| :` stands behind a command."""
    whole = whole_command(command)
    if whole.role is not Role.LEFT or whole.parent is None or whole.parent.operator != "||":
        return False
    right = next((c for c in whole.parent.children if c.role is Role.RIGHT), None)
    return right is not None and innermost(right).words in (("true",), (":",))


def _files_results(command: Node) -> bool:
    sources = [word for word in command.words[1:] if not word.startswith("-")][:-1]
    return any(_RESULT.search(unquoted(word)) for word in sources)


def _hit(facts: Facts, node: Node, phase: Node) -> Hit:
    return Hit(
        node.line,
        whole_command(node).last_line,
        failure=f"`|| true` forgives `{label(node.words)}` everything: when `{label(phase.words)}` "
        f"(line {phase.line}) has written no result, the run ends like a finished one.",
        cost="A hole among the results, found when somebody needs the number.",
        fix="Copy without `|| true`, and end with the status of the copy.",
        grade=Grade.HINT,
        claims=(facts.quote(f"Line {phase.line} should have written it.", phase.line),),
    )
