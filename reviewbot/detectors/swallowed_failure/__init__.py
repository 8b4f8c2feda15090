"""A step whose failure must stop the script does not: nothing reads its status, and the launch goes ahead.

Measured on 790 public launchers: 17 of 17 hits right for a pinned checkout, a patch, a copy, or a
script that shares a variable with the launch. The rest is a hint, or not said at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.core.types import Claim
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.shell.dataflow import names_a_file
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.facts import label
from reviewbot.detectors.shell.guard import guard, whole_command
from reviewbot.detectors.shell.publications import Publication
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node, Role
from reviewbot.detectors.shell.wayout import way_out
from reviewbot.detectors.swallowed_failure import lookalike_examples as lookalike
from reviewbot.detectors.swallowed_failure import published_examples as published
from reviewbot.detectors.swallowed_failure.examples import BAD, GOOD
from reviewbot.detectors.swallowed_failure.folders import rests
from reviewbot.detectors.swallowed_failure.preparations import Preparation
from reviewbot.detectors.swallowed_failure.proof import proof
from reviewbot.detectors.swallowed_failure.steps import Script, Step, unread_steps
from reviewbot.detectors.swallowed_failure.unchecked_process import find_python

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
# Of a publication: what it does, and what others get.
_HANDED_OUT = {
    Preparation.PIN: (
        "takes whatever revision was there",
        "is another revision, under the name of this one",
    ),
    Preparation.PATCH: ("takes the unpatched code", "is unpatched code, which passes for patched"),
    Preparation.COPY: ("goes without it, or with an old one", "lacks these files, or has old ones"),
    Preparation.FETCH: (
        "takes what an earlier run left there",
        "is cut short, or that of an earlier run",
    ),
    Preparation.BUILD: (
        "takes what an earlier build left there",
        "is an earlier build, under the name of this one",
    ),
}
_HANDED = (
    "takes it as it was before",
    "is what was there before, under the name of what was to be made",
)
_DONE = {
    Publication.RELEASE: "released",
    Publication.DEPLOYMENT: "deployed",
    Publication.UPLOAD: "uploaded",
    Publication.PUSH: "pushed",
    Publication.INSTALLATION: "installed",
}
_SHARED = 2  # names that are said to be shared; more prove nothing more
_OUTCOME = (
    "runs on it as it was before",
    "on an input that was not prepared; the results are labelled as if it was",
)


def find_shell(file: ShellFile) -> Iterator[Hit]:
    script = Script(file)
    for step in unread_steps(script):
        yield _hit(script, step)


def _hit(script: Script, step: Step) -> Hit:
    file, command, launch = script.file, step.command, step.launch
    what, where = label(command.words), label(launch.words)
    reads = f", which reads {_listed(step.shared)}," if step.shared else ""
    through = f" (through `{step.place.name}` at line {step.place.line})" if step.place is not launch else ""
    outcome, cost = _outcome(script, step)
    guards = len(script.facts.guarded) if script.facts.counted_guards else 0
    habit = f" This file guards {_times(guards)} with `|| exit` or its like, not this one." if guards else ""
    leave = way_out(file, command, step.place)
    return Hit(
        start_line=command.line,
        line=whole_command(command).last_line,
        failure=f"`{what}` can fail and the script goes on: {_why(script, step)}. "
        f"`{where}` at line {launch.line}{through}{reads} then {outcome}.{habit}",
        cost=cost,
        fix=_fix(script, step, leave),
        grade=step.grade,
        edit=guard(file, command, leave) if leave else None,
        claims=tuple(_claims(script, step)),
        proof=proof(script, step),
    )


def _outcome(script: Script, step: Step) -> tuple[str, str]:
    """What the launch does behind the failure, and what that costs."""
    if public := script.publications.get(step.launch):
        outcome, got = _HANDED_OUT.get(step.kind, _HANDED)
        return outcome, f"What is {_DONE[public]} {got}."
    outcome, waste = _OUTCOMES.get(step.kind, _OUTCOME)
    if step.kind is Preparation.SCRIPT and not _works_on(step.shared[0], script.text(step.command)):
        outcome = "runs without its work"
    return outcome, f"{'GPU hours' if script.takes_gpus(step.launch) else 'A run'} {waste}."


def _works_on(name: str, text: str) -> bool:
    """Whether a step takes a file itself, and not something in a folder or a setting."""
    return names_a_file(name) and (not name.isidentifier() or "" in rests(name, text))


def _why(script: Script, step: Step) -> str:
    if step.errexit is Setting.IGNORED:
        around = script.file.options.ignored_by(step.command)
        line = around.line if around else step.command.line
        return f"bash disregards errexit in what line {line} runs as a condition, or left of `&&` or `||`"
    if step.errexit is Setting.UNKNOWN:
        return f"nothing reads its status, and {script.facts.unsure(step.command)}"
    if script.facts.speaks_of("errexit"):
        return "nothing reads its status, and errexit is off at this line"
    return "nothing reads its status, and this script never sets errexit"


def _fix(script: Script, step: Step, leave: str) -> str:
    whole = whole_command(step.command)
    if whole.role is Role.STAGE:
        return (
            "A pipeline has the status of its last command: `set -o pipefail`, or a look at "
            f"`${{PIPESTATUS[0]}}`, and then `|| {leave or 'exit 1'}` behind the pipeline."
        )
    if whole.role is Role.RIGHT and whole.parent is not None and whole.parent.operator == "&&":
        inside = f"`|| {leave or 'exit 1'}`"
        return f"Use `if`, with {inside} in its body: behind `a && b` it would fire for a false `a` too."
    if not leave:
        function, shell = _around(script.file, whole)
        if function is not None and shell is None:
            return (
                f"Guard the command with `|| return 1`, and the calls of `{function.name}` with `|| exit 1`: "
                "as they stand, the script goes on when it fails."
            )
        return (
            "Guard the command, and test the status of what surrounds it too: "
            "`exit` inside `( … )` or a pipeline leaves only that."
        )
    like = ", the habit of this file" if script.facts.counted_guards else ""
    heredoc = " It belongs behind `<<`, before the text." if "<<" in script.text(step.command) else ""
    return f"Append `|| {leave}` to the command{like}.{heredoc}"


def _around(file: ShellFile, whole: Node) -> tuple[Node | None, Node | None]:
    return file.options.function_of(whole), file.options.shell_of(whole)


def _claims(script: Script, step: Step) -> Iterator[Claim]:
    yield from script.facts.options(step.command, "errexit")
    yield from script.facts.guards(step.command)
    public = script.publications.get(step.launch)
    noun = public.value if public else "launch"
    yield from script.facts.launch(step.launch, step.place, step.shared[:_SHARED], noun)


def _times(count: int) -> str:
    return "one other command" if count == 1 else f"{count} other commands"


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f"`{name}`" for name in names[:_SHARED])


# Each launch command of shell/launches.py has one of these in its name or its arguments.
_LAUNCHING = ("run", "sbatch", "srtctl", "launch", "serv", "bench", "train", "eval", "infer", "deepspeed")
# And so has each command of shell/publications.py.
_PUBLISHING = (
    *(
        "release",
        "publish",
        "deploy",
        "upload",
        "push",
        "install",
        "upgrade",
        "develop",
        "copy",
        "rsync",
        "scp",
    ),
    *("apply", "replace", "patch", "create", "set image", "rollout", "pulumi", "ansible", "update-"),
    *("s3:", "gs:", "az:", "abfs", "hf:", "oss:", "cos:"),
)

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
        Word(r"(?:check|read|test|propagat)\w*\b[^.\n]{0,30}\b(?:exit|return) (?:code|status)", 3),
        Word(r"zero[- ]exit|exits? (?:0|zero)\b", 2),
        Word(r"(?:no|without|missing|lacks?|never sets?)\W{1,3}(?:set -e\b|errexit|\|\| exit)", 3),
        Word(r"\bset -e\b|\berrexit\b", 1),
        Word(r"\|\|\s*exit\b", 2),
        Word(r"\b(?:exit|return) (?:codes?|status(?:es)?)\b", 1),
        Word(r"unguarded|unchecked (?:command|step|call|exit)", 1),
    ),
    bad=(*BAD, *published.BAD, *lookalike.BAD),
    good=(*GOOD, *published.GOOD, *lookalike.GOOD),
    triggers={"shell": (*_LAUNCHING, *_PUBLISHING), "python": ("os.system", "subprocess")},
)
