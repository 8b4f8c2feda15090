"""Answers of a finder, and a tree to check them against, from as few words as a test needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reviewbot.core.ask.anchor import Sources
from reviewbot.core.ask.answers import Reading, read_answer
from reviewbot.core.ask.evidence import Weighed, weigh
from reviewbot.core.types import (
    Answer,
    Change,
    DefectClass,
    FileChange,
    Hunk,
    ModelTerms,
    Part,
    Question,
    Side,
    Skill,
    SkillOrigin,
    Status,
    Text,
    Texts,
)

PATH = "run.sh"
SKILL = Skill(
    name="launchers",
    description="Launchers.",
    path="SKILL.md",
    origin=SkillOrigin.BASE,
    hash="0123456789ab",
    classes=(
        DefectClass(
            1, "a-failed-step-does-not-stop-the-launch", "A failed step does not stop the launch", ""
        ),
        DefectClass(6, "an-absent-value", "An absent value", ""),
        DefectClass(7, "single-quotes-on-purpose", "Single quotes on purpose", "", kind="suppress"),
    ),
)
QUESTION = Question("find", "classes 1-6, 1 file", "m", "medium", (Part("s"),), (Part("d"),), "{}")


class Shelf:
    """A Library of texts that are given."""

    def __init__(self, head: Mapping[str, str], base: Mapping[str, str]) -> None:
        self._texts = {Side.RIGHT: head, Side.LEFT: base}

    def paths(self, side: Side) -> Sequence[str]:
        return sorted(self._texts[side])

    def text(self, side: Side, path: str) -> Text | None:
        content = self._texts[side].get(path)
        return None if content is None else Text(path, content)

    def search(self, side: Side, words: str, below: str = "") -> Sequence[tuple[str, int, str]]:
        return [
            (path, n, line)
            for path in self.paths(side)
            if path.startswith(below)
            for n, line in enumerate(Text(path, self._texts[side][path]).lines, 1)
            if words in line
        ]


def sources(
    head: Mapping[str, str],
    base: Mapping[str, str] | None = None,
    *,
    added: Mapping[str, Sequence[int]] | None = None,
    removed: Mapping[str, Sequence[tuple[int, str]]] | None = None,
    **changes: Any,
) -> Sources:
    """Texts of both sides; the change adds the lines `added` of head, by path (default: all of run.sh),
    and takes away the rows `removed` of base."""
    base = base or {}
    added = {PATH: range(1, head.get(PATH, "").count("\n") + 1)} if added is None else added
    files = []
    for path in sorted({*added, *(removed or {})}):
        lines = Text(path, head.get(path, "")).lines
        hunks = [Hunk(0, 0, n, 1, ("+" + lines[n - 1],)) for n in added.get(path, ())]
        hunks += [Hunk(n, 1, 0, 0, ("-" + row,)) for n, row in (removed or {}).get(path, ())]
        files.append(FileChange(path, Status.MODIFIED, old_path=path, hunks=tuple(hunks)))
    whole = Sources(
        change=Change("b" * 40, "c" * 40, tuple(files)),
        head=Texts(Side.RIGHT, {f.path: Text(f.path, head[f.path]) for f in files if f.path in head}),
        base=Texts(Side.LEFT, {}),
        library=Shelf(head, base),
    )
    return whole._replace(**changes)


def finding(**changes: Any) -> dict[str, Any]:
    """A finding about line 2 of run.sh, as the answer's schema has it."""
    whole = {
        "class": "a-failed-step-does-not-stop-the-launch",
        "title": "The build may fail unseen",
        "severity": "warning",
        "confidence": 80,
        "path": PATH,
        "side": "RIGHT",
        "line": 2,
        "quote": "make all",
        "also": [],
        "cause": None,
        "failure": [{"text": "A failed build is launched.", "evidence": [0]}],
        "cost": "The allocation is spent on an old binary.",
        "fix": "Append `|| exit 1`.",
        "evidence": [quote("make all", 2)],
        "replacement": None,
    }
    return whole | changes


def quote(text: str, line: int, path: str = PATH) -> dict[str, Any]:
    return {"kind": "quote", "path": path, "line": line, "text": text, "pattern": "", "expected": 0}


def count(pattern: str, expected: int, guard: str = "", guarded: int = 0, path: str = PATH) -> dict[str, Any]:
    kind = {"kind": "count", "path": path, "pattern": pattern, "expected": expected}
    return {**kind, "guard": guard, "guarded": guarded, "line": 0, "text": ""}


def absent(pattern: str, path: str = PATH) -> dict[str, Any]:
    return {"kind": "absent", "path": path, "pattern": pattern}


def said(text: str, *evidence: int) -> dict[str, Any]:
    return {"text": text, "evidence": list(evidence)}


def answer(*findings: object, **changes: object) -> Answer:
    return Answer(payload={"findings": list(findings), "looked": [], "summary": "Done."} | changes)


def read(*findings: object) -> Reading:
    return read_answer(QUESTION, answer(*findings), SKILL, ModelTerms())


def weighed(tree: Sources, *findings: object) -> Weighed:
    return weigh(read(*findings).drafts, tree)
