"""The steps of an action.yml, run in bash as the runner of GitHub Actions would, outside of GitHub.

Of `${{ }}` only a path (`inputs.post`, `steps.review.outputs.report`) is known, and of `if:` what the action
uses; anything else fails loudly.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION = ROOT / ".github" / "actions" / "review" / "action.yml"
_EXPRESSION = re.compile(r"\$\{\{ ([a-z-]+(?:\.[a-z_-]+)+) \}\}")


class Used(NamedTuple):
    """A step that would have used another action."""

    name: str
    given: Mapping[str, str]


class Ran(NamedTuple):
    code: int  # of the first step that failed; 0
    log: str
    outputs: Mapping[str, str]
    summary: str  # of the step `review`
    used: list[Used]


class Job(NamedTuple):
    """`environment` is what every step sees."""

    folder: Path
    workspace: Path
    environment: Mapping[str, str]
    runner: Mapping[str, str] = {"os": "Linux", "environment": "self-hosted"}
    told: Mapping[str, str] = {}  # what the steps gave that would have used another action

    def run(self, event: str, payload: str, inputs: Mapping[str, str]) -> Ran:
        action = yaml.safe_load(ACTION.read_text())
        assert set(inputs) <= set(action["inputs"])
        self.folder.mkdir(exist_ok=True)
        temp = self.folder / "temp"
        temp.mkdir(exist_ok=True)
        (self.folder / "event.json").write_text(payload)
        known: dict[str, str] = {
            **{f"runner.{name}": value for name, value in self.runner.items()},
            "runner.temp": str(temp),
            "github.action_path": str(ACTION.parent),
            "github.token": self.environment.get("GITHUB_TOKEN", ""),
            **self.told,
        }
        for name, about in action["inputs"].items():
            default = _filled(str(about.get("default", "")), known)
            known[f"inputs.{name}"] = inputs.get(name, default)
        steps = _Steps(self, known, event)
        for number, step in enumerate(action["runs"]["steps"]):
            steps.run(number, step)
        outputs = {name: _filled(about["value"], known) for name, about in action["outputs"].items()}
        return Ran(steps.code, steps.log, outputs, steps.summary, steps.used)


class _Steps:
    def __init__(self, job: Job, known: dict[str, str], event: str) -> None:
        self.job, self.known, self.event = job, known, event
        self.code, self.log, self.summary = 0, "", ""
        self.used: list[Used] = []

    def run(self, number: int, step: dict[str, Any]) -> None:
        if not self._wanted(step.get("if", "")):
            return
        if "uses" in step:
            given = {name: _filled(str(value), self.known) for name, value in step.get("with", {}).items()}
            self.used.append(Used(step["uses"], given))
            return
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
        files = {name: self.job.folder / f"{name.lower()}-{number}" for name in ("OUTPUT", "STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        script = self.job.folder / f"step-{number}.sh"
        script.write_text(step["run"])
        environment = {
            **self.job.environment,
            **{f"GITHUB_{name}": str(file) for name, file in files.items()},
            "GITHUB_EVENT_NAME": self.event,
            "GITHUB_EVENT_PATH": str(self.job.folder / "event.json"),
            "RUNNER_TEMP": self.known["runner.temp"],
            **{name: _filled(str(value), self.known) for name, value in step.get("env", {}).items()},
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=self.job.workspace,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.log += done.stdout
        self.code = self.code or done.returncode
        if "id" in step:
            for name, value in read_outputs(files["OUTPUT"].read_text()).items():
                self.known[f"steps.{step['id']}.outputs.{name}"] = value
            self.summary = files["STEP_SUMMARY"].read_text()

    def _wanted(self, condition: str) -> bool:
        """After a failure only what says `always()` runs."""
        always = condition.startswith("always() && ")
        if self.code and not always:
            return False
        return _true(condition.removeprefix("always() && "), self.known)


def _true(condition: str, known: Mapping[str, str]) -> bool:
    if not condition:
        return True
    if condition.startswith("(") and condition.endswith(")"):
        return _true(condition[1:-1], known)
    if " || " in condition:
        return any(_true(part, known) for part in condition.split(" || "))
    if " && " in condition:
        return all(_true(part, known) for part in condition.split(" && "))
    found = re.fullmatch(r"([a-z.-]+) ([!=])= '([^']*)'", condition)
    assert found, condition
    return (known.get(found[1], "") == found[3]) == (found[2] == "=")


def _filled(text: str, known: Mapping[str, str]) -> str:
    filled = _EXPRESSION.sub(lambda found: known.get(found[1], ""), text)
    assert "${{" not in filled, filled
    return filled


def read_outputs(text: str) -> dict[str, str]:
    """As the runner reads the file: `name<<END`, lines, END."""
    values: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, mark, end = line.partition("<<")
        assert mark, line
        value = []
        for row in lines:
            if row == end:
                break
            value.append(row)
        values[name] = "\n".join(value)
    return values


def environment(**more: str) -> dict[str, str]:
    """Of a runner, with this Python's `reviewbot` on the PATH."""
    kept = ("HOME", "REVIEWBOT_STATE_DIR", "LANG")
    return {name: os.environ[name] for name in kept if name in os.environ} | more
