"""Evidence, run: each kind, over one file and over the tree; what was not run is false."""

from __future__ import annotations

from typing import Any

import pytest

from reviewbot.core.ask import checks
from reviewbot.core.ask.checks import Meter, run
from reviewbot.core.errors import UsageError
from reviewbot.core.types import Receipt, Side, Text
from tests.core.ask.claims import absent, count, finding, quote, read, sources
from tests.fakes.shelf import Shelf

RUN = """set -x
git clone a || exit 1
git clone b
git clone c
deploy() {
  sync
}
deploy prod
# deploy later
"""
APP = """import os
class Box:
    def load(self, path):
        return open(path)
    size: int = 4
def main():
    box = Box()
    box.load("x")
@load
async def other(): ...
"""
HEAD = {
    "run.sh": RUN,
    "app.py": APP,
    "lib/more.sh": "git clone d\n",
    "main.go": "func Start() {\n\tStart()\n}\n\n// Start() it\nvar f = Start\n",
    "ro.sh": "declare -r LIMIT=1\n",
    "ci.yml": "# deploy it\njob: deploy\n",
}
TREE = sources(HEAD, {"run.sh": "set -e\n"})


def checked(item: object, tree: Any = TREE, meter: Meter | None = None) -> Receipt:
    (draft,) = read(finding(evidence=[item])).drafts
    return run(draft.candidate.claims[0], tree, meter or Meter())


def symbol(kind: str, name: str, line: int = 0, path: str = "app.py") -> dict[str, Any]:
    return {"kind": kind, "path": path, "line": line, "text": name}


@pytest.mark.parametrize(
    ("item", "ok", "detail"),
    [
        (count("git clone", 3), True, "3 lines: 2, 3, 4"),
        (count("git clone", 2), False, "3 lines: 2, 3, 4"),
        (count("git clone", 3, r"\|\| exit", 1), True, r"3 lines: 2, 3, 4; 1 of them match `\|\| exit`"),
        (count("git clone", 3, r"\|\| exit", 3), False, r"3 lines: 2, 3, 4; 1 of them match `\|\| exit`"),
        (count("git clone", 4, path=""), True, "4 lines: lib/more.sh:1, run.sh:2, run.sh:3, run.sh:4"),
        (count("svn", 0), True, "no line"),
        (absent(r"^set -e"), True, "no line"),
        (absent(r"^set -x"), False, "1 line: 1"),
        (absent(r"rsync\b", ""), True, "no line"),
        (absent("set -x", ""), False, "1 line: run.sh:1"),
        (absent("sync", "gone.sh"), False, "not run: gone.sh is not there, or no text"),
        (absent(r"\w+", ""), False, "not run: it has no fixed word to search the tree for"),
        (absent("(a+)+"), False, "not run: a repeated group that repeats or chooses is not run"),
        (count("clone", 3, "(", 1), False, "not run: it is no expression"),
        (None, False, "not run: it is of no kind that is known"),
    ],
)
def test_lines_are_counted(item: object, ok: bool, detail: str):
    receipt = checked(item)
    assert receipt.ok is ok
    assert receipt.detail.startswith(detail)


@pytest.mark.parametrize(
    ("item", "ok", "claim", "line"),
    [
        (quote("git clone b", 3), True, "`git clone b` stands at run.sh:3", 3),
        (quote("git clone b", 478), True, "`git clone b` stands at run.sh:3, not at line 478", 3),
        (quote("git clone z", 3), False, "`git clone z` stands at run.sh:3", 3),
        (quote("git clone d", 0, ""), True, "`git clone d` stands at lib/more.sh:1", 1),
        (quote("set -e", 1), True, "at base, `set -e` stands at run.sh:1", 1),
        (quote("sync", 1, "gone.sh"), False, "`sync` stands at gone.sh:1", 1),
        (quote("", 1), False, "`` stands at run.sh:1", 1),
    ],
)
def test_quotes_are_looked_up(item: object, ok: bool, claim: str, line: int):
    receipt = checked(item)
    assert (receipt.kind, receipt.ok, receipt.claim, receipt.line) == ("quote", ok, claim, line)


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (symbol("defined", "load", 3), 3),
        (symbol("defined", "Box.load()", 8), 3),
        (symbol("defined", "size", 5), 5),
        (symbol("defined", "Box", 2, ""), 2),
        (symbol("called", "load", 8), 8),
        (symbol("called", "load", 9), 9),
        (symbol("called", "Box", 0), 7),
        (symbol("defined", "deploy", 5, "run.sh"), 5),
        (symbol("called", "deploy", 0, "run.sh"), 8),
        (symbol("called", "Start", 2, "main.go"), 2),
        (symbol("called", "Start()", 0, "main.go"), 2),  # neither in a comment nor where it is only named
        (symbol("called", "Box.load(path)", 8), 8),
        (symbol("defined", "Start", 0, "main.go"), 1),
        (symbol("defined", "LIMIT", 1, "ro.sh"), 1),
        (symbol("called", "deploy", 1, "ci.yml"), 2),
    ],
)
def test_a_symbol_is_defined_or_called_where_it_is_said_to_be(item: dict[str, Any], line: int):
    receipt = checked(item)
    assert (receipt.ok, receipt.kind, receipt.line) == (True, "quote", line)


