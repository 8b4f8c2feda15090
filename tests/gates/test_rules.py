"""Rules in their process: what they find, and that no rule, text or example can end or hold up a review."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.assets import assets
from reviewbot.core.errors import UsageError
from reviewbot.core.rulewords import may_match, words_of
from reviewbot.core.skill.bundle import load_bundle
from reviewbot.core.types import (
    Diagnostic,
    Grade,
    Incomplete,
    Rule,
    RuleHit,
    RulePlan,
    RuleRun,
    Script,
    Skill,
    SkillOrigin,
    Text,
)
from reviewbot.gates import rulechild, rulejob, ruleworker
from reviewbot.gates.rulejob import LIMITS, Limits
from reviewbot.gates.rules import RuleWorker, dump
from tests import builders
from tests.rulefiles import CLASSES, rule

CALL = {"pattern": "os.system($COMMAND)"}
CHECK = "`reviewbot skills check` tries it again"
UNTRIED = "skills/some-review/rules/a-rule.yml:7:1 R006 the rule was not tried: "


def plan_of(rules: Iterable[Rule], *texts: Text) -> RulePlan:
    keyed = {("some-review", rule.id): rule for rule in rules}
    skill = builders.skill(name="some-review", classes=CLASSES)
    scripts = {text.path: (Script(text, text),) for text in texts}
    return RulePlan(dict.fromkeys(keyed, skill), keyed, dict.fromkeys(keyed, scripts))


def run(*rules: Rule, texts: Iterable[Text], limits: Limits = LIMITS) -> RuleRun:
    return RuleWorker(limits).start(plan_of(rules, *texts))()


def hits(content: str, **changes: Any) -> list[tuple[int, int, str]]:
    done = run(rule(changes.pop("rule", CALL), **changes), texts=[Text("a.py", content)])
    assert done.failures == ()
    return [(hit.start_line, hit.line, hit.message) for hit in done.hits]


# --- what is found ------------------------------------------------------------------------


def test_a_match_has_its_lines_and_its_message():
    text = Text("src/a.py", "import os\n\nos.system(x)\n")
    done = run(rule(CALL, message="`$COMMAND` may fail"), texts=[text])
    key = ("some-review", "a-rule")
    assert done.hits == (RuleHit(key, Script(text, text), 3, 3, "`x` may fail"),)
    assert (done.read, done.failures) == (frozenset({(key, "src/a.py")}), ())


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("a\r\nos.system(x)\r\n", 2),
        ("a;\ros.system(x)\n", 1),
        ("'\f\v'\nos.system(x)\n", 2),
        ("'\u2028'\nos.system(x)\n", 2),
        ("'😀é'\nos.system('😀')\n", 2),
        ("os.system(x)", 1),
    ],
)
def test_a_line_ends_at_lf_only(content: str, line: int):
    assert [hit[:2] for hit in hits(content)] == [(line, line)]


def test_a_metavariable_is_one_short_line():
    long = "'" + "x" * 100 + "'"
    assert hits(f"os.system(f(\n  1,\n  2))\nos.system({long})\n", message="<$COMMAND>") == [
        (1, 3, "<f( 1, 2)>"),
        (4, 4, f"<{long[:59]}…>"),
    ]


def test_a_message_is_capped_when_it_is_filled_in():
    ((_, _, message),) = hits(f"os.system('{'x' * 50}')\n", message="$COMMAND" * 100)
    assert (len(message), message[-1]) == (1000, "…")


def test_many_arguments_are_shown_as_they_stand():
    calls = {"pattern": "os.system($$$ARGS)"}
    assert hits("os.system(a, *b)\nos.system()\n", rule=calls, message="<$$$ARGS>") == [
        (1, 1, "<a, *b>"),
        (2, 2, "<…>"),
    ]


def test_a_match_within_a_match_on_its_line_is_one_hit():
    calls = {"pattern": "os.system($A)"}
    nested = "os.system(os.system(x)); os.system(y)\nos.system(\n  os.system(z))\n"
    assert [hit[:2] for hit in hits(nested, rule=calls)] == [(1, 1), (1, 1), (2, 3), (3, 3)]


def test_a_block_of_yaml_ends_where_its_text_ends():
    block = {"kind": "block_mapping", "inside": {"kind": "block_node", "inside": {"kind": "document"}}}
    yaml = rule(block, language="yaml", bad=("a: b\n",), good=("a\n",))
    done = run(yaml, texts=[Text("a.yml", "a: b\nc: d\n\n\n")])
    assert [(hit.start_line, hit.line) for hit in done.hits] == [(1, 2)]


def test_utils_and_constraints_are_used():
    narrow = {"utils": {"u": CALL}, "constraints": {"COMMAND": {"regex": "^x"}}}
    assert [
        hit[0]
        for hit in hits(
            "os.system(x1)\nos.system(y)\n", rule={"matches": "u"}, bad=("os.system(x)",), **narrow
        )
    ] == [1]


def test_surrogates_of_an_undecodable_file_move_nothing():
    assert [hit[0] for hit in hits("'\udcff\udcfe'\nos.system('\udcff')\n", message="$COMMAND")] == [2]


def test_each_block_of_a_workflow_is_a_text_of_its_own():
    file = Text("ci.yml", "a: 1\n" * 9)
    names = ("a", "b", "c")
    blocks = [
        Script(file, Text("ci.yml", "#!sh\n" + "\n" * n + f"{name} x\n"), n + 2)
        for n, name in enumerate(names)
    ]
    command = rule({"pattern": "$NAME x"}, language="bash", message="$NAME", bad=("f x",), good=("",))
    key = ("some-review", "a-rule")
    plan = plan_of([command])._replace(texts={key: {"ci.yml": tuple(blocks), "empty.yml": ()}})
    done = RuleWorker().start(plan)()
    assert [(hit.script, hit.start_line, hit.message) for hit in done.hits] == [
        (block, block.start, name) for block, name in zip(blocks, names, strict=True)
    ]
    assert (done.read, done.failures) == ({(key, "ci.yml"), (key, "empty.yml")}, ())


def test_a_block_that_no_rule_could_read_is_named_by_its_line(monkeypatch: pytest.MonkeyPatch):
    dead = rulechild.Answers('["at","text",0]\n', "ended by SIGSEGV", False, False)
    answers = iter([dead, dead._replace(text='["sound",0]\n["hits",1,0,0.1,[],false]\n', fate="")])
    monkeypatch.setattr(rulejob, "ask", lambda *job: next(answers))
    file = Text("ci.yml", "\n" * 9)
    blocks = tuple(Script(file, Text("ci.yml", f"#!sh\n{n}\n"), n) for n in (2, 7))
    key = ("some-review", "a-rule")
    plan = plan_of([rule({"kind": "command"}, language="bash")])._replace(texts={key: {"ci.yml": blocks}})
    done = RuleWorker().start(plan)()
    why = Incomplete("detect", "rule some-review/a-rule on ci.yml:2", "the parser: ended by SIGSEGV")
    assert (done.failures, done.read) == ((why,), {(key, "ci.yml")})


# --- examples -----------------------------------------------------------------------------

WRONG = [
    (rule(CALL, bad=("os.system(x)", "pass")), "bad example 2 is not matched: `pass`"),
    (rule(CALL, good=("pass", "\nos.system(x)")), "good example 2 is matched, at its line 2: `os.system(x)`"),
    (rule({"kind": "nope"}), "python has no kind `nope`"),
    (rule({"patern": "x"}), "unknown field `patern`"),
    (rule({"pattern": ""}), "No AST root is detected"),
    (rule({"regex": "("}), "the regex `(` does not parse: unclosed group"),
    (rule({"kind": "call", "regex": "((a{1000}){1000}){1000}"}), "exceeds size limit"),
    (rule({"matches": "u"}), "`utils` has no `u`"),
    (rule({"matches": "u"}, utils={"u": {"matches": "u"}}), "cyclic dependency"),
    (rule({"pattern": "\ud800"}), "surrogates not allowed"),
    (rule({}), "must have one positive matcher"),
    (rule(CALL, language="dockerfile"), "its language is none of bash, python, yaml"),
    (rule(CALL, language="sh"), "its language is none of bash, python, yaml"),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG, ids=[why for _, why in WRONG])
def test_a_wrong_rule_is_named_and_the_others_are_run(wrong: Rule, why: str):
    wrong = wrong._replace(id="wrong", path="r/wrong.yml")
    done = run(wrong, rule(CALL), texts=[Text("a.py", "os.system(x)\n")])
    (fault,) = done.failures
    assert (fault.stage, fault.what) == ("skill", "r/wrong.yml")
    assert fault.why.startswith("r/wrong.yml:7:1 R006 ")
    assert why in fault.why
    assert len(fault.why) < 400
    assert "\n" not in fault.why
    assert [hit.key for hit in done.hits] == [("some-review", "a-rule")]
    assert done.read == {(("some-review", "a-rule"), "a.py")}


def test_examples_are_tried_without_a_review():
    rules = [WRONG[0][0], rule(CALL), WRONG[2][0]._replace(line=12)]
    path = "skills/some-review/rules/a-rule.yml"
    one, other = RuleWorker().examples(rules)
    message = "bad example 2 is not matched: `pass`; `reviewbot skills dump FILE` shows the tree"
    assert one == Diagnostic(path, 7, 1, "R006", "error", message)
    assert (other.line, other.code, "`nope`" in other.message) == (12, "R006", True)


def test_no_rules_no_faults(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rulejob, "ask", None)
    assert RuleWorker().examples([]) == ()


def built_in(name: str) -> Skill:
    folder = Path(assets("skills")) / name
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    skill, diagnostics = load_bundle(f"builtin:{name}/SKILL.md", files, SkillOrigin.BUILTIN)
    assert skill is not None
    assert [d for d in diagnostics if d.code[0] == "R"] == []
    return skill


def test_the_rules_that_are_shipped_keep_their_examples():
    skill = built_in("silent-failures")
    assert [(rule.id, rule.slug, rule.grade) for rule in skill.rules] == [
        ("check-behind-or-true", "a-ci-step-that-cannot-fail", Grade.HINT),
        ("forgotten-exception", "an-exception-caught-and-forgotten", Grade.HINT),
        ("job-that-may-fail", "a-ci-step-that-cannot-fail", Grade.HINT),
        ("step-that-cannot-fail", "a-ci-step-that-cannot-fail", Grade.HINT),
    ]
    assert RuleWorker().examples(skill.rules) == ()
    for shipped in skill.rules:
        words = words_of(shipped)
        assert words
        assert all(may_match(words, Text("x", example)) for example in shipped.bad)


# --- what is started ----------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that were started."""
    programs: list[str] = []
    real = rulejob.ask

    def counting(program: str, job: Iterable[str], seconds: float) -> rulechild.Answers:
        programs.append(program)
        return real(program, job, seconds)

    monkeypatch.setattr(rulejob, "ask", counting)
    return programs


