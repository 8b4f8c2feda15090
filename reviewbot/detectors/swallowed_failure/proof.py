"""How to show that a launch is reached behind a failure: the step as `false`, all else as `true`."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.core.types import Grade, Proof, Sign
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.reduced import is_assignable, run_alone
from reviewbot.detectors.shell.script import variables_read
from reviewbot.detectors.shell.slicing.slice import Plan
from reviewbot.detectors.swallowed_failure.steps import Script, Step

_SHARED = 2  # variables that are shown; more prove nothing more
_DENIED = Sign("ends in front of the launch", r"\A\Z", (1,))


def proof(script: Script, step: Step) -> Proof | None:
    """A reduced script that says `launched` where the launch is reached though the step is `false`.

    None where the way from the one to the other cannot be written in what the allow-list lets through.
    """
    if step.grade is not Grade.STRONG or step.errexit is Setting.UNKNOWN or step.command.background:
        return None
    if any(map(script.slicer.disturbances.is_code, (step.command, step.launch))):
        return None  # what it does is in the script, and may be more than to fail
    shows = tuple(_variables(script, step))[:_SHARED]
    plan = Plan(
        {step.command: ("false",), whole_command(step.launch): (_launched(shows),)},
        step.command,
        step.launch,
        None if step.place is step.launch else step.place,
        shows=shows,
        concerns=lambda text: _concerns(script, step, text),
    )
    made = script.slicer.slice(plan)
    if made is None:
        return None
    values = ",".join(f" {name}=\\S.*" for name in shows)
    shown = Sign(_words(made.stood_in), f"^reviewbot: launched{',' if values else ''}{values}$")
    return run_alone(script.file, made.lines, shown, _DENIED)


def _variables(script: Script, step: Step) -> Iterator[str]:
    """What both share, without the paths."""
    read = variables_read(script.text(step.command) + script.text(step.launch))
    return (
        name
        for name in step.shared
        if is_assignable(name) and (name in read or name in script.dataflow.values)
    )


def _launched(names: tuple[str, ...]) -> str:
    shown = ",".join(("reviewbot: launched", *(f" {name}=%s" for name in names)))
    values = "".join(f' "${name}"' for name in names)
    return f"printf '{shown}\\n'{values} >&2"


def _words(stood_in: tuple[str, ...]) -> str:
    given = f", with a stand-in for `{'` and `'.join(stood_in)}`" if stood_in else ""
    return f"reaches the launch although the step, here `false`, fails{given}"


def _concerns(script: Script, step: Step, text: str) -> bool:
    """Whether a statement may look at what the step has done."""
    if variables_read(text) & script.dataflow.variables(step.command):
        return True
    marks = {path.rsplit("/", 1)[-1] for path in script.dataflow.made(step.command)} - {""}
    return "rev-parse" in text or any(mark in text for mark in marks)
