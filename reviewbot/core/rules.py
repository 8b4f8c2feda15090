"""The rules of skills: which texts each looks at, and what their matches become."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from reviewbot.core.language import language
from reviewbot.core.ledger import Bound, ClassKey
from reviewbot.core.matcher import matcher
from reviewbot.core.types import (
    Candidate,
    Origin,
    Rule,
    RuleHit,
    RuleKey,
    RulePlan,
    RuleRun,
    Scope,
    ScopeRow,
    Site,
    Skill,
    Text,
    Texts,
)

_LANGUAGES = {"shell": "bash", "python": "python"}
_YAML = (".yml", ".yaml")


def plan_rules(scope: Scope, texts: Texts) -> RulePlan:
    """Each rule of each skill with the texts of its language that the skill claims. The hunks of a
    bare patch are no text to run a rule on."""
    skills: dict[RuleKey, Skill] = {}
    rules: dict[RuleKey, Rule] = {}
    seen: dict[RuleKey, tuple[Text, ...]] = {}
    for a in scope.assignments:
        if not a.skill.rules:
            continue
        by_language: dict[str, list[Text]] = defaultdict(list)
        for path in a.paths:
            if (text := texts.files.get(path)) and not text.partial:
                by_language[rule_language(text.path, text.first_line)].append(text)
        for rule in a.skill.rules:
            key = (a.skill.name, rule.id)
            skills[key], rules[key] = a.skill, rule
            seen[key] = tuple(filter(_sees(rule), by_language[rule.language]))
    return RulePlan(skills, rules, seen)


def read_rules(run: RuleRun) -> tuple[Candidate, ...]:
    """A candidate for each match."""
    texts = {text.path: text for texts in run.plan.texts.values() for text in texts}
    return tuple(_candidate(run.plan, hit, texts[hit.path]) for hit in run.hits)


def joined(bound: Bound, run: RuleRun) -> Bound:
    """What detectors and rules together did for each class. No rule claims to find every case."""
    by: dict[ClassKey, list[str]] = defaultdict(list, {key: list(ids) for key, ids in bound.by.items()})
    looked = defaultdict(set, {key: set(paths) for key, paths in bound.looked.items()})
    ruled = {(skill, rule.slug) for (skill, _), rule in run.plan.rules.items()}
    for (skill, id), rule in run.plan.rules.items():
        by[skill, rule.slug].append(f"{skill}/{id}")
    for (skill, id), path in run.read:
        looked[skill, run.plan.rules[skill, id].slug].add(path)
    return bound._replace(by=by, complete=set(bound.complete) - ruled, looked=looked)


def rule_paths(run: RuleRun) -> frozenset[str]:
    """The paths that some rule has looked at."""
    return frozenset(path for _, path in run.read)


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


def _candidate(plan: RulePlan, hit: RuleHit, text: Text) -> Candidate:
    skill, rule = plan.skills[hit.key], plan.rules[hit.key]
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
        site=Site(text.path, hit.start_line, hit.line, text.quote(hit.start_line, hit.line)),
        failure=hit.message,
        cost=rule.cost,
        fix=rule.fix,
    )
