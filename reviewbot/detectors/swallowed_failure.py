"""A step whose failure must stop the script does not: nothing reads its status, and the launch goes ahead.

Measured on 790 public launchers: 17 of 17 hits right for a pinned checkout, a patch, a copy, or a
script that shares a variable with the launch. The rest is a hint, or not said at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reviewbot.core.types import Claim, Grade
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.errexit import Setting
from reviewbot.detectors.launches import PREPARING, bare, is_launch, name_tokens, script_of, unquoted
from reviewbot.detectors.preparations import Preparation, preparation
from reviewbot.detectors.shell import ShellFile, variables_read
from reviewbot.detectors.shell_dataflow import Dataflow, names_a_file
from reviewbot.detectors.shell_flow import Flow
from reviewbot.detectors.shell_guard import guard, way_out, whole_command
from reviewbot.detectors.shell_tree import Node, Status
from reviewbot.detectors.swallowed_failure_examples import BAD, GOOD
from reviewbot.detectors.unchecked_process import find_python

_ERREXIT = r"^\s*set\s.*?(?:-[a-zA-Z]*e|errexit)|^#!.*\s-[a-zA-Z]*e"
_GUARDED = r"\|\|\s*(?:\{[^}]{0,80}\b)?(?:exit|return|die)\b"
_HABIT = 3  # so many guards show that the author does not count on errexit from a sourced file

_LEAVES = re.compile(r"\b(?:exit|return|die|fail|fatal|abort)\b")
_TESTS = re.compile(r"\[|\|\||\b(?:if|test|case)\b")
_STATUS_READ = re.compile(r"\$\?|\$\{?PIPESTATUS")
_ONLY_SAID = re.compile(r"(?:echo|printf|log\w*|info|warn\w*)\b")
_FROM_A_RUN = re.compile(r"result|log|output|metric|trace|artifact|profile|report|score", re.IGNORECASE)
_THROWN_AWAY = re.compile(r"[2&]>\s*/dev/null")
_VARIABLE = re.compile(r"\"?\$\{?(\w+)(?:\[[@*]\])?\}?\"?")
_NEAR = 3  # statements within which a check still belongs to the command
_SOME = 2000  # characters of a statement that are looked at

_OUTCOMES = {
    Preparation.PIN: ("runs at whatever revision was there", "on another revision, reported as this one"),
    Preparation.PATCH: ("runs the unpatched code", "on unpatched code, reported as patched"),
    Preparation.COPY: (
        "runs without these files, or with old ones",
        "on other files than the results are labelled with",
    ),
    Preparation.FETCH: (
        "finds it missing, cut short or from an earlier run",
        "on what an earlier run left there",
    ),
}
_OUTCOME = (
    "runs on it as it was before",
    "on an input that was not prepared; the results are labelled as if it was",
)


class _Script:
    """What the judgements of one script share."""

    def __init__(self, file: ShellFile) -> None:
        self.file = file
        self.dataflow = Dataflow(file)
        self.commands = [(node, self._bare(node)) for node in file.commands]
        self.launches = [node for node, command in self.commands if is_launch(command)]

    @cached_property
    def flow(self) -> Flow:
        return Flow(self.file, self.launches)

    def text(self, command: Node) -> str:
        """A command as written, with its redirections, heredocs and the pipeline that it ends."""
        whole = whole_command(command)
        return self.file.text.content[whole.start : whole.end]

    def _bare(self, command: Node) -> tuple[str, ...]:
        """The bare words; of `"${CMD[@]}" …` or `$CMD …` with what CMD was set to."""
        words = command.words
        found = _VARIABLE.fullmatch(words[0]) if words else None
        if found and (value := self.dataflow.values.get(found[1])):
            words = (*value[:_SOME].strip("()\"' \n\t").split(), *words[1:])
        return bare(words)

    @cached_property
    def guarded(self) -> int:
        """How many lines leave the script when their command fails."""
        return sum(bool(re.search(_GUARDED, line)) for line in self.file.text.lines)

    @cached_property
    def sets_errexit(self) -> bool:
        return any(re.search(_ERREXIT, line) for line in self.file.text.lines)


@dataclass(frozen=True, slots=True)
class _Step:
    """A preparation whose failure the launch does not notice."""

    command: Node
    kind: Preparation
    errexit: Setting
    place: Node  # the launch, or the call that leads to it
    launch: Node
    shared: tuple[str, ...]  # names and paths that both work on
    grade: Grade


def find_shell(file: ShellFile) -> Iterator[Hit]:
    script = _Script(file)
    if script.launches:
        for node, command in script.commands:
            if step := _step(script, node, command):
                yield _hit(script, step)


def _step(script: _Script, command: Node, bare_words: Sequence[str]) -> _Step | None:
    if command.status in (Status.READ, Status.MASKED):
        return None
    errexit = script.file.options.errexit_at(command)
    if errexit is Setting.ON:
        return None
    kind = preparation(bare_words, script.text(command))
    if kind is None:
        return None
    best: _Step | None = None
    for place, launch in script.flow.following(command):
        shared = script.dataflow.shared(command, launch, place)
        if best is None or (shared and not best.shared):
            best = _Step(command, kind, errexit, place, launch, shared, Grade.HINT)
    if best is None or _checked(script, command, kind):
        return None
    grade = _grade(script, best)
    return replace(best, grade=grade) if grade else None


def _checked(script: _Script, command: Node, kind: Preparation) -> bool:
    """Whether one of the next statements leaves the script when the command has not done its work."""
    variables = script.dataflow.variables(command)
    marks = {path.rsplit("/", 1)[-1] for path in script.dataflow.paths(command)}
    if kind is Preparation.PIN:
        marks.add("rev-parse")
    if kind is Preparation.FETCH and command.words[-1:]:
        marks.add(unquoted(command.words[-1]).rstrip("/").rsplit("/", 1)[-1].removesuffix(".git"))
    for statement in script.flow.statements_after(command, _NEAR):
        text = script.file.text.content[statement.start : min(statement.end, statement.start + _SOME)]
        if _STATUS_READ.search(text) and not _ONLY_SAID.match(text):
            return True
        leaves = _LEAVES.search(text) or script.flow.leaving & set(re.findall(r"[\w-]+", text))
        if (
            leaves
            and _TESTS.search(text)
            and (variables_read(text) & variables or any(m in text for m in marks))
        ):
            return True
    return False


def _grade(script: _Script, step: _Step) -> Grade | None:
    """STRONG as measured; a HINT where something speaks against it; None where the launch would not care."""
    sure = _works_for(script, step)
    if sure is None:
        return None
    unknown = step.errexit is Setting.UNKNOWN and script.guarded < _HABIT
    if not sure and unknown:
        return None
    text = script.text(step.command)
    meant = _THROWN_AWAY.search(text) or _errexit_lifted(script.file, step.command)
    return Grade.STRONG if sure and not unknown and not meant else Grade.HINT


def _works_for(script: _Script, step: _Step) -> bool | None:
    """Whether the launch surely depends on the step; None: nothing says that it does."""
    if step.kind in (Preparation.PIN, Preparation.PATCH):
        return True
    if step.kind is Preparation.COPY:
        after_a_run = script.flow.preceded(step.command) and _FROM_A_RUN.search(step.command.text)
        return True if step.shared or not after_a_run else None
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


def _hit(script: _Script, step: _Step) -> Hit:
    file, command, launch = script.file, step.command, step.launch
    what, where = label(command.words), label(launch.words)
    reads = f", which reads {_listed(step.shared)}," if step.shared else ""
    through = f" (through `{step.place.name}` at line {step.place.line})" if step.place is not launch else ""
    outcome, waste = _OUTCOMES.get(step.kind, _OUTCOME)
    habit = f" This file guards {_times(script.guarded)} with `|| exit` or its like, not this one."
    leave = way_out(file, command, step.place)
    return Hit(
        start_line=command.line,
        line=whole_command(command).last_line,
        failure=f"`{what}` can fail and the script goes on: {_why(script, step)}. "
        f"`{where}` at line {launch.line}{through}{reads} then {outcome}.{habit if script.guarded else ''}",
        cost=f"GPU hours {waste}.",
        fix=_fix(script, step, leave),
        grade=step.grade,
        edit=guard(file, command, leave) if leave else None,
        claims=tuple(_claims(script, launch)),
    )


def _why(script: _Script, step: _Step) -> str:
    if step.errexit is Setting.IGNORED:
        around = script.file.options.ignored_by(step.command)
        line = around.line if around else step.command.line
        return f"bash disregards errexit in what line {line} runs as a condition, or left of `&&` or `||`"
    if step.errexit is Setting.UNKNOWN:
        return "nothing reads its status, and nothing in this file makes sure that errexit is on"
    if script.sets_errexit:
        return "nothing reads its status, and errexit is off at this line"
    return "nothing reads its status, and this script never sets errexit"


def _fix(script: _Script, step: _Step, leave: str) -> str:
    if not leave:
        return (
            "Guard the command, and test the status of what surrounds it too: "
            "`exit` inside `( … )` or a pipeline leaves only that."
        )
    like = ", the habit of this file" if script.guarded else ""
    heredoc = " It belongs behind `<<`, before the text." if "<<" in script.text(step.command) else ""
    return f"Append `|| {leave}` to the command{like}.{heredoc}"


def _claims(script: _Script, launch: Node) -> Iterator[Claim]:
    path, lines = script.file.path, script.file.text.lines
    if not script.sets_errexit:
        yield Claim("absent", "No line of this script sets errexit.", path, _ERREXIT)
    if script.guarded:
        text = f"{script.guarded} lines of this file leave on failure (`|| exit`, `|| return`, `|| die`)."
        yield Claim("count", text, path, _GUARDED, expected=script.guarded)
    quote = lines[launch.line - 1].strip()
    yield Claim("quote", f"Line {launch.line} launches.", path, quote, line=launch.line)


def label(words: Sequence[str]) -> str:
    """A command for a sentence: long paths cut to their last part, the whole to about 60 characters."""
    short = [
        f"…/{unquoted(w).rstrip('/').rsplit('/', 1)[-1]}" if len(w) > 30 and "/" in w else w for w in words
    ]
    text = " ".join(" ".join(short).replace("`", "'").split())
    return text if len(text) <= 60 else text[:59].rstrip() + "…"


def _times(count: int) -> str:
    return "one other command" if count == 1 else f"{count} other commands"


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f"`{name}`" for name in names[:2])


# Each launch command of launches.py has one of these in its name or its arguments.
_LAUNCHING = ("run", "sbatch", "srtctl", "launch", "serv", "bench", "train", "eval", "infer", "deepspeed")

DETECTOR = Detector(
    id="swallowed-failure",
    summary="A step whose failure must stop the script does not, and the launch goes ahead.",
    finders={"shell": find_shell, "python": find_python},
    words=(
        Word(r"swallow(?:s|ed|ing)?\b", 3),
        Word(r"fail\w*\b[^.\n]{0,40}\b(?:must|should|does not|do not|never) (?:stop|end|abort)", 3),
        Word(
            r"(?:errors?|failures?|exit (?:code|status)\w*) (?:(?:is|are) )?(?:silently )?(?:ignored|lost)", 2
        ),
        Word(r"ignor\w+ (?:errors?|failures?|exit)|silent(?:ly)? fail(?:ures?|ed|ing)", 2),
        Word(r"(?:script|launcher|job|run)s? (?:then )?(?:goes on|carries on|keeps going|continues)", 2),
        Word(r"(?:check|read|test|propagat)\w*\b[^.\n]{0,30}\b(?:exit|return) (?:code|status)", 2),
        Word(r"zero[- ]exit|exits? (?:0|zero)\b", 2),
        Word(r"(?:no|without|missing|lacks?|never sets?)\W{1,3}(?:set -e|errexit)\b", 2),
        Word(r"\bset -e\b|\berrexit\b", 1),
        Word(r"\|\|\s*exit\b", 2),
        Word(r"\brc\s*=\s*0|\b(?:exit|return) (?:codes?|status(?:es)?)\b", 1),
        Word(r"unguarded|unchecked (?:command|step|call|exit)", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"shell": _LAUNCHING, "python": ("os.system", "subprocess")},
)
