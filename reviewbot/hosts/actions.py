"""GitHub Actions around this process: its environment files and its workflow commands.

A line on stdout or stderr can command the runner: `::…` at its start, and the old form with two number
signs and a bracket anywhere in it. What strangers wrote goes through `plain`, or into a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import NamedTuple

from reviewbot.core.errors import OutputError, UsageError
from reviewbot.core.inputs import PREFIX
from reviewbot.core.types.inputs import Inputs
from reviewbot.core.visible import visible
from reviewbot.hosts import output

TOKEN, KEY = "GITHUB_TOKEN", "ANTHROPIC_API_KEY"


class Step(NamedTuple):
    """The step that runs us. A path is "" where the runner has given none."""

    event: str
    payload: str  # path of the event's JSON
    outputs: str
    summary: str
    written: int  # bytes that stood in the summary before
    folder: str  # below which the files for the next steps go


def step(environment: Mapping[str, str]) -> Step:
    """Raises UsageError outside of Actions, OutputError where there is no room for files."""
    event, payload = environment.get("GITHUB_EVENT_NAME", ""), environment.get("GITHUB_EVENT_PATH", "")
    if not event or not payload:
        raise UsageError(
            "GITHUB_EVENT_NAME and GITHUB_EVENT_PATH name no event",
            "`reviewbot action` is for GitHub Actions; elsewhere use `reviewbot diff` or `reviewbot pr`",
        )
    folder = os.path.join(environment.get("RUNNER_TEMP") or os.getcwd(), "reviewbot-review")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make {folder}: {error.strerror}", "set RUNNER_TEMP") from error
    summary = environment.get("GITHUB_STEP_SUMMARY", "")
    written = os.path.getsize(summary) if summary and os.path.exists(summary) else 0
    return Step(event, payload, environment.get("GITHUB_OUTPUT", ""), summary, written, folder)


def mask(secrets: Iterable[str]) -> None:
    """Have the runner hide them in all that is printed from now on."""
    lines = (line.strip() for secret in secrets for line in secret.splitlines())
    output.show("".join(f"::add-mask::{_data(line)}\n" for line in dict.fromkeys(lines) if line))


def take_over(inputs: Inputs) -> None:
    """What the inputs give in place of the environment; no child of ours finds the inputs in it."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        del os.environ[name]
    for name, value in ((TOKEN, inputs.token), (KEY, inputs.key)):
        if value:
            os.environ[name] = value


def set_outputs(at: Step, values: Mapping[str, str]) -> None:
    """Each under a delimiter that nobody can have foreseen. The last value of a name counts."""
    rows = []
    for name, value in values.items():
        end = f"end-{token_hex(16)}"
        rows.append(f"{name}<<{end}\n{value}\n{end}\n")
    if at.outputs:
        _write(at.outputs, "".join(rows), -1)


def write_summary(at: Step, markdown: str) -> None:
    """In place of what we wrote before."""
    if at.summary:
        _write(at.summary, markdown, at.written)


def _write(path: str, text: str, where: int) -> None:
    """From the byte `where` on; -1: at the end."""
    try:
        with open(path, "ab") as file:
            if where >= 0:
                file.truncate(where)
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def plain(text: str) -> str:
    """One line that the runner does not obey."""
    line = visible(" ".join(text.split())).replace("##[", "# #[")
    return f"reviewbot: {line}\n"


def notice(level: str, message: str) -> str:
    """The workflow command for an annotation on no file. level: "error", "warning" or "notice"."""
    return f"::{level} title=reviewbot::{_data(visible(message))}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
