"""A shell loop that sleeps until something answers: no limit, and no look at whether it still can.

18 of 18 such loops in public launchers were right. What is left out was each seen to be wrong: a
loop that runs while something is healthy, a watcher in the background, a wait for a job's own end.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Claim, Edit, Grade
from reviewbot.detectors.blind_loop.jobs import Jobs
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.embedded import LIMITED
from reviewbot.detectors.shell.facts import Facts
from reviewbot.detectors.shell.insert import insert_before
from reviewbot.detectors.shell.launches import bare, is_launch, script_of
from reviewbot.detectors.shell.loops import Loop
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node, Role
from reviewbot.detectors.shell.wayout import way_out

_CLOCK = pattern(r"\b(?:SECONDS|EPOCH\w+)\b|\bdate\s+(?:-u\s+)?[\"\']?\+|\(\(|\bread\b")
_FOR_EVER = pattern(r"(?:while\s+(?:true|:|\[\[? (?:1|true) \]\]?|\(\(\s*1\s*\)\))|until\s+false)\s*[;\n]")
_FILE_TEST = pattern(r"\s-[defsSrwxLpb]\s")
_NEGATED = pattern(r"(?:\[\[?|\btest)\s+!")
_UNEQUAL = pattern(r"!=|\s-(?:z|ne|lt|le)\s")
_NUMBER_TEST = pattern(r"\s-(?:eq|ne|l[te]|g[te])\s")
_RESPAWNS = pattern(r"respawn|re-?start|re-?launch|crashed", re.I)
_PROBES = pattern(r"check|ready|health|wait|test|probe|ping|alive|status|verif|is_|can_|has_|query", re.I)
_SERVER = pattern(r"serve|daemon|worker|agent|bot(?![a-z])|listen|main", re.I)
_SOME = 2000  # characters of a loop that are read
_GOES_ON = " What surrounds the loop must stop the script too: there, leaving the loop alone does not."
_KILL_0 = r"\bkill[ \t]+-0\b"


class Waits:
    """The unbounded waits of one script."""

    def __init__(self, file: ShellFile) -> None:
        self.file = file
        self._facts = Facts(file)
        self._jobs = Jobs(file)
        self._detached = self._started_in_background()

    def hits(self, loops: list[Loop]) -> Iterator[Hit]:
        for loop in loops:
            if grade := self._grade(loop):
                yield self._hit(loop, grade)

    @cached_property
    def _never_looks(self) -> bool:
        return not re.search(_KILL_0, self.file.text.content)

    def _started_in_background(self) -> frozenset[str]:
        """Functions that are run with `&`, or under `timeout` in a shell of their own."""
        calls = (call for calls in self.file.options.calls.values() for call in calls)
        names = {call.name for call in calls if call.background or call.statement.background}
        for command in self.file.commands:
            if command.name == "timeout":
                names |= set(re.findall(r"[\w-]+", command.text)) & self.file.functions.keys()
        return frozenset(names)

    # --- which loops are waits ---------------------------------------------------------

    def _grade(self, loop: Loop) -> Grade | None:
        """STRONG for the forms that were measured, HINT for rarer ones, None for what is no blind wait."""
        if loop.node.kind != "while_statement" or not loop.sleeps:
            return None
        if loop.leaves or loop.watches or loop.works:
            return None
        if self._is_detached(loop.node) or self._jobs.are_bounded_at(loop.node):
            return None
        header = self.file.text.content[loop.node.start : loop.start_of_body]
        if _FOR_EVER.match(header + "\n"):
            broken = loop.breaks and all(self._on_success(b, loop) for b in loop.breaks)
            return Grade.HINT if broken and not loop.counted else None
        if loop.breaks or _CLOCK.search(header) or not loop.conditions:
            return None
        tests = [n for c in loop.conditions for n in (c, *c.inside()) if _is_test(n)]
        if any(self._is_bound(test, loop) for test in tests):
            return None
        return self._waits_for(_first(loop.conditions[-1]), loop, until=header.startswith("until"))

    def _waits_for(self, condition: Node, loop: Loop, *, until: bool) -> Grade | None:
        if condition.kind == "negated_command" and condition.children:
            return None if until else self._of_probe(_first(condition.children[0]), loop)
        if not _is_test(condition):
            return self._of_probe(condition, loop) if until else None
        if not self._asks(condition, loop):
            return None  # a variable that a trap or another process may change
        text = self._written(condition)
        if _NEGATED.search(text):
            return Grade.STRONG if _FILE_TEST.search(text) and not until else Grade.HINT
        return Grade.STRONG if until else Grade.HINT if _UNEQUAL.search(text) else None

    def _of_probe(self, condition: Node, loop: Loop) -> Grade | None:
        """None for a program that is started again whenever it ends, a HINT for one that may be."""
        command = bare(condition.words)
        start, end = loop.node.start, min(loop.node.end, loop.node.start + _SOME)
        if _RESPAWNS.search(self.file.text.content, start, end) or is_launch(command):
            return None
        own = "/" in condition.words[0] if condition.words else False
        script = script_of(command) or (command[0] if own and command else "")
        if not script or script.startswith("-") or _PROBES.search(script):
            return Grade.STRONG
        return None if _SERVER.search(script) else Grade.HINT

    def _is_bound(self, test: Node, loop: Loop) -> bool:
        """Whether a test compares a counter, or a number that no command in the loop reports."""
        text = self._written(test)
        names = variables_read(text)
        if names & loop.counted:
            return True
        return bool(_NUMBER_TEST.search(text)) and not self._asks(test, loop)

    def _asks(self, test: Node, loop: Loop) -> bool:
        """Whether a test looks outside the script: at a file, or at the output of a command."""
        text = self._written(test)
        if _FILE_TEST.search(text) or any(c.kind == "command_substitution" for c in test.children):
            return True
        return bool(variables_read(text) & loop.polled)

    def _on_success(self, leave: Node, loop: Loop) -> bool:
        """Whether a `break` is reached because a probe said yes."""
        parent = leave.parent
        if parent is None:
            return False
        if parent.kind == "list" and parent.operator == "&&" and leave.role is Role.RIGHT:
            conditions = parent.children[:1]
        elif parent.kind == "if_statement" and leave.role is Role.BODY:
            conditions = [c for c in parent.children if c.role is Role.CONDITION]
        else:
            return False
        for condition in conditions:
            tests = [n for n in (condition, *condition.inside()) if _is_test(n)]
            probes = condition.kind in ("command", "pipeline", "redirected_statement") or tests
            if not probes or _CLOCK.search(self._written(condition)):
                return False
            if any(self._is_bound(t, loop) or not self._asks(t, loop) for t in tests):
                return False
        return True

    def _is_detached(self, node: Node) -> bool:
        function = self.file.options.function_of(node)
        if function is not None and function.name in self._detached:
            return True
        around = (node, *node.ancestors())
        return any(n.background for n in around if function is None or n.start >= function.start)

    def _written(self, node: Node) -> str:
        return self.file.text.content[node.start : node.end]

    # --- what is said about them -------------------------------------------------------

    def _hit(self, loop: Loop, grade: Grade) -> Hit:
        line = loop.node.line
        # Each job of a workflow has a limit, its own or the 6 hours of GitHub.
        workflow = self.file.path.endswith((".yml", ".yaml"))
        job = self._jobs.waited_for(loop)
        header = _shown(self.file.text.content[loop.node.start : loop.start_of_body])
        leave = way_out(self.file, loop.body[0], _behind(loop.node)) if loop.body else ""
        return Hit(
            line,
            line,
            failure=_failure(header, job, "until the time limit of the job" if workflow else "for ever"),
            cost="What was waited for is dead, whoever waits here hangs, and the log says only "
            "that it waits.",
            fix=_fix(job, leave or "exit 1") + ("" if leave else _GOES_ON),
            grade=Grade.HINT if self.file.text.first_line.endswith(LIMITED) else grade,
            edit=self._edit(loop, job[1], leave) if job and leave else None,
            claims=tuple(self._claims(loop, job)),
        )

    def _edit(self, loop: Loop, pid: str, leave: str) -> Edit | None:
        message = f"the process in {pid} has died"
        return insert_before(
            self.file, {loop.body[0]: f'kill -0 "${pid}" || {{ echo "{message}" >&2; {leave}; }}'}
        )

    def _claims(self, loop: Loop, job: tuple[Node, str] | None) -> Iterator[Claim]:
        path = self.file.path
        if job:
            node, pid = job
            yield Claim("quote", f"Line {node.line} stores the process id.", path, f"{pid}=", node.line)
        if self._never_looks:
            yield Claim("absent", "No line of this script runs `kill -0`.", path, _KILL_0)
        yield from self._facts.options((loop.conditions or [loop.node])[-1], "errexit")


def _failure(header: str, job: tuple[Node, str] | None, how_long: str) -> str:
    if job is None:
        return (
            f"`{header}` has one way out, success: no limit, and no look at a process. "
            f"If that never comes, it sleeps and asks again {how_long}."
        )
    return (
        f"`{header}` has one way out, success. If the process in `{job[1]}` (line {job[0].line}) dies, "
        f"it sleeps and asks again {how_long}."
    )


def _fix(job: tuple[Node, str] | None, leave: str) -> str:
    limit = f"`tries=0` before the loop and `[ $((tries += 1)) -le 360 ] || {leave}` in it"
    if job is None:
        return (
            f'Give it a limit: {limit}. If the script started what it waits for: `kill -0 "$PID" || {leave}`.'
        )
    return f'`kill -0 "${job[1]}" || {leave}` as the first command of the loop. For a limit, {limit}.'


def _behind(loop: Node) -> Node | None:
    """The next statement of the same sequence; None: what follows is further out."""
    parent = loop.statement.parent
    siblings = parent.children if parent else []
    at = bisect_left(siblings, loop.end, key=lambda sibling: sibling.start)
    behind = (siblings[i] for i in range(at, len(siblings)))
    return next((s for s in behind if s.role is Role.BODY), None)


def _shown(header: str) -> str:
    text = " ".join(header.replace("`", "'").split()).removesuffix("do").rstrip("; ")
    return text if len(text) <= 70 else text[:69].rstrip() + "…"


def _first(condition: Node) -> Node:
    """The leftmost command of a condition: in `! probe && other` it says what is waited for."""
    while condition.kind in ("list", "redirected_statement") and condition.children:
        condition = condition.children[0]
    return condition


def _is_test(node: Node) -> bool:
    return node.kind == "test_command" or (node.kind == "command" and node.name in ("test", "["))
