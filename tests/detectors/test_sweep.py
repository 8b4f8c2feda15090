"""All detectors over all files: one that fails is named, and nothing else is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reviewbot.core.types import (
    DefectClass,
    Grade,
    Severity,
    Side,
    Skill,
    SkillOrigin,
    Text,
    Texts,
)
from reviewbot.detectors.bind import Binding, Bindings
from reviewbot.detectors.contract import Detector, Hit
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.sweep import Sweep, sweep


def hits_first_line(file: ShellFile | PythonFile) -> Iterator[Hit]:
    yield Hit(1, 1, failure="f", cost="c", fix="x", grade=Grade.STRONG)


def parses(file: PythonFile) -> Iterator[Hit]:
    file.tree  # noqa: B018
    yield from hits_first_line(file)


def breaks(file: ShellFile) -> Iterator[Hit]:
    raise KeyError("boom")


def detector(id: str, finder: object, tongue: str = "shell", **options: object) -> Detector:
    made = {"summary": "", "words": (), "bad": (), "good": (), **options}
    return Detector(id=id, finders={tongue: finder}, **made)  # type: ignore[arg-type]


def run(*detectors: Detector, text: Text, rank: int = 1, severity: Severity | None = None) -> Sweep:
    defect = DefectClass(rank, "c", "A class", "", severity=severity)
    skill = Skill("s", "", "SKILL.md", SkillOrigin.BASE, "0", classes=(defect,))
    bindings = tuple(Binding(d, skill, defect, ()) for d in detectors)
    return sweep(Bindings(bindings, {text.path: bindings}), Texts(Side.RIGHT, {text.path: text}))


def test_a_detector_that_raises_is_named_and_the_others_go_on():
    swept = run(detector("bad", breaks), detector("good", hits_first_line), text=Text("run.sh", "step\n"))
    assert [c.detector for c in swept.candidates] == ["good"]
    assert [(i.stage, i.what, i.why) for i in swept.failures] == [
        ("detect", "bad on run.sh", "KeyError: 'boom'")
    ]


def test_a_file_that_does_not_parse_is_named_once():
    made = [detector("one", parses, "python"), detector("two", parses, "python")]
    swept = run(*made, text=Text("a.py", "x = 1\ndef (:\n"))
    assert swept.candidates == ()
    assert [(i.what, i.why) for i in swept.unparsed] == [
        ("a.py", "line 2 does not parse as python: invalid syntax")
    ]


def test_python_that_nests_too_deep_is_named_and_no_traceback():
    swept = run(detector("one", parses, "python"), text=Text("a.py", "(" * 5000 + ")" * 5000))
    assert len((*swept.unparsed, *swept.failures)) == 1
    assert swept.candidates == ()


def test_a_quote_is_the_line_of_the_text():
    swept = run(detector("one", hits_first_line), text=Text("run.sh", "  step\r\nnext\n"))
    site = swept.candidates[0].site
    assert (site.path, site.start_line, site.line, site.quote) == ("run.sh", 1, 1, "  step")


@pytest.mark.parametrize(
    ("rank", "stated", "ceiling", "severity"),
    [
        (4, None, None, Severity.WARNING),
        (5, None, None, Severity.NOTE),
        (9, Severity.BLOCKER, None, Severity.BLOCKER),
        (1, None, Severity.NOTE, Severity.NOTE),
        (1, Severity.BLOCKER, Severity.WARNING, Severity.WARNING),
        (9, None, Severity.WARNING, Severity.NOTE),
    ],
)
def test_severity_is_the_stated_word_else_the_rank_and_never_above_the_ceiling(
    rank, stated, ceiling, severity
):
    made = detector("one", hits_first_line, ceiling=ceiling)
    swept = run(made, text=Text("run.sh", "step\n"), rank=rank, severity=stated)
    assert swept.candidates[0].severity is severity


def test_on_the_hunks_of_a_patch_only_detectors_that_can_are_run():
    made = [detector("whole", hits_first_line), detector("part", hits_first_line, whole=False)]
    swept = run(*made, text=Text("run.sh", "\n\nstep\n", partial=True))
    assert [c.detector for c in swept.candidates] == ["part"]
    assert swept.looked == {("s", "c", "part"): {"run.sh"}}


def test_a_file_without_a_trigger_is_not_parsed_and_counts_as_looked_at():
    made = detector("one", parses, "python", triggers={"python": ("assert",)})
    swept = run(made, text=Text("a.py", "def (:\n"))
    assert (swept.candidates, swept.unparsed, swept.looked) == ((), (), {("s", "c", "one"): {"a.py"}})


def test_what_two_skills_claim_belongs_to_the_repository_then_to_the_dearer_class():
    one = detector("one", hits_first_line)
    built_in = Skill("b", "", "", SkillOrigin.BUILTIN, "0", classes=(DefectClass(1, "b", "b", ""),))
    own = Skill("o", "", "", SkillOrigin.BASE, "0", classes=(DefectClass(7, "o", "o", ""),))
    both = tuple(Binding(one, s, s.classes[0], ()) for s in (built_in, own))
    text = Text("run.sh", "step\n")
    swept = sweep(Bindings(both, {"run.sh": both}), Texts(Side.RIGHT, {"run.sh": text}))
    assert [c.skill for c in swept.candidates] == ["o"]
    assert swept.looked == {("b", "b", "one"): {"run.sh"}, ("o", "o", "one"): {"run.sh"}}
