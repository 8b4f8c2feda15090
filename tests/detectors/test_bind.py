"""Which detector speaks for which class: by the words of the class, deterministically."""

from __future__ import annotations

from reviewbot.core.types import DefectClass, Skill, SkillOrigin
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Detector, Word


def detector(*words: Word, id: str = "d") -> Detector:
    return Detector(id=id, summary="", finders={}, words=words, bad=(), good=())


def skill(*classes: DefectClass) -> Skill:
    return Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=classes)


def test_a_class_is_bound_by_its_title_and_the_words_are_shown():
    loop = DefectClass(1, "loop", "A loop that cannot finish", "")
    (binding,) = bind(skill(loop), [detector(Word(r"loop\s+that cannot \w+", 2))])
    assert (binding.defect, binding.because) == (loop, ("loop that cannot finish",))


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
