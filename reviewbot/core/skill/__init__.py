"""Skills: the text of a SKILL.md as a value (`load_skill`), and which of them review (`choose`)."""

from reviewbot.core.skill.bundle import load_bundle
from reviewbot.core.skill.choice import choose, would_review
from reviewbot.core.skill.front.manifest import name_of
from reviewbot.core.skill.load import load_skill
from reviewbot.core.skill.parts.scopetable import unmatched
from reviewbot.core.skill.web import clean

__all__ = [
    "choose",
    "clean",
    "load_bundle",
    "load_skill",
    "name_of",
    "unmatched",
    "would_review",
]
