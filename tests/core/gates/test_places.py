"""What programs print about a place, read as failures."""

from __future__ import annotations

import pytest

from reviewbot.core.gates import said
from reviewbot.core.gates.places import MOST
from reviewbot.core.gates.sarif import Said

TRACEBACK = """\
FAIL: test_a (check.T)
Traceback (most recent call last):
  File "check.py", line 4, in test_a
    size()
    ^^^^^^
  File "/usr/lib/python3.11/size.py", line 9, in size
    raise ValueError("no size")
ValueError: no size
"""
CHAINED = """\
Traceback (most recent call last):
  File "a.py", line 1, in <module>
KeyError: 'k'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 3, in <module>
lib.errors.Wrong
"""
PYTEST = """\
    def test_a():
>       assert add(1, 2) == 3
E       assert -1 == 3
E        +  where -1 = add(1, 2)

tests/test_a.py:7: AssertionError
E       KeyError: 'k'

a.py:2: KeyError
b.py:3: ValueError
"""
BATS = """\
not ok 1 adds
# (from function `check' in file tests/lib.bash, line 3,
#  in test file tests/a.bats, line 7)
#   `[ 1 -eq 2 ]' failed
not ok 2 takes
# (in test file tests/a.bats, line 11)
"""


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        (
            TRACEBACK,
            [
                Said(
                    (("/usr/lib/python3.11/size.py", 9), ("check.py", 4)),
                    "ValueError",
                    "no size",
                    quoted=('raise ValueError("no size")', "size()"),
                )
            ],
        ),
        (
            CHAINED,
            [
                Said((("a.py", 1),), "KeyError", "'k'", quoted=("",)),
                Said((("a.py", 3),), "lib.errors.Wrong", "lib.errors.Wrong", quoted=("",)),
            ],
        ),
        (
            "  File \"./a.py\", line 2\n    if x\n        ^\nSyntaxError: expected ':'\n",
            [Said((("./a.py", 2),), "SyntaxError", "expected ':'", quoted=("if x",))],
        ),
        (
            PYTEST,
            [
                Said((("tests/test_a.py", 7),), "AssertionError", "assert -1 == 3"),
                Said((("a.py", 2),), "KeyError", "'k'"),
                Said((("b.py", 3),), "", "ValueError"),
            ],
        ),
        ("tests/test_a.py:12: AssertionError\r\n", [Said((("tests/test_a.py", 12),), "", "AssertionError")]),
        ("a.py:3:7: E225 missing whitespace", [Said((("a.py", 3),), "E225", "missing whitespace")]),
        ("a.py:3: error: No such thing  [name]", [Said((("a.py", 3),), "", "No such thing  [name]")]),
        ("src/a b.c:3:1: fatal error: x.h", [Said((("src/a b.c", 3),), "", "x.h")]),
        ("./run.sh: line 5: X: unbound variable", [Said((("./run.sh", 5),), "", "X: unbound variable")]),
        ("run.sh: 5: X: parameter not set", [Said((("run.sh", 5),), "", "X: parameter not set")]),
        (
            BATS,
            [
                Said((("tests/a.bats", 7),), "", "`[ 1 -eq 2 ]' failed"),
                Said((("tests/a.bats", 11),), "", "a test fails"),
            ],
        ),
    ],
)
def test_a_failure_and_its_place(output: str, wanted: list[Said]):
    assert list(said(output)) == wanted


@pytest.mark.parametrize(
    "output",
    [
        "",
        "all is well",
        "a.py:3: in test_a\n    size()",
        "a.py:3: ",
        "a.py:3: DeprecationWarning: soon",
        "a.py:3: warning: unused",
        "a.py:3:1: note: see here",
        "tests/test_a.py::test_b PASSED",
        "ValueError: without a frame",
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n',
        f"a.py:{'9' * 5000}: wrong",
        "a.py:99999999: wrong",
        f"a.py:3: {'x' * 2000}",
    ],
)
def test_what_places_no_failure(output: str):
    assert said(output) == ()


def test_the_same_failure_is_said_once_and_not_too_many_are():
    assert len(said("a.py:3: wrong\n" * 9)) == 1
    assert len(said("".join(f"a.py:{n}: wrong\n" for n in range(1, 900)))) == MOST


@pytest.mark.parametrize(
    "row", ["a" * 999, "a:" * 499, '  File "' * 140, "a." * 499, "A.a" * 333, "# (in test file " * 60]
)
def test_long_lines_are_read_at_once(row: str):
    assert said(f"{row}\n" * 500) == ()
