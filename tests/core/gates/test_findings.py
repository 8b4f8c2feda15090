"""From faults to candidates: one for each fault and file, at its line, never what nobody wants to see."""

from __future__ import annotations

import json

import pytest

from reviewbot.core.gates import read_gates, suppressed
from reviewbot.core.types import GateStatus, Grade, Origin, Severity, Site
from tests.gate_cases import SKILL_PATH, result

FOO = "warning: foo is referenced but not assigned. [SC2154]"
QUOTE = "note: Double quote to prevent globbing and word splitting. [SC2086]"


def test_a_candidate_quotes_its_line_and_says_what_was_run():
    (made,) = read_gates([result("shellcheck", f"a.sh:2:6: {FOO}\n", a_sh="#!/bin/sh\nrm $foo\n")])
    assert made.slug == "gate-shellcheck"
    assert made.title == "shellcheck SC2154: foo is referenced but not assigned."
    assert made.site == Site("a.sh", 2, 2, "rm $foo")
    assert (made.origin, made.grade, made.severity) == (Origin.GATE, Grade.PROVEN, Severity.WARNING)
    assert (made.skill, made.rank, made.detector, made.confidence) == ("s", 1000, None, 100)
    assert made.failure == "The gate `shellcheck a.sh` fails here: foo is referenced but not assigned."
    assert "shellcheck.net/wiki/SC2154" in made.fix
    run, quote = made.claims
    assert run.kind == "run"
    assert run.text == "`shellcheck a.sh` exited 1 and said of a.sh: foo is referenced but not assigned."
    assert (quote.kind, quote.pattern, quote.line) == ("quote", "rm $foo", 2)


def test_the_same_fault_in_one_file_is_one_candidate_with_all_its_places():
    said = f"a.sh:1:6: {QUOTE}\na.sh:3:6: {QUOTE}\na.sh:3:9: {QUOTE}\nb.sh:1:6: {QUOTE}\n"
    made = read_gates([result("shellcheck", said, a_sh="rm $x\necho\nrm $y $z\n", b_sh="rm $x\n")])
    assert [(c.site.path, c.site.line, [s.line for s in c.also]) for c in made] == [
        ("a.sh", 1, [3]),
        ("b.sh", 1, []),
    ]
    assert {c.severity for c in made} == {Severity.NOTE}


def test_two_skills_with_one_gate_say_it_once():
    one = result("shellcheck", f"a.sh:1:4: {FOO}\n", a_sh="rm $foo\n")
    other = one._replace(run=one.run._replace(skill="t"))
    assert [c.skill for c in read_gates([one, other])] == ["s"]


def test_syntax_errors_block_and_swallow_what_linters_say_of_them():
    shell = {"a_sh": "if\nfi\n"}
    python = {"a_py": "x = )\n"}
    results = [
        result("shellcheck", f"a.sh:1:1: error: Couldn't parse. [SC1073]\na.sh:1:1: {FOO}\n", **shell),
        result("bash-n", "a.sh: line 2: syntax error near unexpected token `fi'\n", **shell),
        result("ruff", "a.py:1:5: invalid-syntax: Expected an expression\n", **python),
        result("py-compile", "a.py:1:5: SyntaxError: unmatched ')'\n", **python),
    ]
    made = read_gates(results)
    assert [(c.title, c.severity, c.site.line, [s.line for s in c.also]) for c in made] == [
        ("bash -n: syntax error near unexpected token `fi'", Severity.BLOCKER, 2, [1]),
        ("py_compile SyntaxError: unmatched ')'", Severity.BLOCKER, 1, []),
        ("shellcheck SC2154: foo is referenced but not assigned.", Severity.WARNING, 1, []),
    ]


def test_titles_hold_no_line_numbers_so_that_old_and_new_compare():
    said = "a.py:{0}:1: SyntaxError: unterminated string literal (detected at line {0})\n"
    head = read_gates([result("py-compile", said.format(2), a_py="\nx = '\n")])
    base = read_gates([result("py-compile", said.format(1), a_py="x = '\n")])
    assert head[0].title == base[0].title
    assert head[0].site.quote == base[0].site.quote


def test_without_a_line_the_gate_line_of_the_skill_is_quoted():
    (made,) = read_gates([result("py-compile", "a.py:0:0: RecursionError: too deep\n", a_py="x\n")])
    assert made.site == Site(SKILL_PATH, 70, 70, "python3 -m py_compile <each>")
    assert made.title == "py_compile RecursionError: a.py: too deep"
    assert [claim.kind for claim in made.claims] == ["run"]


def test_a_failure_that_says_nothing_is_a_candidate_all_the_same():
    (made,) = read_gates([result("shellcheck", "", a_sh="x\n")])
    assert made.title == "shellcheck: `shellcheck <each>` exits 1"
    assert made.site.path == SKILL_PATH


