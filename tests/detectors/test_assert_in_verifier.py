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
        ("assert a != b, m", ["if a == b:", "    raise AssertionError(m)"]),
        ("assert a not in b, m", ["if a in b:", "    raise AssertionError(m)"]),
        ("assert a is not b, m", ["if a is b:", "    raise AssertionError(m)"]),
        ("assert (a, b) != c, m", ["if (a, b) == c:", "    raise AssertionError(m)"]),
        ("assert False, m", ["raise AssertionError(m)"]),
        ("assert False  # why", ["raise AssertionError()  # why"]),
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
    assert (hit.start_line, hit.line, hit.also, hit.grade) == (2, 2, ((5, 5), (6, 6)), Grade.STRONG)
    assert "and 2 more checks" in hit.failure
    assert "    for d in c:\n        if not d > 0:\n            raise AssertionError(d)\n" in mended(code)


def test_what_O_deletes_is_counted_whole_and_the_hit_stands_at_what_is_no_matter_of_types():
    code = verifier("assert a.path is not None, m", "assert isinstance(b, int)", "assert a.best == a.beam")
    (hit,) = hits(code)
    assert (hit.start_line, hit.also) == (4, ((2, 2), (3, 3)))
    assert "deletes `assert a.best == a.beam` and 2 more checks" in hit.failure
    assert "if a.path is None:" in mended(code)


def test_a_condition_of_many_lines_is_shown_on_one():
    (hit,) = hits(verifier("assert (a.first ==", "        a.second)"))
    assert "`assert a.first == a.second`" in hit.failure
    assert "`if a.first != a.second:`" in hit.fix
    for large in (" and".join([" a\n"] * 300), "a ==\n0x" + "f" * 9000, "\n-".join(["a"] * 900)):
        (hit,) = hits(verifier(f"assert ({large})"))
        assert "`assert …`" in hit.failure
    (hit,) = hits(verifier("assert " + " and ".join(f"f{n}(a)" for n in range(60))))
    assert len(hit.failure) < 220


def test_a_false_constant_is_raised_in_its_place():
    (hit,) = hits(verifier("if a:", "    assert False, f'{a}'"))
    assert hit.fix.startswith("`raise AssertionError(…)` in its place:")


@pytest.mark.parametrize(
    ("lines", "grade"),
    [
        (["assert a", "return"], Grade.STRONG),
        (["assert a", "return a"], Grade.STRONG),
        (["assert a", "return True"], Grade.STRONG),
        (["assert a", "total = []", "total.append(a)"], Grade.STRONG),
        (["assert a", "self._verified = True", "logger.warning_once(a)"], Grade.STRONG),
        (["assert a", "with lock:", "    super().validate(a)"], Grade.STRONG),
        (["def ask(x):", "    assert x", "ask(a)"], Grade.STRONG),
        (["try:", "    assert a", "except Exception as e:", "    raise Bad(a) from e"], Grade.STRONG),
        (["assert a", "assert b", "a.b = b"], Grade.HINT),
        (["assert a", "assert b", "return a + b"], Grade.HINT),
        (["assert a", "assert b", "a = a + b", "return a"], Grade.HINT),
        (["assert a", "assert b", "if a: return False", "return True"], Grade.HINT),
        (["assert a", "if b: raise Bad"], Grade.HINT),
        (["assert a, 'empty'", "if b: raise Bad"], Grade.STRONG),
        (["assert a", "a.b = b"], None),
        (["assert a", "a['b'] = b"], None),
        (["assert a", "a.run()"], None),
        (["assert a", "await a.run()"], None),
        (["assert a", "[b.append(x) for x in a]"], None),
        (["assert a", "del a[0]"], None),
        (["assert a", "yield"], None),
        (["assert a", "return 0x" + "f" * 9000], Grade.STRONG),
        (["assert a", "return a.b"], None),
        (["try:", "    assert a", "except (TypeError, AssertionError):", "    pass"], None),
        (["try:", "    assert a", "except:", "    pass"], None),
        (["c = a.split('/')", "assert len(c) > 0"], None),
        (["c = a.split('/')", "assert len(c) > 1"], Grade.STRONG),
        (["c = a.split()", "assert len(c) > 0"], Grade.STRONG),
        (["c: list = None", "assert c is None"], None),
        (["assert a is None or isinstance(a, int)"], None),
        (["assert a is None or isinstance(b, int)"], Grade.STRONG),
    ],
)
def test_the_grade_is_what_a_function_does_besides_checking(lines, grade):
    code = verifier(*lines).replace("def", "async def", 1)
    assert [hit.grade for hit in hits(code)] == [grade] * (grade is not None)


@pytest.mark.parametrize("name", ["compare", "ensure_ok", "run_gate", "parity"])
def test_a_name_that_also_says_more_makes_no_hint(name):
    assert hits(f"def {name}(a, b):\n    assert a\n    assert b\n    a.b = b\n") == []
    assert len(hits(f"def check_{name}(a, b):\n    assert a\n    assert b\n    a.b = b\n")) == 1


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
        "validate_one_epoch",
        "op_log_check",
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
        "e2e_test/a.py",
        "k3-tests/a.py",
    ],
)
def test_code_that_only_tests_run_is_left_alone(path):
    assert hits("def verify(a):\n    assert a\n", path) == []


def test_in_a_script_named_for_verifying_every_function_and_the_module_verify():
    code = "def load(a):\n    assert a\n\n\nassert load(1)\nif __name__ == '__main__':\n    assert load(2)\n"
    assert [(h.start_line, h.also) for h in hits(code, "tools/verify_corpus.py")] == [(2, ()), (5, ((7, 7),))]
    assert hits(code, "tools/corpus.py") == []
    for name in ("compare_corpus", "syncheck", "validate"):  # computes; no word of its own; of the trade
        assert hits(code, f"tools/{name}.py") == []
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


@pytest.mark.parametrize(
    "name",
    [
        "invalidate_cache",
        "checkbox_clicked",
        "checksum",
        "moe_gate",
        "checkerboard",
        "checkin",
        "uncheck_all",
    ],
)
def test_a_name_that_only_looks_like_a_check_makes_no_verifier(name):
    assert hits(f"def {name}(a):\n    assert a, 'no'\n") == []


def test_the_checks_of_a_test_case_and_of_a_module_for_tests_are_tests():
    check = "def check_it({}a):\n{}    assert a, 'no'\n"
    assert hits("class Foo(unittest.TestCase):\n    " + check.format("self, ", "    ")) == []
    assert list(find(PythonFile(Text("tools/tests_helpers.py", check.format("", ""))))) == []
    assert hits(check.format("", ""))
