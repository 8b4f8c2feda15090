"""Definitions and uses, told by lines alone."""

from __future__ import annotations

import pytest

from reviewbot.core.ask.symbols import calls, defines, definitions, name_of, usages, uses
from reviewbot.core.ports import SEARCHED
from reviewbot.core.types import Side
from tests.fakes.shelf import Shelf

DEFINED = [
    "def pack(rows):",
    "    async def pack(self, rows):",
    "class pack(Base):",
    "pack = partial(f, 1)",
    "pack: Callable = f",
    "pack := f()",
    "pack() {",
    "function pack() {",
    "function pack {",
    "local -r pack=1",
    "func (r *Rows) pack(n int) error {",
    "pub async fn pack(rows: &[u8]) -> usize {",
    "pub(crate) fn pack<T>(rows: T) {",
    "export default async function pack(rows) {",
    "const pack = (rows) => rows;",
    "#define pack(x) ((x) + 1)",
    "static inline int pack(const char *s, int n) {",
    "std::vector<int> pack(int n)",
    "    public static List<Row> pack(int n) {",
    "struct pack {",
    "typedef struct pack {",
    "type pack struct {",
    "pack: build",
    '  "pack": "node pack.js",',
    "let mut pack = 3;",
    "(defun pack (rows)",
    "    self.pack = f",
    "declare -r pack=1",
    "#  define pack(x) x",
]
USED = [
    "pack(rows)",
    "    return pack(rows)",
    "x = pack(rows)",
    "assert pack(rows) == 3",
    "if pack(rows):",
    "self.pack(rows)",
    "from tools import pack",
    "await pack(rows)",
    "int x = pack(3);",
    "return new pack(3);",
    "echo $(pack a b)",
    "pack == other",
    "pack::run()",
    "go pack(x)",
    "#if pack(3)",
    "*pack(rows) = 1;",
]
OTHER = ["unpack(rows)", "packer = 1", "def pack_all(rows):", "pack-all x", "re-pack x", "PACK = 1"]
COMMENTS = [
    "# pack(rows)",
    "    # the class pack is",
    "// pack(rows);",
    "/* pack(rows) */",
    " * pack(rows)",
    "-- pack(rows)",
    "<!-- pack -->",
    ";; (pack rows)",
]


@pytest.mark.parametrize("line", DEFINED)
def test_a_line_that_defines(line: str):
    shelf = Shelf({"a": f"{line}\n"})
    assert definitions(shelf.search, Side.RIGHT, "pack").rows == (("a", 1, line),)
    assert usages(shelf.search, Side.RIGHT, "pack").rows == ()
    assert (defines("pack", line), uses("pack", line), calls("pack", line)) == (True, False, False)


@pytest.mark.parametrize("line", USED)
def test_a_line_that_uses(line: str):
    shelf = Shelf({"a": f"{line}\n"})
    assert definitions(shelf.search, Side.RIGHT, "pack").rows == ()
    assert usages(shelf.search, Side.RIGHT, "pack").rows == (("a", 1, line),)
    assert (defines("pack", line), uses("pack", line)) == (False, True)
    assert calls("pack", line) is ("pack(" in line)


@pytest.mark.parametrize("line", COMMENTS)
def test_a_comment_neither_defines_nor_uses(line: str):
    assert (defines("pack", line), uses("pack", line), calls("pack", line)) == (False, False, False)


@pytest.mark.parametrize("line", ["@pack", "@tools.pack", "pack!(x)", "pack<int>(3)", "x = pack (3)"])
def test_a_line_that_calls(line: str):
    assert calls("pack", line)


@pytest.mark.parametrize("line", OTHER)
def test_another_name_is_neither(line: str):
    shelf = Shelf({"a": f"{line}\n"})
    found = definitions(shelf.search, Side.RIGHT, "pack").rows, usages(shelf.search, Side.RIGHT, "pack").rows
    assert found == ((), ())


def test_a_search_that_was_cut_off_is_told():
    assert usages(Shelf({"a": "pack()\n" * SEARCHED}).search, Side.RIGHT, "pack").cut
    assert not usages(Shelf({"a": "pack()\n" * (SEARCHED - 1)}).search, Side.RIGHT, "pack").cut


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("pack", "pack"),
        ("Rows.pack()", "pack"),
        ("rows::pack", "pack"),
        ("r->pack", "pack"),
        ("wait-for-port", "wait-for-port"),
        ("größe", "größe"),
        ("", ""),
        ("a b", ""),
        (".*", ""),
        ("pack(", ""),
        ("3x", ""),
    ],
)
def test_the_name_in_what_is_asked_for(written: str, name: str):
    assert name_of(written) == name


def test_a_long_line_is_no_trouble():
    for piece in (
        " ",
        "pack!",
        "pack<",
        "@pack.",
        "def ",
        "int a ",
        "(",
        "pack ",
        "def -a ",
        "x,",
        "local -r",
    ):
        definitions(Shelf({"a": f"a {piece * 100_000} pack("}).search, Side.RIGHT, "pack")
