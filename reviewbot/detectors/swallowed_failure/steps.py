"""Preparations whose failure nothing notices before a launch: the rule of swallowed-failure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.shell.dataflow import Dataflow, names_a_file
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.facts import Facts
from reviewbot.detectors.shell.flow import Flow
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.launches import (
    CONTAINERS,
    bare,
    is_gpu_launcher,
    is_launch,
    name_tokens,
    prepares,
    script_of,
    unquoted,
)
from reviewbot.detectors.shell.publications import CLUSTERS, publication
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.slicing.slice import Slicer
from reviewbot.detectors.shell.tree import Node, Status
from reviewbot.detectors.swallowed_failure.builds import handed_out, paths_in, products
from reviewbot.detectors.swallowed_failure.folders import apart, same_files, set_aside
from reviewbot.detectors.swallowed_failure.intent import (
    best_effort,
    is_filtered,
    reads_status,
    status_readers,
)
from reviewbot.detectors.swallowed_failure.outputs import (
    in_reach,
    is_destination,
    is_only_written,
    is_operand,
    is_written,
    read_by,
)
from reviewbot.detectors.swallowed_failure.preparations import Preparation, preparation

_HABIT = 3  # so many guards show that the author does not count on errexit from a sourced file

_LEAVES = pattern(r"\b(?:exit|return|die|fail|fatal|abort)\b")
# A second step that is guarded says nothing about the first: only what looks at the work counts.
_TESTS = pattern(
    r"\[|\b(?:if|case|test|cd|pushd|command|which|grep|ls|stat|diff|cmp|\w+sum|chmod|rev-parse|(?:jq|yq) -e"
    r"|check(?!out)\w*|verify\w*|validate\w*)\b"
)
_FROM_A_RUN = pattern(
    r"(?<![a-z])(?:results?|logs?|outputs?|metrics?|traces?|artifacts?|profiles?|reports?|scores?)(?![a-z])",
    re.IGNORECASE,
)
# A script that makes a new file; `inject` and its like work on one that is there in any case.
_MAKES = pattern(r"gen|generate|make|build|create|convert|render|export|write|download|fetch")
_OUTPUT = pattern(r"-o|--out\w*")
_INLINE = ("-", "-c")
_THROWN_AWAY = pattern(r"[2&]>\s*/dev/null")
_ON_A_GPU = pattern(r"gpu|nvidia|cuda|rocm|/dev/(?:dri|kfd)|vllm|sglang|trt|llama", re.IGNORECASE)
_NEAR = 3  # statements within which a check still belongs to the command
_SOME = 2000  # characters of a statement that are looked at


class Script:
    """What the judgements of one script share."""

    def __init__(self, file: ShellFile) -> None:
        self.file = file
        self.facts = Facts(file)
        self.slicer = Slicer(file)
        self.dataflow = Dataflow(file)
        self.commands = [(node, self.dataflow.bare(node)) for node in file.commands]
        self.publications = {n: p for n, command in self.commands if (p := publication(command))}
        self.status_readers = status_readers(file)
        self.launches = [
            node
            for node, command in self.commands
            if node in self.publications or (is_launch(command) and command[0] not in CLUSTERS)
        ]

    @cached_property
    def entered(self) -> frozenset[str]:
        """The variables that name the folders the script changes to."""
        moves = (
            " ".join(command[1:2]) for _, command in self.commands if command[:1] in (("cd",), ("pushd",))
        )
        return frozenset(name for folder in moves for name in variables_read(folder))

    @cached_property
    def flow(self) -> Flow:
        return Flow(self.file, self.launches)

    def takes_gpus(self, launch: Node) -> bool:
        """Whether a launch may be a GPU job: by its command, or because it, or the script, speaks of GPUs."""
        command = self.dataflow.bare(launch)
        if command[0] in CONTAINERS:
            return bool(_ON_A_GPU.search(self.text(launch)))
        return is_gpu_launcher(command) or self._speaks_of_gpus

    @cached_property
    def _speaks_of_gpus(self) -> bool:
        return bool(_ON_A_GPU.search(self.file.text.content))

    def text(self, command: Node) -> str:
        """A command as written, with its redirections, heredocs and the pipeline that it ends."""
        whole = whole_command(command)
        return self.file.text.content[whole.start : whole.end]


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
    # bats runs the body of a test, and what that calls, under errexit.
    if script.launches and not any(command[:1] == ("@test",) for _, command in script.commands):
        for node, command in script.commands:
            if step := _step(script, node, command):
                yield step


def _step(script: Script, command: Node, bare_words: Sequence[str]) -> Step | None:
    errexit = script.file.options.errexit_at(command)
    if errexit is Setting.ON or not _is_unread(command, errexit):
        return None
    kind = preparation(bare_words, script.text(command))
    if kind is None:
        return None
    best: Step | None = None
    for place, launch in script.flow.following(command):
        shared = _shared(script, command, kind, launch, place)
        if not (shared or _needs(script, command, kind, launch)):
            continue
        if best is None or (shared and not best.shared):
            best = Step(command, kind, errexit, place, launch, shared, Grade.HINT)
    if best is None or _checked(script, command, kind) or best_effort(script.file, command):
        return None
    grade = _grade(script, best)
    return replace(best, grade=grade) if grade else None


def _is_unread(command: Node, errexit: Setting) -> bool:
    """Whether nobody gets its status; where errexit is on, that of a pipe is for masked-exit-code."""
    if command.status is Status.MASKED and errexit is Setting.OFF and is_filtered(command):
        return command.statement.status in (Status.LOST, Status.RESULT)
    return command.status not in (Status.READ, Status.MASKED)


def _needs(script: Script, command: Node, kind: Preparation, launch: Node) -> bool:
    """Whether a launch may need a step with which it shares no name."""
    if launch not in script.publications:
        return kind is not Preparation.BUILD
    return kind in (Preparation.PIN, Preparation.PATCH)


def _shared(script: Script, command: Node, kind: Preparation, launch: Node, place: Node) -> tuple[str, ...]:
    """What both work on: names and paths; for a publication also what it hands out of the other's work."""
    ours, theirs, values = script.text(command), script.text(launch), script.dataflow.values
    both = script.dataflow.shared(command, launch, place) or _same_files(script, command, kind, launch)
    shared = tuple(name for name in both if not apart(name, ours, theirs, values))
    if launch not in script.publications:
        if kind is Preparation.COPY:
            shared = tuple(name for name in shared if is_destination(name, script.dataflow.bare(command)))
        return shared if kind is not Preparation.BUILD else ()
    if kind in (Preparation.PIN, Preparation.PATCH):  # a branch is no folder
        return shared
    if command in script.publications:  # two uploads to one host
        return ()
    words = script.dataflow.bare(command)
    if kind is Preparation.COPY:  # what is copied was there before
        words = words[-1:]
        shared = tuple(name for name in shared if name in variables_read(words[0]))
        made = paths_in(words)
    else:
        made = products(words) or paths_in(words[1:]) | script.dataflow.made(command)
    return shared or tuple(sorted(handed_out(script.dataflow.bare(launch), made)))


