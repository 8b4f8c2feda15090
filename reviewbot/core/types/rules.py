"""Which rules of which skills look at which texts, and what they said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from reviewbot.core.types.change import Text
from reviewbot.core.types.review import Incomplete
from reviewbot.core.types.skill import Rule, Skill

RuleKey = tuple[str, str]  # skill name, rule id


class RulePlan(NamedTuple):
    """The rules to run, and for each the texts it looks at."""

    skills: Mapping[RuleKey, Skill]
    rules: Mapping[RuleKey, Rule]
    texts: Mapping[RuleKey, tuple[Text, ...]]


class RuleHit(NamedTuple):
    """One match. Lines are git lines of the text that was given."""

    key: RuleKey
    path: str
    start_line: int
    line: int
    message: str  # of the rule, its metavariables filled in


class RuleRun(NamedTuple):
    """What became of a RulePlan. A pair of rule and text is in `read`, or is named in `failures`."""

    plan: RulePlan
    hits: tuple[RuleHit, ...]
    read: frozenset[tuple[RuleKey, str]]  # which rule has looked at which path
    failures: tuple[Incomplete, ...]
