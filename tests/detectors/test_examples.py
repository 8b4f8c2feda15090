"""Every detector proves itself on its own examples, and every edit that it offers."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from reviewbot.core.language import language
from reviewbot.core.rehearse import splice
from reviewbot.core.skill import load_skill
from reviewbot.core.types import Candidate, DefectClass, Side, Skill, SkillOrigin, Text, Texts
from reviewbot.core.verify import check
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.bind import Binding, Bindings, bind
from reviewbot.detectors.contract import Detector, Example
from reviewbot.detectors.sweep import sweep

EXAMPLES = [
    pytest.param(detector, example, id=f"{detector.id}-{kind}-{number}")
    for detector in DETECTORS.values()
    for kind, examples in (("bad", detector.bad), ("good", detector.good))
    for number, example in enumerate(examples)
]


def candidates(detector: Detector, text: Text) -> Sequence[Candidate]:
    skill = Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", "c", ""),))
    bound = (Binding(detector, skill, skill.classes[0], ()),)
    swept = sweep(Bindings(bound, {text.path: bound}), Texts(Side.RIGHT, {text.path: text}))
    assert (swept.failures, swept.unparsed) == ((), ())
    return swept.candidates


def parse(text: Text) -> None:
    if language(text.path, text.lines[0]) == "python":
        ast.parse(text.content)
    else:
        subprocess.run(["bash", "-n"], input=text.content.encode(), check=True, capture_output=True)


@pytest.mark.parametrize(("detector", "example"), EXAMPLES)
def test_an_example_hits_where_it_says_and_its_edits_and_claims_hold(detector: Detector, example: Example):
    text = Text(example.path, example.code)
    parse(text)
    found = candidates(detector, text)
    assert tuple(c.site.start_line for c in found) == example.lines, example.why

    checked, rejected = check(found, Texts(Side.RIGHT, {text.path: text}))
    assert rejected == []
    assert all(receipt.ok for c in checked for receipt in c.receipts)

    for candidate in found:
        assert candidate.failure
        assert candidate.cost
        assert candidate.fix
        if candidate.edit:
            mended = splice(text, candidate.edit)
            parse(mended)
            assert len(candidates(detector, mended)) == len(found) - 1


@pytest.mark.parametrize("detector", DETECTORS.values(), ids=DETECTORS)
def test_a_detector_is_shown_by_enough_examples_of_both_kinds(detector: Detector):
    assert len(detector.bad) >= 3
    assert len(detector.good) >= 6
    assert all(example.lines for example in detector.bad)
    assert not any(example.lines for example in detector.good)
    assert all(example.why for example in (*detector.bad, *detector.good))


@pytest.mark.parametrize("detector", DETECTORS.values(), ids=DETECTORS)
def test_every_bad_example_holds_a_trigger(detector: Detector):
    for example in detector.bad:
        triggers = detector.triggers[language(example.path, example.code.split("\n")[0])]
        assert any(trigger in example.code for trigger in triggers)


def test_every_detector_is_in_the_dict_under_its_own_id():
    assert [detector.id for detector in DETECTORS.values()] == list(DETECTORS)


def test_the_dict_is_in_cost_order():
    """Of the classes of one skill the dearer stands first."""
    skills = Path(__file__).parents[2] / "skills"
    data = (skills / "quant-pipeline-adversarial-review" / "SKILL.md").read_bytes()
    skill, _ = load_skill("skills/q/SKILL.md", data, SkillOrigin.BUILTIN)
    assert skill is not None
    ranks = {b.detector.id: b.defect.rank for b in bind(skill, DETECTORS.values())}
    own = [ranks[id] for id in DETECTORS if id in ranks and ranks[id] != 6]  # 6 has three detectors
    assert own == sorted(own)
