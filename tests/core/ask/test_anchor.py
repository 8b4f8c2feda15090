"""Where a quote stands: its words decide, and the number that a model states only helps."""

from __future__ import annotations

import pytest

from reviewbot.core.ask.anchor import Place, anchor
from reviewbot.core.types import Side, Site
from tests.core.ask.claims import sources

TREE = sources(
    {"run.sh": "set -x\nmake all\nsync\n\tmake  all\nsync\nurl=ghp_aaaaBBBB1111ccccDDDD\n"},
    {"run.sh": "set -e\n"},
)


def placed(quote: str, line: int, side: Side = Side.RIGHT, path: str = "run.sh") -> Place | str:
    return anchor(Site(path, line, line + quote.count("\n"), quote, side), TREE)


@pytest.mark.parametrize(
    ("quote", "line", "stands", "claim"),
    [
        ("make all", 2, (2, 2), "`make all` stands at run.sh:2"),
        ("make all", 0, (2, 2), "`make all` stands at run.sh:2"),
        ("  make all  ", 1, (2, 2), "`make all` stands at run.sh:2, not at line 1"),
        ("make  all", 7, (4, 4), "`make  all` stands at run.sh:4, not at line 7"),
        ("make all\nsync", 9, (2, 3), "`make all` stands at run.sh:2, not at line 9"),
        (
            "make   all\nsync\nurl=ghp_aaaaBBBB1111ccccDDDD",
            9,
            (4, 6),
            "`make   all` stands at run.sh:4, not at line 9",
        ),
        ("url=[redacted:github]", 6, (6, 6), "`url=[redacted:github]` stands at run.sh:6"),
    ],
)
def test_a_quote_is_found(quote: str, line: int, stands: tuple[int, int], claim: str):
    place = placed(quote, line)
    assert isinstance(place, Place)
    assert (place.site.start_line, place.site.line) == stands
    assert (place.others, place.receipt.claim, place.receipt.ok) == ((), claim, True)


def test_the_site_has_the_words_of_the_text():
    place = placed("make   all", 4)
    assert isinstance(place, Place)
    assert place.site.quote == "\tmake  all"


@pytest.mark.parametrize(("line", "stands"), [(4, [3, 5]), (3, [3, 5]), (5, [5, 3])])
def test_between_two_places_the_number_does_not_decide(line: int, stands: list[int]):
    place = placed("sync", line)
    assert isinstance(place, Place)
    assert [place.site.start_line, *(site.start_line for site in place.others)] == stands
    assert (place.receipt.line, place.receipt.detail) == (None, "2 lines: 3, 5")
    assert place.moved == 0


@pytest.mark.parametrize(
    ("quote", "path", "why"),
    [
        ("make none", "run.sh", "the quote does not stand in the file"),
        ("set -e", "run.sh", "the quote does not stand in the file"),
        ("\n".join(["x"] * 41), "run.sh", "the quote has 41 lines, and at most 40 are looked for"),
        ("make all", "ran.sh", "ran.sh is not there, or no text"),
    ],
)
def test_a_quote_that_stands_nowhere_has_no_place(quote: str, path: str, why: str):
    assert placed(quote, 1, path=path) == why


def test_a_quote_of_the_old_text_is_looked_for_at_base():
    place = placed("set -e", 1, Side.LEFT)
    assert isinstance(place, Place)
    assert place.site == Site("run.sh", 1, 1, "set -e", Side.LEFT)
    assert placed("make all", 1, Side.LEFT) == "the quote does not stand in the file"


def test_a_renamed_file_is_read_at_base_under_its_old_name():
    tree = sources({"new.sh": "sync\n"}, {"old.sh": "set -e\n"}, added={"new.sh": [1]})
    files = tuple(f._replace(old_path="old.sh") for f in tree.change.files)
    tree = tree._replace(change=tree.change._replace(files=files))
    assert isinstance(anchor(Site("new.sh", 1, 1, "set -e", Side.LEFT), tree), Place)
