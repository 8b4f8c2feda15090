"""SARIF under the official schema, and what its readers make of it."""

from __future__ import annotations

import gzip
import json
import random
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.rehearse import splice
from reviewbot.core.report.sarif import render
from reviewbot.core.report.sarif.limits import RESULTS, fitted
from reviewbot.core.report.uri import encoded
from reviewbot.core.types import (
    Change,
    DefectClass,
    Diagnostic,
    Edit,
    FileChange,
    Grade,
    Hunk,
    Origin,
    Refutation,
    Rejection,
    Review,
    Severity,
    Side,
    Site,
    Skills,
    Status,
    Suggestion,
    Text,
)
from reviewbot.core.visible import visible
from tests import builders
from tests.core.report.readers import sarif_run
from tests.strategies import few, reviews, texts


def run(review: Review) -> dict[str, Any]:
    return sarif_run(render(review))


def only(review: Review) -> dict[str, Any]:
    (result,) = run(review)["results"]
    return dict(result)


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [*value, *(text for item in value.values() for text in strings(item))]
    return [text for item in value for text in strings(item)] if isinstance(value, list) else []


# --- any review ----------------------------------------------------------------------------


@few
@given(reviews())
def test_every_review_is_valid_and_whole(review: Review) -> None:
    log = run(review)
    told = [r for r in review.rejections if r.reason in ("refuted", "disproved", "dismissed")]
    assert len(log["results"]) == len(review.findings) + len(told)
    assert sum("suppressions" in r for r in log["results"]) == len(told)
    (invocation,) = log["invocations"]
    assert invocation["executionSuccessful"] is not bool(review.incomplete)
    assert len(invocation["toolExecutionNotifications"]) == len(review.incomplete)
    rules = log["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in log["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    prints = [r["partialFingerprints"]["primaryLocationLineHash"] for r in log["results"]]
    assert len(set(prints)) == len(prints)


@few
@given(reviews())
def test_no_text_of_a_stranger_is_a_link_an_argument_or_hidden(review: Review) -> None:
    assert render(review).isascii()
    log = run(review)
    for result in log["results"]:
        shown = strings([result["message"], result.get("suppressions", []), result["locations"]])
        for text in (*shown, *strings(result["properties"].get("receipts", []))):
            assert visible(text) == text
        assert "](" not in result["message"]["text"]
    for text in strings(log):
        assert not any("\ud800" <= character <= "\udfff" for character in text)


@few
@given(reviews())
def test_every_place_is_an_address_below_the_root(review: Review) -> None:
    found = sorted(encoded(f.candidate.site.path) for f in review.findings)
    told = []
    for result in run(review)["results"]:
        artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
        parts = urlsplit(artifact["uri"])
        assert (parts.netloc, parts.query, parts.fragment) == ("", "", "")
        assert parts.scheme == ("" if "uriBaseId" in artifact else "file")
        if "suppressions" not in result:
            told.append(parts.path)
    assert sorted(told) == found


@given(texts)
def test_an_encoded_path_is_that_path(path: str) -> None:
    there = unquote_to_bytes(encoded(path))
    if not any("\ud800" <= c < "\udc80" or "\udd00" <= c <= "\udfff" for c in path):
        assert there == path.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/#1?.sh", "a%20b/%231%3F.sh"),
        ("caf\u00e9.sh", "caf%C3%A9.sh"),
        ("caf\udce9.sh", "caf%E9.sh"),
        ("50%.sh", "50%25.sh"),
        ("builtin:x", "builtin%3Ax"),
        ("a\0b", "a%00b"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_a_path_as_an_address(path: str, uri: str) -> None:
    assert encoded(path) == uri


# --- one review ----------------------------------------------------------------------------


def test_a_finding_says_where_what_and_how_dear() -> None:
    result = only(builders.review(builders.suggested(severity=Severity.BLOCKER)))
    assert result["level"] == "error"
    assert result["baselineState"] == "new"
    assert result["message"]["text"].startswith("A failed step does not stop the launch.\n`python3` can fail")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "runners/launch_h200.sh", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 41, "endLine": 41, "snippet": {"text": builders.INJECT}}
    assert result["partialFingerprints"] == {
        "reviewbot/v1": "0123456789abcdef",
        "primaryLocationLineHash": "0123456789abcdef:1",
    }
    assert len(result["properties"]["receipts"]) == 3


@pytest.mark.parametrize(
    ("severity", "level"), [("blocker", "error"), ("warning", "warning"), ("note", "note")]
)
def test_the_level_is_the_severity(severity: str, level: str) -> None:
    assert only(builders.review(builders.finding(severity=Severity(severity))))["level"] == level
    hint = builders.finding(severity=Severity(severity), grade=Grade.HINT)
    assert only(builders.review(hint))["level"] == "note"
    unsure = builders.finding(severity=Severity(severity), refutation=Refutation("unsure"))
    assert only(builders.review(unsure))["level"] == "note"


def test_what_is_not_new_is_unchanged_and_stands_behind_what_is() -> None:
    old = builders.finding(preexisting=True, severity=Severity.BLOCKER)
    results = run(builders.review(old, builders.finding(line=50)))["results"]
    assert [r["baselineState"] for r in results] == ["new", "unchanged"]
    assert [r["level"] for r in results] == ["warning", "error"]
    prints = [r["partialFingerprints"]["primaryLocationLineHash"] for r in results]
    assert prints == ["0123456789abcdef:1", "0123456789abcdef:2"]


def test_what_was_refuted_is_suppressed_with_its_reason() -> None:
    claim = builders.candidate(origin=Origin.MODEL)
    made = [
        Rejection(claim, reason, "[see](http://x) {0}") for reason in ("refuted", "dismissed", "duplicate")
    ]
    results = run(builders.review(rejections=tuple(made)))["results"]
    assert [r["suppressions"][0]["justification"] for r in results] == [
        "refuted: [see] (http://x) { 0 }",
        "dismissed: [see] (http://x) { 0 }",
    ]
    assert {(r["kind"], r["level"]) for r in results} == {("pass", "none")}


def test_an_incomplete_review_was_not_successful() -> None:
    (invocation,) = run(builders.review(incomplete=(("gate", "shellcheck", "not installed"),)))["invocations"]
    assert invocation["executionSuccessful"] is False
    (told,) = invocation["toolExecutionNotifications"]
    assert told["level"] == "error"
    assert told["message"]["text"] == "Not done (gate): shellcheck: not installed"
    assert run(builders.review())["invocations"][0]["executionSuccessful"] is True


def test_a_rule_is_a_class_with_its_cost_and_fix() -> None:
    own = DefectClass(1, "a-failed-step-does-not-stop-the-launch", "A failed step", "What it is.", "Stop it.")
    never = DefectClass(2, "sc2016", "Quotes", "", kind="suppress")
    skill = builders.skill(classes=(own, never))
    review = builders.review(builders.finding(slug="a-gate"), builders.finding(), skills=Skills((skill,)))
    rules = {rule["id"]: rule for rule in run(review)["tool"]["driver"]["rules"]}
    assert list(rules) == ["a-failed-step-does-not-stop-the-launch", "a-gate"]
    rule = rules["a-failed-step-does-not-stop-the-launch"]
    assert rule["shortDescription"]["text"] == "A failed step"
    assert rule["fullDescription"]["text"] == "What it is."
    assert rule["help"]["text"].startswith("Cost: The allocation is spent")
    assert rule["help"]["text"].endswith("Fix: Stop it.")


def test_a_description_is_no_longer_than_is_shown() -> None:
    skill = builders.skill(classes=(DefectClass(1, "a", "", "x" * 5000),))
    (rule,) = run(builders.review(skills=Skills((skill,))))["tool"]["driver"]["rules"]
    assert len(rule["fullDescription"]["text"]) == 1024
    assert rule["shortDescription"]["text"]


def test_a_remark_on_a_skill_is_a_notification_of_the_configuration() -> None:
    remark = Diagnostic("SKILL.md", 3, 1, "S012", "warning", "two classes of one title")
    review = builders.review(skills=Skills((builders.skill(diagnostics=(remark,)),)))
    (invocation,) = run(review)["invocations"]
    assert invocation["executionSuccessful"] is True
    (told,) = invocation["toolConfigurationNotifications"]
    assert told["message"]["text"] == "SKILL.md:3:1 S012 two classes of one title"


def test_a_place_in_base_has_no_line_of_head() -> None:
    site = Site("gone.sh", 7, 7, "set -e", Side.LEFT)
    result = only(builders.review(builders.suggested(site=site)))
    assert "region" not in result["locations"][0]["physicalLocation"]
    assert "It stood at line 7 of base: set -e" in result["message"]["text"]
    assert "fixes" not in result


def test_the_other_places_are_related() -> None:
    also = (Site("b.sh", 9, 10, "x"),)
    (related,) = only(builders.review(builders.finding(also=also)))["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "b.sh"
    assert related["physicalLocation"]["region"]["endLine"] == 10


def test_a_skill_outside_of_the_repository_is_a_file_address() -> None:
    place = only(builders.review(builders.finding(path="/home/a b/SKILL.md")))["locations"][0]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "file:///home/a%20b/SKILL.md"}


# --- the fix -------------------------------------------------------------------------------


def edited(text: str, fix: dict[str, Any]) -> str:
    """The text after an editor has applied a fix. Columns count from 1; without one a region ends before the
    end of its line."""
    (change,) = fix["artifactChanges"]
    (replacement,) = change["replacements"]
    region, starts = replacement["deletedRegion"], [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    begin = starts[region["startLine"] - 1] + region["startColumn"] - 1
    if "endColumn" in region:
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
    else:
        row = text[starts[region["endLine"] - 1] :].splitlines()[0]
        end = starts[region["endLine"] - 1] + len(row)
    return text[:begin] + replacement.get("insertedContent", {}).get("text", "") + text[end:]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("unended", [False, True])
@pytest.mark.parametrize("new", ["", "one", "one\ntwo\n\tthree", "漢字\n\u202e"])
@pytest.mark.parametrize(("first", "last"), [(1, 1), (2, 3), (4, 4), (1, 4)])
def test_a_fix_makes_what_was_tried(end: str, unended: bool, new: str, first: int, last: int) -> None:
    rows = ["a", "b 漢", "c", "d"]
    content = end.join(rows) + ("" if unended else end)
    hunk = Hunk(0, 0, 1, 4, tuple(f"+{row}{end[:-1]}" for row in rows))
    file = FileChange("x.sh", Status.ADDED, hunks=(hunk,), eof_newline=(True, not unended))
    edit = Edit(first, last, new)
    site = Site("x.sh", first, last, "\n".join(rows[first - 1 : last]))
    finding = builders.finding(
        site=site, suggestion=Suggestion(edit, tuple(rows[first - 1 : last]), ("applies",))
    )
    review = builders.review(finding)._replace(change=Change("a" * 40, "b" * 40, (file,)))
    result = only(review)
    if unended and not new:  # no region of SARIF is exactly it
        assert "fixes" not in result
    else:
        assert edited(content, result["fixes"][0]) == splice(Text("x.sh", content), edit).content


def test_a_fix_that_cannot_be_written_exactly_is_not_offered() -> None:
    finding = builders.finding(suggestion=Suggestion(Edit(41, 41, "\udce9"), ("x",), ("applies",)))
    assert "fixes" not in only(builders.review(finding))


# --- limits --------------------------------------------------------------------------------


def test_ten_thousand_findings_fit() -> None:
    found = [builders.finding(line=i, fingerprint=f"{i:016x}") for i in range(1, 10_001)]
    text = render(builders.review(*found))
    assert len(json.loads(text)["runs"][0]["results"]) == 10_000
    assert len(gzip.compress(text.encode())) < 10_000_000


def log(kept: Any, left: str) -> dict[str, Any]:
    return {"results": list(kept), "left": left}


def test_beyond_the_limit_of_results_the_last_are_left_out_and_it_is_said() -> None:
    made = json.loads(fitted([{"n": n} for n in range(RESULTS + 2)], log))
    assert [r["n"] for r in made["results"]] == list(range(RESULTS))
    assert made["left"].startswith("2 results of 25,002 left out")
    assert json.loads(fitted([{}], log))["left"] == ""


def test_beyond_the_limit_of_bytes_as_well() -> None:
    drawn = random.Random(8)
    results = [{"n": n, "x": drawn.randbytes(500).hex()} for n in range(100)]
    text = fitted(results, log, room=20_000)
    kept = json.loads(text)["results"]
    assert 10 < len(kept) < 100
    assert kept == results[: len(kept)]
    assert len(gzip.compress(text.encode())) < 21_000
    assert json.loads(fitted(results, log, room=10))["results"] == []


def test_what_was_left_out_is_a_notification(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "reviewbot.core.report.sarif.fitted", lambda found, log: json.dumps(log(found, "Much."))
    )
    (invocation,) = run(builders.review(builders.finding()))["invocations"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "Much."


@given(st.text())
def test_a_message_says_what_it_was_given(text: str) -> None:
    finding = builders.finding(title="x", failure=text, cost="", fix="")
    said = only(builders.review(finding))["message"]["text"]
    assert "".join(said.split()) == "".join(f"x.{visible(text)}".split()) or "{" in text or "](" in text
