"""Skills: the text of a SKILL.md as a value (`load_skill`), and which of them review (`choose`)."""

from reviewbot.core.skill.choice import choose, folder, would_review
from reviewbot.core.skill.load import load_skill

__all__ = ["choose", "folder", "load_skill", "would_review"]
