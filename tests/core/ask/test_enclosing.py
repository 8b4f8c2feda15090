"""Which function a line stands in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.enclosing import Span, spans
from reviewbot.core.types import Text

PYTHON = '''\
import x


class Runner:
    """Runs."""

    @cached
    def launch(
        self, config
    ):
        return x.go(config)


async def main():
    def inner():
        pass
    await inner()
'''


def test_python_functions_with_decorators_and_long_signatures() -> None:
    assert spans(Text("a.py", PYTHON)) == (
        Span(4, 4, 11),
        Span(7, 10, 11),
        Span(14, 14, 17),
        Span(15, 15, 16),
    )


def test_python_that_does_not_parse_is_read_by_its_indentation() -> None:
    broken = PYTHON + "def (\n"
    assert Span(4, 4, 11) in spans(Text("a.py", broken))


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.sh", "set -e\nlaunch() {\n  go\n}\nlaunch\n", Span(2, 2, 4)),
        ("a.ts", "export async function go(a: string) {\n  a()\n\n  b()\n}\n\nx\n", Span(1, 1, 5)),
        ("a.go", "package x\n\nfunc (r *R) Go(a int) error {\n\treturn nil\n}\n", Span(3, 3, 5)),
        ("a.java", "  public static void go(int a) {\n    b();\n  }\n", Span(1, 1, 3)),
        ("a.rb", "def go\n  x\nend\n", Span(1, 1, 3)),
        ("a.rs", "pub fn go(\n    a: u8,\n) -> u8 {\n    a\n}\n", Span(1, 1, 3)),
    ],
)
def test_other_languages_by_indentation(path: str, source: str, expected: Span) -> None:
    assert expected in spans(Text(path, source))


def test_control_flow_is_no_function() -> None:
    assert spans(Text("a.ts", "if (a) {\n  b()\n}\nfor (x of y) {\n  z()\n}\n")) == ()


def test_an_unknown_language_and_a_patch_have_none() -> None:
    assert spans(Text("a.txt", "def f():\n  x\n")) == ()
    assert spans(Text("a.py", "def f():\n    pass\n", partial=True)) == ()


@pytest.mark.parametrize("path", ["a.py", "a.ts"])
def test_very_deep_code_comes_to_an_end(path: str) -> None:
    deep = "".join(f"{' ' * n}def f{n}():\n" for n in range(3_000))
    assert len(spans(Text(path, deep))) == 20


@given(
    st.sampled_from(["a.py", "a.sh", "a.ts"]),
    st.lists(
        st.sampled_from(["def f():", "  x", "}", "f() {", "", "    class A:", "\tif (a) {", "\x0c"]),
        max_size=30,
    ),
)
def test_spans_lie_in_the_text(path: str, lines: list[str]) -> None:
    for span in spans(Text(path, "\n".join(lines))):
        assert 1 <= span.start <= span.signature <= span.end <= len(lines)
