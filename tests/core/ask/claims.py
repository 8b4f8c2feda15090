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
    Part,
    Question,
    Side,
    Skill,
    SkillOrigin,
    Status,
    Text,
    Texts,
)
from reviewbot.core.verify import Checked
from tests.fakes.shelf import Shelf

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
        failed={},
    )
    return whole._replace(**changes)


def finding(**changes: Any) -> dict[str, Any]:
    """A finding about line 2 of run.sh, as the answer's schema has it."""
    whole = {
        "class": "a-failed-step-does-not-stop-the-launch",
        "title": "The build may fail unseen",
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
    return Answer(payload={"findings": list(findings), "looked": []} | changes)


def read(*findings: object) -> Reading:
    return read_answer(QUESTION, answer(*findings), SKILL)


def weighed(tree: Sources, *findings: object) -> Weighed:
    return weigh(read(*findings).drafts, tree)


_APP = """import os


def load_box(path):
    token = 'ghp_aaaaBBBB1111ccccDDDD'
    box = open_box(path)
    return box.size
"""
APP_HEAD = {
    "app.py": _APP,
    "box.py": "def open_box(path):\n    return None if path is None else Box(path)\n",
    "main.py": "from app import load_box\n\nload_box(None)\n",
}
APP_TREE = sources(APP_HEAD, added={"app.py": [6, 7]})


def claimed(tree: Sources | None = None, **changes: Any) -> Checked:
    """A claim about line 6 of app.py, of which all holds."""
    own = {"path": "app.py", "line": 6, "quote": "box = open_box(path)\n    return box.size", "evidence": []}
    own |= {
        "title": "A size is read of what may be None",
        "failure": [said("open_box may return None.")],
        "class": "an-absent-value",
    }
    (checked,) = weighed(tree or APP_TREE, finding(**{**own, **changes})).checked
    return checked
