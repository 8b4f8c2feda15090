"""Skills as text for people: a list of them, what was noticed in them, all that was understood of one.

The furniture is ASCII and no line of `show` or of a list is longer than the page. What was noticed is
not wrapped: `path:line:col` is for editors and grep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reviewbot.core.report import Page
from reviewbot.core.report.layout import Ink, labelled, table, wrap
from reviewbot.core.report.skills import Bound, Sheet, noticed
from reviewbot.core.report.words import count
from reviewbot.core.types import DefectClass, Diagnostic, GateSpec, ScopeRow, Skill, Skills
from reviewbot.core.visible import name, visible

MAX_PROSE = 100  # cells; longer lines are hard to read
ROWS = 3  # of a step, and of the report form; the JSON has all of them
NOBODY = "-"
_ORIGINS = {"builtin": "built in", "base": "base commit", "head": "work tree", "path": "by path"}
_COLOURS = {"error": ("bold", "red"), "warning": ("bold", "yellow"), "info": ("dim",)}


def render_check(sheets: Sequence[Sheet], page: Page) -> str:
    """The errors and warnings of each skill, and in a line what was read; behind them a sum."""
    ink = Ink(page.colour)
    rows: list[str] = []
    for sheet in sheets:
        rows += (_noticed(d, ink) for d in sheet.diagnostics if d.level != "info")
        rows.append(f"{name(sheet.path)}: {_read(sheet.skill)}: {_counts([sheet])}")
        rows += [f"  {_absent(sheet.absent)}"] if sheet.absent else []
    if len(sheets) != 1:
        rows.append(f"{count(len(sheets), 'skill')}: {_counts(sheets)}")
    return "\n".join(rows) + "\n"


def render_list(skills: Skills, files: Mapping[str, int], failed: Sequence[Diagnostic], page: Page) -> str:
    """The skills that take part first. `files` is by the path of the skill file; `failed` says what was
    not loaded."""
    width, ink = max(40, page.width), Ink(page.colour)
    offered = [*((skill, "") for skill in skills.active), *skills.listed]
    head, *body = table(
        ("skill", "from", "classes", "gates", "rules", "files"),
        [_listed(skill, files.get(skill.path)) for skill, _ in offered],
        width,
    )
    rows = [ink(row, "dim") for row in head]
    for lines, (_, reason) in zip(body, offered, strict=True):
        rows += lines
        rows += labelled("", _absent(reason), width, 2, 2) if reason else []
    rows.append("")
    rows += (_noticed(d, ink) for d in failed)
    parts = [count(len(offered), "skill"), f"{len(skills.active):,} take part in a review"]
    parts += [f"{count(len(failed), 'error')}: what they name is not loaded"] if failed else []
    return "\n".join([*rows, "; ".join(parts)]) + "\n"


def render_show(sheet: Sheet, page: Page) -> str:
    """All that was understood of one skill."""
    return "\n".join(_Page(page).lines(sheet)) + "\n"


def _listed(skill: Skill, files: int | None) -> tuple[str, ...]:
    numbers = (len(skill.classes), len(skill.gates), len(skill.rules))
    claimed = "-" if files is None else f"{files:,}"
    return (visible(skill.name), _from(skill), *(f"{number:,}" for number in numbers), claimed)


def _from(skill: Skill) -> str:
    if skill.path.startswith("builtin:"):
        return _ORIGINS["builtin"]
    folder = skill.path.rpartition("/")[0] or skill.path
    return name(folder.removesuffix(f"/{skill.name}"))  # most folders have the name of their skill


def _absent(reason: str) -> str:
    return f"takes no part: {visible(reason)}"


def _noticed(found: Diagnostic, ink: Ink) -> str:
    place = f"{name(found.path)}:{found.line}:{found.col} {found.code}"
    return f"{place} {ink(found.level, *_COLOURS[found.level])} {name(found.message)}"


def _read(skill: Skill | None) -> str:
    """`12 classes (1 suppress), 6 scope rows, 6 procedure steps, 4 gates, 0 rules`."""
    if skill is None:
        return "not loaded"
    suppress = sum(c.kind == "suppress" for c in skill.classes)
    classes = count(len(skill.classes), "class", "classes") + (f" ({suppress} suppress)" if suppress else "")
    rows, steps = count(len(skill.scope), "scope row"), count(len(skill.steps), "procedure step")
    return ", ".join([classes, rows, steps, count(len(skill.gates), "gate"), count(len(skill.rules), "rule")])


def _counts(sheets: Sequence[Sheet]) -> str:
    return ", ".join(count(noticed(sheets, level), level) for level in ("error", "warning"))


class _Page:
    def __init__(self, page: Page) -> None:
        self.width = max(40, page.width)
        self.prose = min(self.width, MAX_PROSE)
        self.ink = Ink(page.colour)

    def lines(self, sheet: Sheet) -> Iterator[str]:
        if skill := sheet.skill:
            yield from (self.ink(row, "bold") for row in wrap(visible(skill.name), self.width))
            where = f"{name(skill.path)} ({_ORIGINS[skill.origin.value]}, {skill.hash})"
            yield from wrap(where, self.width)
            yield from wrap(_absent(sheet.absent), self.width) if sheet.absent else ()
            yield ""
            yield from (f"  {row}" for row in wrap(visible(skill.description), self.prose - 2))
            yield from self.scope(skill)
            yield from self.classes(skill, sheet.bound)
            yield from self.gates(skill.gates)
            yield from self.prose_part("Procedure", skill.steps)
            yield from self.prose_part("Report", [skill.report] if skill.report else [])
        if sheet.diagnostics:
            yield from self.heading("Noticed")
            for d in sheet.diagnostics:
                yield from self.noticed(d, sheet.path)
        yield ""
        yield from wrap(f"{_read(sheet.skill)}: {_counts([sheet])}", self.width)

    def noticed(self, found: Diagnostic, own: str) -> Iterator[str]:
        """What was noticed; the path only of a file that is not the skill file."""
        place = f"{found.line}:{found.col}" if found.path == own else f"{found.path}:{found.line}:{found.col}"
        text = f"{found.code} {found.level}: {found.message}"
        first, *rest = labelled("", name(f"{place} {text}"), self.prose, 2, 4)
        yield first[2:].replace(found.level, self.ink(found.level, *_COLOURS[found.level]), 1)
        yield from rest

    def heading(self, text: str) -> Iterator[str]:
        yield ""
        yield self.ink(text, "bold")

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
        shown = [tuple(visible(" ".join(cell.split())) for cell in row) for row in rows]
        first, *body = table(head, shown, self.width - 2)
        yield from (f"  {self.ink(row, 'dim')}" for row in first)
        yield from (f"  {row}" for lines in body for row in lines)

    def scope(self, skill: Skill) -> Iterator[str]:
        yield from self.heading("Files in scope")
        if skill.scope:
            rows = ((r.stage, _pattern(r), r.owns) for r in skill.scope)
            yield from self.table(("stage", "pattern", "owns"), rows)
        else:
            yield "  every changed text file"

    def classes(self, skill: Skill, bound: Mapping[str, Sequence[Bound]]) -> Iterator[str]:
        if not skill.classes:
            return
        yield from self.heading("Defect classes, dearest first")
        rules = {c.slug: [r.id for r in skill.rules if r.slug == c.slug] for c in skill.classes}
        rows = [_class(c, bound.get(c.slug, ()), rules[c.slug]) for c in skill.classes]
        yield from self.table(("#", "class", "severity", "looked for by"), rows)
        if any(row[-1] == NOBODY for row in rows):
            yield from labelled(
                f"{NOBODY}:", "no detector and no rule; only a model can look for it", self.prose, 2, 5
            )
        summaries = {b.id: b.summary for own in bound.values() for b in own}
        if summaries:
            yield from self.heading("Its detectors")
            yield from self.table(("detector", "what it finds"), summaries.items())

    def gates(self, gates: Sequence[GateSpec]) -> Iterator[str]:
        if gates:
            yield from self.heading("Gates")
            rows = ((g.line, g.kind + (f": {g.reason}" if g.reason else "")) for g in gates)
            yield from self.table(("command", "kind"), rows)

    def prose_part(self, title: str, texts: Sequence[str]) -> Iterator[str]:
        if not texts:
            return
        yield from self.heading(title)
        for number, text in enumerate(texts, 1):
            mark = f"{number}." if len(texts) > 1 else ""
            column = 2 + len(f"{mark} ") if mark else 2
            rows = labelled(mark, visible(text), self.prose, 2, column)
            yield from rows[:ROWS]
            if len(rows) > ROWS:
                yield f"{' ' * column}({count(len(rows) - ROWS, 'more row')})"


def _class(defect: DefectClass, bound: Sequence[Bound], rules: Sequence[str]) -> tuple[str, ...]:
    if defect.kind == "suppress":
        return str(defect.rank), defect.title, "", "never reported"
    readers = [f"{b.id}: {', '.join(b.because)}" for b in bound]
    readers += [f"rule {id}" for id in rules]
    return str(defect.rank), defect.title, defect.weight.value, "; ".join(readers) or NOBODY


def _pattern(row: ScopeRow) -> str:
    """The glob, and what its author wrote for it where that is something else."""
    return row.pattern + (f" (written {row.written})" if row.written not in ("", row.pattern) else "")
