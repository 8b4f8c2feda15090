"""The check run in each of its ends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from reviewbot.core.publish import checkrun, marker
from reviewbot.core.report.words import in_scope
from reviewbot.core.types import (
    Finding,
    Grade,
    PullTerms,
    Refutation,
    Rejection,
    Review,
    Severity,
    Side,
    Site,
)
from tests import builders
from tests.core.publish.rendered import PULL
from tests.fakes.github.spec import official
from tests.strategies import fewest, reviews

DONE = "2026-11-30T00:00:09Z"
MARK = marker.write(marker.Marker("summary"))
UNCLAIMED = builders.review(paths=(), uncovered=(("a.cpp", "no skill claims it"),))
GAP = (("gate", "bash -n a.sh", "not installed"),)
BLOCKER = builders.finding(severity=Severity.BLOCKER)


TERMS = PullTerms()
TITLE = "1 finding (1 warning). 1 of 1 changed file reviewed."


def last(review: Review, *findings: Finding, terms: PullTerms = TERMS) -> dict[str, Any]:
    """The body that ends the run."""
    return checkrun.ended(review, findings, terms, DONE, TITLE, f"The summary.\n\n{MARK}")[-1]


def test_it_begins_in_progress_and_says_whose_it_is() -> None:
    body = checkrun.begun(PULL, "https://bot.example/runs/1", "2026-11-30T00:00:00Z")
    assert body == {
        "name": "reviewbot",
        "head_sha": "b" * 40,
        "status": "in_progress",
        "started_at": "2026-11-30T00:00:00Z",
        "external_id": f"acme/launcher#7@{'b' * 40}",
        "details_url": "https://bot.example/runs/1",
        "output": {"title": "Reviewing", "summary": "The review has begun; nothing is known yet."},
    }
    assert "details_url" not in checkrun.begun(PULL, "", "2026-11-30T00:00:00Z")


@pytest.mark.parametrize(
    ("review", "terms", "conclusion"),
    [
        (builders.review(), PullTerms(), "success"),
        (builders.review(builders.finding(preexisting=True)), PullTerms(fail_on="note"), "success"),
        (UNCLAIMED, PullTerms(), "neutral"),
        (builders.review(builders.finding()), PullTerms(), "neutral"),
        (builders.review(builders.finding()), PullTerms(fail_on="blocker"), "neutral"),
        (builders.review(builders.finding()), PullTerms(fail_on="warning"), "failure"),
        (builders.review(incomplete=GAP), PullTerms(), "neutral"),
        (builders.review(incomplete=GAP), PullTerms(fail_on="note"), "neutral"),
        (builders.review(incomplete=GAP), PullTerms(gate=True), "failure"),
        (builders.review(BLOCKER, incomplete=GAP), PullTerms(), "neutral"),
        (builders.review(BLOCKER, incomplete=GAP), PullTerms(fail_on="blocker"), "failure"),
    ],
)
def test_the_conclusion(review: Review, terms: PullTerms, conclusion: str) -> None:
    body = last(review, terms=terms)
    assert (body["status"], body["conclusion"], body["completed_at"]) == ("completed", conclusion, DONE)


@fewest
@given(reviews())
def test_only_a_clean_review_is_a_success_and_every_text_has_its_length(review: Review) -> None:
    bodies = checkrun.ended(review, review.findings, TERMS, DONE, TITLE, "The summary.")
    success = review.verdict == "clean" and in_scope(review)
    assert (bodies[-1]["conclusion"] == "success") == success
    for body in bodies:
        assert len(body["output"]["title"]) <= 255
        for note in body["output"].get("annotations", ()):
            assert len(note["title"]) <= 255
            assert len(note["message"].encode()) <= 64_000
            assert note["annotation_level"] in ("notice", "warning", "failure")
            note["path"].encode()


@pytest.mark.parametrize(("number", "requests"), [(0, 1), (50, 1), (51, 2), (120, 3)])
def test_annotations_go_by_fifty_and_only_the_last_request_ends_the_run(number: int, requests: int) -> None:
    findings = [builders.finding(line=n) for n in range(1, number + 1)]
    bodies = checkrun.ended(builders.review(*findings), findings, TERMS, DONE, TITLE, "The summary.")
    assert len(bodies) == requests
    assert [("conclusion" in b, "status" in b, "actions" in b) for b in bodies] == [
        *[(False, False, False)] * (requests - 1),
        (True, True, True),
    ]
    notes = [note for b in bodies for note in b["output"].get("annotations", ())]
    assert [note["start_line"] for note in notes] == list(range(1, number + 1))
    assert all(len(b["output"].get("annotations", ())) <= 50 for b in bodies)


def test_every_body_is_one_of_githubs_own_description() -> None:
    spec = official()
    post, patch = (
        spec.find("POST", "/repos/acme/launcher/check-runs"),
        spec.find("PATCH", "/repos/acme/launcher/check-runs/4"),
    )
    assert post is not None
    assert patch is not None
    begun = checkrun.begun(PULL, "https://bot.example/runs/1", DONE)
    assert spec.request_errors(post, {}, begun) == []
    found = [builders.finding(line=n) for n in range(1, 52)]
    rejected = (Rejection(builders.candidate(), "disproved", "it stops"),)
    review = builders.review(*found, rejections=rejected)
    bodies = checkrun.ended(review, found, TERMS, DONE, TITLE, "The summary.")
    for body in (
        *bodies,
        checkrun.cancelled("it broke", DONE, "neutral"),
        checkrun.cancelled("it moved", DONE),
    ):
        assert spec.request_errors(patch, {}, body) == []


def test_an_annotation_says_what_goes_wrong_and_how_it_is_mended() -> None:
    finding = builders.suggested()
    review, text = builders.review(finding), f"The summary.\n\n{MARK}"
    (body,) = checkrun.ended(review, [finding], TERMS, DONE, TITLE, text)
    assert body["output"]["title"] == TITLE
    assert body["output"]["summary"] == "The summary."
    (note,) = body["output"]["annotations"]
    message = note.pop("message").split("\n")
    assert note == {
        "path": "runners/launch_h200.sh",
        "start_line": 41,
        "end_line": 41,
        "annotation_level": "warning",
        "title": "A failed step does not stop the launch",
    }
    assert message[0] == finding.candidate.failure
    assert message[2] == f"Fix: {finding.candidate.fix}"
    assert message[4] == "No line sets errexit"


def test_what_has_no_place_at_head_or_is_old_has_no_annotation() -> None:
    own = builders.skill()
    old = builders.finding(preexisting=True)
    left = builders.finding(site=Site("a.sh", 3, 3, "set -e", Side.LEFT))
    gate = builders.finding(path=own.path, line=9, quote="./run.sh")
    hint = builders.finding(severity=Severity.BLOCKER, grade=Grade.HINT)
    sure = hint._replace(refutation=Refutation("confirmed"))
    body = last(builders.review(), old, left, gate, hint, sure)
    levels = [note["annotation_level"] for note in body["output"]["annotations"]]
    assert levels == ["notice", "failure"]


def test_texts_are_cut_to_what_github_takes() -> None:
    long = "👩" * 70_000
    finding = builders.finding(title=long, failure=long)
    review = builders.review(finding)
    review = review._replace(change=review.change._replace(notes=(long,)))
    (body,) = checkrun.ended(review, [finding], TERMS, DONE, long, f"{long}\n\n{MARK}")
    (note,) = body["output"]["annotations"]
    assert len(body["output"]["title"]) <= 255
    assert len(body["output"]["summary"]) <= 65_535
    assert len(note["title"]) <= 255
    assert len(note["message"].encode()) <= 64_000


def test_a_secret_is_in_no_text_of_it() -> None:
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    finding = builders.finding(title=token, failure=token, cost=token, fix=token)
    body = checkrun.ended(builders.review(finding), [finding], TERMS, DONE, token, token)
    assert token not in str(body)


def test_show_refuted_is_offered_where_there_is_something_to_show() -> None:
    refuted = (Rejection(builders.candidate(), "disproved", "it stops"),)
    assert [a["identifier"] for a in last(builders.review())["actions"]] == ["rerun"]
    actions = last(builders.review(rejections=refuted))["actions"]
    assert actions == [checkrun.RERUN, checkrun.REFUTED]
    for action in (checkrun.RERUN, checkrun.REFUTED):
        assert len(action["label"]) <= 20
        assert len(action["description"]) <= 40
        assert len(action["identifier"]) <= 20


def test_show_refuted_keeps_what_the_check_says() -> None:
    """GitHub takes away what is not sent again: the text of the review was gone."""
    claim = (Rejection(builders.candidate(), "disproved", "it stops"),)
    body = checkrun.with_refuted(builders.review(rejections=claim), "a title", "The summary.")
    assert (body["output"]["title"], body["output"]["summary"]) == ("a title", "The summary.")
    assert "**disproved**: it stops" in body["output"]["text"]


def test_where_nobody_could_refute_it_is_said() -> None:
    without = checkrun.with_refuted(builders.review(), "", "")["output"]["text"]
    assert without == "Nobody refuted a claim: no model took part in this review."
    asked = checkrun.with_refuted(builders.review()._replace(reader="a-model"), "", "")["output"]["text"]
    assert asked == "No claim was refuted."


def test_a_review_that_did_not_end_is_never_a_success() -> None:
    gone = checkrun.cancelled("the head moved to `1a2b3c4`", DONE)
    assert (gone["status"], gone["conclusion"], gone.get("actions")) == ("completed", "cancelled", None)
    assert gone["output"] == {
        "title": "Not reviewed",
        "summary": "The review did not end: the head moved to `1a2b3c4`. "
        "Nothing is known about this head: it has not been found clean.",
    }
    crashed = checkrun.cancelled("it ended early", DONE, "neutral")
    assert (crashed["conclusion"], crashed["actions"]) == ("neutral", [checkrun.RERUN])
