"""Gate plans for tests, from as few words as the test needs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from reviewbot.core.gates import plan_gates
from reviewbot.core.types import (
    EXECUTING,
    Assignment,
    DefectClass,
    GatePlan,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    Scope,
    Side,
    Skill,
    SkillOrigin,
    Text,
    Texts,
)

SKILL_PATH = "skills/s/SKILL.md"


def spec(line: str, kind: str = "parse-only", reason: str = "", at: int = 70) -> GateSpec:
    return GateSpec(line, tuple(shlex.split(line, comments=True)), kind, reason, at=at)


def skill(*lines: str | GateSpec, name: str = "s", suppress: str = "") -> Skill:
    """A skill with these gates; `suppress` is the text of a class that forbids to report something."""
    classes = (DefectClass(12, "false-positive", suppress, "", kind="suppress"),) if suppress else ()
    gates = tuple(line if isinstance(line, GateSpec) else spec(line) for line in lines)
    return Skill(name, "d", SKILL_PATH, SkillOrigin.BASE, "0" * 12, gates=gates, classes=classes)


def scope(files: Mapping[str, str], *skills: Skill) -> Scope:
    """Every skill claims every file."""
    return Scope(tuple(Assignment(s, tuple(files)) for s in skills), tuple(files), ())


def texts(files: Mapping[str, str], side: Side = Side.RIGHT, **unread: str) -> Texts:
    return Texts(side, {path: Text(path, content) for path, content in files.items()}, unread)


def plan(files: Mapping[str, str], *lines: str | GateSpec, **config: str) -> GatePlan:
    """The plan of one skill with these gates; `config` is keyed by names with "_" for "."."""
    named = {name.replace("_", "."): data.encode() for name, data in config.items()}
    return plan_gates(scope(files, skill(*lines)), texts(files), named)


def result(tool: str, output: str, status: GateStatus = GateStatus.FAILED, **files: str) -> GateResult:
    """What a tool said of files whose names have "_" for "."; a gate that executes has named them."""
    lines = {
        "shellcheck": "shellcheck <each>",
        "ruff": "ruff check <each>",
        "bash-n": "bash -n <each>",
        "py-compile": "python3 -m py_compile <each>",
        "run": "./run.sh <each>",
    }
    laid = tuple(Text(name.replace("_", "."), content) for name, content in files.items())
    own = spec(lines[tool])
    argv = (*own.argv[:-1], *(text.path for text in laid))
    read, named = ((), laid) if tool == EXECUTING else (laid, ())
    run = GateRun("s", own, tool, argv, read, skill_path=SKILL_PATH)
    return GateResult(run, status, 0 if status is GateStatus.PASSED else 1, output=output, named=named)
