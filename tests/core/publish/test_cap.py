"""Bodies within the limit: what is cut, what is kept, and that what is left still reads."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reviewbot.core.publish import marker
from reviewbot.core.publish.cap import LIMIT, capped, clipped, inert, size
from reviewbot.core.report.markup import ZERO_WIDTH_SPACE, details, fence, table
from reviewbot.core.types import Remark, Who
from tests.core.publish.rendered import cells, fences, folds, page
from tests.strategies import few, texts

ME = Who("reviewbot", bot=True)
MEMORY = marker.Marker("summary", head="b" * 40, verdict="clean")
MARK = marker.write(MEMORY)
TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

rows = st.lists(texts.map(lambda text: text.replace("\n", " ")), min_size=1, max_size=3)
large = st.integers(1, 3_000)
parts = st.one_of(
    st.builds(lambda text, n: fence(text * n, "text"), texts, large),
    st.builds(lambda text, n: details("A part", fence(text * n)), texts, large),
    st.builds(lambda n: table(("a", "b"), [("x" * 20, "y")] * n), large),
    st.builds(lambda n: "\n".join(["- an item of a list"] * n), large),
    st.builds(lambda n: "a sentence. " * n, large),
)


def remembered(body: str) -> marker.Marker | None:
    return marker.read(Remark(1, ME, body, "2026-11-30T00:00:00Z"), ME)


def test_a_body_that_fits_is_not_touched() -> None:
    body = f"a\n\n{details('b', fence('c'))}\n\n| d |\n| --- |\n| e |"
    assert capped(body, MARK) == f"{body}\n\n{MARK}"
    assert capped("a") == "a"
    assert capped("", MARK) == MARK


@few
@given(st.lists(parts, max_size=6))
@example([fence("`" * 255, "text")])  # the fence would have 256: in cmark's byte that is none
@example([details("A part", fence("`" * 256))])
def test_whatever_is_cut_the_rest_is_whole(parts: list[str]) -> None:
    body = capped("\n\n".join(parts), MARK)
    assert size(body) <= LIMIT
    assert remembered(body) == MEMORY
    begun, ended = folds(body)
    assert begun == ended
    assert body.endswith(MARK)
    assert MARK not in "".join(fences(body, "text"))  # it stands in no fence that was left open
    assert page(body).rstrip().endswith("-->")


@few
@given(texts)
def test_any_text_fits_and_the_marker_is_read(text: str) -> None:
    body = capped(text * (1 + 2 * LIMIT // max(1, len(text))), MARK)
    assert size(body) <= LIMIT
    assert remembered(body) == MEMORY


def test_200_000_characters_of_emoji_with_an_open_fence() -> None:
    body = capped("```\n" + "👩\n" * 60_000 + "\n" + "x" * 20_000, MARK)
    assert size(body) <= LIMIT
    body.encode("utf-8")
    assert body == f"Left out for its length: a block of code. `reviewbot pr` prints it.\n\n{MARK}"
    assert capped("```\nopen", MARK) == f"```\nopen\n```\n\n{MARK}"


def test_folded_parts_go_first_the_largest_before_the_others() -> None:
    small, big = details("Small", "s" * 100), details("Big", fence("</details>\n" * 9_000))
    body = capped(f"first\n\n{small}\n\n{big}\n\nlast", MARK, "The run page has it.")
    left = "Left out for its length: Big. The run page has it."
    assert body == f"first\n\n{small}\n\n{left}\n\nlast\n\n{MARK}"


def test_a_long_fence_goes_before_the_sentences_behind_it() -> None:
    body = capped(f"first\n\n{fence('x' * 64_000)}\n\n{fence('short')}\n\n{'last ' * 900}", MARK)
    assert body.startswith(
        "first\n\nLeft out for its length: a block of code. `reviewbot pr` prints it.\n\n```\nshort"
    )
    assert f"{'last ' * 900}\n\n{MARK}" in body


def test_a_table_is_cut_between_its_rows_and_says_how_many_are_missing() -> None:
    whole = table(("a", "b"), [(f"{n:040d}", "x \\| y") for n in range(2_000)])
    body = capped(f"The verdict.\n\n{whole}\n\nThe end.", MARK)
    shown = cells(body)
    assert set(shown) == {2}
    assert f"Left out for their length: {2_001 - len(shown):,} rows of the table and 1 further part." in body
    assert size(body) > LIMIT - 500


def test_of_a_table_never_only_its_head_stays() -> None:
    body = capped("x" * 64_000 + "\n\n" + table(("a", "b"), [("c" * 900, "d")] * 2), MARK)
    assert "| --- |" not in body
    assert "2 rows of the table" in body


def test_a_code_span_that_spells_a_tag_folds_nothing() -> None:
    body = capped("- `<details>`\n" * 6_000 + "\nlast", MARK)
    assert body.startswith("- `<details>`\n- `<details>`\n")
    assert size(body) > LIMIT - 500


def test_what_is_left_open_is_closed() -> None:
    opened = "<details><summary>A</summary>\n\n~~~\nx"
    assert capped(opened, MARK) == f"{opened}\n~~~\n</details>\n\n{MARK}"


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("👩👩", 3, "👩…"),
        ("a👩👩", 3, "a…"),
    ],
)
def test_plain_text_is_cut_between_characters(text: str, limit: int, short: str) -> None:
    assert clipped(text, limit) == short
    assert size(short) <= limit


def test_a_secret_is_found_before_zero_width_spaces_hide_it() -> None:
    assert "hunter22" not in inert("see https://bob:hunter22@db.example")
    assert inert("ask @alice") == f"ask @{ZERO_WIDTH_SPACE}alice"
