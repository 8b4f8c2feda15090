"""What holds for every skill file, whatever is in it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import Skill, SkillOrigin
from tests.skill_forms import FORMS
from tests.skillfiles import TWIN, load

WHOLE = [*(form.text for form in FORMS.values()), TWIN.read_text("utf-8")]
PIECES = [line for text in WHOLE for line in text.split("\n")]


@st.composite
def skill_files(draw: st.DrawFn) -> str:
    """A skill file in one of the forms, with lines of others in it, and some of its own lost."""
    lines = draw(st.sampled_from(WHOLE)).split("\n")
    for at in draw(st.lists(st.integers(3, 90), max_size=6)):
        if draw(st.booleans()):
            lines[at:at] = [draw(st.sampled_from(PIECES))]
        else:
            del lines[at : at + 1]
    return "\n".join(lines)


def understood(skill: Skill | None) -> tuple[object, ...] | None:
    if skill is None:
        return None
    return (
        *(skill.name, skill.description, skill.scope, skill.classes),
        *(skill.steps, skill.gates, skill.report),
    )


@given(skill_files(), st.sampled_from([*SkillOrigin]))
def test_every_file_loads_or_says_why_not(text: str, origin: SkillOrigin):
    skill, diagnostics = load(text, origin=origin)
    assert (skill is None) == any(d.level == "error" for d in diagnostics)
    lines = text.count("\n") + 1
    assert all(1 <= d.line <= lines and d.col >= 1 for d in diagnostics)
    if skill:
        assert [c.rank for c in skill.classes] == list(range(1, len(skill.classes) + 1))
        assert len({c.slug for c in skill.classes}) == len(skill.classes)


@given(skill_files())
def test_a_line_number_is_the_one_at_which_the_words_stand(text: str):
    skill, _ = load(text)
    lines = ["", *text.split("\n")]
    for c in skill.classes if skill else ():
        first_word = c.title.split()[:1]
        assert all(word.rstrip(".:") in lines[c.line].replace("*", "") for word in first_word)
    for gate in skill.gates if skill else ():
        assert gate.line.split()[0] in lines[gate.at]
    for row in skill.scope if skill else ():
        assert row.written in lines[row.line]


@given(skill_files())
def test_line_ends_and_spaces_nobody_sees_change_nothing(text: str):
    plain, _ = load(text)
    crlf, _ = load(text.replace("\n", "\r\n"))
    marked, _ = load("\ufeff" + text)
    spaced, _ = load(re.sub(r"$", "  ", text, flags=re.MULTILINE))
    assert understood(crlf) == understood(plain)
    assert understood(marked) == understood(plain)
    assert understood(spaced) == understood(plain)


@given(skill_files())
def test_nothing_that_a_file_says_is_lost(text: str):
    """Each word of a list is in a class, a step, the report or the guidance, if the file loads."""
    skill, _ = load(text)
    if skill is None:
        return
    parts = [skill.report, skill.guidance, *skill.steps, *(g.line for g in skill.gates)]
    parts += [f"{c.title} {c.body} {c.fix}" for c in skill.classes]
    parts += [f"{row.stage} {row.written} {row.owns}" for row in skill.scope]
    kept = set(re.findall(r"[a-z]{4,}", " ".join(parts).lower()))
    listed = [line for line in text.split("\n") if re.match(r"\s*(?:[-*]|\d+[.)]) ", line)]
    front = text.find("\n---\n", 3)
    body = [line for line in listed if text.find(line) > front]
    said = set(re.findall(r"[a-z]{4,}", " ".join(body).lower()))
    assert said - kept - SEVERITY_WORDS == set()


SEVERITY_WORDS = {"severity", "critical", "high", "medium", "minor", "must", "nit", "blocker"}
