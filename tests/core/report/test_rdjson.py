"""rdjson under the schema of the format, and what reviewdog makes of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from reviewbot.core.report.rdjson import render
from reviewbot.core.types import (
    Change,
    Edit,
    FileChange,
    Grade,
    Hunk,
    Review,
    Severity,
    Side,
    Site,
    Status,
    Suggestion,
)
from reviewbot.core.visible import visible
from tests import builders
from tests.core.report.readers import rdjson
from tests.strategies import few, reviews


def read(review: Review) -> list[dict[str, Any]]:
    return list(rdjson(render(review))["diagnostics"])


@few
@given(reviews())
def test_every_review_is_valid_and_hides_nothing(review: Review) -> None:
    text = render(review)
    assert text.isascii()
    document = rdjson(text)
    said = document["diagnostics"]
    assert len(said) == len(review.incomplete) + sum(not f.preexisting for f in review.findings)
    for one in said:
        assert visible(one["message"]) == one["message"]
        assert one["severity"] in ("ERROR", "WARNING", "INFO")
    assert (document.get("severity") == "ERROR") >= bool(review.incomplete)


@few
@given(reviews())
def test_a_suggestion_is_for_the_lines_of_its_diagnostic(review: Review) -> None:
    for one in read(review):
        for suggestion in one.get("suggestions", ()):
            own, edit = one["location"]["range"], suggestion["range"]
            assert (own["start"]["line"], own["end"]["line"]) == (edit["start"]["line"], edit["end"]["line"])
            assert "column" not in edit["start"]
            assert "column" not in edit["end"]
        for place in filter(None, [one["location"].get("range")]):
            assert ("column" in place["start"]) == ("column" in place["end"])


def test_columns_are_bytes_and_the_end_is_exclusive() -> None:
    finding = builders.finding(line=3, quote="echo a\necho \u6f22\U00010400b")
    (one,) = read(builders.review(finding))
    end = len("echo \u6f22\U00010400b".encode()) + 1
    assert end == 14
    assert one["location"] == {
        "path": "runners/launch_h200.sh",
        "range": {"start": {"line": 3, "column": 1}, "end": {"line": 4, "column": end}},
    }


def test_a_suggestion_is_whole_lines() -> None:
    (one,) = read(builders.review(builders.suggested()))
    assert one["suggestions"] == [
        {"range": {"start": {"line": 41}, "end": {"line": 41}}, "text": f"{builders.INJECT} || exit 1"}
    ]
    assert one["code"] == {"value": "a-failed-step-does-not-stop-the-launch"}
    assert one["severity"] == "WARNING"


def test_a_suggestion_elsewhere_takes_the_diagnostic_along_which_says_so() -> None:
    suggestion = Suggestion(Edit(1, 2, ""), ("#!/bin/bash", "set +e"), ("applies",))
    (one,) = read(builders.review(builders.finding(suggestion=suggestion)))
    assert one["location"]["range"] == {"start": {"line": 1, "column": 1}, "end": {"line": 2, "column": 7}}
    assert one["message"].endswith("Found at runners/launch_h200.sh:41; the edit is for these lines.")
    assert one["suggestions"][0]["text"] == ""


def test_a_suggestion_that_json_cannot_hold_is_left_out() -> None:
    suggestion = Suggestion(Edit(41, 41, "\udce9"), ("x",), ("applies",))
    (one,) = read(builders.review(builders.finding(suggestion=suggestion)))
    assert "suggestions" not in one


@pytest.mark.parametrize(
    ("severity", "word"), [("blocker", "ERROR"), ("warning", "WARNING"), ("note", "INFO")]
)
def test_the_severity_and_a_hint_is_information(severity: str, word: str) -> None:
    sure = builders.finding(severity=Severity(severity))
    hint = builders.finding(severity=Severity(severity), grade=Grade.HINT)
    review = builders.review(sure, hint)
    assert [one["severity"] for one in read(review)] == [word, "INFO"]
    assert rdjson(render(review))["severity"] == word


def test_what_is_old_is_not_posted() -> None:
    assert rdjson(render(builders.review(builders.finding(preexisting=True)))) == {
        "source": {"name": "reviewbot"},
        "diagnostics": [],
    }


def changed(*paths: str) -> Change:
    hunk = Hunk(4, 2, 4, 3, (" a", "+b", " c"))
    return Change("a" * 40, "b" * 40, tuple(FileChange(p, Status.MODIFIED, hunks=(hunk,)) for p in paths))


def test_what_was_not_done_stands_where_reviewdog_keeps_it() -> None:
    steps = (("gate", "shellcheck", "not installed"), ("detect", "b.sh", "not UTF-8"))
    review = builders.review(incomplete=steps)
    first, second = read(review._replace(change=changed("a.sh", "b.sh")))
    assert first["message"] == "This review is incomplete (gate): shellcheck: not installed"
    assert first["severity"] == "ERROR"
    assert first["location"] == {"path": "a.sh", "range": {"start": {"line": 5}, "end": {"line": 5}}}
    assert second["location"]["path"] == "b.sh"
    assert {one["location"]["path"] for one in read(review._replace(change=changed()))} == {"."}


def test_a_place_in_base_says_so_and_is_at_no_line_of_head() -> None:
    finding = builders.suggested(site=Site("a.sh", 7, 7, "set -e", Side.LEFT))
    (one,) = read(builders.review(finding)._replace(change=changed("a.sh")))
    assert one["message"].startswith("a.sh:7 (at base): A failed step")
    assert one["location"]["range"]["start"] == {"line": 5}
    assert "suggestions" not in one
