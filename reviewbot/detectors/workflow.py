"""The steps of GitHub workflows and composite actions: where each `run:` stands, and who runs it.

The YAML is read event by event into plain lists and dicts: the composers of PyYAML recurse, and a
file that is deep enough ends the process in one of them. The limits are far above what people write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from reviewbot.core.patterns import pattern

MAX_EVENTS = 20_000  # of the YAML reader: 0.1 s; the largest of 130 public workflows has 2,300
MAX_DEPTH = 60
MAX_STEPS = 10_000  # an alias may repeat a list of steps in every job
MAX_DIRECTIVES = 20  # libyaml compares each `%TAG` with all before it: 60,000 of them take 8 s
SLOW = 200_000  # characters that PyYAML reads in a second where it has no libyaml
# What YAML takes for the end of a line, and git does not.
_BREAKS = pattern("\r(?!\n)|[\x85\u2028\u2029]")

# What GitHub starts for the names of shells; anything else is a command line as it stands.
SHELLS = {
    "": "bash -e {0}",
    "bash": "bash --noprofile --norc -eo pipefail {0}",
    "sh": "sh -e {0}",
}
WINDOWS = "pwsh"  # there, where nothing is said


class Scalar(NamedTuple):
    """A text and its place: (line, column), the line 1-based, the column 0-based, the end exclusive."""

    value: str
    style: str  # "" (plain), "'", '"', "|" or ">"
    start: tuple[int, int]
    end: tuple[int, int]


Node: TypeAlias = "Scalar | list[Node] | dict[str, Node]"


class Run(NamedTuple):
    """The script of one step, and the command line that runs it: "bash -e {0}"."""

    script: Scalar
    shell: str
    shell_line: int | None  # where the shell is named; None: nowhere
    limited: bool = False  # by `timeout-minutes` of the step or its job


def normal(content: str) -> str:
    """The content with git's ends of lines only, everything at its old offset."""
    return _BREAKS.sub(" ", content)


def runs(content: str) -> Iterator[Run]:
    """Every `run:` in `normal` content, once for each shell that runs it.

    Raises SyntaxError, with the line, for what is no YAML and for what no person writes.
    """
    seen: set[tuple[Scalar, str]] = set()
    for count, (step, default, limited) in enumerate(_steps(documents(content))):
        if count == MAX_STEPS:
            raise _fault(1, f"more than {MAX_STEPS:,} steps")
        script, named = scalar(step, "run"), scalar(step, "shell") or default
        shell = " ".join(named.value.split()) if named else ""
        if script and (script, shell) not in seen:
            seen.add((script, shell))
            limited = limited or scalar(step, "timeout-minutes") is not None
            yield Run(script, SHELLS.get(shell, shell), named.start[0] if named else None, limited)


def _steps(documents: Iterable[Node]) -> Iterator[tuple[Node, Scalar | None, bool]]:
    """Each step, with the shell that its job or workflow names for all, and whether the job has a limit."""
    for root in documents:
        everywhere, jobs = scalar(root, "defaults", "run", "shell"), get(root, "jobs")
        for job in jobs.values() if isinstance(jobs, dict) else ():
            default = scalar(job, "defaults", "run", "shell") or everywhere or _of_runner(job)
            limited = scalar(job, "timeout-minutes") is not None
            yield from ((step, default, limited) for step in items(get(job, "steps")))
        yield from ((step, None, False) for step in items(get(root, "runs", "steps")))


def _of_runner(job: Node) -> Scalar | None:
    """Runners called "windows-…" have another shell than all others."""
    labels = get(job, "runs-on", "labels") or get(job, "runs-on")
    names = [label for label in (labels, *items(labels)) if isinstance(label, Scalar)]
    return next((n._replace(value=WINDOWS) for n in names if "windows" in n.value.lower()), None)


def get(node: Node | None, *keys: str) -> Node | None:
    for key in keys:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def scalar(node: Node | None, *keys: str) -> Scalar | None:
    found = get(node, *keys)
    return found if isinstance(found, Scalar) else None


def items(node: Node | None) -> list[Node]:
    return node if isinstance(node, list) else []


def documents(content: str) -> list[Node]:
    import yaml  # 30 ms, only where a workflow is in scope

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if loader is yaml.SafeLoader and len(content) > SLOW:
        raise _fault(1, f"more than {SLOW:,} characters, and PyYAML was built without libyaml here")
    for count, directive in enumerate(re.finditer(r"^%", content, re.MULTILINE), 1):
        if count > MAX_DIRECTIVES:
            line = content.count("\n", 0, directive.start()) + 1
            raise _fault(line, f"more than {MAX_DIRECTIVES} lines that begin with `%`")
    try:
        return _built(yaml, yaml.parse(content, Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _fault(mark.line + 1 if mark else 1, str(error.problem or error.context)) from error
    except yaml.YAMLError as error:  # a character that YAML forbids; libyaml gives its place in bytes
        found = yaml.reader.Reader.NON_PRINTABLE.search(content)
        line = content.count("\n", 0, found.start() if found else 0) + 1
        raise _fault(line, str(getattr(error, "reason", error))) from error


def _built(yaml: Any, events: Iterable[Any]) -> list[Node]:
    """The documents. An alias is the very node of its anchor."""
    documents: list[Node] = []
    opened: list[_Collection] = [_Collection(documents)]
    anchors: dict[str, Node] = {}
    for count, event in enumerate(events):
        line = event.start_mark.line + 1
        if count == MAX_EVENTS or len(opened) > MAX_DEPTH:
            raise _fault(line, "more in it than anybody writes into a workflow")
        if isinstance(event, yaml.CollectionEndEvent):
            opened.pop()
            continue
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise _fault(line, f"no anchor is called {event.anchor[:80]}")
            opened[-1].add(anchors[event.anchor])
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        node = _node(yaml, event)
        opened[-1].add(node)
        if event.anchor:
            anchors[event.anchor] = node
        if not isinstance(node, Scalar):
            opened.append(_Collection(node))
    return documents


def _node(yaml: Any, event: Any) -> Node:
    if isinstance(event, yaml.ScalarEvent):
        start, end = ((mark.line + 1, mark.column) for mark in (event.start_mark, event.end_mark))
        return Scalar(event.value, event.style or "", start, end)
    return [] if isinstance(event, yaml.SequenceStartEvent) else {}


class _Collection:
    """A list or dict that is being filled; of two equal keys the later counts."""

    def __init__(self, node: list[Node] | dict[str, Node]) -> None:
        self._node = node
        self._key: Node | None = None

    def add(self, node: Node) -> None:
        if isinstance(self._node, list):
            self._node.append(node)
        elif self._key is None:
            self._key = node
        else:
            if isinstance(self._key, Scalar):
                self._node[self._key.value] = node
            self._key = None


def _fault(line: int, why: str) -> SyntaxError:
    return SyntaxError(why, ("", line, None, None))
