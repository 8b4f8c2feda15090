"""The rules of a skill: what a rule file may hold, and what is said of one that holds something else."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from reviewbot.core.skill.bundle import load_bundle
from reviewbot.core.skill.rulefile import LANGUAGES, RuleFile, _well_formed
from reviewbot.core.skill.rules import MAX_BYTES, load_rules
from reviewbot.core.types import Diagnostic, Grade, Rule, Severity, SkillOrigin
from reviewbot.gates import ruleworker
from tests.rulefiles import CLASSES, WHOLE, rule_text
from tests.skillfiles import FRONT

FOLDER = "skills/some-review"


def load(*texts: str | bytes) -> tuple[tuple[Rule, ...], tuple[Diagnostic, ...]]:
    files = {f"rules/{n}.yml": t.encode() if isinstance(t, str) else t for n, t in enumerate(texts)}
    return load_rules(FOLDER, files, CLASSES)


def faults(*texts: str | bytes) -> list[str]:
    """`line:col CODE` of each diagnostic."""
    return [f"{d.line}:{d.col} {d.code}" for d in load(*texts)[1]]


def only(text: str) -> Rule:
    rules, diagnostics = load(text)
    assert diagnostics == ()
    (rule,) = rules
    return rule


def test_a_whole_rule_is_read():
    assert only(WHOLE) == Rule(
        id="discarded-status",
        language="python",
        slug="a-lost-status",
        grade=Grade.HINT,
        message="`$CALL` may fail, and nobody asks",
        cost="The next step works on what was there before.",
        fix="Use `subprocess.run` with `check=True`.",
        config=json.dumps({"rule": {"kind": "expression_statement", "has": {"pattern": "os.system($CALL)"}}}),
        bad=("os.system(command)",),
        good=("status = os.system(command)",),
        path=f"{FOLDER}/rules/0.yml",
        line=7,
        source=WHOLE,
    )


def test_what_may_be_left_out_may_be_given():
    more = "severity: blocker\ngrade: strong\npaths: ['src/**', '!**/tests/**']\nutils:\n  u: {kind: call}\n"
    rule = only(WHOLE + more + "constraints:\n  CALL: {regex: x}\n")
    assert (rule.severity, rule.grade) == (Severity.BLOCKER, Grade.STRONG)
    assert rule.paths == ("src/**", "!**/tests/**")
    assert json.loads(rule.config)["utils"] == {"u": {"kind": "call"}}
    assert json.loads(rule.config)["constraints"] == {"CALL": {"regex": "x"}}


@pytest.mark.parametrize(
    ("written", "slug"),
    [
        ("2", "an-os-system-call"),
        ("'2'", "an-os-system-call"),
        ("an-os-system-call", "an-os-system-call"),
        ("An `os.system` call", "an-os-system-call"),
        ("A lost status", "a-lost-status"),
    ],
)
def test_a_class_is_named_by_number_slug_or_title(written: str, slug: str):
    assert only(rule_text(class_=f" {written}")).slug == slug


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("{kind: on}", {"kind": "on"}),  # YAML 1.1: True
        ("{regex: '^(=|==)$'}", {"regex": "^(=|==)$"}),
        ("{pattern: 1}", {"pattern": "1"}),
        ("{pattern: true}", {"pattern": "true"}),
        ("{kind: call, nthChild: 1}", {"kind": "call", "nthChild": 1}),
        ("{nthChild: {position: 2, reverse: true}}", {"nthChild": {"position": 2, "reverse": True}}),
        ("{nthChild: 2n+1}", {"nthChild": "2n+1"}),
        ("{nthChild: '1'}", {"nthChild": "1"}),
    ],
)
def test_values_are_the_texts_that_were_written(written: str, read: object):
    assert json.loads(only(rule_text(rule=f" {written}", message=" m")).config) == {"rule": read}


def test_line_ends_and_a_byte_order_mark_make_no_difference():
    assert only("\ufeff" + WHOLE.replace("\n", "\r\n")) == only(WHOLE)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"id: \xff\n", "1:1 R001"),
        ("id: a\nmessage: b\0c\n", "2:11 R001"),
        (WHOLE + "#" * MAX_BYTES, "1:1 R001"),
        ("", "1:1 R002"),
        ("- a\n- b\n", "1:1 R002"),
        ("id: [a\n", "2:1 R002"),
        ("id: a\n\tlanguage: b\n", "2:1 R002"),
        (f"{WHOLE}---\n{WHOLE}", "14:1 R002"),
        ("? [a, b]\n: c\n", "1:3 R002"),
        ("id: &x a\nmessage: *x\n", "1:5 R003"),
        ("rule: !!python/object:os.system x\n", "1:7 R003"),
        ("id: !x a\n", "1:5 R003"),
        ("id: a\nrule: {kind: a, kind: b}\n", "2:17 R003"),
        ("id: a\nid: b\n", "2:1 R003"),
        ("rule: " + "{not: " * 3000 + "{kind: a}" + "}" * 3000, "1:386 R003"),
        ("rule: " + "[" * 60_000, "1:1006 R002"),
        (WHOLE + "grad: strong\n", "14:1 R004"),
        ("".join(f"key-{n}: x\n" for n in range(5000)), "1:1 R004"),
        (rule_text(cost=None), "1:1 R004"),
        (rule_text(cost=""), "5:1 R004"),
        (rule_text(cost=" x" + "y" * 1000), "5:1 R004"),
        (rule_text(rule=" kind"), "7:1 R004"),
        (rule_text(rule=" {}"), "7:1 R004"),
        (rule_text(bad=" []"), "10:1 R004"),
        (rule_text(good=" a text"), "12:1 R004"),
        (rule_text(good=" [[a]]"), "12:8 R004"),
        (rule_text(language=" dockerfile"), "2:1 R004"),
        (WHOLE + "grade: proven\n", "14:1 R004"),
        (WHOLE + "class_: 1\n", "14:1 R004"),
        (rule_text(class_=" 4"), "3:1 R005"),
        (rule_text(class_=" a-lost-state"), "3:1 R005"),
        (rule_text(class_=""), "3:1 R005"),
        (rule_text(class_=" 3"), "3:1 R005"),
        (rule_text(id=" Not Kebab"), "1:1 R007"),
        (rule_text(id=" " + "a" * 65), "1:1 R007"),
        (rule_text(id=' "r1\\n"'), "1:1 R007"),
        (rule_text(message=" '$CAL may fail'"), "4:1 R008"),
        (WHOLE + "paths: ['../x/*.py']\n", "14:9 R009"),
        (WHOLE + "paths: [" + "a," * 31_000 + "]\n", "14:1 R009"),
        (WHOLE + "paths: ['/etc/passwd']\n", "14:9 R009"),
        (WHOLE + "proof: ./show.sh | cat\n", "14:1 R010"),
        (WHOLE + "proof: [./show.sh]\n", "14:1 R004"),
    ],
)
def test_a_fault_has_a_place(text: str | bytes, place: str):
    rules, _ = load(text)
    assert rules == ()
    assert faults(text) == [place]


BOMB = "a: &a [x, x]\n" + "".join(
    f"{k}: &{k} [*{p}, *{p}]\n" for p, k in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_an_alias_bomb_is_not_unfolded():
    rules, (fault,) = load(BOMB)
    assert rules == ()
    remedy = "write the value out where it is used, or put the text in quotes"
    assert str(fault) == f"{FOLDER}/rules/0.yml:1:4 R003 the anchor `&a` is not allowed here; {remedy}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WHOLE + "grad: strong\n", "`grad`: unknown key; did you mean grade?"),
        (rule_text(cost=None), "`cost`: this key is missing"),
        (
            rule_text(class_=" 9"),
            "the skill has no class `9`; it has 1 `a-lost-status`, 2 `an-os-system-call`; name one, "
            "or remove the rule",
        ),
        (
            rule_text(message=" $HOME"),
            "no pattern of the rule holds `$HOME`; write `${HOME}` for the text itself",
        ),
        (f"{WHOLE}---\n{WHOLE}", "a second document; put each rule into a file of its own"),
        (rule_text(language=" sh"), "`language`: this is none of bash, python, yaml; did you mean bash?"),
        (rule_text(language=" go"), "`language`: this is none of bash, python, yaml"),
        (WHOLE + "grade: strng\n", "`grade`: this is none of strong, hint; did you mean strong?"),
        (rule_text(bad="\n    - { a; b; }"), "`bad`: it needs a text; put this one in quotes"),
        (rule_text(bad=" x"), "`bad`: it needs a list"),
        (rule_text(rule=" call"), "`rule`: it needs keys with values"),
        (
            "id: a\nrule: {regex: [a]b}\n",
            "not valid YAML: within `{…}` a text with `[`, `{`, `,` or `: ` needs quotes, "
            "or the `{` of line 2 is not closed",
        ),
        (
            WHOLE + "paths:\n- !**/x\n",
            "a YAML tag is not allowed here; put a text that starts with `!` in quotes",
        ),
    ],
)
def test_a_fault_names_the_remedy(text: str, message: str):
    assert [d.message for d in load(text)[1]] == [message]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("kind: a\nhas: {feild: b}", "9:11 `feild`: unknown key; did you mean field?"),
        ("kindd: a", "8:5 `kindd`: unknown key; did you mean kind?"),
        ("any:\n  - kind: a\n  - kid: b", "10:9 `kid`: unknown key; did you mean kind?"),
        ("pattern: {context: a, selecter: b}", "8:27 `selecter`: unknown key; did you mean selector?"),
        ("nthChild: {position: 1, ofRul: {kind: a}}", "8:29 `ofRul`: unknown key; did you mean ofRule?"),
        ("inside: {kind: a, stopBy: {kid: b}}", "8:32 `kid`: unknown key; did you mean kind?"),
        ("all: {kind: a}", "8:5 `all`: it needs a list of rules"),
        ("any: [a]", "8:11 `any`: it needs keys with values"),
        ("not: [{kind: a}]", "8:5 `not`: it needs keys with values"),
        ("kind: [a, b]", "8:5 `kind`: it needs a text"),
        ("has: a", "8:5 `has`: it needs keys with values"),
    ],
)
def test_a_key_that_ast_grep_would_pass_over_is_named(rule: str, said: str):
    text = rule_text(message=" m", rule="\n    " + rule.replace("\n", "\n    "))
    rules, (fault,) = load(text)
    assert (rules, fault.code) == ((), "R004")
    assert f"{fault.line}:{fault.col} {fault.message}" == said


def test_of_thousands_of_wrong_keys_the_first_are_named():
    keys = ", ".join(f"k{n}: a" for n in range(5000))
    _, faults = load(rule_text(message=" m", rule=f" {{kind: a, has: {{{keys}}}}}"))
    assert len(faults) == 21
    assert (faults[0].message[:20], faults[20].message) == (
        "`k0`: unknown key; k",
        "4980 more of these are not shown",
    )


def test_utils_and_constraints_are_rules_too():
    more = "utils:\n  u: {kindd: a}\n  v: text\nconstraints: {CALL: {regx: a}}\n"
    assert [d.message for d in load(WHOLE + more)[1]] == [
        "`kindd`: unknown key; did you mean kind?",
        "`v`: it needs keys with values",
        "`regx`: unknown key; did you mean regex?",
    ]


def test_every_wrong_key_is_named_at_once():
    assert faults(rule_text(id=" A", message=" $X", class_=" 9")) == ["1:1 R007", "3:1 R005", "4:1 R008"]
    assert faults(rule_text(language=" sh", bad=None, fix=None)) == ["1:1 R004", "1:1 R004", "2:1 R004"]


@pytest.mark.parametrize("message", ["`${HOME}` is gone", "costs $5", "`$CALL` and $$$CALL"])
def test_dollars_that_are_no_unknown_metavariable_are_text(message: str):
    assert only(rule_text(message=f" '{message}'")).message == message


def test_metavariables_may_come_from_utils_and_contexts():
    text = rule_text(message=" '$A $B $C'", rule=" {all: [{pattern: f($A)}, {matches: u}]}")
    utils = "utils:\n  u: {has: {pattern: {context: 'class X: $B = $C', selector: assignment}}}\n"
    assert only(text + utils).message == "$A $B $C"
    assert faults(rule_text(message=" '$_A'", rule=" {pattern: f($_A)}")) == ["4:1 R008"]


def test_a_broken_rule_leaves_the_others():
    rules, (fault,) = load(WHOLE, rule_text(id=" other", cost=None), rule_text(id=" third"))
    assert [rule.id for rule in rules] == ["discarded-status", "third"]
    assert (fault.path, fault.level) == (f"{FOLDER}/rules/1.yml", "error")


def test_of_two_rules_with_one_id_the_first_stays():
    rules, (fault,) = load(WHOLE, WHOLE)
    assert [rule.path for rule in rules] == [f"{FOLDER}/rules/0.yml"]
    assert fault.code == "R007"
    assert f"{FOLDER}/rules/0.yml is called `discarded-status` too" in fault.message


def test_a_hundred_rules_are_read_and_the_rest_is_named():
    files = {f"rules/{n:03}.yml": rule_text(id=f" rule-{n}").encode() for n in range(102)}
    rules, (fault,) = load_rules(FOLDER, files, CLASSES)
    assert len(rules) == 100
    assert (fault.path, fault.code) == (f"{FOLDER}/rules/100.yml", "R001")


def test_only_yaml_directly_in_rules_is_a_rule():
    whole = WHOLE.encode()
    files = {
        "rules/a.yaml": whole,
        "rules/README.md": whole,
        "a.yml": whole,
        "cases/x/base/rules/a.yml": whole,
        "rules/more/b.yml": whole,
    }
    rules, (fault,) = load_rules(FOLDER, files, CLASSES)
    assert [rule.path for rule in rules] == [f"{FOLDER}/rules/a.yaml"]
    assert (fault.path, fault.code, fault.level) == (f"{FOLDER}/rules/more/b.yml", "R001", "error")


@pytest.mark.parametrize(
    "name", ["a.yml", "a.yaml", "rule/a.yml", "rules/a.yml.txt", "rules/a.yaml.bak", "rules/a.YML"]
)
def test_a_rule_in_the_wrong_place_is_named(name: str):
    files = {"SKILL.md": SKILL, name: WHOLE.encode()}
    skill, diagnostics = load_bundle(f"{FOLDER}/SKILL.md", files, SkillOrigin.BASE)
    assert skill is not None
    assert skill.rules == ()
    (found,) = (d for d in diagnostics if d.code == "R001")
    remedy = "this rule is not read; rules lie in `rules/*.yml` of the skill: move it there"
    assert (found.path, found.level, found.message) == (f"{FOLDER}/{name}", "warning", remedy)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yml", "rule: x\n"),
        ("agents/openai.yaml", WHOLE),
        ("references/a.yml", WHOLE),
        ("rules/README.md", WHOLE),
        ("rules/a.yml", WHOLE),
    ],
)
def test_what_is_no_rule_or_none_astray_is_not_named(name: str, text: str):
    files = {"SKILL.md": SKILL, name: text.encode()}
    _, diagnostics = load_bundle(f"{FOLDER}/SKILL.md", files, SkillOrigin.BASE)
    assert [d for d in diagnostics if d.code == "R001"] == []


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_no_bytes_are_too_strange(data: bytes):
    rules, diagnostics = load_rules(FOLDER, {"rules/a.yml": data}, CLASSES)
    assert rules == ()
    assert [d for d in diagnostics if d.level == "error"]


VALUES = st.sampled_from(
    ["x", "", "python", "hint", "note", 1, True, None, [], ["x"], [1], ["x", ["y"]], {}, {"kind": "call"}]
)
KEYS = st.sampled_from([*(f.rstrip("_") for f in RuleFile.__dataclass_fields__), "other", "class_"])
WELL = {
    **dict.fromkeys(("id", "message", "cost", "fix", "class"), "x"),
    **{"language": "yaml", "rule": {"kind": "x"}, "bad": ["x"], "good": ["x"]},
}


@given(st.dictionaries(KEYS, VALUES, max_size=4), st.sets(st.sampled_from(sorted(WELL)), max_size=1))
def test_what_is_taken_without_pydantic_pydantic_would_take_alike(
    changes: Mapping[str, object], gone: set[str]
):
    values = {key: value for key, value in {**WELL, **changes}.items() if key not in gone}
    if _well_formed(values):
        own = RuleFile(**{("class_" if key == "class" else key): value for key, value in values.items()})
        assert TypeAdapter(RuleFile).validate_python(values) == own


def test_the_worker_knows_the_same_languages():
    assert ruleworker.LANGUAGES == LANGUAGES


# --- a skill with its rules ---------------------------------------------------------------

BODY = "\n## Defect classes\n\n1. **A lost status.** It is gone. Fix: keep it.\n"
SKILL = (FRONT + BODY).encode()


def test_a_skill_brings_its_rules():
    files = {"SKILL.md": SKILL, "rules/a.yml": WHOLE.encode(), "references/b.md": b"x"}
    skill, diagnostics = load_bundle(f"{FOLDER}/SKILL.md", files, SkillOrigin.BASE)
    assert skill is not None
    assert [(r.id, r.slug, r.path) for r in skill.rules] == [
        ("discarded-status", "a-lost-status", f"{FOLDER}/rules/a.yml")
    ]
    assert [d for d in diagnostics if d.level == "error"] == []


def test_a_broken_rule_does_not_take_the_skill_with_it():
    files = {"SKILL.md": SKILL, "rules/a.yml": b"id: a\n", "rules/b.yml": WHOLE.encode()}
    skill, diagnostics = load_bundle(f"{FOLDER}/SKILL.md", files, SkillOrigin.BASE)
    assert skill is not None
    assert [rule.path for rule in skill.rules] == [f"{FOLDER}/rules/b.yml"]
    assert {d.path for d in diagnostics if d.level == "error"} == {f"{FOLDER}/rules/a.yml"}
    assert skill.diagnostics == diagnostics


def test_the_hash_covers_the_rules_and_nothing_else():
    def hash_of(**files: bytes) -> str:
        named = {name.replace("_", "/") + ".yml": data for name, data in files.items()}
        skill, _ = load_bundle(f"{FOLDER}/SKILL.md", {"SKILL.md": SKILL, **named}, SkillOrigin.BASE)
        assert skill is not None
        return skill.hash

    whole = WHOLE.encode()
    hashes = [hash_of(), hash_of(rules_a=whole), hash_of(rules_b=whole), hash_of(rules_a=whole + b"#")]
    assert len(set(hashes)) == 4
    assert hash_of(other_a=whole) == hash_of()


def test_without_a_skill_there_are_no_rules():
    skill, diagnostics = load_bundle(
        f"{FOLDER}/SKILL.md", {"SKILL.md": b"", "rules/a.yml": WHOLE.encode()}, SkillOrigin.BASE
    )
    assert skill is None
    assert {d.path for d in diagnostics} == {f"{FOLDER}/SKILL.md"}


def test_the_paths_of_all_rules_together_have_a_limit() -> None:
    spelled = "".join(f"  - '*{{0,b}}*{{c,d}}*{{e,f}}*{{g,h}}*{{i,j}}*{{k,l}}*{n}'\n" for n in range(40))
    files = {
        f"rules/{name}.yml": (rule_text(id=f" {name}") + f"paths:\n{spelled}").encode() for name in ("a", "b")
    }
    rules, (fault,) = load_rules("s", files, CLASSES)
    assert [rule.id for rule in rules] == ["a"]
    assert (fault.path, fault.code, "too many alternatives" in fault.message) == (
        "s/rules/b.yml",
        "R009",
        True,
    )
