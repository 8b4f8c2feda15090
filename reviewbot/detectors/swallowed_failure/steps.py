"""Preparations whose failure nothing notices before a launch: the rule of swallowed-failure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reviewbot.core.types import Grade
from reviewbot.detectors.shell.dataflow import Dataflow, names_a_file
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.flow import Flow
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.launches import PREPARING, bare, is_launch, name_tokens, script_of, unquoted
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node, Role, Status
from reviewbot.detectors.shell.wayout import leaving
from reviewbot.detectors.swallowed_failure.preparations import Preparation, preparation

# Searched line by line, here and again by whoever checks the claims.
# `set "$FLAGS"` may set it too: no line may then be said to be absent.
ERREXIT = r"\bset\s+(?:[\"']?[-+]\w+[\"']?\s+){0,4}[\"']?-\w*e|\bset\s+[\"']?[-+]?\w*\$|errexit|^#!.*\s-\w*e"
# A `#` behind white space begins a comment; that of `$#` does not.
GUARDED = r"^[^#]*(?:(?<=\S)#[^#]*)*\|\|\s*(?:\{[^}]{0,80}\b)?(?:exit|return|die)\b"
_HABIT = 3  # so many guards show that the author does not count on errexit from a sourced file

_LEAVES = re.compile(r"\b(?:exit|return|die|fail|fatal|abort)\b")
# A second step that is guarded says nothing about the first: only what looks at the work counts.
_TESTS = re.compile(
    r"\[|\b(?:if|case|test|cd|pushd|command|which|grep|ls|stat|diff|cmp|\w+sum|chmod|rev-parse|(?:jq|yq) -e"
    r"|check(?!out)\w*|verify\w*|validate\w*)\b"
)
_STATUS_READ = re.compile(r"\$\?|\$\{?PIPESTATUS")
_ONLY_SAID = re.compile(r"(?:echo|printf|log\w*|info|warn\w*)\b")
_FROM_A_RUN = re.compile(
    r"(?<![a-z])(?:results?|logs?|outputs?|metrics?|traces?|artifacts?|profiles?|reports?|scores?)(?![a-z])",
    re.IGNORECASE,
)
_THROWN_AWAY = re.compile(r"[2&]>\s*/dev/null")
_NEAR = 3  # statements within which a check still belongs to the command
_SOME = 2000  # characters of a statement that are looked at


class Script:
    """What the judgements of one script share."""

    def __init__(self, file: ShellFile) -> None:
        self.file = file
        self.dataflow = Dataflow(file)
        self.commands = [(node, self.dataflow.bare(node)) for node in file.commands]
        self.launches = [node for node, command in self.commands if is_launch(command)]

    @cached_property
    def flow(self) -> Flow:
        return Flow(self.file, self.launches)

    def text(self, command: Node) -> str:
        """A command as written, with its redirections, heredocs and the pipeline that it ends."""
        whole = whole_command(command)
        return self.file.text.content[whole.start : whole.end]

    @cached_property
    def guards(self) -> tuple[Node, ...]:
        """What stands behind the `||` of each command whose failure leaves the script or the function."""
        right = (node for node in self.file.nodes if node.role is Role.RIGHT)
        return tuple(n for n in right if n.parent and n.parent.operator == "||" and leaving(self.file, n))

    @cached_property
    def countable_guards(self) -> int:
        """On how many lines they stand; 0 where a search of the text would not find just these lines."""
        written = {at for at, line in enumerate(self.file.text.lines, 1) if re.search(GUARDED, line)}
        return len(written) if written == {node.line for node in self.guards} else 0

    @cached_property
    def sets_errexit(self) -> bool:
        return any(re.search(ERREXIT, line) for line in self.file.text.lines)


@dataclass(frozen=True, slots=True)
class Step:
    """A preparation whose failure the launch does not notice."""

    command: Node
    kind: Preparation
    errexit: Setting
    place: Node  # the launch, or the call that leads to it
    launch: Node
    shared: tuple[str, ...]  # names and paths that both work on
    grade: Grade


def unread_steps(script: Script) -> Iterator[Step]:
    """The preparations of a script that may fail without its launches noticing, in the order of the text."""
    if script.launches:
        for node, command in script.commands:
            if step := _step(script, node, command):
                yield step


def _step(script: Script, command: Node, bare_words: Sequence[str]) -> Step | None:
    if command.status in (Status.READ, Status.MASKED):
        return None
    errexit = script.file.options.errexit_at(command)
    if errexit is Setting.ON:
        return None
    kind = preparation(bare_words, script.text(command))
    if kind is None:
        return None
    best: Step | None = None
    for place, launch in script.flow.following(command):
        shared = script.dataflow.shared(command, launch, place)
        if best is None or (shared and not best.shared):
            best = Step(command, kind, errexit, place, launch, shared, Grade.HINT)
    if best is None or _checked(script, command, kind):
        return None
    grade = _grade(script, best)
    return replace(best, grade=grade) if grade else None


def _checked(script: Script, command: Node, kind: Preparation) -> bool:
    """Whether one of the next statements leaves the script when the command has not done its work."""
    variables = script.dataflow.variables(command)
    variables = frozenset(filter(names_a_file, variables)) or variables
    marks = {path.rsplit("/", 1)[-1] for path in script.dataflow.made(command)}
    if kind is Preparation.PIN:
        marks.add("rev-parse")
    if kind is Preparation.FETCH and command.words[-1:]:
        marks.add(unquoted(command.words[-1]).rstrip("/").rsplit("/", 1)[-1].removesuffix(".git"))
    marks.discard("")
    for statement in script.flow.statements_after(command, _NEAR):
        text = script.file.text.content[statement.start : min(statement.end, statement.start + _SOME)]
        head, _, _ = text.partition("\n")
        if _STATUS_READ.search(head) and not _ONLY_SAID.match(head):
            return True
        leaves = _LEAVES.search(text) or script.flow.leaving & set(re.findall(r"[\w-]+", text))
        if (
            leaves
            and _TESTS.search(text)
            and (variables_read(text) & variables or any(m in text for m in marks))
        ):
            return True
    return False


def _grade(script: Script, step: Step) -> Grade | None:
    """STRONG as measured; a HINT where something speaks against it; None where the launch would not care."""
    sure = _works_for(script, step)
    if sure is None:
        return None
    unknown = step.errexit is Setting.UNKNOWN and len(script.guards) < _HABIT
    if not sure and unknown:
        return None
    text = script.text(step.command)
    meant = _THROWN_AWAY.search(text) or _errexit_lifted(script.file, step.command)
    return Grade.STRONG if sure and not unknown and not meant else Grade.HINT


def _works_for(script: Script, step: Step) -> bool | None:
    """Whether the launch surely depends on the step; None: nothing says that it does."""
    if step.kind in (Preparation.PIN, Preparation.PATCH):
        return True
    if step.kind is Preparation.COPY:
        return True if step.shared or not _FROM_A_RUN.search(script.text(step.command)) else None
    if not step.shared:
        return None
    if step.kind is Preparation.SCRIPT:
        prepares = PREPARING.fullmatch(name_tokens(script_of(bare(step.command.words)) or "")[0])
        return names_a_file(step.shared[0]) or bool(prepares)
    return step.kind is Preparation.EDIT


def _errexit_lifted(file: ShellFile, command: Node) -> bool:
    """`set +e` just above and `set -e` just below: somebody wanted this command to be allowed to fail."""
    above = file.text.lines[max(command.line - 4, 0) : command.line - 1]
    below = file.text.lines[command.last_line : command.last_line + 3]
    return any(re.match(r"\s*set \+\w*e", line) for line in above) and any(
        re.match(r"\s*set -\w*e", line) for line in below
    )
