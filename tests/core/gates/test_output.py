"""The output of tools as faults: the right file, the right git line, the right words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.gates import excuse_newer_syntax, faults
from reviewbot.core.types import GateStatus
from tests.gate_cases import result


def test_shellcheck():
    said = (
        "a.sh:2:6: warning: foo is referenced but not assigned. [SC2154]\n"
        "a.sh:1:1: note: Use [x] here. [SC2292]\n"
        "b.sh:1:1: error: Couldn't parse this. [SC1073]\n"
        "gone.sh: gone.sh: openBinaryFile: does not exist\n"
    )
    found = faults(result("shellcheck", said, a_sh="one\nrm $foo\n", b_sh="if\n"))
    assert [(f.path, f.line, f.code, f.level, f.message, f.quote) for f in found] == [
        ("a.sh", 2, "SC2154", "warning", "foo is referenced but not assigned.", "rm $foo"),
        ("a.sh", 1, "SC2292", "note", "Use [x] here.", "one"),
        ("b.sh", 1, "SC1073", "error", "Couldn't parse this.", "if"),
    ]


def test_ruff():
    said = (
        "a.py:1:8: F401 [*] `os` imported but unused\n"
        "a.py:2:1: invalid-syntax: Expected an expression\n"
        "Found 2 errors.\n[*] 1 fixable with `--fix`.\n"
    )
    found = faults(result("ruff", said, a_py="import os\nx = )\n"))
    assert [(f.line, f.code, f.message) for f in found] == [
        (1, "F401", "`os` imported but unused"),
        (2, "invalid-syntax", "Expected an expression"),
    ]


@pytest.mark.parametrize(
    ("said", "line", "message"),
    [
        (
            "a.sh: line 2: syntax error near unexpected token `fi'\na.sh: line 2: `fi'\n",
            2,
            "syntax error near unexpected token `fi'",
        ),
        ('a.sh: 2: Syntax error: "fi" unexpected\n', 2, 'Syntax error: "fi" unexpected'),
        ("a.sh: line 4: syntax error: unexpected end of file\n", 2, "syntax error: unexpected end of file"),
    ],
)
def test_shells_name_one_fault_at_a_line_with_text(said: str, line: int, message: str):
    (fault,) = faults(result("bash-n", said, a_sh="echo\nfi\n\n"))
    assert (fault.line, fault.message) == (line, message)


def test_what_a_shell_only_warns_of_is_no_fault():
    said = "a.sh: line 3: warning: here-document at line 2 delimited by end-of-file (wanted `EOF')\n"
    assert faults(result("bash-n", said, a_sh="cat <<EOF\n")) == ()


def test_the_script_that_a_shell_quotes_is_not_believed():
    said = "a.sh: line 1: syntax error near unexpected token `)'\na.sh: line 1: `) a.sh: line 2: x'\n"
    (fault,) = faults(result("bash-n", said, a_sh=")\n"))
    assert fault.line == 1


def test_the_longest_name_wins():
    said = "a.sh:1:1: error: b.sh:3:1: error: Couldn't parse. [SC1073]\n"
    files = {"a.sh": "x\n", "a.sh:1:1: error: b.sh": "1\n2\n3\n"}
    (fault,) = faults(result("shellcheck", said, **files))
    assert (fault.path, fault.line) == ("a.sh:1:1: error: b.sh", 3)


def test_a_lone_carriage_return_is_a_line_for_python_and_none_for_git():
    said = "a.py:4:3: SyntaxError: invalid syntax\n"
    (fault,) = faults(result("py-compile", said, a_py="x = 1\ry = 2\r\nz = 3\nx = )\n"))
    assert (fault.line, fault.quote) == (3, "x = )")


def test_a_compiler_that_names_no_line():
    said = "a.py:0:0: RecursionError: maximum recursion depth exceeded\n"
    (fault,) = faults(result("py-compile", said, a_py="x\n"))
    assert (fault.line, fault.quote, fault.code) == (0, "", "RecursionError")


def test_the_gist_holds_no_line_numbers_and_is_short():
    said = "a.py:1:1: IndentationError: expected an indented block after 'if' statement on line 12\n"
    (fault,) = faults(result("py-compile", said, a_py="x\n"))
    assert fault.gist == "expected an indented block after 'if' statement on line …"
    (long,) = faults(result("py-compile", f"a.py:1:1: SyntaxError: {'x' * 500}\n", a_py="x\n"))
    assert len(long.gist) == 120


@pytest.mark.parametrize("status", [GateStatus.PASSED, GateStatus.SKIPPED])
def test_a_gate_that_holds_has_no_faults(status: GateStatus):
    assert faults(result("shellcheck", "a.sh:1:1: error: x [SC1000]\n", status, a_sh="x\n")) == ()


def test_what_was_said_before_a_time_limit_counts():
    assert (
        len(faults(result("shellcheck", "a.sh:1:1: error: x [SC1000]\n", GateStatus.TIMEOUT, a_sh="x\n")))
        == 1
    )


class TestNewerPython:
    SAID = "n.py:1:6: SyntaxError: invalid syntax\nw.py:1:2: SyntaxError: invalid syntax\n"
    NEWER = "Cannot use `type` alias statement on Python 3.11 (syntax was added in Python 3.12)"

    def failed(self):
        return result("py-compile", self.SAID, n_py="type X = int\n", w_py="x = )\n")

    def test_only_the_files_that_are_too_new_are_excused(self):
        opinion = (
            f"n.py:1:1: invalid-syntax: {self.NEWER}\nw.py:1:5: invalid-syntax: Expected an expression\n"
        )
        excused = excuse_newer_syntax(self.failed(), opinion, "3.11")
        assert excused.status is GateStatus.REFUSED
        assert excused.reason == "n.py needs Python 3.12 or newer, and Python 3.11 runs reviewbot"
        assert [fault.path for fault in faults(excused)] == ["w.py"]

    def test_a_file_with_another_fault_as_well_is_not_excused(self):
        opinion = (
            f"n.py:1:1: invalid-syntax: {self.NEWER}\nn.py:2:1: invalid-syntax: Expected an expression\n"
        )
        assert excuse_newer_syntax(self.failed(), opinion, "3.11") == self.failed()

    def test_the_newest_syntax_decides(self):
        newest = "Cannot use t-strings on Python 3.11 (syntax was added in Python 3.14)"
        opinion = f"n.py:1:1: invalid-syntax: {self.NEWER}\nn.py:2:1: invalid-syntax: {newest}\n"
        assert "needs Python 3.14" in excuse_newer_syntax(self.failed(), opinion, "3.11").reason

    def test_a_silent_second_opinion_excuses_nothing(self):
        assert excuse_newer_syntax(self.failed(), "All checks passed!\n", "3.11") == self.failed()


TOOLS = st.sampled_from(["shellcheck", "ruff", "bash-n", "py-compile"])
PIECES = st.sampled_from(
    ["a.sh", ":", " ", "line ", "0", "7", "99999", "error: ", "x", "[SC2154]", "F401", "\n", "\r"]
)


@given(TOOLS, st.lists(PIECES, max_size=30).map("".join), st.text("ab \r\n", min_size=1, max_size=20))
def test_whatever_a_tool_says_a_fault_stands_in_its_file(tool: str, said: str, content: str):
    made = result(tool, said, a_sh=content)
    (text,) = made.run.files
    for fault in faults(made):
        assert fault.path == "a.sh"
        assert 0 <= fault.line <= len(text.lines)
        assert fault.quote == (text.quote(fault.line) if fault.line else "")


@pytest.mark.parametrize(
    ("quoted", "content", "lines"),
    [
        ("    size( 1)\n", "x\n  size( 1)\n", [2]),
        ("", "x\nsize()\n", [2]),
        ("    other()\n", "x\nsize()\n", []),
        ("    size()\n", "a\rsize()\rb\nc\n", []),  # for Python a lone CR ends a line
    ],
)
def test_a_traceback_is_placed_where_the_line_reads_as_it_says(quoted: str, content: str, lines: list[int]):
    said = f'Traceback (most recent call last):\n  File "a.py", line 2, in f\n{quoted}ValueError: no\n'
    assert [fault.line for fault in faults(result("run", said, a_py=content))] == lines