def _same_files(script: Script, command: Node, kind: Preparation, launch: Node) -> tuple[str, ...]:
    """The variables of folders, such as `$WORKDIR`, where a launch reads the very file that was worked on."""
    if launch in script.publications:
        return ()
    copied = kind is Preparation.COPY
    ours = script.dataflow.bare(command)[-1] if copied else script.dataflow.operands(command)
    read = read_by(script.dataflow.operands(launch), script.dataflow.values)
    return tuple(sorted(same_files(ours, read)))


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
    for at, statement in enumerate(script.flow.statements_after(command, _NEAR)):
        text = script.file.text.content[statement.start : min(statement.end, statement.start + _SOME)]
        head, _, _ = text.partition("\n")
        called = re.match(r"[\w-]+", head)
        if reads_status(head) or (at == 0 and called and called[0] in script.status_readers):
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
    unknown = step.errexit is Setting.UNKNOWN and script.facts.guarded_work < _HABIT
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
        return _copied_for(script, step)
    if not step.shared:
        return None
    if step.kind is Preparation.SCRIPT:
        return _scripted_for(script, step)
    return step.kind is Preparation.EDIT


def _copied_for(script: Script, step: Step) -> bool | None:
    copy, launch = script.dataflow.bare(step.command), script.dataflow.bare(step.launch)
    text = script.text(step.launch)
    beside = set_aside(copy)
    if beside is not None and beside not in text.replace('"', ""):
        return None
    if step.shared:  # a copy beside what the launch writes is a record of the run, and no input
        values = script.dataflow.values
        kept = all(is_only_written(name, text, values) for name in step.shared)
        return None if kept and step.launch not in script.publications else True
    return (
        None
        if _FROM_A_RUN.search(script.text(step.command))
        else in_reach(copy, launch, text, script.entered)
    )


def _scripted_for(script: Script, step: Step) -> bool | None:
    """By its name, or by the option that names what it writes; `accuracy.py --model "$MODEL"` only reads."""
    words = bare(step.command.words)
    name = script_of(words) or ""
    makes = any(is_written(shared, script.text(step.command)) for shared in step.shared)
    if prepares(name) or makes or (name in _INLINE and names_a_file(step.shared[0])):
        return not _fails_itself(script, step)
    return False if any(is_operand(shared, words) for shared in step.shared) else None


def _fails_itself(script: Script, step: Step) -> bool:
    """Whether the launch reads by name what the step was to make, so that it fails, and that is noticed."""
    words = step.command.words
    if step.launch.status is not Status.READ or not _MAKES.fullmatch(
        name_tokens(script_of(bare(words)) or "")[0]
    ):
        return False
    made = [word for option, word in pairwise(words) if _OUTPUT.fullmatch(option)] or words[-1:]
    return bool({*map(unquoted, made)} & {*map(unquoted, step.launch.words)})


def _errexit_lifted(file: ShellFile, command: Node) -> bool:
    """`set +e` just above and `set -e` just below: somebody wanted this command to be allowed to fail."""
    above = file.text.lines[max(command.line - 4, 0) : command.line - 1]
    below = file.text.lines[command.last_line : command.last_line + 3]
    return any(re.match(r"\s*set \+\w*e", line) for line in above) and any(
        re.match(r"\s*set -\w*e", line) for line in below
    )
