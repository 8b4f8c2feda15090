"""assert-in-verifier: which functions verify, and an edit that `python -O` does not delete."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from reviewbot.core.rehearse import splice
from reviewbot.core.types import DefectClass, Grade, Severity, Skill, SkillOrigin, Text
from reviewbot.detectors.assert_in_verifier import DETECTOR, find
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile


def hits(code: str, path: str = "tool.py") -> list[Hit]:
    return list(find(PythonFile(Text(path, code))))


def mended(code: str) -> str:
    (hit,) = hits(code)
    assert hit.edit
    new = splice(Text("tool.py", code), hit.edit).content
    ast.parse(new.replace("\r\n", "\n"))
    assert hits(new) == []
    return new


def verifier(*lines: str, indent: str = "    ") -> str:
    return "def verify(a, b=1):\n" + "".join(f"{indent}{line}\n" for line in lines)


def test_optimised_python_skips_the_assert_and_not_the_edit():
    code = verifier('assert a == b, "differs"') + "verify(2)\nprint('passed')\n"
    argv = [sys.executable, "-I", "-O", "-c"]
    assert subprocess.run([*argv, code], capture_output=True, text=True, check=True).stdout == "passed\n"
    done = subprocess.run([*argv, mended(code)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("AssertionError: differs\n")


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("assert a == b", ["if a != b:", '    raise AssertionError("does not hold: a == b")']),
        ("assert a in b, m", ["if a not in b:", "    raise AssertionError(m)"]),
        ("assert a is b", ["if a is not b:", '    raise AssertionError("does not hold: a is b")']),
        ("assert a < b, m", ["if not a < b:", "    raise AssertionError(m)"]),
        ("assert not a, m", ["if a:", "    raise AssertionError(m)"]),
        ("assert not (a and b), m", ["if (a and b):", "    raise AssertionError(m)"]),
        ("assert a and b, m", ["if not (a and b):", "    raise AssertionError(m)"]),
        ("assert (a or b) == c, m", ["if not (a or b) == c:", "    raise AssertionError(m)"]),
        ("assert all(x for x in a), m", ["if not all(x for x in a):", "    raise AssertionError(m)"]),
        ("assert (n := f()), m", ["if not (n := f()):", "    raise AssertionError(m)"]),
        ("assert a if b else c, m", ["if not (a if b else c):", "    raise AssertionError(m)"]),
        ("assert a  # why", ["if not a:  # why", '    raise AssertionError("does not hold: a")']),
        ('assert a == "é"', ['if a != "é":', "    raise AssertionError('does not hold: a == \"é\"')"]),
    ],
)
def test_an_assert_becomes_an_if_that_raises_the_same(statement, lines):
    assert mended(verifier(statement)) == verifier(*lines)


def test_a_message_and_a_condition_on_lines_of_their_own_are_joined():
    code = verifier("assert (", "    a == b", "), (", '    f"{a} is not {b}"', ")")
    assert mended(code) == verifier("if a != b:", '    raise AssertionError(f"{a} is not {b}")')


@pytest.mark.parametrize(
    "statements",
    [
        ["assert (a ==", "        b)"],
        ["assert (  # a comment that would get lost", "    a", ")"],
        ["c = 1; assert a"],
        ["if b: assert a"],
        ["assert a; assert b"],
        ["assert a, (yield)"],
        ["assert a", *["b += 1"] * 20, "assert b"],
    ],
)
def test_what_cannot_be_rewritten_whole_is_reported_without_an_edit(statements):
    (hit,) = hits(verifier(*statements))
    assert hit.edit is None
    assert "raise AssertionError" in hit.fix


def test_all_asserts_of_a_function_are_one_finding_and_one_edit():
    code = verifier("assert a", "c = f(a)", "for d in c:", "    assert d > 0, d", "assert isinstance(b, int)")
    (hit,) = hits(code)
    assert (hit.start_line, hit.line, hit.also, hit.grade) == (2, 2, ((5, 5),), Grade.STRONG)
    assert "and 1 more" in hit.failure
    assert "    for d in c:\n        if not d > 0:\n            raise AssertionError(d)\n" in mended(code)


@pytest.mark.parametrize(
    "name",
    [
        "verify",
        "is_verified",
        "_validate_rows",
        "checkSum",
        "sanity",
        "audit_log",
        "run_gate",
        "ensure_ok",
        "recheck",
    ],
)
def test_a_name_that_promises_a_check_makes_a_verifier(name):
    assert len(hits(f"def {name}(a):\n    assert a\n")) == 1
    assert len(hits(f"class A:\n    async def {name}(self):\n        assert self\n")) == 1


@pytest.mark.parametrize(
    "name",
    [
        "save_checkpoint",
        "checkout",
        "gated_mlp",
        "gate_proj",
        "aggregate",
        "disparity",
        "validation_step",
        "test_verify",
    ],
)
def test_a_name_that_only_looks_like_it_makes_none(name):
    assert hits(f"def {name}(a):\n    assert a\n") == []


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "pkg/test/a.py",
        "pkg/testing/a.py",
        "test_a.py",
        "pkg/a_test.py",
        "conftest.py",
        "pkg/testing.py",
    ],
)
def test_code_that_only_tests_run_is_left_alone(path):
    assert hits("def verify(a):\n    assert a\n", path) == []


def test_in_a_script_named_for_verifying_every_function_and_the_module_verify():
    code = "def load(a):\n    assert a\n\n\nassert load(1)\nif __name__ == '__main__':\n    assert load(2)\n"
    assert [(h.start_line, h.also) for h in hits(code, "tools/verify_corpus.py")] == [(2, ()), (5, ((7, 7),))]
    assert hits(code, "tools/corpus.py") == []
    assert hits(code.replace("__name__", "name"), "tools/verify_corpus.py") == []


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (verifier("assert a").replace("\n", "\r\n"), 2),
        (verifier("assert a", indent="\t"), 2),
        ("\ufeff" + verifier("assert a"), 2),
        ("x = 1  # a\rb\n\n" + verifier("assert a"), 4),
        ("\x0c\n" + verifier("assert a").replace("    ", "\x0c    "), 3),
        ("x = '\u2028\x85'\n" + verifier("assert a"), 3),
        ("".join(" " * n + f"def verify{n}():\n" for n in range(90)) + " " * 90 + "assert a\n", 91),
    ],
    ids=["crlf", "tabs", "mark", "lone-cr", "form-feed", "u2028", "90-functions"],
)
def test_lines_are_those_of_git(code, line):
    (hit,) = hits(code)
    assert hit.start_line == line
    if hit.edit:
        assert len(splice(Text("a.py", code), hit.edit).content.split("\n")) == len(code.split("\n")) + 1


def test_ten_thousand_verifiers_are_ten_thousand_findings():
    assert len(hits("".join(f"def verify{n}(a):\n    assert a\n" for n in range(10_000)))) == 10_000


@pytest.mark.parametrize(
    ("title", "body", "bound"),
    [
        ("`assert` in a verifier", "", True),
        ("Checks that vanish", "`python -O` deletes every `assert`. Use `raise`.", True),
        ("Asserts used for validation", "", True),
        (
            "Zero exit with no artifact",
            "After `rc=0`, assert that the output file exists before `stat`.",
            False,
        ),
        (
            "Claimed identity that is only a length check",
            "It asserts only counts; re-encode and verify.",
            False,
        ),
    ],
)
def test_the_words_of_a_class_bind_it(title, body, bound):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, body),))
    assert bool(bind(skill, [DETECTOR])) is bound


def test_it_is_never_worse_than_a_note():
    assert DETECTOR.ceiling is Severity.NOTE