def test_a_refused_run_without_faults_is_no_candidate():
    assert read_gates([result("shellcheck", "broken", GateStatus.REFUSED, a_sh="x\n")]) == ()


def failing(said: str, blame: str = "new", **files: str):
    return result("run", said, **files)._replace(blame=blame)


def test_a_gate_that_newly_fails_is_no_note_whatever_it_calls_its_reason():
    """A step whose SARIF has notes alone was red, and the review was green."""
    document = {
        "runs": [
            {
                "results": [
                    {
                        "level": "note",
                        "message": {"text": "so"},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "a.py"},
                                    "region": {"startLine": 1},
                                }
                            }
                        ],
                    }
                ]
            }
        ]
    }
    said = json.dumps(document)
    assert [c.severity for c in read_gates([failing(said, a_py="x\n")])] == [Severity.WARNING]
    assert [c.severity for c in read_gates([failing(said, "preexisting", a_py="x\n")])] == [Severity.NOTE]
    both = f"{said}\na.py:1: error: wrong\n"
    assert [c.severity for c in read_gates([failing(both, a_py="x\n")])] == [Severity.NOTE, Severity.WARNING]


def test_the_test_that_fails_is_named():
    said = "____ test_a[1] ____\n\n>   assert f()\nE   assert 0\n\na.py:2: AssertionError\n"
    (made,) = read_gates([failing(said, a_py="\nassert f()\n")])
    assert made.title == "AssertionError: assert 0"
    assert made.failure == "The gate `./run.sh a.py` fails here (test_a[1]): assert 0."


@pytest.mark.parametrize(
    ("said", "last"),
    [
        ("FAIL: x is 3\nok\n=== 1 failed, 3 passed in 2 s ===\n", "FAIL: x is 3"),
        ("cannot open y\nmake: *** [Makefile:2: lint] Error 1\n", "cannot open y"),
        ("one\ntwo\n", "two"),
        ("1 failed\n", "1 failed"),
        ("\x1b[31merror: z\x1b[0m\n0 errors in b\n", "error: z"),
    ],
)
def test_the_row_nearest_to_a_reason_is_quoted(said: str, last: str):
    (made,) = read_gates([failing(said)])
    assert made.failure == f"The gate `./run.sh <each>` exits 1, and said last: {last}."
    assert made.fix == "Make `./run.sh <each>` pass again (the line quoted is the gate's own, in the skill)."
    assert made.claims[0].text == f"`./run.sh <each>` exits 1, and said last: {last}"


class TestSuppressed:
    def codes(self, results) -> tuple[list[str], list[str]]:
        return [c.title[11:17] for c in read_gates(results)], [
            r.candidate.title[11:17] for r in suppressed(results)
        ]

    def test_single_quotes_that_keep_a_dollar_are_never_reported(self):
        said = "a.sh:1:6: note: Expressions don't expand in single quotes. [SC2016]\n"
        assert self.codes([result("shellcheck", said, a_sh="echo '$y'\n")]) == ([], ["SC2016"])

    def test_codes_that_a_skill_forbids(self):
        one = result("shellcheck", f"a.sh:1:4: {FOO}\na.sh:1:4: {QUOTE}\n", a_sh="rm $foo\n")
        one = one._replace(run=one.run._replace(forbidden=("SC2086",)))
        assert self.codes([one]) == (["SC2154"], ["SC2086"])

    def test_files_that_are_not_laid_out_are_nobodys_fault(self):
        said = (
            "a.sh:1:3: note: Not following: lib.sh was not specified as input (see shellcheck -x). [SC1091]\n"
        )
        assert self.codes([result("shellcheck", said, a_sh=". lib.sh\n")]) == ([], ["SC1091"])

    def test_how_the_files_are_laid_out_is_nobodys_fault(self):
        said = (
            "a.py:1:1: I001 [*] Import block is un-sorted or un-formatted\na.py:1:8: F401 [*] `os` unused\n"
        )
        results = [result("ruff", said, a_py="import os\n")]
        assert [c.title for c in read_gates(results)] == ["ruff F401: `os` unused"]
        assert [r.candidate.title for r in suppressed(results)] == [
            "ruff I001: Import block is un-sorted or un-formatted"
        ]

    def test_a_variable_may_come_from_a_sourced_file(self):
        for content in (
            ". ./lib.sh\nrm $foo\n",
            "if x; then source lib.sh; fi\nrm $foo\n",
            "x && . lib\nrm $foo\n",
        ):
            assert self.codes([result("shellcheck", f"a.sh:2:4: {FOO}\n", a_sh=content)]) == ([], ["SC2154"])
        for content in ("echo source\nrm $foo\n", "./lib.sh\nrm $foo\n", "echo . x\nrm $foo\n"):
            assert self.codes([result("shellcheck", f"a.sh:2:4: {FOO}\n", a_sh=content)]) == (["SC2154"], [])
