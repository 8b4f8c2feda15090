"""Workflows that run with secrets and check out a stranger's commit.

`pull_request_target` and `workflow_run` run with the secrets and the token of the base. A checkout of the
pull request's head there puts the stranger's files where the next step builds, tests or lints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors import workflow
from reviewbot.detectors.workflow import Node, Scalar

TRUSTED = ("pull_request_target", "workflow_run")
_HEAD = pattern(
    r"github\.head_ref|pull_request\.head\.|workflow_run\.head_|pull_request\.merge_commit_sha"
    r"|workflow_run\.pull_requests|refs/pull/|event\.number|pull_request\.number",
    re.IGNORECASE,
)
_COMMANDS = pattern(r"\bgh\s+pr\s+checkout\b|\bgit\b[^\n]{0,300}\b(?:fetch|pull)\b[^\n]{0,300}\bpull/")
_KEYS = ("ref", "repository")


class Risk(NamedTuple):
    """`line` is 1-based, where the commit is named."""

    line: int
    event: str


def risks(content: str) -> Iterator[Risk]:
    """One for each step that checks out the head. Raises SyntaxError, with the line, for what is no YAML."""
    for root in workflow.documents(workflow.normal(content)):
        events = [event for event in TRUSTED if event in _events(workflow.get(root, "on"))]
        if not events:
            continue
        jobs = workflow.get(root, "jobs")
        for job in jobs.values() if isinstance(jobs, dict) else ():
            for step in workflow.items(workflow.get(job, "steps")):
                if (line := _line(step)) is not None:
                    yield Risk(line, events[0])


def _events(on: Node | None) -> list[str]:
    if isinstance(on, dict):
        return list(on)
    return [node.value for node in (on, *workflow.items(on)) if isinstance(node, Scalar)]


def _line(step: Node) -> int | None:
    uses, run = workflow.scalar(step, "uses"), workflow.scalar(step, "run")
    if uses and uses.value.lower().startswith("actions/checkout@"):
        named = (workflow.scalar(step, "with", key) for key in _KEYS)
        return next((ref.start[0] for ref in named if ref and _HEAD.search(ref.value)), None)
    if run and (found := _COMMANDS.search(run.value)):
        return run.start[0] + run.value.count("\n", 0, found.start()) + (run.style in ("|", ">"))
    return None
