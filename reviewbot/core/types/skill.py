"""What is looked for: skills, their classes and gates, the settings, and which file each claims."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from reviewbot.core.types.terms import ModelTerms, PullTerms


class Severity(StrEnum):
    BLOCKER = "blocker"
    WARNING = "warning"
    NOTE = "note"


class Grade(StrEnum):
    """How far a claim can be trusted.

    PROVEN: the bot executed the failure. STRONG: a rule or a confirmed claim that stands by
    itself. HINT: wants a second reading; never inline, never decides the verdict.
    """

    PROVEN = "proven"
    STRONG = "strong"
    HINT = "hint"


class SkillOrigin(StrEnum):
    """Where a skill was read from. A skill from HEAD is shown, never obeyed (law 8)."""

    BUILTIN = "builtin"
    BASE = "base"
    HEAD = "head"
    PATH = "path"


class Diagnostic(NamedTuple):
    """What was noticed while loading a skill or a configuration; printed as `path:line:col CODE message`."""

    path: str
    line: int
    col: int
    code: str  # S001… ; facts of the grammar are in CONTRIBUTING.md
    level: str  # "error" | "warning" | "info"
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.col} {self.code} {self.message}"


class ScopeRow(NamedTuple):
    """One row of a files-in-scope table: a gitignore-style glob and what the files own."""

    stage: str
    pattern: str  # the glob; a leading "!" excludes
    owns: str = ""
    line: int = 0
    written: str = ""  # what its author wrote for this pattern, placeholders and all


class DefectClass(NamedTuple):
    """One numbered class. The rank is its place in cost order; the slug is its stable key."""

    rank: int
    slug: str
    title: str
    body: str
    fix: str = ""
    kind: str = "defect"  # "defect" | "suppress": what the skill forbids to report
    severity: Severity | None = None  # the word the class itself uses, if any
    line: int = 0

    @property
    def weight(self) -> Severity:
        """The severity of its findings: the word it uses itself, else by its rank."""
        return self.severity or (Severity.WARNING if self.rank <= 4 else Severity.NOTE)


class GateSpec(NamedTuple):
    """One line of a mechanical-gates fence, as an argv that still holds its placeholders and globs."""

    line: str
    argv: tuple[str, ...]
    kind: str  # "parse-only" | "executing" | "refused"
    reason: str = ""  # why it is not parse-only
    note: str = ""  # the comment behind the command
    at: int = 0  # line in the skill file
    # Of a gate that executes: each word of argv as `fnmatch` reads it, where what quotes protect is in
    # brackets (`[*]`). Empty: there is no glob in it.
    patterns: tuple[str, ...] = ()


class Rule(NamedTuple):
    """One file of a skill's `rules/`: an ast-grep rule, the class it reports under, and its examples."""

    id: str
    language: str  # "bash" | "python" | "yaml"
    slug: str  # of the class
    grade: Grade
    message: str  # what goes wrong; `$NAME` stands for what a metavariable matched
    cost: str
    fix: str
    config: str  # JSON of {"rule": …, "utils": …, "constraints": …}, as ast-grep takes it
    bad: tuple[str, ...]  # texts in which it must match …
    good: tuple[str, ...]  # … and must not
    severity: Severity | None = None
    paths: tuple[str, ...] = ()  # globs within the skill's scope; empty: every file of its language
    proof: tuple[str, ...] = ()  # argv of what shows the defect at `<path>` and `<line>`
    path: str = ""  # of the rule file, for people
    line: int = 1  # at which `rule:` stands there
    source: str = ""  # of the rule file: where a fault stands is looked up in it


class Pin(NamedTuple):
    """What a skill's front matter says of a detector: the one class it speaks for, or that it is off."""

    detector: str
    slug: str  # of a class; "" switches the detector off for this skill
    line: int = 0


class Skill(NamedTuple):
    name: str
    description: str
    path: str  # of the SKILL.md, for people
    origin: SkillOrigin
    hash: str  # sha256 of the file's bytes, 12 hex digits
    scope: tuple[ScopeRow, ...] = ()  # empty: every changed text file
    classes: tuple[DefectClass, ...] = ()
    steps: tuple[str, ...] = ()
    gates: tuple[GateSpec, ...] = ()
    rules: tuple[Rule, ...] = ()
    pins: tuple[Pin, ...] = ()
    report: str = ""
    guidance: str = ""  # the prose that is none of the above
    diagnostics: tuple[Diagnostic, ...] = ()


class Skills(NamedTuple):
    """What was found: `active` take part, `listed` do not and say why, `failed` did not load. `notes`
    are sentences on those that were not looked for, although their author may think so."""

    active: tuple[Skill, ...]
    listed: tuple[tuple[Skill, str], ...] = ()
    failed: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()


class Guidance(NamedTuple):
    """A text that a repository keeps for reviewers and coding agents; read at base, as context only."""

    path: str
    scope: tuple[str, ...]  # globs of the changed files that it speaks of; empty: all
    text: str  # cut to the limit of core/guidance.py
    characters: int  # before the cut


class GateTerms(NamedTuple):
    """What `[gates]` says. All but `timeout` and `cache` is about the gates that execute."""

    execute: bool = True
    timeout: float = 120.0  # seconds, for each run
    memory: int = 2048  # MB that one process may have of its own
    env: tuple[str, ...] = ()  # names of variables that they are given
    binds: tuple[str, ...] = ()  # absolute paths that they may read beside the tree and the system
    python: str = ""  # absolute path of the interpreter that they find first; "": the system's
    cache: bool = True  # whether results are kept for the next review, of the gates that only parse too


class Settings(NamedTuple):
    """What `.reviewbot/config.toml` at base says; core/settings.py reads it."""

    use: tuple[str, ...] = ()  # names of found skills that take part although they would only be listed
    disable: tuple[str, ...] = ()  # names of skills that take no part
    max_file_bytes: int = 1_000_000  # a larger file in scope is not read, and the review is incomplete
    gates: GateTerms = GateTerms()
    model: ModelTerms = ModelTerms()
    pull: PullTerms = PullTerms()


class Assignment(NamedTuple):
    """The changed files that one skill claims. `touched`: whether the change touches anything that the skill
    speaks of, also what is no text to review any more: deleted, a link, generated, the old name of a file."""

    skill: Skill
    paths: tuple[str, ...]
    touched: bool = False


class Uncovered(NamedTuple):
    path: str
    reason: str  # "no skill claims it", "binary", "deleted", "generated", "vendored", "submodule", …


class Scope(NamedTuple):
    """Which file is looked at for which class. Every changed file is in `paths` or `uncovered`."""

    assignments: tuple[Assignment, ...]
    paths: tuple[str, ...]
    uncovered: tuple[Uncovered, ...]

    def pairs(self) -> Iterator[tuple[str, Skill, DefectClass]]:
        """Each file with each defect class, dearest class first; suppress classes are no pairs."""
        ranks = sorted({c.rank for a in self.assignments for c in a.skill.classes})
        for rank in ranks:
            for a in self.assignments:
                for c in a.skill.classes:
                    if c.rank == rank and c.kind == "defect":
                        yield from ((path, a.skill, c) for path in a.paths)