@pytest.mark.parametrize(
    "item",
    [
        symbol("called", "main", 6),
        symbol("called", "Missing", 6),
        symbol("defined", "open", 4),
        symbol("called", "deploy", 9, "gone.sh"),
        symbol("called", "???", 9),
        symbol("defined", "Nowhere", 0, ""),
        symbol("defined", "path", 4),
        symbol("called", "f", 6, "main.go"),
        symbol("defined", "deploy", 1, "ci.yml"),
    ],
    ids=lambda item: f"{item['kind']} {item['text']}",
)
def test_a_symbol_that_is_not_there_is_a_false_receipt(item: dict[str, Any]):
    assert not checked(item).ok


COMMENTED = "// Start() the engine\n# the func Start(\n"


@pytest.mark.parametrize("path", ["main.go", "main.c", "ci.yml", "notes.txt"])
@pytest.mark.parametrize("kind", ["defined", "called"])
def test_a_word_in_a_comment_is_no_definition_and_no_call(kind: str, path: str):
    """Outside of Python and shell any line with the word counted as both."""
    assert not checked(symbol(kind, "Start", 1, path), sources({path: COMMENTED})).ok


LOOKALIKES = {
    "a.js": "/*\nfunction parse(a) {\n*/\nlog('parse(x)'); // parse(y)\nlog(`parse(z)`);\n",
    "a.py": 'def f():\n    """It\n    parse(x)\n    """\n    log(\'parse(x)\')  # parse(y)\n',
}


@pytest.mark.parametrize("path", LOOKALIKES)
@pytest.mark.parametrize("kind", ["defined", "called"])
def test_a_word_in_a_string_or_a_comment_behind_code_is_no_definition_and_no_call(kind: str, path: str):
    assert not checked(symbol(kind, "parse", 3, path), sources(LOOKALIKES)).ok


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.js", "const u = 'http://x';\nlog(`${load(1)} and ${load(1)}`);\n", 2),
        ("a.rs", "fn f<'a>(x: &'a str) {}\nload(f('a', \"b\"));\n", 2),
        ("a.py", "x = 'a'\nprint(f'{load(1)}')\n", 2),
        ("b.py", "x = 1\nload(x)\ny = (\n", 2),
        ("a.go", '// "\nload()\n', 2),
    ],
)
def test_a_call_between_strings_is_one(path: str, text: str, line: int):
    receipt = checked(symbol("called", "load", line, path), sources({path: text}))
    assert (receipt.ok, receipt.line) == (True, line)


def test_a_key_in_quotes_is_a_definition():
    assert checked(symbol("defined", "load", 1, "a.ts"), sources({"a.ts": "  'load': 4,\n"})).ok


@pytest.mark.parametrize("line", ["declare -r Start=1", "local -i Start=1", "self.Start = 1"])
@pytest.mark.parametrize("path", ["run.sh", "app.py", "main.go"])
def test_what_a_look_up_calls_a_definition_is_one(path: str, line: str):
    """`declare -r` was a definition for the look-up, and none for the check."""
    tree = sources({path: f"{line}\n"})
    assert checked(symbol("defined", "Start", 1, path), tree).ok
    assert not checked(symbol("called", "Start", 1, path), tree).ok


def test_one_of_several_places_that_is_not_the_stated_one_has_no_line():
    receipt = checked(symbol("called", "load", 1))
    assert (receipt.ok, receipt.line, receipt.detail) == (True, None, "2 lines: 8, 9")


def test_what_could_take_too_long_is_not_run():
    tree = sources({"run.sh": "x" * 40_000 + "\n"})
    assert checked(absent(".*.*y"), tree).detail == "not run: matching it could take too long"
    assert checked(absent("y"), tree).ok


def test_the_steps_of_all_checks_are_counted_together():
    meter = Meter(150)
    details = [checked(absent("y"), sources({"run.sh": "x" * 99 + "\n"}), meter).detail for _ in range(2)]
    assert details == ["no line", "not run: matching it could take too long"]


def test_a_search_that_may_be_cut_counts_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(checks, "SEARCHED", 4)
    assert "too many lines" in checked(count("git clone", 4, path="")).detail


def test_a_tree_that_cannot_be_searched_is_no_proof_of_absence():
    class Slow(Shelf):
        def search(self, side: Side, words: str, below: str = "") -> list[tuple[str, int, str]]:
            raise UsageError("the search takes longer than 10 s")

    tree = TREE._replace(library=Slow({}, {}), failed={})
    with pytest.raises(UsageError):
        checked(absent("rsync", ""), tree)
    assert list(tree.failed) == ["the search takes longer than 10 s"]


def test_a_file_that_holds_the_word_and_cannot_be_read_is_no_proof_of_absence():
    """It was passed over, and the word stood nowhere."""
    tree = TREE._replace(library=Shelf({**HEAD, "data.bin": "\0rsync\0git clone b"}))
    receipt = checked(absent("rsync", ""), tree)
    assert (receipt.ok, receipt.detail) == (False, "not run: data.bin cannot be read")
    assert checked(quote("git clone b", 0, ""), tree).ok


def test_hunks_alone_count_nothing():
    files = {"run.sh": Text("run.sh", "\ngit clone b\n", partial=True)}
    tree = TREE._replace(head=TREE.head._replace(files=files))
    assert checked(absent("rsync"), tree).detail == "not run: only the hunks of run.sh are known"
    assert checked(quote("git clone b", 2), tree).ok
