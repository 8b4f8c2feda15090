"""Globs: what a token of a `File` cell means, and which paths it matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.globs import BadPattern, exact_regex, glob_of, glob_regex


def matches(written: str, path: str) -> bool:
    glob_of(written)  # a token that is refused is not asked
    return re.fullmatch(exact_regex(written), path, re.DOTALL) is not None


@pytest.mark.parametrize(
    ("written", "glob"),
    [
        ("convert-<model>.sh", "convert-*.sh"),
        ("{model}/x.py", "*/x.py"),
        ("run_${ARM}_$N.sh", "run_*_*.sh"),
        ("log-%s.txt", "log-*.txt"),
        ("arm-NNN.json", "arm-*.json"),
        ("notes-YYYY-MM-DD.md", "notes-*.md"),
        ("ANNNA.sh", "ANNNA.sh"),
        ("<a><b>*.sh", "*.sh"),
        ("src/.../x.py", "src/**/x.py"),
        ("src/…", "src/**"),
        ("<sh|py>/x", "{sh,py}/x"),
        ("*.{sh,py}", "*.{sh,py}"),
        ("./a.sh", "a.sh"),
        ("docs/", "docs/**"),
        ("a\\b.sh", "a/b.sh"),
        ("a.py#L10-L20", "a.py"),
        ("a.py:12", "a.py"),
        ("!./vendor/", "!vendor/**"),
        ("e\u0301.sh", "\u00e9.sh"),
        ("*", "*"),
        ("**", "**"),
        ("#!sh", "#!sh"),
    ],
)
def test_a_token_as_a_glob(written: str, glob: str):
    assert glob_of(written) == glob


@pytest.mark.parametrize(
    "written",
    [
        *("", "!", "/a.sh", "~/a.sh", "C:/a.sh", "../a.sh", "a/../b"),
        *("a\tb", "x" * 513, "*a*b*c*d*e*f*g*h*i", "{?,a}" * 7),
        *("<all>", "**/<all>", "{x}/<y>"),
        *("!#!sh", "#!perl", "launch*#!sh"),
    ],
)
def test_tokens_that_name_no_file_of_the_repository(written: str):
    with pytest.raises(BadPattern):
        glob_of(written)


@pytest.mark.parametrize(
    ("written", "hits", "misses"),
    [
        ("run.sh", ["run.sh", "a/b/run.sh"], ["xrun.sh", "run.sh/x", "run.shx"]),
        ("run*", ["run", "run.sh", "a/runner.py"], ["runtime/x.c", "a/runtime/b/x.c", "prerun.sh"]),
        ("convert-<model>.sh", ["convert-q3.sh", "s/convert-a-b.sh"], ["convert-.sh", "convert-a/b.sh"]),
        ("<each>.sh", ["a.sh", "d/.x.sh"], [".sh", "a.py"]),
        ("scripts/*.py", ["scripts/a.py"], ["a/scripts/b.py", "scripts/a/b.py", "scripts/.py/x"]),
        ("scripts/**", ["scripts/a", "scripts/a/b"], ["scripts", "a/scripts/b", "scripts/"]),
        ("**/runners/**/*.sh", ["runners/a.sh", "x/runners/y/z/a.sh"], ["runner/a.sh", "runners/a.py"]),
        ("a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c", "a/b/b/c"], ["a/c", "a/b", "b/c"]),
        ("src/api", ["src/api", "src/api/x/y.py"], ["src/apis", "x/src/api"]),
        ("runners", ["runners", "runners/x.sh", "a/runners/x"], ["runnersx/a"]),
        ("setup.py", ["setup.py"], ["setup.py/x"]),
        (".github", [".github/x.yml"], ["github/x"]),
        ("*.{sh,py}", ["a.sh", "b/a.py"], ["a.shpy", "a.{sh,py}"]),
        ("{a,ab}*c", ["ac", "abc", "abxc"], ["bc"]),
        ("*{ab,a}*b", ["ab", "xaxb", "aab"], ["b", "ba"]),
        ("*{a,ab}c", ["abc", "xac"], ["ab"]),
        ("{a,b/{c,d}}/x", ["a/x", "b/c/x", "b/d/x"], ["b/x"]),
        ("{*.sh,x[12].py}", ["a.sh", "x1.py"], ["x3.py"]),
        ("x?.sh", ["xa.sh"], ["x.sh", "x/.sh"]),
        ("[a-c]x[!0-9]", ["axx", "cx_"], ["dxx", "ax1", "ax/"]),
        ("app/[slug]/page.tsx", ["app/[slug]/page.tsx"], ["app/s/page.tsx"]),
        ("app/[...path]/x", ["app/[...path]/x"], ["app/p/x"]),
        ("a[b", ["a[b"], ["ab"]),
        ("a+(b).sh", ["a+(b).sh"], ["ab.sh"]),
        (r"a\*b/x", ["a*b/x"], ["axb/x"]),
        ("a*", ["a\nb"], ["\na"]),
        ("[z-a]x", [], ["zx", "ax", "x"]),
    ],
)
def test_which_paths_match(written: str, hits: list[str], misses: list[str]):
    assert [path for path in (*hits, *misses) if matches(written, path)] == hits


def test_in_gitattributes_a_name_is_not_also_a_folder():
    regex = glob_regex("src/api", folders=False)
    assert re.fullmatch(regex, "src/api")
    assert not re.fullmatch(regex, "src/api/x.py")


def reference(glob: str, path: str) -> bool:
    """The meaning of `*`, `?` and `**/`, by trying everything."""
    if glob.startswith("**/"):
        rest = path.partition("/")
        return reference(glob[3:], path) or (bool(rest[1]) and bool(rest[0]) and reference(glob, rest[2]))
    if not glob or not path:
        return glob.strip("*") == "" and not path
    if glob[0] == "*":
        return reference(glob[1:], path) or (path[0] != "/" and reference(glob, path[1:]))
    return (path[0] == glob[0] or (glob[0] == "?" and path[0] != "/")) and reference(glob[1:], path[1:])


PART = st.lists(st.sampled_from(["a", "b", "*", "?", "ab"]), min_size=1, max_size=5).map("".join)
PARTS = st.lists(PART.filter(lambda part: "**" not in part) | st.just("**"), max_size=4)
PATH = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=5).map("/".join)


@given(PARTS, PART.filter(lambda part: "**" not in part), PATH)
def test_the_regular_expression_is_exact(parents: list[str], last: str, path: str):
    glob = "/".join(["x", *parents, last])
    found = re.fullmatch(glob_regex(glob, folders=False), f"x/{path}") is not None
    assert found == reference(glob, f"x/{path}")


@given(st.text(max_size=40), st.text(max_size=40))
def test_every_token_is_refused_or_compiles(written: str, path: str):
    try:
        glob_of(written)
    except BadPattern:
        return
    re.compile(exact_regex(written), re.DOTALL).fullmatch(path)


def test_long_alternatives_that_must_be_spelled_out_are_refused():
    hostile = "*{0,b}*{c,d}*{e,f}*{g,h}*{i,j}*{k,l}*"
    with pytest.raises(BadPattern, match="too many alternatives"):
        glob_of(hostile + "x" * 400)
    assert glob_of(hostile) == hostile


def test_many_stars_and_a_long_name_stay_linear():
    """Eight stars over 100,000 characters: a backtracking `.*` needs years for this."""
    assert not matches("*a*a*a*a*a*a*a*b", "a" * 100_000)
    assert not matches("**/a/**/a/**/b", "a/" * 50_000)
