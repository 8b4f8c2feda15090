"""The tests that skills bring along: each case through the pipeline of a review, with no model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from reviewbot.assets import assets
from reviewbot.core.errors import ConfigError
from reviewbot.core.options import silent
from reviewbot.core.ports import Progress
from reviewbot.core.reader import Nobody
from reviewbot.core.skill import choose, would_review
from reviewbot.core.skill.cases import Case, read_case
from reviewbot.core.skill.discovery import is_skill_file
from reviewbot.core.skill.loaded import Loaded
from reviewbot.core.skill.outcome import Outcome, SkillTests, compare
from reviewbot.core.tools import Tools
from reviewbot.core.types import GateResult, GateRun, GateStatus, Skill, SkillOrigin, Skills
from reviewbot.gates.parallel import parallel
from reviewbot.gates.rules import RuleWorker
from reviewbot.gates.run import LocalGates
from reviewbot.hosts.caserepo import CaseTrees, case_repository
from reviewbot.hosts.trees import Tree, read_tree, top
from reviewbot.pipeline import review
from reviewbot.wiring.inventory import at_path, built_in, in_work_tree, named

CASES = "cases"
EXPECT = "expect.toml"


class Tested(NamedTuple):
    """A skill and its folder on disk; "" where it is a single file. `case` restricts its tests to one."""

    skill: Skill
    folder: str
    case: str | None = None

    @property
    def shown(self) -> str:
        """The folder, for people."""
        folder, _, name = self.skill.path.rpartition("/")
        return folder if is_skill_file(name) else self.skill.path


def run_skill_tests(
    names: Sequence[str], cwd: str, needed: int = 0, progress: Progress = silent
) -> SkillTests:
    """The tests of the skills with these names, of those at these paths, or of single cases; without
    any, of the skills in the work tree around `cwd` or, where it has none, of the built-in ones.

    Raises ConfigError or UsageError for what cannot be read, before any test is run.
    """
    wanted = dict.fromkeys(t for name in names for t in _named(name, cwd)) if names else _all(cwd)
    cases = [case for tested in wanted for case in _cases(tested)]
    skills = dict.fromkeys(tested.skill for tested in wanted)
    return SkillTests(tuple(skills), _outcomes(cases, progress), needed)


def _outcomes(cases: Sequence[tuple[Case, CaseTrees]], progress: Progress) -> tuple[Outcome, ...]:
    done: list[str] = []
    gates, rules = LocalGates(execute=_left_out), RuleWorker()  # which tries the examples of a rule once

    def run(number: int) -> Outcome:
        case, _ = cases[number]
        tools = Tools(sources[number], gates, rules, Nobody(), silent)
        outcome = compare(case, review(Skills((case.skill,)), tools))
        done.append(case.name)
        progress("cases", len(done), len(cases))
        return outcome

    with case_repository([trees for _, trees in cases]) as sources:
        # A case takes a tenth of a second, so nothing has to hurry it where the run is interrupted.
        return tuple(parallel(run, range(len(cases)), lambda: None))


def _left_out(runs: Sequence[GateRun]) -> list[GateResult]:
    """Gates that execute code: the files of a case are no repository that they could run in."""
    why = "the cases of a skill run no gate that executes code"
    return [GateResult(run, GateStatus.SKIPPED, reason=why) for run in runs]


def _all(cwd: str) -> list[Tested]:
    """The skills that review here, and those with tests."""
    rows = [row for row in in_work_tree(top(cwd)) if row.skill or would_review(row.path, row.purpose, ())]
    own = [_tested(row, cwd) for row in rows]
    reviewing, _ = choose([t.skill for t in own], (), (), ())
    found = [t for t in own if t.skill in reviewing or os.path.isdir(os.path.join(t.folder, CASES))]
    return found or [_tested(row, cwd) for row in built_in()]


def _named(name: str, cwd: str) -> list[Tested]:
    """Raises UsageError where there is neither a path nor a skill of this name."""
    place = os.path.join(cwd, name)
    if os.path.isfile(os.path.join(place, EXPECT)):
        above = os.path.normpath(os.path.join(name, "..", ".."))
        case = os.path.basename(os.path.abspath(place))
        return [_tested(row, cwd)._replace(case=case) for row in at_path(above, cwd)]
    if os.path.isdir(place):
        return [_tested(row, cwd) for row in at_path(name, cwd)]
    return [_tested(named(name, cwd, in_work_tree(top(cwd)), built_in()), cwd)]


def _tested(row: Loaded, cwd: str) -> Tested:
    """Raises ConfigError where something of the skill did not load: its tests would say nothing."""
    fault = next((d for d in row.diagnostics if d.level == "error"), None)
    if row.skill is None or fault:
        raise ConfigError(str(fault), "see reviewbot skills check")
    if row.origin is SkillOrigin.BUILTIN:
        return Tested(row.skill, os.path.join(assets("skills"), row.path.removeprefix("builtin:")))
    folder, name = os.path.split(row.path)
    start = top(cwd) if row.origin is SkillOrigin.HEAD else cwd
    return Tested(row.skill, os.path.join(start, folder) if is_skill_file(name) else "")


def _cases(tested: Tested) -> Iterator[tuple[Case, CaseTrees]]:
    folder = os.path.join(tested.folder, CASES)
    if tested.folder and os.path.islink(folder):
        raise ConfigError(f"{tested.shown}/{CASES} is a link, which is not followed", "make it a folder")
    files = read_tree(folder) if tested.folder and os.path.isdir(folder) else {}
    by_case: dict[str, dict[str, bytes]] = {}
    for path, data in files.items():
        name, _, below = path.partition("/")
        if below and tested.case in (None, name):
            by_case.setdefault(name, {})[below] = data
    for name, own in by_case.items():
        place = f"{tested.shown}/{CASES}/{name}"
        if EXPECT not in own:
            raise ConfigError(f"{place} has no {EXPECT}", "say there what the case must bring")
        trees = CaseTrees(f"case {name}", _below("base", own), _below("head", own))
        if not trees.head:
            raise ConfigError(f"{place} has no files in head/", "put there what is to be reviewed")
        yield read_case(name, own[EXPECT], f"{place}/{EXPECT}", tested.skill, trees.head), trees


def _below(side: str, files: Mapping[str, bytes]) -> Tree:
    return {path[len(side) + 1 :]: data for path, data in files.items() if path.startswith(f"{side}/")}
