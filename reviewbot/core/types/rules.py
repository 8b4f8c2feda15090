"""Which rules of which skills look at which texts, and what they said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from reviewbot.core.types.change import Text
from reviewbot.core.types.review import Incomplete
from reviewbot.core.types.skill import Rule, Skill

RuleKey = tuple[str, str]  # skill name, rule id


class Script(NamedTuple):
    """What a rule reads at once: a whole file, or the shell of one `run:` block in it."""

    file: Text
    text: Text  # of the file's path, and every line of it has its number in the file
    start: int = 1  # line at which it begins in the file; what `text` has before it is not written there
    shown: Callable[[str], str] = str  # the file's own words for those of `text`

    @property
    def place(self) -> str:
        return self.file.path if self.text is self.file else f"{self.file.path}:{self.start}"


class Scripts(NamedTuple):
    """The shell that stands in a workflow. Where all three are empty, it has none."""

    read: tuple[Script, ...]
    unread: tuple[Incomplete, ...]
    foreign: Mapping[str, int]  # the program that runs a block, where no shell does -> how many blocks

    @property
    def all_foreign(self) -> bool:
        return bool(self.foreign) and not (self.read or self.unread)


class RulePlan(NamedTuple):
    """The rules to run, and for each the paths it looks at with what it reads there: a workflow may hold
    no shell, or much."""

    skills: Mapping[RuleKey, Skill]
    rules: Mapping[RuleKey, Rule]
    texts: Mapping[RuleKey, Mapping[str, tuple[Script, ...]]]
    inside: Mapping[str, Scripts] = MappingProxyType({})  # by path, of the workflows that were opened


class RuleFault(NamedTuple):
    """Why a rule is not run: it is refused, it gets an example wrong, or nobody could try it."""

    why: str  # what ast-grep says, or what is wrong with the example
    of: str = ""  # "rule", or the list "bad" or "good" of the example; "": it is no fault of the rule
    example: int = 0  # its number in that list, from 0


class RuleHit(NamedTuple):
    """One match. Lines are git lines of the text that was given."""

    key: RuleKey
    script: Script
    start_line: int
    line: int
    message: str  # of the rule, its metavariables filled in


class RuleRun(NamedTuple):
    """What became of a RulePlan. A pair of rule and script is in `read`, or is named in `failures`."""

    plan: RulePlan
    hits: tuple[RuleHit, ...]
    read: frozenset[tuple[RuleKey, str]]  # which rule has looked at which path
    failures: tuple[Incomplete, ...]

    @property
    def unread(self) -> tuple[Incomplete, ...]:
        """The shell that no rule could look at."""
        return tuple(why for scripts in self.plan.inside.values() for why in scripts.unread)

    @property
    def faults(self) -> tuple[Incomplete, ...]:
        return (*self.failures, *self.unread)

    @property
    def foreign(self) -> dict[str, Mapping[str, int]]:
        """By path: how many blocks are for which program that is no shell."""
        return {path: scripts.foreign for path, scripts in self.plan.inside.items()}
