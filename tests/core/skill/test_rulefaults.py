"""A rule that cannot be run: the line that is to blame, and the remedy."""

from __future__ import annotations

import ast_grep_py
import pytest

from reviewbot.core.skill.grammar import FIELDS, KINDS
from reviewbot.core.skill.rulefaults import explained
from reviewbot.core.skill.rulefile import LANGUAGES
from reviewbot.core.skill.rules import load_rules
from reviewbot.core.types import Rule, RuleFault
from reviewbot.gates import syntaxdump
from reviewbot.gates.rules import RuleWorker
from tests.rulefiles import CLASSES, rule, rule_text

DUMP = "`reviewbot skills dump FILE` shows the tree"
CHECK = "`reviewbot skills check` tries it again"


def loaded(text: str) -> Rule:
    (rule,), diagnostics = load_rules("s", {"rules/a.yml": text.encode()}, CLASSES)
    assert diagnostics == ()
    return rule


def bash(rule: str, **changes: str) -> str:
    return rule_text(language=" bash", message=" m", rule="\n    " + rule.replace("\n", "\n    "), **changes)


UTILS = "utils:\n  one: {kind: word}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (bash("kind: comand"), "8:5 bash has no kind `comand`; did you mean `command`?"),
        (
            bash("kind: command\nhas:\n  kind: wrod"),
            "10:7 bash has no kind `wrod`; did you mean `word`?",
        ),
        (bash("any: [{kind: word}, {kind: zzzz}]"), f"8:26 bash has no kind `zzzz`; {DUMP}"),
        (
            bash("pattern: {context: a b, selector: comand}"),
            "8:29 bash has no kind `comand`; did you mean `command`?",
        ),
        (
            bash("kind: command\nhas: {field: nam, regex: x}"),
            "9:11 bash has no field `nam`; did you mean `name`?",
        ),
        (bash("kind: command\nhas: {field: zzzz, regex: x}"), f"9:11 bash has no field `zzzz`; {DUMP}"),
        (bash("matches: two") + UTILS, "8:5 `utils` has no `two`; define it there"),
        (
            bash("any: [{regex: '^a'}, {regex: '(?=a)'}]"),
            "8:27 the regex `(?=a)` does not parse: look-around, including look-ahead and look-behind, is "
            f"not supported; correct it, {CHECK}",
        ),
        (
            bash("kind: word\ninside: {kind: command, stopBy: ende}"),
            "7:1 unknown variant `ende`, expected `neighbor`, `end` or a rule object; correct the rule, "
            f"{CHECK}",
        ),
        (
            bash("nthChild: x"),
            f"7:1 Rule contains invalid nthChild: Illegal character x encountered; correct the rule, {CHECK}",
        ),
        (
            bash("kind: comment", bad="\n  - '# x'\n  - |\n    sbatch \\\n      a\n"),
            f"11:5 bad example 2 is not matched: `sbatch \\`; {DUMP}",
        ),
        (
            bash("kind: command", bad=" [x]", good="\n  - '# x'\n  - |\n    # a\n    b\n"),
            f"12:5 good example 2 is matched, at its line 2: `# a`; {DUMP}",
        ),
    ],
)
def test_a_fault_stands_at_its_own_line_with_the_remedy(text: str, said: str):
    (fault,) = RuleWorker().examples([loaded(text)])
    assert (fault.path, fault.code, fault.level) == ("s/rules/a.yml", "R006", "error")
    assert f"{fault.line}:{fault.col} {fault.message}" == said


def test_a_long_example_is_shown_short():
    fault = explained(rule({"kind": "x"}, bad=("y" * 100,)), RuleFault("is not matched", "bad", 0))
    assert fault.message == f"bad example 1 is not matched: `{'y' * 59}…`; {DUMP}"


def test_a_rule_without_its_file_is_blamed_at_its_own_line():
    fault = explained(rule({"kind": "x"}), RuleFault("Kind `x` is invalid.", "rule"))
    assert (fault.line, fault.col) == (7, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_of_a_grammar_are_those_of_ast_grep(language: str):
    root = ast_grep_py.SgRoot("x", language).root()
    for kind in KINDS[language]:
        root.find({"rule": {"kind": kind}})  # raises where there is none
    for field in FIELDS[language]:
        root.find({"rule": {"kind": "ERROR", "has": {"field": field, "regex": "x"}}})


def test_the_dump_knows_the_same_fields():
    assert set(syntaxdump.FIELDS) >= {field for fields in FIELDS.values() for field in fields}
