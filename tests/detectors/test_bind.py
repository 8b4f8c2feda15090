"""Which detector speaks for which class: by the words of the class, deterministically."""

from __future__ import annotations

import pytest

from reviewbot.core.types import DefectClass, Pin, Skill, SkillOrigin
from reviewbot.detectors.bind import bind, unknown_pins
from reviewbot.detectors.contract import Detector, Word


def detector(*words: Word, id: str = "d") -> Detector:
    return Detector(id=id, summary="", finders={}, words=words, bad=(), good=())


def skill(*classes: DefectClass) -> Skill:
    return Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=classes)


def test_a_class_is_bound_by_its_title_and_the_words_are_shown():
    loop = DefectClass(1, "loop", "A loop that cannot finish", "")
    (binding,) = bind(skill(loop), [detector(Word(r"loop\s+that cannot \w+", 2))])
    assert (binding.defect, binding.because) == (loop, ('"loop that cannot finish" in the title',))


def test_a_word_in_the_title_counts_double_and_in_the_body_once():
    body = DefectClass(1, "x", "x", "an unbounded wait")
    assert bind(skill(body), [detector(Word("unbounded wait", 2))]) == ()
    assert bind(skill(body), [detector(Word("unbounded wait", 3))])
    title = DefectClass(1, "x", "An unbounded wait", "")
    assert bind(skill(title), [detector(Word("unbounded wait", 2))])


def test_a_stray_word_binds_nothing():
    stray = DefectClass(1, "artifact", "Zero exit with no artifact", "assert that the file exists")
    assert bind(skill(stray), [detector(Word("assert"), Word("python -O", 2))]) == ()


def test_the_best_class_wins_and_a_tie_goes_to_the_dearer():
    classes = [DefectClass(n, f"c{n}", "wait for ever", "") for n in (3, 2)]
    assert bind(skill(*classes), [detector(Word("for ever", 2))])[0].defect.rank == 2
    better = DefectClass(4, "c4", "wait for ever", "poll")
    assert bind(skill(*classes, better), [detector(Word("for ever", 2), Word("poll"))])[0].defect.rank == 4


def test_a_suppress_class_is_never_bound():
    honest = DefectClass(1, "fp", "wait for ever", "", kind="suppress")
    assert bind(skill(honest), [detector(Word("for ever", 5))]) == ()


@pytest.mark.parametrize(
    ("title", "body", "pattern", "because"),
    [
        ("Argument holes", "", "argument hole", '"Argument holes" in the title'),
        ("x", "Under `set -u` it dies.", r"set -u", "`set -u` in the text"),
        ("x", "no `set -e` in\nforce", r"no\W+set -e", '"no `set -e`" in the text'),
        ("x", "`a --rm b` removes", r"rm b\W+remov", '"`a --rm b` removes" in the text'),
        ("x", "two\n  lines", r"two\s+lines", '"two lines" in the text'),
        ("x", "an `open span", r"an\W+open", '"an `open" in the text'),
    ],
)
def test_a_reason_quotes_whole_words_and_whole_code_spans(title: str, body: str, pattern: str, because: str):
    (binding,) = bind(skill(DefectClass(1, "x", title, body)), [detector(Word(pattern, 3))])
    assert binding.because == (because,)


# --- pins ----------------------------------------------------------------------------------

CLASSES = (DefectClass(1, "a", "wait for ever", ""), DefectClass(2, "b", "b", ""))


def bound(*pins: Pin) -> list[tuple[str, str, tuple[str, ...]]]:
    made = [detector(Word("for ever", 2), id="wait"), detector(Word("nothing", 2), id="other")]
    rows = bind(skill(*CLASSES)._replace(pins=pins), made)
    return [(b.detector.id, b.defect.slug, b.because) for b in rows]


def test_a_pin_wins_over_the_words_and_is_the_reason():
    assert bound(Pin("wait", "b", 5)) == [("wait", "b", ("pinned in line 5",))]


def test_a_pin_binds_where_no_word_does():
    assert [row[:2] for row in bound(Pin("other", "b", 5))] == [("wait", "a"), ("other", "b")]


def test_a_detector_that_is_switched_off_is_not_bound():
    assert bound(Pin("wait", "", 5)) == []
    assert bound(Pin("all", "", 5), Pin("other", "a", 5)) == [("other", "a", ("pinned in line 5",))]


def test_a_pin_of_no_detector_is_an_error_with_the_nearest():
    pins = (Pin("blind-lop", "a", 5), Pin("all", "", 5), Pin("late", "", 6))
    first, second = unknown_pins(skill(*CLASSES)._replace(pins=pins))
    assert str(first) == "SKILL.md:5:1 S013 no detector is called `blind-lop`; did you mean blind-loop?"
    assert (first.level, second.line) == ("error", 6)
    assert unknown_pins(skill()._replace(pins=(Pin("blind-loop", "a", 5),))) == ()
