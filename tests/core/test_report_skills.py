"""What was understood of a skill, as JSON under its schema and as a page of text."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from reviewbot.core.report import Page
from reviewbot.core.report.layout import cells
from reviewbot.core.report.skillpage import render_check, render_list, render_show
from reviewbot.core.report.skills import Bound, Sheet, document, noticed, render, render_all
from reviewbot.core.types import (
    DefectClass,
    Diagnostic,
    GateSpec,
    Grade,
    Rule,
    ScopeRow,
    Severity,
    Skill,
    SkillOrigin,
    Skills,
)
from tests import builders
from tests.strategies import few

SCHEMA: dict[str, Any] = json.loads(
    files("reviewbot.core.report").joinpath("skill.schema.json").read_text(encoding="utf-8")
)
TEXTS = st.text(alphabet=st.sampled_from("aé漢\x1b\n\t|`\u202e\udcff -"), max_size=60)
RULE = Rule("a-rule", "bash", "a-class", Grade.HINT, "m", "c", "f", "{}", ("x",), ("y",))


def skills() -> st.SearchStrategy[Skill]:
    """Skills whose texts are a stranger's."""
    kinds = st.sampled_from(["defect", "suppress"])
    gate_kinds = st.sampled_from(["parse-only", "executing", "refused"])
    classes = st.builds(
        DefectClass,
        rank=st.integers(1, 200),
        slug=st.just("a-class"),
        title=TEXTS,
        body=TEXTS,
        fix=TEXTS,
        kind=kinds,
        severity=st.none() | st.sampled_from(Severity),
        line=st.just(1),
    )
    return st.builds(
        Skill,
        name=TEXTS,
        description=TEXTS,
        path=TEXTS,
        origin=st.sampled_from(SkillOrigin),
        hash=st.just("0123456789ab"),
        scope=st.lists(st.builds(ScopeRow, TEXTS, TEXTS, TEXTS, written=TEXTS), max_size=3).map(tuple),
        classes=st.lists(classes, max_size=3).map(tuple),
        steps=st.lists(TEXTS, max_size=3).map(tuple),
        gates=st.lists(st.builds(GateSpec, TEXTS, st.just(("a", "b")), gate_kinds, TEXTS), max_size=3).map(
            tuple
        ),
        rules=st.sampled_from([(), (RULE,)]),
        pins=st.just(()),
        report=TEXTS,
        guidance=st.just(""),
        diagnostics=st.just(()),
    )


DIAGNOSTICS = st.builds(
    Diagnostic,
    path=TEXTS,
    line=st.integers(1, 9),
    col=st.integers(1, 9),
    code=st.sampled_from(["S001", "R006"]),
    level=st.sampled_from(["error", "warning", "info"]),
    message=TEXTS,
)
SHEETS = st.builds(
    Sheet,
    path=TEXTS,
    origin=st.sampled_from(SkillOrigin),
    skill=st.none() | skills(),
    bound=st.sampled_from([{}, {"a-class": (Bound("a-detector", ("its words",), "what it finds"),)}]),
    diagnostics=st.lists(DIAGNOSTICS, max_size=3).map(tuple),
)


@few
@given(SHEETS)
def test_every_sheet_is_valid_json_under_the_schema(sheet: Sheet) -> None:
    text = render(sheet)
    assert text.isascii()
    Draft202012Validator(SCHEMA).validate(json.loads(text))


@few
@given(st.lists(SHEETS, max_size=3))
def test_a_check_counts_what_its_skills_hold(sheets: list[Sheet]) -> None:
    report = json.loads(render_all(sheets))
    levels = [d["level"] for skill in report["skills"] for d in skill["diagnostics"]]
    assert (report["errors"], report["warnings"]) == (levels.count("error"), levels.count("warning"))
    lines = render_check(sheets, Page()).rstrip("\n").split("\n")
    shown = [line for line in lines if " S001 " in line or " R006 " in line]
    assert len(shown) == noticed(sheets, "error") + noticed(sheets, "warning")


@few
@given(SHEETS, st.integers(40, 120))
def test_a_page_is_as_wide_as_it_may_be_and_no_control_character_is_left(sheet: Sheet, width: int) -> None:
    page = render_show(sheet, Page(width))
    assert max(map(cells, page.split("\n"))) <= width
    assert not {"\x1b", "\u202e", "\udcff"} & set(page)


def test_the_schema_is_a_schema_and_its_fields_stand_in_the_order_of_the_contract() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    skill = builders.skill(scope=(ScopeRow("a", "b", "c"),), gates=(GateSpec("a", ("a",), "parse-only"),))
    found = Diagnostic("a", 1, 1, "S001", "error", "x")
    sheet = Sheet("a", SkillOrigin.PATH, skill, {"a-class": (Bound("d", ("w",), ""),)}, (found,))
    report = document(sheet)
    assert list(report) == SCHEMA["required"] == list(SCHEMA["properties"])
    for name in ("scope", "classes", "gates", "diagnostics"):
        items = SCHEMA["properties"][name]["items"]
        assert list(report[name][0]) == items["required"] == list(items["properties"])
    detectors = SCHEMA["properties"]["classes"]["items"]["properties"]["detectors"]["items"]
    assert list(report["classes"][0]["detectors"][0]) == detectors["required"]


def test_the_schema_describes_every_field_and_knows_the_words_of_the_vocabulary() -> None:
    def fields(node: Any) -> list[tuple[str, Any]]:
        own = list(node.get("properties", {}).items())
        inner = [child for child in node.values() if isinstance(child, dict)]
        return own + [field for child in inner for field in fields(child)]

    assert [name for name, field in fields(SCHEMA) if "description" not in field and name != "kind"] == []
    assert SCHEMA["properties"]["origin"]["enum"] == [o.value for o in SkillOrigin]


def test_a_list_has_a_row_for_each_skill_and_the_reason_below() -> None:
    ours = builders.skill(name="ours", path=".reviewbot/skills/ours/SKILL.md", origin=SkillOrigin.HEAD)
    built_in = builders.skill(name="x", path="builtin:x")
    found = Diagnostic("skills/y/SKILL.md", 3, 1, "S004", "error", "`name` is missing")
    page = render_list(
        Skills((ours,), ((built_in, "disabled in the configuration"),)), {ours.path: 1_234}, (found,), Page()
    )
    assert page == (
        "skill  from               classes  gates  rules  files\n"
        "ours   .reviewbot/skills  1        0      0      1,234\n"
        "x      built in           1        0      0      -\n"
        "  takes no part: disabled in the configuration\n"
        "\n"
        "skills/y/SKILL.md:3:1 S004 error `name` is missing\n"
        "2 skills; 1 take part in a review; 1 error: what they name is not loaded\n"
    )


def test_colours_only_where_the_page_has_them() -> None:
    sheet = Sheet("a", SkillOrigin.PATH, None, {}, (Diagnostic("a", 1, 1, "S001", "error", "x"),))
    assert "\x1b" not in render_check([sheet], Page())
    assert "\x1b[1;31merror\x1b[0m" in render_check([sheet], Page(colour=True))
