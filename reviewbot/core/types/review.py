"""The whole: what was found, what was done, and what was not."""

from __future__ import annotations

from typing import NamedTuple

from reviewbot.core.types.change import Change
from reviewbot.core.types.finding import Finding, Rejection
from reviewbot.core.types.gate import GateResult
from reviewbot.core.types.skill import Guidance, Scope, Skills, Uncovered


class Incomplete(NamedTuple):
    """Something planned that was not done. One of these and no verdict is clean (law 1)."""

    stage: str  # diff | skill | scope | detect | gate | model | verify | publish
    what: str
    why: str


class ClassResult(NamedTuple):
    """What was done about one class of one skill."""

    skill: str
    slug: str
    title: str
    files: int
    result: str  # found | held | nothing-found | not-applicable | not-checked
    by: tuple[str, ...] = ()


class Usage(NamedTuple):
    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0

    def plus(self, other: Usage) -> Usage:
        """Both together."""
        return Usage._make(a + b for a, b in zip(self, other, strict=True))


class Review(NamedTuple):
    change: Change
    skills: Skills
    scope: Scope
    incomplete: tuple[Incomplete, ...]
    gates: tuple[GateResult, ...]
    findings: tuple[Finding, ...]  # dearest first: severity, rank, grade, path, line
    rejections: tuple[Rejection, ...]
    checked: tuple[ClassResult, ...]
    uncovered: tuple[Uncovered, ...]  # scope's, and what was in scope but could not be read
    guidance: tuple[Guidance, ...] = ()
    usage: Usage = Usage()
    reader: str = ""  # which model read it, by which prompts; "" for none

    @property
    def verdict(self) -> str:
        if self.incomplete:
            return "incomplete"
        return "findings" if any(f.decides for f in self.findings) else "clean"
