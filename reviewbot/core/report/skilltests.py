"""The tests of skills as text, and as JSON, schema `reviewbot.skilltest/1`.

skilltest.schema.json beside this file describes it: a public contract, word by word.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from reviewbot.core.report.layout import table
from reviewbot.core.report.words import count
from reviewbot.core.skill.outcome import Failure, Row, SkillTests
from reviewbot.core.visible import visible

SCHEMA = "reviewbot.skilltest/1"
_HEAD = ("#", "class", "cases", "clean", "found", "missed", "false alarms", "model")


def render_text(tests: SkillTests, width: int) -> str:
    """A table for each skill, each failure, and a line that sums up. `width` is in cells."""
    return "\n".join(_lines(tests, width)) + "\n"


def render_json(tests: SkillTests) -> str:
    document = {
        "schema": SCHEMA,
        "verdict": tests.verdict,
        "cases": len(tests.outcomes),
        "classes": [_class(row) for row in tests.rows()],
        "failures": [_failure(f) for f in tests.failures()],
    }
    return json.dumps(document, indent=2) + "\n"


def _class(row: Row) -> dict[str, Any]:
    return {
        "skill": row.skill.name,
        "class": row.defect.slug,
        "rank": row.defect.rank,
        "kind": row.defect.kind,
        "positive": row.positive,
        "clean": row.clean,
        "found": row.found,
        "missed": row.missed,
        "false_alarms": row.false_alarms,
        "for_model": row.for_model,
    }


def _failure(failure: Failure) -> dict[str, str]:
    return {
        "skill": failure.skill,
        "case": failure.case,
        "class": failure.slug,
        "kind": failure.kind,
        "place": failure.place,
        "what": failure.what,
        "source": failure.source,
    }


def _lines(tests: SkillTests, width: int) -> Iterator[str]:
    rows = list(tests.rows())
    for skill in tests.skills:
        yield visible(f"{skill.name}  ({skill.path})")
        cells = [_cells(row) for row in rows if row.skill == skill]
        for lines in table(_HEAD, cells, width - 2):
            yield from (f"  {line}" for line in lines)
        yield ""
    for failure in tests.failures():
        yield visible(f"{_where(failure)}: {failure.kind}: {failure.what}")
    yield _sum(tests, rows)


def _cells(row: Row) -> tuple[str, ...]:
    cases = row.positive + row.clean
    numbers = (row.clean, row.found, row.missed, row.false_alarms, row.for_model)
    return (
        str(row.defect.rank),
        visible(row.defect.title),
        str(cases or "none"),
        *(str(number or "-") for number in numbers),
    )


def _where(failure: Failure) -> str:
    return failure.source or f"{failure.skill}: {failure.slug}"


def _sum(tests: SkillTests, rows: list[Row]) -> str:
    failed = sum(bool(o.missed or o.false_alarms or o.incomplete) for o in tests.outcomes)
    short = sum(f.kind == "too-few-cases" for f in tests.failures())
    waiting = sum(row.for_model for row in rows)
    empty = sum(not row.positive + row.clean for row in rows)
    parts = [f"{count(len(tests.outcomes), 'case')} of {count(len(tests.skills), 'skill')}"]
    parts += [f"{failed:,} failed"] if failed else []
    parts += [f"{count(short, 'class', 'classes')} with too few cases"] if short else []
    parts += [f"{count(waiting, 'finding')} only for a model"] if waiting else []
    parts += [f"{count(empty, 'class', 'classes')} without a case"] if empty else []
    return f"{tests.verdict}: {', '.join(parts)}"
