"""Which of the skills that were found take part."""

from __future__ import annotations

from reviewbot.core.skill import choose
from reviewbot.core.types import DefectClass, Skill, SkillOrigin

CLASSES = (DefectClass(1, "a", "A", ""),)


def found(
    name: str, folder: str = ".claude/skills", description: str = "Review it.", **fields: object
) -> Skill:
    values = {"classes": CLASSES, **fields}
    return Skill(name, description, f"{folder}/{name}/SKILL.md", SkillOrigin.BASE, "0", **values)  # type: ignore[arg-type]


def builtin(name: str) -> Skill:
    return Skill(name, "Review.", f"builtin:{name}", SkillOrigin.BUILTIN, "1", classes=CLASSES)


def test_a_skill_that_reviews_takes_part_before_the_built_in_ones():
    own, other = found("own"), builtin("other")
    assert choose([own], [other], (), ()) == ((own, other), ())


def test_elsewhere_it_needs_defect_classes_and_the_word():
    guide = found("guide", classes=())
    notes = found("notes", description="Writes release notes.")
    audit = found("security-audit", description="Finds holes.")
    active, listed = choose([guide, notes, audit], [], (), ())
    assert active == (audit,)
    assert listed == (
        (guide, "it has no defect classes"),
        (notes, "neither its name nor its description speaks of a review or an audit"),
    )


def test_in_our_own_folder_every_skill_takes_part():
    plain = found("plain", ".reviewbot/skills", "Anything.", classes=())
    assert choose([plain], [], (), ())[0] == (plain,)


def test_the_configuration_can_add_and_remove():
    notes, own, standard = found("notes", description="Notes."), found("own"), builtin("standard")
    active, listed = choose([notes, own], [standard], ["notes"], ["own", "standard"])
    assert active == (notes,)
    assert [(skill.name, why) for skill, why in listed] == [
        ("own", "disabled in the configuration"),
        ("standard", "disabled in the configuration"),
    ]


def test_a_repository_skill_replaces_the_built_in_one_of_its_name():
    own, standard = found("standard"), builtin("standard")
    active, listed = choose([own], [standard], (), ())
    assert (active, listed) == ((own,), ((standard, "replaced by .claude/skills/standard/SKILL.md"),))


def test_a_skill_that_takes_no_part_replaces_none():
    guide, standard = found("standard", classes=()), builtin("standard")
    assert choose([guide], [standard], (), ())[0] == (standard,)


def test_of_two_of_a_name_the_first_found_counts():
    first, second = found("own", ".reviewbot/skills"), found("own", "skills")
    active, listed = choose([first, second], [], (), ())
    assert (active, listed) == ((first,), ((second, "replaced by .reviewbot/skills/own/SKILL.md"),))


def test_the_general_skill_takes_part_beside_a_model_only():
    general, other = builtin("change-review"), builtin("other")
    assert choose([], [general, other], (), (), model=True) == ((general, other), ())
    active, listed = choose([], [general, other], (), ())
    assert (active, listed) == ((other,), ((general, "for a model only, and none is on"),))


def test_the_configuration_switches_the_general_skill_off():
    general = builtin("change-review")
    active, listed = choose([], [general], (), ["change-review"], model=True)
    assert (active, listed) == ((), ((general, "disabled in the configuration"),))


def test_a_skill_of_the_repository_is_not_the_general_one_whatever_its_name():
    own, general = found("change-review"), builtin("change-review")
    assert choose([own], [general], (), ())[0] == (own,)
    assert choose([own], [general], (), (), model=True)[0] == (own,)
