"""The rules of skills: which texts each looks at, and what their matches become."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from reviewbot.core.gates import PLACEHOLDER
from reviewbot.core.language import is_foreign_pipeline, language
from reviewbot.core.ledger import Bound, ClassKey
from reviewbot.core.matcher import matcher
from reviewbot.core.skill.ruleproof import LINE, PATH
from reviewbot.core.types import (
    Candidate,
    Origin,
    Proof,
    Rule,
    RuleHit,
    RuleKey,
    RulePlan,
    RuleRun,
    Scope,
    ScopeRow,
    Script,
    Scripts,
    Sign,
    Site,
    Skill,
    Text,
    Texts,
)

_LANGUAGES = {"shell": "bash", "python": "python"}
_YAML = (".yml", ".yaml")
DENIED = 10  # the exit status by which a proof denies: no crash of a shell or of Python ends with it
LONG = 10  # lines; of a longer match only the first line is shown
PROOF_SECONDS = 30.0  # of a command that a skill brings; the configuration can allow less


def plan_rules(scope: Scope, texts: Texts, scripts: Callable[[Text], Scripts]) -> RulePlan:
    """Each rule of each skill with the texts of its language that the skill claims, also those that
    `scripts` finds in a workflow. The hunks of a bare patch are no text to run a rule on."""
    skills: dict[RuleKey, Skill] = {}
    rules: dict[RuleKey, Rule] = {}
    seen: dict[RuleKey, dict[str, tuple[Script, ...]]] = {}
    inside: dict[str, Scripts] = {}
    for a in scope.assignments:
        if not a.skill.rules:
            continue
        by_language: dict[str, list[Text]] = defaultdict(list)
        workflows: list[Text] = []
        for path in a.paths:
            if (text := texts.files.get(path)) and not text.partial:
                by_language[rule_language(path, text.first_line)].append(text)
                if language(path, text.first_line) == "workflow":
                    workflows.append(text)
        for rule in a.skill.rules:
            key = (a.skill.name, rule.id)
            skills[key], rules[key] = a.skill, rule
            sees, own = _sees(rule), by_language[rule.language]
            seen[key] = {text.path: (Script(text, text),) for text in filter(sees, own)}
            for text in filter(sees, workflows if rule.language == "bash" else ()):
                found = inside[text.path] = inside.get(text.path) or scripts(text)
                if not found.all_foreign:
                    seen[key][text.path] = found.read
    return RulePlan(skills, rules, seen, inside)


def read_rules(run: RuleRun) -> tuple[Candidate, ...]:
    """A candidate for each match in what the files have themselves."""
    return tuple(_candidate(run.plan, hit) for hit in run.hits if hit.line >= hit.script.start)


def joined(bound: Bound, run: RuleRun) -> Bound:
    """What detectors and rules together did for each class. No rule claims to find every case."""
    by: dict[ClassKey, list[str]] = defaultdict(list, {key: list(ids) for key, ids in bound.by.items()})
    looked = defaultdict(set, {key: set(paths) for key, paths in bound.looked.items()})
    ruled = {(skill, rule.slug) for (skill, _), rule in run.plan.rules.items()}
    for (skill, id), rule in run.plan.rules.items():
        by[skill, rule.slug].append(f"{skill}/{id}")
    for (skill, id), path in run.read:
        looked[skill, run.plan.rules[skill, id].slug, f"{skill}/{id}"].add(path)
    return bound._replace(by=by, complete=set(bound.complete) - ruled, looked=looked)


def rule_paths(run: RuleRun) -> frozenset[str]:
    """The paths that some rule has looked at. In a CI file that is not GitHub's the rule is the only
    one that did: nothing reads the scripts in there."""
    return frozenset(path for _, path in run.read if not is_foreign_pipeline(path))


def rule_language(path: str, first_line: str) -> str:
    """The language of the rules that look at a file; "" where none do."""
    if path.endswith(_YAML):
        return "yaml"
    return _LANGUAGES.get(language(path, first_line), "")


def _sees(rule: Rule) -> Callable[[Text], bool]:
    if not rule.paths:
        return lambda text: True
    rows = [ScopeRow("", glob, written=glob) for glob in rule.paths]
    if all(glob.startswith("!") for glob in rule.paths):
        rows.append(ScopeRow("", "**"))
    table = matcher(tuple(rows))
    return lambda text: table.match(text.path, text.first_line) is not None


def _candidate(plan: RulePlan, hit: RuleHit) -> Candidate:
    skill, rule, script = plan.skills[hit.key], plan.rules[hit.key], hit.script
    start = max(hit.start_line, script.start)
    end = start if hit.line - start >= LONG else hit.line
    defect = next(c for c in skill.classes if c.slug == rule.slug)
    return Candidate(
        skill=skill.name,
        slug=defect.slug,
        rank=defect.rank,
        title=defect.title,
        severity=rule.severity or defect.weight,
        origin=Origin.DETECTOR,
        detector=f"{skill.name}/{rule.id}",
        grade=rule.grade,
        site=Site(script.file.path, start, end, script.file.quote(start, end)),
        failure=script.shown(hit.message),
        cost=rule.cost,
        fix=rule.fix,
        proof=_proof(rule, script.file.path, start) if rule.proof else None,
    )


def _proof(rule: Rule, path: str, line: int) -> Proof:
    """The proof of a rule at a match. No path becomes an option."""
    own = f"./{path}" if path.startswith("-") else path
    values = {PATH: own, LINE: str(line)}
    return Proof(
        tuple(PLACEHOLDER.sub(lambda m: values[m[0]], word) for word in rule.proof),
        shows=Sign("exits 0, which shows it", exits=(0,)),
        denies=Sign(f"exits {DENIED}, which denies it", exits=(DENIED,)),
        seconds=PROOF_SECONDS,
    )