def test_nothing_is_started_for_no_text(started: list[str]):
    assert run(rule(CALL), texts=[]) == RuleRun(plan_of([rule(CALL)]), (), frozenset(), ())
    assert started == []


def test_a_text_without_the_words_of_a_rule_is_read_without_a_parser(started: list[str]):
    done = run(rule(CALL), texts=[Text("a.py", "subprocess.run(x)\n")])
    assert (done.read, done.failures) == ({(("some-review", "a-rule"), "a.py")}, ())
    assert started == []


@pytest.mark.parametrize("origin", [SkillOrigin.BASE, SkillOrigin.HEAD, SkillOrigin.PATH])
def test_a_rule_of_a_stranger_is_tried_where_no_text_holds_its_words(started: list[str], origin: SkillOrigin):
    wrong = rule({**CALL, "regex": "("}, id="wrong", path="r/wrong.yml")
    plan = plan_of([wrong, rule(CALL)], Text("a.py", "subprocess.run(x)\n"))
    plan = plan._replace(skills={key: skill._replace(origin=origin) for key, skill in plan.skills.items()})
    done = RuleWorker().start(plan)()
    assert [failure.what for failure in done.failures] == ["r/wrong.yml"]
    assert done.read == {(("some-review", "a-rule"), "a.py")}
    assert started == ["ruleworker.py"]


