"""The tree of a shell script, where the grammar alone would read another script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.detectors.shell.tree import read


def statements(code: str) -> list[tuple[str, int, int]]:
    return [(node.kind, node.line, node.last_line) for node in read(code)[0].body]


@pytest.mark.parametrize("between", ["", "\n", "# the status\n", "    \n# one\n# two\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_below_a_pipe_of_three_is_a_statement_of_its_own(between: str, end: str):
    code = f"make | tee log | tail -5\n{between}[ $? -eq 0 ] || exit 1\nmake install\n".replace("\n", end)
    second = 2 + between.count("\n")
    assert statements(code) == [
        ("pipeline", 1, 1),
        ("list", second, second),
        ("command", second + 1, second + 1),
    ]


def test_several_such_lines_and_assignments_between_them():
    code = "a | b | c -x\nA=1\n[ y ] || x\nd | e | f\ng && h\n"
    found = [("pipeline", 1), ("variable_assignment", 2), ("list", 3), ("pipeline", 4), ("list", 5)]
    assert [(kind, line) for kind, line, _ in statements(code)] == found


def test_the_texts_of_the_nodes_are_those_of_the_script():
    code = "f() {\n  a | b | c\n  foo || x\n}\n"
    nodes = read(code)
    written = [code[n.start : n.end] for n in nodes if n.kind == "command"]
    assert written == ["a", "b", "c", "foo", "x"]


# A test with a parameter, a redirection below it and another `]` were one test to the grammar.
TESTS = ("[ $# -eq 0 ]", "[ $# -eq 0 ] && usage", "[ ${#A[@]} -eq 0 ] || exit 2", "[ a -a b ] && x  # y")
REDIRECTED = ("exec > >(tee log) 2>&1", 'check "$@" > log', "x >&2 # y", "x 2>/dev/null", "read A < <(b)")
PIPES = ("a | b | c", "a | b | c # d", "A=1 B=2", "export A B", "! [ -e x ]")
BLOCKS = ("if [ $# -gt 0 ]; then\n  exit 2\nfi", "cat <<EOF > x\n[ $# ]\nEOF", "trap 'exit 5' DEBUG")


def spans(code: str) -> list[tuple[str, int, int]]:
    return [(node.kind, node.start, node.end) for node in read(code)[1:]]


@given(st.lists(st.sampled_from([*TESTS, *REDIRECTED, *PIPES, *BLOCKS]), max_size=9))
def test_what_is_read_alone_is_read_so_among_others(pieces: list[str]) -> None:
    alone, at = list[tuple[str, int, int]](), 0
    for piece in pieces:
        alone += [(kind, start + at, end + at) for kind, start, end in spans(piece)]
        at += len(piece) + 1
    assert spans("\n".join(pieces)) == alone


def test_a_trap_between_a_test_and_a_redirection_is_a_command_of_its_own() -> None:
    code = "[ $# -eq 0 ] && usage\ntrap x DEBUG\nexec > >(tee log) 2>&1\n[ $# -eq 0 ] && usage\n"
    found = [("list", 1, 1), ("command", 2, 2), ("redirected_statement", 3, 3), ("list", 4, 4)]
    assert statements(code) == found
    assert statements(code * 20)[-4:] == [(kind, line + 76, last + 76) for kind, line, last in found]


ONE = ('a | b | c "\n" d && e\n', "a | b | c \\\n  d && e\n", "a | b | c && d\n")


@pytest.mark.parametrize("code", ONE)
def test_what_is_one_command_stays_one(code: str):
    assert [kind for kind, _, _ in statements(code)] == ["pipeline"]
