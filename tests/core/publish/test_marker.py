"""The marker's room: what of the dismissals it keeps where there are too many."""

from __future__ import annotations

import pytest

from reviewbot.core.publish import marker
from reviewbot.core.publish.marker import MOST, Dismissal, Marker
from reviewbot.core.types import Remark, Who

ME = Who("reviewbot", bot=True)


def kept(count: int, reason: str = "\u20ac" * 100) -> tuple[Dismissal, ...]:
    """The dismissals that are read from a marker that was given so many."""
    rows = tuple(Dismissal(f"{n:016x}", "a-class", reason, "dev") for n in range(count))
    text = marker.write(Marker("summary", head="b" * 40, dismissed=rows))
    assert len(text) <= MOST
    read = marker.read(Remark(1, ME, text, "t"), ME)
    assert read is not None
    assert read.head == "b" * 40
    return read.dismissed


def test_what_has_room_is_kept_whole() -> None:
    assert [row.reason for row in kept(3, "it is meant so")] == ["it is meant so"] * 3


def test_the_reasons_go_first_and_the_oldest_first() -> None:
    rows = kept(100)
    reasons = [bool(row.reason) for row in rows]
    assert len(rows) == 100
    assert reasons == sorted(reasons)
    assert 0 < sum(reasons) < 100


@pytest.mark.parametrize("count", [900, 3_000])
def test_then_the_oldest_dismissals_go(count: int) -> None:
    rows = kept(count)
    assert 300 < len(rows) < count
    assert rows[-1] == (f"{count - 1:016x}", "a-class", "", "dev")


def test_a_marker_that_is_nested_too_deeply_to_be_parsed_is_none() -> None:
    body = f'<!-- reviewbot:1 {{"kind":{"[" * 29_000}{"]" * 29_000}}} -->'
    assert marker.read(Remark(1, ME, body, "t"), ME) is None
