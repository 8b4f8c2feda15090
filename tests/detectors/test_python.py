"""A Python module as its detectors share it: scopes, the text of a node, names."""

from __future__ import annotations

import ast

import pytest

from reviewbot.core.types import Text
from reviewbot.detectors.python import PythonFile, dotted

MODULE = """\
import os

class A:
    x: int = 1

    @wrapped
    def f(self, a=[1]):
        def g():
            return [b for b in a]
        return lambda c: g(c)

async def h():
    await A().f()
"""


def test_every_node_is_in_exactly_one_scope_and_functions_are_closed():
    file = PythonFile(Text("a.py", MODULE))
    found = [node for scope in file.scopes for node in scope.nodes]
    shared = (ast.expr_context, ast.operator, ast.cmpop)  # ast keeps one object of each
    assert {n for n in ast.walk(file.tree) if not isinstance(n, shared)} - {file.tree} == {
        n for n in found if not isinstance(n, shared)
    }
    own = [n for n in found if not isinstance(n, shared)]
    assert len(own) == len(set(own))
    names = [getattr(scope.owner, "name", "") for scope in file.scopes]
    assert names == ["", "f", "h", "g"]


def test_the_nodes_of_a_scope_stand_in_the_order_of_the_text():
    file = PythonFile(Text("a.py", "a\nif b:\n    c\nelse:\n    d(e)\n"))
    assert [n.id for n in file.scopes[0].nodes if isinstance(n, ast.Name)] == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("f(x,\r\n  'é')  # é\r\n", "f(x, 'é')"),
        ("\ufefff(1)\n", "f(1)"),
        ("f(  # type: ignore[call]\n  'a # b', y)  # z\n", "f( 'a # b', y)"),
        ("'é'; f('é', `y`)\n".replace("`y`", "'`'"), "f('é', ''')"),
        ("f(" + "x, " * 40 + ")\n", "f(" + "x, " * 25 + "x,…"),
        ("f(\n" + " x,\n" * 9 + ")\n", "f( x, x, x, x, x,"),
    ],
)
def test_a_call_is_written_on_one_line(code: str, written: str):
    file = PythonFile(Text("a.py", code))
    call = next(n for n in ast.walk(file.tree) if isinstance(n, ast.Call))
    assert file.written(call) == written


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/a.py", True),
        ("x/test/a.py", True),
        ("x/test_a.py", True),
        ("x/a_test.py", True),
        ("conftest.py", True),
        ("attest.py", False),
        ("latest/a.py", False),
        ("contest.py", False),
    ],
)
def test_a_test_is_known_by_its_path(path: str, is_test: bool):
    assert PythonFile(Text(path, "")).is_test is is_test


@pytest.mark.parametrize(
    ("code", "name"), [("a", "a"), ("self.a.b", "self.a.b"), ("f(x).a", ".a"), ("a[0]", ""), ("1", "")]
)
def test_dotted(code: str, name: str):
    assert dotted(ast.parse(code, mode="eval").body) == name
