"""Two shell loops that end, and do not tell how: a poll that runs out, and rounds that nobody measures.

Hints: 15 of 22 polls in public scripts were right, and what follows a loop is rarely decided by rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Claim, Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.facts import Facts
from reviewbot.detectors.shell.flow import Flow
from reviewbot.detectors.shell.loops import Loop
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node, Role, Status

_LIMITED = pattern(
    r"\b(?:SECONDS|EPOCH\w+)\b|\bdate\s+(?:-u\s+)?[\"\']?\+|\(\(|\s-(?:l[te]|g[te])\s|^for\s+\w+\s+in\s+(?:\$\(\s*seq\b|\{\d|\d)"
)
_WORD = pattern(r"\w+")  # `(( ! ready ))` needs no dollar
_VARIABLE = pattern(r"^for\s+(\w+)")
_ENDING = pattern(r"stop|clean|tear|shut|kill|drain|term|trap|restore|close|exit", re.I)
_KILL = pattern(r"\bkill\b|\bpkill\b|\brm\s+-f\b")
_ROUNDS = pattern(
    r"^for\b.*(?:rounds|retries|attempts|passes)\b|^while\b.*(?:rounds|retries|attempts|passes)\b", re.I
)
_PUSHES = pattern(
    r"(?:curl|wget|ssh|scp|rsync|aws|gsutil|hf|huggingface-cli|srun|torchrun|python[\d.]*|http|nc)$|\w*push\w*$"
)
_MEASURES = pattern(r"(?:du|stat|wc|ls|find|df|jq|grep|cmp|diff|sha\d*sum|md5sum|test|\[)$")
_TALKS = pattern(r"echo$|printf$|.*(?:log|warn|err|msg|print)", re.I)
_NEXT = 2  # statements behind a loop that may look at what became of it
_LONG = 2000  # characters of a statement that are read
_BRANCHES = 20  # branches of a loop that may report


class Rounds:
    def __init__(self, file: ShellFile) -> None:
        self.file = file
        self._facts = Facts(file)

    @cached_property
    def _flow(self) -> Flow:
        return Flow(self.file, ())

    def hits(self, loops: list[Loop]) -> Iterator[Hit]:
        for loop in loops:
            header = self.file.text.content[loop.node.start : loop.start_of_body]
            if self._falls_through(loop, header):
                yield _poll(loop)._replace(claims=tuple(self._what_follows(loop)))
            elif pushes := self._blind_pushes(loop, header):
                yield _rounds(loop)._replace(claims=tuple(self._facts.options(pushes[0], "errexit")))

    def _what_follows(self, loop: Loop) -> Iterator[Claim]:
        for behind in self._flow.statements_after(loop.node, 1):
            yield self._facts.quote(
                f"Line {behind.line} runs next, whatever the poll has found.", behind.line
            )
        yield from self._facts.options(loop.node, "errexit")

    def _falls_through(self, loop: Loop, header: str) -> bool:
        """A limited poll whose end by exhaustion looks like its end by success."""
        if not loop.sleeps or loop.leaves or loop.watches or loop.around or not _LIMITED.search(header):
            return False
        function = self.file.options.function_of(loop.node)
        if function is not None and _ENDING.search(function.name):
            return False
        asked = loop.breaks or (loop.node.kind == "while_statement" and _asks_a_command(loop))
        if not asked or any(_exits_on_failure(b) for b in loop.breaks) or self._says_so(loop, header):
            return False
        statement = _statement(loop)
        behind = list(self._flow.statements_after(loop.node, _NEXT))
        if statement.role is not Role.BODY or statement.background or (not behind and function is None):
            return False
        return not any(self._looks_at(s, loop, header) for s in behind)

    def _looks_at(self, behind: Node, loop: Loop, header: str) -> bool:
        """Whether a statement reads a variable of the loop, probes again, or ends what was waited for."""
        text = self._written(behind)
        names = loop.assigned | loop.counted | variables_read(header) | set(_VARIABLE.findall(header))
        asked = (c for c in (*loop.commands, *_commands(loop.conditions)) if c.status is Status.READ)
        probes = {" ".join(c.words[:2]) for c in asked if len(c.words) > 1}
        return bool(
            names.intersection(_WORD.findall(text)) or _KILL.search(text) or any(p in text for p in probes)
        )

    def _says_so(self, loop: Loop, header: str) -> bool:
        """Whether the body itself reports that the limit is reached: `if [ "$i" -eq 30 ]; then echo …`."""
        counters = loop.counted | set(_VARIABLE.findall(header))
        for statement in loop.body:
            branches = [c for c in (statement, *statement.inside()) if c.kind == "if_statement"]
            for branch in branches[:_BRANCHES]:
                asked = " ".join(self._written(c) for c in branch.children if c.role is Role.CONDITION)
                if counters & variables_read(asked) and any(
                    _TALKS.match(c.name) for c in _commands(branch.body)
                ):
                    return True
        return False

    def _written(self, node: Node) -> str:
        return self.file.text.content[node.start : min(node.end, node.start + _LONG)]

    def _blind_pushes(self, loop: Loop, header: str) -> list[Node]:
        """What pushes something in each round of a loop that never looks at what has arrived."""
        if not _ROUNDS.search(header) or loop.leaves or loop.breaks:
            return []
        if any(_MEASURES.match(c.name) or (c.name == "date" and "+%s" in c.text) for c in loop.commands):
            return []
        return [
            c
            for c in loop.commands
            if _PUSHES.match(c.name)
            and c.status is Status.LOST
            and self.file.options.errexit_at(c) is not Setting.ON
        ]


def _asks_a_command(loop: Loop) -> bool:
    """Whether a command stands among the conditions: the loop may end because it said yes."""
    return any(c.name not in ("test", "[", "true", ":") for c in _commands(loop.conditions))


def _commands(nodes: Iterable[Node]) -> list[Node]:
    return [n for node in nodes for n in (node, *node.inside()) if n.kind == "command"]


def _exits_on_failure(leave: Node) -> bool:
    """`kill -0 … || break`, `if ! probe; then break`, `if (( low )); then break`: no probe said yes."""
    parent = leave.parent
    if parent is None or (parent.kind == "list" and parent.operator == "||"):
        return True
    reasons = ("negated_command", "compound_statement")
    return any(c.role is Role.CONDITION and c.kind in reasons for c in parent.children)


def _statement(loop: Loop) -> Node:
    parent = loop.node.parent
    return parent if parent is not None and parent.kind == "redirected_statement" else loop.node


def _poll(loop: Loop) -> Hit:
    return Hit(
        loop.node.line,
        loop.node.line,
        failure="When the limit is reached this poll ends as if it had succeeded, and the next command runs "
        "on something that never became ready.",
        cost="The expensive step starts without what it waited for, and fails later or measures nothing.",
        fix='Set `ready=1` before each `break`, and behind the loop: `[ "${ready:-}" = 1 ] || exit 1`.',
        grade=Grade.HINT,
    )


def _rounds(loop: Loop) -> Hit:
    return Hit(
        loop.node.line,
        loop.node.line,
        failure="Every round runs whatever the one before has achieved: no round is measured, "
        "none can end the loop.",
        cost="If nothing arrives, all rounds are spent on it, and the log looks like work.",
        fix="Compare a size or a count before and after each round, and `exit 1` when it has not grown.",
        grade=Grade.HINT,
    )