def test_head_and_base_try_the_examples_once(monkeypatch: pytest.MonkeyPatch):
    worker = RuleWorker()
    plan = plan_of([rule(CALL)], Text("a.py", "os.system(x)\n"))
    checked: list[bool] = []
    real = rulejob.ask

    def reading(program: str, job: Iterable[str], seconds: float) -> rulechild.Answers:
        lines = list(job)
        checked.extend(rule["checked"] for rule in json.loads(lines[0])["rules"])
        return real(program, lines, seconds)

    monkeypatch.setattr(rulejob, "ask", reading)
    assert worker.start(plan)().hits == worker.start(plan)().hits != ()
    assert checked == [False, True]


def test_many_texts_are_one_process(started: list[str]):
    texts = [Text(f"{n}.py", "os.system(x)\n") for n in range(50)]
    done = run(rule(CALL), rule({"kind": "call"}, id="other"), texts=texts)
    assert (len(done.hits), len(done.read), done.failures) == (100, 100, ())
    assert started == ["ruleworker.py"]


def test_the_child_has_no_environment_and_no_folder_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "json.py").write_text("raise SystemExit('a file of the reviewed folder was imported')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert len(hits("os.system(x)\n")) == 1
    assert sorted(os.listdir(tmp_path)) == ["json.py"]


def test_a_child_whose_review_is_gone_stops(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    foreign = {"language": "sh", "checked": False}
    (tmp_path / "job").write_text(json.dumps({"limits": {}, "rules": [foreign] * 3}) + "\n")
    parents = iter([1, 1, 1, 2])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ruleworker.py", str(tmp_path)])
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    assert ruleworker.main() == 1
    assert [json.loads(line)[:2] for line in (tmp_path / "answers").read_text().splitlines()] == [
        ["at", "rule"],
        ["fault", 0],
    ]


# --- hostile rules ------------------------------------------------------------------------

# For every integer the whole module is searched for a string.
ENDLESS = rule(
    {
        "has": {
            "kind": "integer",
            "stopBy": "end",
            "inside": {"kind": "module", "stopBy": "end", "has": {"kind": "string", "stopBy": "end"}},
        }
    },
    id="endless",
    bad=("a = 1\nb = ''\n",),
)
LARGE = "".join(f"a = {n}\n" for n in range(20_000))
PATIENT = Limits(file=1.0, rule=10.0)


def test_a_rule_that_is_too_slow_is_named_and_the_others_go_on(started: list[str]):
    names = ("small.py", "large.py", "small2.py", "small3.py")
    texts = [Text(name, LARGE if name == "large.py" else "a = 1\nos.system('')\n") for name in names]
    done = run(
        ENDLESS, rule(CALL), rule({"kind": "integer"}, id="third", bad=("1",)), texts=texts, limits=PATIENT
    )
    assert done.failures == (
        Incomplete("detect", "rule some-review/endless on large.py and 2 more", "took longer than 1 s"),
        Incomplete(
            "detect",
            "rule some-review/third on large.py",
            "more than 200 matches; the others are not reported",
        ),
    )
    by_rule = {id: {path for key, path in done.read if key[1] == id} for id in ("endless", "a-rule", "third")}
    assert by_rule == {"endless": {"small.py"}, "a-rule": set(names), "third": set(names)}
    assert {hit.script.file.path for hit in done.hits if hit.key[1] == "a-rule"} == {
        "small.py",
        "small2.py",
        "small3.py",
    }
    assert started == ["ruleworker.py"] * 2


def test_slow_examples_are_a_fault_of_the_rule():
    slow = ENDLESS._replace(good=(LARGE,), path="r/slow.yml")
    done = run(slow, rule(CALL), texts=[Text("a.py", "os.system(1)\n")], limits=PATIENT)
    why = f"r/slow.yml:7:1 R006 its examples: took longer than 1 s; correct the rule, {CHECK}"
    assert done.failures == (Incomplete("skill", "r/slow.yml", why),)
    assert len(done.hits) == 1


def test_a_rule_has_a_budget_for_all_texts_together():
    texts = [Text(f"{n}.py", f"# {n}\n" + LARGE[:40_000]) for n in range(8)]
    slow = rule({"kind": "integer", "regex": "^77777777$"}, bad=("77777777",))
    done = run(slow, texts=texts, limits=Limits(file=5.0, rule=0.01))
    (failure,) = done.failures
    assert (failure.stage, failure.why) == ("detect", "took longer than 0.01 s in all")
    assert len(done.read) < 8


def test_a_review_has_a_budget_for_all_rules_together():
    slow = [ENDLESS._replace(id=f"endless-{n}") for n in range(3)]
    done = run(*slow, texts=[Text("a.py", LARGE)], limits=Limits(file=60.0, rule=60.0, plan=1.0))
    assert (len(done.failures), done.read) == (3, frozenset())
    assert {failure.why for failure in done.failures} == {"the rules of this review took longer than 1 s"}


def test_a_rule_that_matches_everything_is_cut_and_says_so():
    everything = rule({"regex": "."}, bad=("1",), good=("",))
    done = run(
        everything,
        texts=[Text(f"{n}.py", f"{LARGE}# {n}\n") for n in range(7)],
        limits=Limits(file=20.0, rule=60.0),
    )
    assert len(done.hits) == 1000
    assert len({(hit.script.file.path, hit.start_line) for hit in done.hits}) == 1000
    assert sorted(failure.why for failure in done.failures) == [
        "more than 1,000 matches in all",
        "more than 200 matches; the others are not reported",
    ]
    assert "6.py" not in {path for _, path in done.read}


NESTED: dict[str, Any] = {"kind": "call"}
for _ in range(30):
    NESTED = {"not": {"not": NESTED}}

HOSTILE = {
    "a cycle through `inside`": rule(
        {"matches": "u"}, utils={"u": {"inside": {"matches": "u", "stopBy": "end"}}}, bad=("a",)
    ),
    "endless `not`": rule({"kind": "call", "all": [NESTED]}, bad=("f()",)),
    "a regex that would backtrack": rule({"kind": "string", "regex": "^(a+)+$|^'(.*)*x$"}, bad=("'x",)),
    "a regex of a megabyte": rule({"kind": "call", "regex": "(" + "a|" * 500_000 + "a)"}),
    "an expansion without end": rule({"pattern": "$$$A"}, bad=("a",)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_rule_ends_and_the_others_are_run(name: str):
    hostile = HOSTILE[name]._replace(id="hostile")
    texts = [Text("a.py", "x = '" + "a" * 5000 + "!'\n" + "f(" * 200 + ")" * 200 + "\nos.system(1)\n")]
    done = run(hostile, rule(CALL), texts=texts, limits=PATIENT)
    assert [hit.start_line for hit in done.hits if hit.key[1] == "a-rule"] == [3]
    named = [failure for failure in done.failures if "hostile" in failure.what or failure.stage == "skill"]
    assert bool(named) != ((("some-review", "hostile"), "a.py") in done.read)


# --- hostile texts and a broken machine ---------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\0\0",
        "(" * 100_000,
        "if x:\n" * 3000,
        "os.system(" * 3000,
        "\udcff" * 1000,
        "'" * 50_001,
        "\r" * 1000,
    ],
    ids=range(8),
)
def test_a_hostile_text_is_read_or_named(content: str):
    texts = [Text("bad.py", content + "\nos.system()\n"), Text("good.py", "os.system(x)\n")]
    done = run(rule(CALL), texts=texts, limits=PATIENT)
    assert ("good.py", 1) in {(hit.script.file.path, hit.start_line) for hit in done.hits}
    assert len(done.read) + len(done.failures) == 2


def test_a_child_that_dies_is_blamed_on_what_it_was_doing(monkeypatch: pytest.MonkeyPatch):
    """The parser may be brought down below Python; no known input of this version does it."""
    ends = iter(
        [
            rulechild.Answers(
                '["at","rule",0]\n["sound",0]\n["at","text",0]\n', "ended by SIGSEGV", False, False
            ),
            rulechild.Answers(
                '["at","text",1]\n["at","run",1,0]\n["hits",', "ended by SIGABRT", False, False
            ),
        ]
    )
    monkeypatch.setattr(rulejob, "ask", lambda *job: next(ends))
    done = run(rule(CALL), texts=[Text(f"{n}.py", "os.system(x)") for n in "abc"])
    assert done.failures == (
        Incomplete("detect", "rule some-review/a-rule on a.py", "the parser: ended by SIGSEGV"),
        Incomplete("detect", "rule some-review/a-rule on b.py and 1 more", "ended by SIGABRT"),
    )
    assert done.read == frozenset()


def test_a_child_that_dies_at_once_is_not_started_for_ever(monkeypatch: pytest.MonkeyPatch):
    dead = rulechild.Answers("", "exit 1: ModuleNotFoundError: No module named 'ast_grep_py'", False, False)
    monkeypatch.setattr(rulejob, "ask", lambda *job: dead)
    done = run(rule(CALL), texts=[Text("a.py", "os.system(x)")])
    assert [failure.why for failure in done.failures] == [f"{UNTRIED}{dead.fate}; {CHECK}"]
    assert done.read == frozenset()


def test_a_machine_that_starts_nothing_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        rulechild, "_ast_grep", lambda: (_ for _ in ()).throw(OSError("ast-grep-py is not installed"))
    )
    done = run(rule(CALL), texts=[Text("a.py", "os.system(x)")])
    assert [failure.why for failure in done.failures] == [
        f"{UNTRIED}it could not be started: ast-grep-py is not installed; {CHECK}"
    ]


def test_a_fault_of_ours_is_not_swallowed_by_the_thread(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rulejob, "ask", None)
    result = RuleWorker().start(plan_of([rule(CALL)], Text("a.py", "os.system(x)")))
    with pytest.raises(TypeError):
        result()


@settings(max_examples=10)
@given(
    st.lists(st.text(max_size=60), max_size=3),
    st.dictionaries(
        st.sampled_from(["kind", "pattern", "regex", "has", "any"]), st.text(max_size=8), max_size=2
    ),
)
def test_every_pair_is_read_or_named(contents: list[str], top: dict[str, str]):
    texts = [Text(f"{n}.py", f"{content}\nos.system()") for n, content in enumerate(contents)]
    done = run(rule(CALL), rule(top, id="random", path="r/random.yml"), texts=texts)
    for id in ("a-rule", "random"):
        for text in texts:
            named = any(f.what == "r/random.yml" or f"/{id} on" in f.what for f in done.failures)
            assert ((("some-review", id), text.path) in done.read) != (named and id == "random")


# --- the syntax tree ----------------------------------------------------------------------


def test_the_tree_names_places_fields_kinds_and_leaves():
    assert dump("if a; then\n  b 'c\td' || exit 1\nfi\n", "bash").split("\n") == [
        "    1:1    program",
        "    1:1      if_statement",
        '    1:1        "if"',
        "    1:4        condition: command",
        "    1:4          name: command_name",
        '    1:4            word  "a"',
        '    1:5        condition: ";"',
        '    1:7        "then"',
        "    2:3        list",
        "    2:3          command",
        "    2:3            name: command_name",
        '    2:3              word  "b"',
        "    2:5            argument: raw_string  \"'c\\td'\"",
        '    2:11         "||"',
        "    2:14         command",
        "    2:14           name: command_name",
        '    2:14             word  "exit"',
        '    2:19           argument: number  "1"',
        '    3:1        "fi"',
        "",
    ]


@pytest.mark.parametrize("language", ["dockerfile", "sh", ""])
def test_there_is_no_tree_of_another_language(language: str):
    with pytest.raises(UsageError, match="the languages are bash, python, yaml"):
        dump("x", language)


def test_a_tree_is_cut():
    lines = dump("f()\n" * 10_000, "python").split("\n")
    assert len(lines) == 20_002
    assert lines[-2] == "… only the first 20,000 nodes are shown"


@pytest.mark.parametrize("text", ["(" * 3000, "\udcff", "", "x = [" * 500], ids=range(4))
def test_a_hostile_text_has_a_tree(text: str):
    assert dump(text, "python").startswith("    1:1    ")
