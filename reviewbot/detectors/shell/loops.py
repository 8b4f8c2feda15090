"""The loops of a shell script, and what each can notice: its ways out, its clock, the life of a process."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import SUBSTITUTIONS, Node, Role

KINDS = ("while_statement", "for_statement", "c_style_for_statement")
_LEAVES = re.compile(
    r"(?:return|exec|(?:\w+_)?exit(?:_\w+)?|raise\w*|(?:\w*_)?(?:die|fail|fatal|abort|bail|panic|usage)(?:_\w+)?)$",
    re.IGNORECASE,
)
# What only talks, waits or looks on; anything else in a body is work, and the loop no mere wait.
_IDLE = re.compile(
    r"(?:sleep|usleep|echo|printf|true|:|date|tail|cat|ls|let|continue|break|local|test|\[|grep|curl|nc)$"
    r"|.*(?:log|echo|print|info|warn|msg|message|debug|progress|status)",
    re.I,
)
_LIVENESS = re.compile(
    r"(?:ps|pgrep|pidof|jobs|wait|squeue|sacct|scontrol|qstat|bjobs|inotifywait|read)$"
    r"|\w*(?:alive|is_active|is_running|still_running)\w*$"
)
_INSPECTORS = {
    "kill": ("-0",),
    "systemctl": ("is-active", "status", "is-failed"),
    **dict.fromkeys(("docker", "podman", "nerdctl"), ("ps", "inspect", "top", "wait", "container")),
}
_COUNTED = re.compile(r"(\w+)\s*(?:\+\+|--|[-+]=)|(?:\+\+|--)(\w+)")
_ARITHMETIC = re.compile(
    r"\w+\+?=[\"']?\$\(\(|\w+\+=\d|\w+=[\"']?(?:`|\$\()\s*(?:expr\b|[^)`\n]{1,200}\|\s*bc\b)"
)


@dataclass(slots=True, eq=False)
class Loop:
    """A loop; what its inner loops do counts as done by it, their `break` and `sleep` apart."""

    node: Node
    around: Loop | None
    start_of_body: int
    sleeps: bool = False
    leaves: bool = False  # something in it ends the script or the function
    watches: bool = False  # it looks at a process or a job
    works: bool = False  # its body does more than to wait and to talk
    breaks: list[Node] = field(default_factory=list)
    commands: list[Node] = field(default_factory=list)  # of the body, inner loops left out
    polled: set[str] = field(default_factory=set)  # variables that get the output of a command
    counted: set[str] = field(default_factory=set)  # variables that are counted up or down
    assigned: set[str] = field(default_factory=set)

    @property
    def conditions(self) -> list[Node]:
        return [c for c in self.node.children if c.role is Role.CONDITION]

    @property
    def body(self) -> list[Node]:
        return next((c.body for c in self.node.children if c.kind == "do_group"), [])


def loops(file: ShellFile) -> list[Loop]:
    """Every loop, outer ones first."""
    found: list[Loop] = []
    inside: list[Loop] = []
    known = _functions(file)
    asked_until = 0  # the end of a substitution: what stands in it is asked, not done
    for node in file.nodes:
        while inside and inside[-1].node.end <= node.start:
            _merge(inside.pop())
        if node.kind in KINDS:
            body = next((c for c in node.children if c.kind == "do_group"), node)
            inside.append(Loop(node, inside[-1] if inside else None, body.start))
            found.append(inside[-1])
        elif inside and node.kind in SUBSTITUTIONS:
            asked_until = max(asked_until, node.end)
        elif inside:
            _note(inside[-1], node, file, known)
            if node.kind == "command" and node.start >= max(asked_until, inside[-1].start_of_body):
                inside[-1].works |= not (_IDLE.match(node.name) or _is_probe(node))
    while inside:
        _merge(inside.pop())
    return found


def _functions(file: ShellFile) -> Mapping[str, set[str]]:
    """Which functions of the script leave it, and which look at a process."""
    known: dict[str, set[str]] = defaultdict(set)
    for command in file.commands:
        owner = file.options.function_of(command)
        if owner is not None:
            if command.name == "exit":
                known["leave"].add(owner.name)
            if _watches(command):
                known["watch"].add(owner.name)
    return known


def _watches(command: Node) -> bool:
    if _LIVENESS.match(command.name):
        return True
    wanted = _INSPECTORS.get(command.name, ())
    return any(unquoted(word) in wanted for word in command.words[1:4])


def _is_probe(command: Node) -> bool:
    """Whether a command is run for its answer: `if ready`, `! ready`, `ready && break`."""
    if command.role in (Role.CONDITION, Role.NEGATED):
        return True
    return command.role is Role.LEFT and command.parent is not None and command.parent.operator == "&&"


def _note(loop: Loop, node: Node, file: ShellFile, known: Mapping[str, set[str]]) -> None:
    if node.kind == "command":
        name = node.name
        loop.sleeps |= name in ("sleep", "usleep")
        loop.leaves |= bool(_LEAVES.match(name)) or name in known["leave"]
        loop.watches |= _watches(node) or name in known["watch"]
        if name == "break":
            loop.breaks.append(node)
        if name == "let":
            loop.counted |= _names(_COUNTED, " ".join(node.words[1:]))
        if node.start >= loop.start_of_body:
            loop.commands.append(node)
    elif node.kind == "variable_assignment":
        text = file.text.content[node.start : node.end]
        name = re.split(r"[+=\[]", text, maxsplit=1)[0]
        loop.assigned.add(name)
        if _ARITHMETIC.match(text):
            loop.counted.add(name)
        elif any(c.kind == "command_substitution" for c in node.children):
            loop.polled.add(name)
    elif node.kind == "test_command":
        loop.watches |= "/proc/" in file.text.content[node.start : node.end]
    elif node.kind == "compound_statement" and not node.children:
        loop.counted |= _names(_COUNTED, file.text.content[node.start : node.end])


def _names(pattern: re.Pattern[str], text: str) -> set[str]:
    return {next(filter(None, found.groups())) for found in pattern.finditer(text)}


def _merge(loop: Loop) -> None:
    outer = loop.around
    if outer is not None:
        outer.leaves |= loop.leaves
        outer.watches |= loop.watches
        outer.works |= loop.works
        outer.polled |= loop.polled
        outer.counted |= loop.counted
        outer.assigned |= loop.assigned
