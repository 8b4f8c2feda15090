"""The tree of a shell script, where the grammar alone would read another script."""

from __future__ import annotations

import pytest

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


ONE = ('a | b | c "\n" d && e\n', "a | b | c \\\n  d && e\n", "a | b | c && d\n")


@pytest.mark.parametrize("code", ONE)
def test_what_is_one_command_stays_one(code: str):
    assert [kind for kind, _, _ in statements(code)] == ["pipeline"]
