"""Which text a rule looks at, and what its matches become."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reviewbot.core.ledger import Bound
from reviewbot.core.rules import joined, plan_rules, read_rules, rule_paths
from reviewbot.core.rulewords import may_match, words_of
from reviewbot.core.types import (
    Assignment,
    Grade,
    Incomplete,
    Origin,
    Rule,
    RuleHit,
    RulePlan,
    RuleRun,
    Scope,
    Script,
    Scripts,
    Severity,
    Side,
    Skill,
    Text,
    Texts,
)
from tests import builders
from tests.rulefiles import CLASSES, rule

KIND = {"kind": "call"}
TEXTS = {
    "src/a.py": Text("src/a.py", "f()\n"),
    "tests/test_a.py": Text("tests/test_a.py", "f()\n"),
    "run.sh": Text("run.sh", "f\n"),
    "tool": Text("tool", "#!/usr/bin/env python3\nf()\n"),
    "ci.yml": Text("ci.yml", "a: b\n"),
    "part.py": Text("part.py", "f()\n", partial=True),
    "notes.md": Text("notes.md", "f()\n"),
}


def skill(*rules: Rule, name: str = "some-review") -> Skill:
    return builders.skill(name=name, classes=CLASSES, rules=rules)


def planned(*assignments: tuple[Skill, tuple[str, ...]]) -> RulePlan:
    scope = Scope(tuple(Assignment(*a) for a in assignments), tuple(TEXTS), ())
    return plan_rules(scope, Texts(Side.RIGHT, TEXTS), lambda text: Scripts((), (), {}))


def seen(*rules: Rule) -> list[list[str]]:
    plan = planned((skill(*rules), tuple(TEXTS)))
    return [list(texts) for texts in plan.texts.values()]


def test_a_rule_sees_the_texts_of_its_language():
    by_language = (rule(KIND, id=language, language=language) for language in ("python", "bash", "yaml"))
    assert seen(*by_language) == [["src/a.py", "tests/test_a.py", "tool"], ["run.sh"], ["ci.yml"]]


def test_the_hunks_of_a_patch_are_no_text_to_run_a_rule_on():
    plan = planned((skill(rule(KIND)), ("part.py",)))
    assert list(plan.texts.values()) == [{}]


def test_a_rule_sees_what_its_skill_claims_and_no_more():
    one, other = skill(rule(KIND)), skill(rule(KIND), name="other")
    plan = planned((one, ("src/a.py",)), (other, ("tests/test_a.py",)), (skill(name="third"), tuple(TEXTS)))
    assert {key: list(texts) for key, texts in plan.texts.items()} == {
        ("some-review", "a-rule"): ["src/a.py"],
        ("other", "a-rule"): ["tests/test_a.py"],
    }


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (("src/**",), ["src/a.py"]),
        (("*.py",), ["src/a.py", "tests/test_a.py"]),
        (("!**/tests/**",), ["src/a.py", "tool"]),
        (("*.py", "!test_*.py"), ["src/a.py"]),
        (("#!python",), ["tool"]),
        (("test_<name>.py",), ["tests/test_a.py"]),
        (("none.py",), []),
    ],
)
def test_paths_narrow_a_rule_as_a_scope_table_would(paths: tuple[str, ...], expected: list[str]):
    assert seen(rule(KIND, paths=paths)) == [expected]


def run_of(plan: RulePlan, *hits: RuleHit) -> RuleRun:
    read = frozenset((key, path) for key, texts in plan.texts.items() for path in texts)
    return RuleRun(plan, hits, read, ())


def hit_of(plan: RulePlan, line: int, to: int, message: str = "m") -> RuleHit:
    """A match of the one rule in the one file."""
    ((key, texts),) = plan.texts.items()
    ((script,),) = texts.values()
    return RuleHit(key, script, line, to, message)


def test_a_match_becomes_a_candidate_of_its_class():
    plan = planned((skill(rule(KIND, severity=Severity.BLOCKER)), ("src/a.py",)))
    (found,) = read_rules(run_of(plan, hit_of(plan, 1, 1, "`f` is bad")))
    assert (found.skill, found.slug, found.rank, found.title) == (
        "some-review",
        "a-lost-status",
        1,
        "A lost status",
    )
    assert (found.severity, found.grade, found.origin) == (Severity.BLOCKER, Grade.STRONG, Origin.DETECTOR)
    assert found.detector == "some-review/a-rule"
    assert (found.site.path, found.site.start_line, found.site.line, found.site.quote) == (
        "src/a.py",
        1,
        1,
        "f()",
    )
    assert (found.failure, found.cost, found.fix) == ("`f` is bad", "a cost", "a fix")


def test_without_a_word_of_its_own_a_rule_has_the_severity_of_its_class():
    plan = planned((skill(rule(KIND)), ("src/a.py",)))
    (found,) = read_rules(run_of(plan, hit_of(plan, 1, 1)))
    assert found.severity is Severity.WARNING  # rank 1


@pytest.mark.parametrize(("to", "shown"), [(10, 10), (11, 1)])
def test_of_a_long_match_the_first_line_is_shown(to: int, shown: int):
    text = Text("src/a.py", "f()\n" * 20)
    scope = Scope((Assignment(skill(rule(KIND)), ("src/a.py",)),), ("src/a.py",), ())
    plan = plan_rules(scope, Texts(Side.RIGHT, {"src/a.py": text}), lambda text: Scripts((), (), {}))
    (found,) = read_rules(run_of(plan, hit_of(plan, 1, to)))
    assert (found.site.start_line, found.site.line, found.site.quote) == (1, shown, text.quote(1, shown))


def test_a_class_with_a_rule_is_checked_by_it_and_never_held():
    plan = planned((skill(rule(KIND)), ("src/a.py", "tests/test_a.py")))
    key = ("some-review", "a-lost-status")
    bound = joined(
        Bound({key: ["blind-loop"]}, {key}, {(*key, "blind-loop"): {"run.sh"}}, True), run_of(plan)
    )
    assert bound.by == {key: ["blind-loop", "some-review/a-rule"]}
    assert bound.looked == {
        (*key, "blind-loop"): {"run.sh"},
        (*key, "some-review/a-rule"): {"src/a.py", "tests/test_a.py"},
    }
    assert (set(bound.complete), bound.sure) == (set(), True)


def test_other_classes_are_left_as_they_were():
    plan = planned((skill(rule(KIND)), ("src/a.py",)))
    other = ("some-review", "an-os-system-call")
    before = Bound({other: ["x"]}, {other}, {(*other, "x"): {"a"}}, False)
    after = joined(before, run_of(plan))
    assert (after.by[other], after.looked[*other, "x"], set(after.complete)) == (["x"], {"a"}, {other})
    assert (before.by, before.looked) == ({other: ["x"]}, {(*other, "x"): {"a"}})


def test_what_a_rule_has_not_read_does_not_count():
    plan = planned((skill(rule(KIND)), ("src/a.py", "tests/test_a.py")))
    run = RuleRun(plan, (), frozenset({(("some-review", "a-rule"), "src/a.py")}), ())
    assert rule_paths(run) == {"src/a.py"}
    assert joined(Bound({}, (), {}, True), run).looked == {
        ("some-review", "a-lost-status", "some-review/a-rule"): {"src/a.py"}
    }


def test_a_ci_file_of_another_system_is_not_covered_by_a_rule():
    """`.gitlab-ci.yml` was called reviewed and clean: one YAML rule had seen it, nobody its scripts."""
    plan = planned((skill(rule(KIND)), ("src/a.py",)))
    key = ("some-review", "a-rule")
    seen = frozenset((key, path) for path in (".gitlab-ci.yml", "ci/Jenkinsfile", "a.yml"))
    assert rule_paths(RuleRun(plan, (), seen, ())) == {"a.yml"}


# --- shell in workflows -------------------------------------------------------------------

CI = Text(".github/workflows/ci.yml", "on: push\njobs: {}\n# run: f\n# run: g\n")
BASH, YAML = rule(KIND, id="for-shell", language="bash"), rule(KIND, id="for-yaml", language="yaml")
UNREAD = Incomplete("detect", CI.path, "not read")


def block(start: int, content: str) -> Script:
    text = Text(CI.path, "#!bash\n" + "\n" * (start - 2) + content)
    return Script(CI, text, start, shown=lambda said: said.replace("Zq0000z", "${{ a }}"))


def plan_with(found: Scripts, *rules: Rule) -> RulePlan:
    scope = Scope((Assignment(skill(*rules), (CI.path,)),), (CI.path,), ())
    return plan_rules(scope, Texts(Side.RIGHT, {CI.path: CI}), lambda text: found)


def test_a_rule_for_shell_reads_the_blocks_of_a_workflow_and_a_rule_for_yaml_all_of_it():
    blocks = (block(3, "f\n"), block(4, "g\n"))
    python = rule(KIND, id="for-python")
    plan = plan_with(Scripts(blocks, (), {}), BASH, YAML, python)
    assert {key[1]: texts for key, texts in plan.texts.items()} == {
        "for-shell": {CI.path: blocks},
        "for-yaml": {CI.path: (Script(CI, CI),)},
        "for-python": {},
    }


def test_a_workflow_is_not_opened_where_no_rule_for_shell_wants_it():
    elsewhere = BASH._replace(paths=("launch/**",))
    scope = Scope((Assignment(skill(YAML, elsewhere), (CI.path,)),), (CI.path,), ())
    plan = plan_rules(scope, Texts(Side.RIGHT, {CI.path: CI}), lambda text: pytest.fail("opened"))
    assert (plan.inside, list(plan.texts.values())[1]) == ({}, {})


@pytest.mark.parametrize(
    ("found", "looked"),
    [
        (Scripts((), (), {}), {CI.path: ()}),
        (Scripts((), (UNREAD,), {"pwsh": 1}), {CI.path: ()}),
        (Scripts((), (), {"pwsh": 1}), {}),
    ],
)
def test_a_workflow_counts_as_read_unless_all_its_scripts_are_foreign(found: Scripts, looked: object):
    plan = plan_with(found, BASH)
    assert list(plan.texts.values()) == [looked]
    run = run_of(plan)
    assert (run.unread, run.foreign) == (found.unread, {CI.path: found.foreign})
    assert run.faults == found.unread


def test_a_match_in_a_block_is_quoted_from_the_file_in_the_words_of_the_file():
    plan = plan_with(Scripts((block(4, "g Zq0000z\n"),), (), {}), BASH)
    (found,) = read_rules(run_of(plan, hit_of(plan, 4, 4, "`Zq0000z` is bad")))
    assert (found.site.path, found.site.start_line, found.site.quote) == (CI.path, 4, "# run: g")
    assert found.failure == "`${{ a }}` is bad"


def test_what_stands_before_a_block_is_no_part_of_a_match():
    plan = plan_with(Scripts((block(3, "f\n"),), (), {}), BASH)
    found = read_rules(run_of(plan, hit_of(plan, 1, 3), hit_of(plan, 1, 1)))
    assert [(c.site.start_line, c.site.line, c.site.quote) for c in found] == [(3, 3, "# run: f")]


# --- words without which there is no match ------------------------------------------------


@pytest.mark.parametrize(
    ("top", "words"),
    [
        ({"pattern": "os.system($COMMAND)"}, ("system",)),
        ({"pattern": "subprocess.run($$$ARGS, check=False)"}, ("subprocess", "run", "check", "False")),
        ({"pattern": "$A = $B"}, ()),
        ({"pattern": {"context": "class A: $X", "selector": "assignment"}}, ()),
        ({"kind": "except_clause"}, ("except",)),
        ({"kind": "call"}, ()),
        ({"any": [{"pattern": "foo()"}, {"pattern": "bar()"}]}, ()),
        ({"kind": "with_statement", "pattern": "with open($F): $$$B"}, ("with", "open", "with")),
    ],
)
def test_the_words_of_a_rule(top: dict[str, object], words: tuple[str, ...]):
    assert words_of(rule(top)) == words


@pytest.mark.parametrize("write", [str, lambda text: f"x = 1\n{text}\n"])
def test_a_text_without_one_of_them_needs_no_parser(write: Callable[[str], str]):
    words = words_of(rule({"pattern": "subprocess.run($A)"}))
    assert may_match(words, Text("a.py", write("subprocess.run(x)")))
    assert not may_match(words, Text("a.py", write("subprocess.call(x)")))
    assert may_match((), Text("a.py", write("")))
