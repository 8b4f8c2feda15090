"""A case of a skill's own tests: `cases/<case>/expect.toml` → Case.

Beside the file lie `base/` and `head/`, two small trees; without a `base/` every file is added.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from reviewbot.core.errors import ConfigError, nearest
from reviewbot.core.gates.commands import TOOLS
from reviewbot.core.skill.parts.classes import slug
from reviewbot.core.tomlfile import Table, line_of, parse_toml
from reviewbot.core.types import DefectClass, Skill

GATES = frozenset(f"gate-{tool.name}" for tool in TOOLS)


class Expected(NamedTuple):
    """A finding that a case must bring."""

    slug: str  # of a class of the skill, or "gate-shellcheck" and its like
    path: str
    line: int | None  # where it starts; None: anywhere in the file
    at: int  # line in expect.toml


class Case(NamedTuple):
    name: str  # of its folder
    path: str  # of expect.toml, for people
    skill: Skill
    classes: tuple[DefectClass, ...]  # what the case is about
    needs_model: bool  # nothing mechanical can know what is expected
    expected: tuple[Expected, ...]  # none: a clean case

    @property
    def gates(self) -> frozenset[str]:
        """The gates whose findings count: those that are expected; all of them, where a class says what is
        never reported."""
        if any(c.kind == "suppress" for c in self.classes):
            return GATES
        return GATES & {e.slug for e in self.expected}


def _written(value: Any) -> Any:
    """A class is named by its slug or its title, or by its number."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_Name = Annotated[str, BeforeValidator(_written)]


class _Finding(Table):
    path: str
    line: Annotated[int, Field(gt=0)] | None = None
    class_: _Name | None = Field(None, alias="class")


class _Expect(Table):
    class_: _Name | None = Field(None, alias="class")
    classes: list[_Name] = Field(default_factory=list)
    needs: Literal["model"] | None = None
    finding: list[_Finding] = Field(default_factory=list)


def read_case(name: str, data: bytes, path: str, skill: Skill, head: Collection[str]) -> Case:
    """`data` is the text of expect.toml, `head` the paths of the files in `head/`.

    Raises ConfigError with `path:line` and the remedy.
    """
    expect = parse_toml(_Expect, data, path)
    text = data.decode()
    if (expect.class_ is None) is not bool(expect.classes):
        remedy = 'write class = "…" with its slug or number, or classes = ["…", "…"]'
        raise ConfigError(f"{path}:1: a case is about one class or about several", remedy)
    at = f"{path}:{line_of(text, ['classes' if expect.classes else 'class'])}"
    classes = tuple(_class(c, skill, at) for c in expect.classes or [expect.class_ or ""])
    found = []
    for number, row in enumerate(expect.finding):
        line = line_of(text, ["finding", number])
        expected = _slug(row.class_, classes, skill, f"{path}:{line}")
        if row.path not in head:
            raise ConfigError(f"{path}:{line}: head/ has no file {row.path!r}", nearest(row.path, head))
        found.append(Expected(expected, row.path, row.line, line))
    return Case(name, path, skill, classes, expect.needs == "model", tuple(found))


def _slug(written: str | None, classes: Sequence[DefectClass], skill: Skill, place: str) -> str:
    if written in GATES:
        return written or ""
    if written is None and len(classes) > 1:
        raise ConfigError(f"{place}: this case is about several classes", 'add class = "…" to the finding')
    defect = classes[0] if written is None else _class(written, skill, place)
    if defect.kind == "suppress":
        message = f"{place}: {defect.slug} says what is never reported, so nothing of it can be expected"
        raise ConfigError(message, "leave the finding out: the case is then a clean one")
    return defect.slug


def _class(written: str, skill: Skill, place: str) -> DefectClass:
    for defect in skill.classes:
        if str(defect.rank) == written or defect.slug == slug(written):
            return defect
    known = [*(c.slug for c in skill.classes), *GATES]
    remedy = f"{nearest(written, known)} (left over from another skill? remove the case)"
    raise ConfigError(f"{place}: {skill.name} has no class {written!r}", remedy)
