"""Detectors that a skill's front matter fixes or switches off."""

from __future__ import annotations

import pytest

from reviewbot.core.types import Pin
from tests.skillfiles import load

FRONT = "---\nname: some-review\ndescription: Review something.\nmetadata:\n  owner: me\n  {}\n---\n"
BODY = """
## Defect classes

1. **A loop without end.** It waits. Fix: stop.
2. **Argument holes.** They hang. Fix: ask.
3. **Noise.** Do not report it.
"""


def pinned(entry: str) -> tuple[Pin, ...]:
    skill, diagnostics = load(FRONT.format(entry) + BODY)
    assert skill is not None, diagnostics
    return skill.pins


def faults(value: str) -> list[str]:
    skill, diagnostics = load(FRONT.format(f'reviewbot-detectors: "{value}"') + BODY)
    errors = [d for d in diagnostics if d.level == "error"]
    assert (skill is None) == bool(errors)
    return [str(d) for d in errors]


def test_a_detector_is_pinned_to_a_class_by_number_or_slug_or_switched_off():
    value = '"blind-loop=1, argument-hole = argument-holes,late-gate=off, all=off,"'
    assert pinned(f"reviewbot-detectors: {value}") == (
        Pin("blind-loop", "a-loop-without-end", 6),
        Pin("argument-hole", "argument-holes", 6),
        Pin("late-gate", "", 6),
        Pin("all", "", 6),
    )


def test_pins_in_any_spelling_of_yaml():
    text = FRONT.format("reviewbot-detectors: >-\n    blind-loop=1,\n    late-gate=off") + BODY
    skill, _ = load(text)
    assert skill is not None
    assert [(pin.detector, pin.line) for pin in skill.pins] == [("blind-loop", 6), ("late-gate", 6)]
    flow = '---\nname: some-review\ndescription: d\nmetadata: {"reviewbot-detectors": "a=1"}\n---\n' + BODY
    skill, _ = load(flow)
    assert skill is not None
    assert skill.pins == (Pin("a", "a-loop-without-end", 4),)


def test_a_skill_without_pins_has_none():
    assert pinned("version: 2") == ()
    skill, _ = load("---\nname: some-review\ndescription: d\nmetadata: plain\n---\n" + BODY)
    assert skill is not None
    assert skill.pins == ()


@pytest.mark.parametrize(
    "key", ["reviewbot-detectors", "reviewbot_detectors", "ReviewBot.detector", "detectors"]
)
def test_pins_in_another_place_or_under_another_name_are_named(key: str):
    front = f'---\nname: some-review\ndescription: d\n{key}: "blind-loop=1"\n---\n'
    skill, noticed = load(front + BODY)
    assert skill is not None
    assert skill.pins == ()
    assert [str(d) for d in noticed if d.level == "warning"] == [
        f"skills/some-review/SKILL.md:4:1 S013 `{key}` belongs below `metadata:`, as `reviewbot-detectors`; "
        "it is not read here"
    ]
    if key != "reviewbot-detectors":
        skill, noticed = load(FRONT.format(f'{key}: "blind-loop=1"') + BODY)
        assert skill is not None
        assert skill.pins == ()
        assert [str(d) for d in noticed if d.level == "warning"] == [
            f"skills/some-review/SKILL.md:6:1 S013 `{key}` is not read; detectors are pinned by "
            "`reviewbot-detectors`"
        ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("blind-loop", "`blind-loop` is neither `detector=class` nor `detector=off`"),
        ("blind-loop=", "`blind-loop=` is neither `detector=class` nor `detector=off`"),
        ("Blind Loop=1", "`Blind Loop=1` is neither `detector=class` nor `detector=off`"),
        ("x=argument-hole", "`x=argument-hole`: no such class; did you mean argument-holes?"),
        ("x=9", "`x=9`: no such class; known here: a-loop-without-end, argument-holes, noise"),
        ("x=3", "`x=3`: class 3 says what is never reported"),
        ("x=noise", "`x=noise`: class 3 says what is never reported"),
        ("x=1, x=off", "`x` is given twice"),
        ("all=1", "`all=1`: all detectors cannot speak for one class; `all=off` is all there is"),
    ],
)
def test_a_pin_that_pins_nothing_is_an_error(value: str, message: str):
    assert faults(value) == [f"skills/some-review/SKILL.md:6:1 S013 {message}"]


def test_a_long_list_costs_nothing_and_is_not_printed_entry_by_entry():
    assert len(faults(", ".join(f"x{n}" for n in range(2000)))) == 21
