"""Reviews posted on a pull request in memory. Only the Sink is a stand-in."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.errors import UsageError
from reviewbot.core.publish import marker
from reviewbot.core.publish.delivery import post_on_files
from reviewbot.core.publish.marker import Dismissal, Marker
from reviewbot.core.publish.posting import Posting
from reviewbot.core.publish.standing import digest, remembered
from reviewbot.core.types import Incomplete, Origin, PullTerms, Remark, Reply, Request, Thread, Who
from tests.core.publish.sinks import HUMAN, ME, SLUG, World, texts_of

REVIEWS = "POST /repos/acme/launcher/pulls/7/reviews"
COMMENTS = "POST /repos/acme/launcher/pulls/7/comments"
SUMMARY = "POST /repos/acme/launcher/issues/7/comments"
CHECK = "POST /repos/acme/launcher/check-runs"
PERSONAL = "the token lacks checks: write; grant it (GitHub: You must authenticate via a GitHub App.)"


def world(*lines: str) -> World:
    return World({"a.sh": "one\n"}, {"a.sh": "".join(f"{line}\n" for line in ("one", *lines))})


def pushed(w: World, *lines: str) -> World:
    w.push({"a.sh": "".join(f"{line}\n" for line in ("one", *lines))})
    return w


def sent(w: World) -> list[str]:
    """What was written, with numbers left out."""
    return [re.sub(r"\d+$", "N", f"{r.method} {r.path}") for r in w.sent]


def stages(incomplete: tuple[Incomplete, ...]) -> list[str]:
    return [i.what for i in incomplete if i.stage == "publish"]


def memory(w: World) -> Marker:
    return remembered(w.sink.said()).marker


def replies(thread: Thread) -> list[str]:
    found = [marker.read(r, ME) for r in thread.remarks[1:]]
    return [m.state for m in found if m]


# --- what is sent ---------------------------------------------------------------------------


def test_a_first_review_is_five_writes_in_order() -> None:
    w = world("bad 1", "bad 2")
    done = w.run()
    assert done == w.review()
    check, edit = "/repos/acme/launcher/check-runs/N", "/repos/acme/launcher/issues/comments/N"
    assert sent(w) == [CHECK, SUMMARY, REVIEWS, f"PATCH {check}", f"PATCH {edit}"]
    assert [t.line for t in w.sink.threads] == [2, 3]
    assert w.check["conclusion"] == "neutral"
    assert w.check["annotations"] == []
    assert memory(w).verdict == "findings"
    assert memory(w).fingerprints == tuple(f.fingerprint for f in done.findings)


def test_each_row_of_the_table_leads_to_its_own_comment() -> None:
    w = world("bad 1", "bad 2")
    w.run()
    places = {t.line: t.remarks[0].url for t in w.sink.threads}
    assert len(set(places.values())) == 2
    for line, url in places.items():
        assert f"[`a.sh:{line}`]({url})" in w.summary


def test_nothing_new_is_no_review() -> None:
    w = world("good")
    w.run()
    assert sent(w) == [
        CHECK,
        SUMMARY,
        "PATCH /repos/acme/launcher/check-runs/N",
        "PATCH /repos/acme/launcher/issues/comments/N",
    ]
    assert w.check["conclusion"] == "success"


def test_the_same_again_is_a_repeat_and_asked_for_again_says_nothing_new() -> None:
    w = world("bad 1")
    assert not w.posting().is_repeat()
    w.run()
    assert w.posting().is_repeat()
    assert not w.posting(force=True).is_repeat()
    w.run(force=True)
    assert REVIEWS not in sent(w)
    assert COMMENTS not in sent(w)
    assert len(w.sent) == 4


def test_another_base_skills_or_configuration_is_no_repeat() -> None:
    w = world("bad 1")
    w.run()
    same = w.stamp
    for field in ("base", "skills", "config"):
        w.stamp = same._replace(**{field: "other"})
        assert not w.posting().is_repeat()


def test_d23_the_same_files_at_another_head_are_reviewed() -> None:
    w = pushed(world("bad 1"), "bad 1")
    w.run()
    w.push(w.files)
    assert not w.posting().is_repeat()


def test_an_incomplete_review_is_no_repeat() -> None:
    w = world("bad 1")
    w.run(w.review(incomplete=[("gate", "pytest", "missing")]))
    assert not w.posting().is_repeat()


def test_an_inline_comment_remembers_its_finding() -> None:
    w = world("bad 1")
    (f,) = w.run().findings
    (t,) = w.sink.threads
    found = marker.read(t.remarks[0], ME)
    assert found
    assert (found.fingerprints, found.path, found.rows) == ((f.fingerprint,), "a.sh", 1)
    assert found.head == w.sink.head_sha
    assert (found.quote, found.origin, found.slug) == (digest("bad 1"), "detector", SLUG)


def test_the_checklist_is_edited_every_15_seconds_at_most() -> None:
    w = world("bad 1")
    posting = w.posting()
    posting.begin()
    for second in range(100):
        w.time = float(second)
        posting.tick("detectors", second, 100)
    edits = [line for line in w.sink.lines if line.startswith("PATCH")]
    assert len(edits) == 6
    assert "of 100" in w.summary


def test_a_clock_that_jumps_back_neither_stops_nor_floods_the_checklist() -> None:
    w = world()
    w.time = 1000.0
    posting = w.posting()
    posting.begin()
    for w.time in (5.0, 6.0, 19.0, 20.0, 21.0):
        posting.tick("detectors")
    assert sum(line.startswith("PATCH") for line in w.sink.lines) == 1


def test_a_running_review_keeps_the_last_table_and_what_people_asked_for() -> None:
    w = world("bad 1")
    w.run()
    refused = Dismissal("f" * 16, SLUG, "on purpose", "octo-dev")
    kept = memory(w)._replace(paused=True, dismissed=(refused,))
    w.sink.remarks[0] = w.sink.remarks[0]._replace(body=f"words\n\n{marker.write(kept)}")
    pushed(w, "bad 1", "bad 2")
    posting = w.posting()
    posting.begin()
    running = memory(w)
    assert (running.verdict, running.paused, running.dismissed) == ("running", True, (refused,))
    assert running.fingerprints == kept.fingerprints
    assert "words" in w.summary
    posting.end(w.review(), lambda paths: texts_of(w.files))
    assert (memory(w).verdict, memory(w).paused, memory(w).dismissed) == ("findings", True, (refused,))


def test_a_dismissed_finding_is_neither_posted_nor_counted() -> None:
    w = world("bad 1")
    name = w.review().findings[0].fingerprint
    refused = Dismissal(name, SLUG, "on purpose", "octo-dev")
    body = marker.write(Marker("summary", dismissed=(refused,)))
    w.sink.remarks.append(Remark(900, ME, body, "0"))
    done = w.run()
    assert (done.findings, done.verdict) == ((), "clean")
    assert w.sink.threads == []
    assert "**Declined by people** on this pull request: A class (1)." in w.summary


def test_what_people_said_meanwhile_counts() -> None:
    w = world("bad 1")
    refused = Dismissal(w.review().findings[0].fingerprint, SLUG, "on purpose", "octo-dev")

    def again() -> Any:
        said = w.sink.said()
        reply = Remark(900, ME, marker.write(Marker("reply", state="command", dismissed=(refused,))), "9")
        return said._replace(remarks=(*said.remarks, reply))

    done = w.run(again=again)
    assert done.findings == ()
    assert w.sink.threads == []
    assert memory(w).dismissed == (refused,)


def test_a_summary_that_somebody_deleted_is_made_again() -> None:
    w = world("bad 1")
    w.run()
    w.sink.rule("PATCH .*/issues/comments/", 404, times=1)
    pushed(w, "bad 1", "x")
    w.run()
    assert sent(w).count(SUMMARY) == 1
    assert stages(w.run().incomplete) == []


def test_a_stacked_pull_request_says_what_merges_first() -> None:
    w = world()
    w.pull = w.pull._replace(below=6)
    w.run()
    assert "merge that first" in w.summary


def test_findings_beyond_the_diff_are_annotations() -> None:
    w = World({"a.sh": "one\n" + "x\n" * 20 + "good\n"}, {"a.sh": "two\n" + "x\n" * 20 + "bad 1\n"})
    review = w.review()
    review = review._replace(findings=tuple(f._replace(placement="table") for f in review.findings))
    w.run(review)
    assert w.sink.threads == []
    assert [a["start_line"] for a in w.check["annotations"]] == [22]


def test_d36_annotations_go_by_fifties() -> None:
    w = world(*(f"bad {n}" for n in range(70)))
    w.run()
    assert len(w.check["annotations"]) == 70 - len(w.sink.threads)
    assert sent(w).count("PATCH /repos/acme/launcher/check-runs/N") == 2


def test_a_hint_is_a_notice() -> None:
    w = world("bad?")
    assert w.run().verdict == "clean"
    assert [a["annotation_level"] for a in w.check["annotations"]] == ["notice"]


# --- refused --------------------------------------------------------------------------------


def refuse_line(w: World, line: int) -> None:
    """GitHub does not like this one comment, and does not say which."""

    def answer(request: Request) -> Reply | None:
        rows = request.body.get("comments", [request.body])
        wrong = any(row.get("line") == line for row in rows)
        return Reply(422, {}, "line must be part of the diff") if wrong else None

    w.sink.rules.append((r"POST .*/pulls/7/(reviews|comments)", answer, [1_000]))


def test_d14_one_bad_comment_costs_no_other() -> None:
    w = world(*(f"bad {n}" for n in range(1, 6)))
    refuse_line(w, 4)
    done = w.run()
    assert sent(w).count(REVIEWS) == 1
    assert sent(w).count(COMMENTS) == 5
    assert [t.line for t in w.sink.threads] == [2, 3, 5, 6]
    assert done.incomplete == ()  # it stands in the table
    assert "a.sh:4" in w.summary
    assert "line must be part of the diff" in w.summary
    assert [a["start_line"] for a in w.check["annotations"]] == [4]
    w.run(force=True)
    assert COMMENTS not in sent(w)


def test_d15_own_pull_request_is_no_dead_end() -> None:
    w = world("bad 1")
    w.sink.rule("POST .*/reviews", 422, "Can not request changes on your own pull request")
    w.run()
    assert sent(w).count(REVIEWS) == sent(w).count(COMMENTS) == 1
    assert len(w.sink.threads) == 1


@pytest.mark.parametrize(("status", "why"), [(403, "no right"), (0, "no answer"), (502, "it fails")])
def test_a_review_that_cannot_be_posted_is_in_the_table_and_said(status: int, why: str) -> None:
    w = world("bad 1", "bad 2")
    w.sink.rule("POST .*/reviews", status, why, times=1)
    done = w.run()
    assert sent(w).count(COMMENTS) == 0
    assert (done.verdict, stages(done.incomplete)) == ("incomplete", ["the comments on lines"])
    assert why in w.summary
    assert "a.sh:2" in w.summary
    assert len(w.check["annotations"]) == 2
    assert w.check["conclusion"] == "neutral"
    w.run()  # the next one tries again
    assert [t.line for t in w.sink.threads] == [2, 3]


def test_a_refusal_between_single_comments_stops_them() -> None:
    w = world("bad 1", "bad 2", "bad 3")
    w.sink.rule("POST .*/reviews", 422, times=1)

    def second(request: Request) -> Reply | None:
        return Reply(403, {}, "GitHub's rate limit is used up") if request.body.get("line") == 3 else None

    w.sink.rules.append(("POST .*/pulls/7/comments", second, [1]))
    done = w.run()
    assert sent(w).count(COMMENTS) == 2
    assert stages(done.incomplete) == ["2 comments on lines"]
    w.run()
    assert sorted(t.line or 0 for t in w.sink.threads) == [2, 3, 4]


def test_a_comment_that_vanished_is_said() -> None:
    w = world("bad 1", "bad 2")
    w.sink.hides = "bad 2"
    done = w.run()
    assert stages(done.incomplete) == ["1 comment on a line"]
    assert "a.sh:3" in w.summary
    assert [a["start_line"] for a in w.check["annotations"]] == [3]


def test_a_comment_on_another_line_than_asked_for_is_said() -> None:
    w = world("bad 1", "good", "good")
    w.sink.shifts = 1
    assert w.run().verdict == "incomplete"


def test_comments_that_cannot_be_read_back_are_not_taken_for_posted() -> None:
    w = world("bad 1")
    w.sink.reads = False
    assert stages(w.run().incomplete) == ["the comments on lines"]
    w.sink.reads = True
    assert w.run().incomplete == ()
    assert len(w.sink.threads) == 1


def test_d22_a_head_that_moved_gets_no_comment() -> None:
    w = world("bad 1")
    w.sink.moved_to = "f" * 40
    done = w.run()
    assert REVIEWS not in sent(w)
    assert stages(done.incomplete) == ["the review"]
    assert w.check["conclusion"] == "cancelled"
    assert "moved on" in w.summary
    assert memory(w).verdict == "running"


def test_d22_a_head_that_moves_while_it_is_posted_gets_no_comment() -> None:
    w = world("bad 1")

    def push(request: Request) -> Reply:
        w.sink.moved_to = "f" * 40
        return Reply(422, {}, "No commit found for SHA")

    w.sink.rules.append(("POST .*/reviews", push, [1]))
    assert stages(w.run().incomplete) == ["the review"]
    assert COMMENTS not in sent(w)
    assert w.check["conclusion"] == "cancelled"


def test_a_head_that_github_does_not_tell_is_said() -> None:
    w = world("bad 1")
    w.sink.says_head = False
    w.run()
    assert len(w.sink.threads) == 1
    assert "did not say whether the pull request has moved on" in w.summary


@pytest.mark.parametrize("status", [401, 403, 404])
def test_d20_a_missing_permission_ends_it_before_the_work(status: int) -> None:
    w = world("bad 1")
    w.sink.rule("POST .*/check-runs", status, "the token lacks checks: write")
    with pytest.raises(UsageError, match="checks: write"):
        w.posting().begin()
    assert w.sink.lines == [CHECK]


def test_d20_a_check_that_was_begun_is_ended_where_the_summary_may_not_be_written() -> None:
    w = world("bad 1")
    w.sink.rule("POST .*/issues/7/comments", 403, "the token lacks issues: write")
    with pytest.raises(UsageError, match="issues: write"):
        w.posting().begin()
    assert w.check["conclusion"] == "neutral"
    assert len(w.sink.requests) == 3


def test_a_rate_limit_is_no_missing_permission() -> None:
    w = world("bad 1")
    w.sink.rule("POST .*/check-runs", 403, "GitHub's rate limit is used up; try again later", later=True)
    done = w.run()
    assert stages(done.incomplete) == ["the check run"]
    assert "rate limit" in w.summary


def test_the_token_of_a_person_makes_no_check_run() -> None:
    w = world(*(f"bad {n}" for n in range(16)))
    w.sink.rule("POST .*/check-runs", 403, PERSONAL)
    done = w.run()
    assert done.incomplete == ()
    assert "There is no check run" in w.summary
    assert sum(t.line is None for t in w.sink.threads) == 3  # of six that are in the table alone
    assert sum(t.line is not None for t in w.sink.threads) == 10
    w.run(force=True)
    assert COMMENTS not in sent(w)


def test_d48_a_server_that_knows_no_comments_on_files_has_them_in_the_table() -> None:
    w = world(*(f"bad {n}" for n in range(12)))
    w.sink.rule("POST .*/check-runs", 403, PERSONAL)
    w.sink.rule("POST .*/pulls/7/comments", 422, "subject_type is not a permitted key")
    done = w.run()
    assert done.incomplete == ()
    assert "subject" in w.summary


def test_where_the_summary_cannot_be_written_the_check_says_so() -> None:
    w = world("bad 1")
    w.sink.rule("PATCH .*/issues/comments/", 502, "GitHub fails with 502")
    done = w.run()
    assert stages(done.incomplete) == ["the summary comment"]
    assert "summary comment" in w.check["output"]["summary"]
    assert w.check["conclusion"] == "neutral"


def test_where_the_check_cannot_be_ended_the_summary_says_so() -> None:
    w = world("good")
    w.sink.rule("PATCH .*/check-runs/", 502, "GitHub fails with 502")
    done = w.run()
    assert stages(done.incomplete) == ["the end of the check run"]
    assert "end of the check run" in w.summary
    assert memory(w).verdict == "incomplete"


def test_an_annotation_that_github_refuses_does_not_leave_the_check_open() -> None:
    w = world(*(f"bad {n}" for n in range(12)))

    def annotated(request: Request) -> Reply | None:
        return Reply(422, {}, "path is wrong") if request.body["output"].get("annotations") else None

    w.sink.rules.append(("PATCH .*/check-runs/", annotated, [9]))
    assert w.run().verdict == "incomplete"
    assert (w.check["status"], w.check["conclusion"]) == ("completed", "neutral")


# --- threads --------------------------------------------------------------------------------


def test_what_is_fixed_is_answered_and_resolved_once() -> None:
    w = world("bad 1")
    w.run()
    pushed(w, "good")
    w.run()
    (t,) = w.sink.threads
    assert (replies(t), t.resolved) == (["fixed"], True)
    assert t.remarks[1].body.startswith("Fixed in 2222222: it is no longer found.")
    assert len(w.sent) == 6
    assert "Closed since the last review" in w.summary
    pushed(w, "good", "x")
    w.run()
    assert len(w.sent) == 4
    assert "Closed since the last review" not in w.summary


def test_what_is_back_is_answered_and_opened_once() -> None:
    w = world("bad 1")
    w.run()
    for lines in (["good"], ["bad 1"], ["x", "bad 1"]):
        pushed(w, *lines)
        w.run()
    (t,) = w.sink.threads
    assert (replies(t), t.resolved) == (["fixed", "back"], False)
    assert len(w.sent) == 4


def test_what_is_back_under_an_outdated_comment_is_annotated() -> None:
    w = world("bad 1")
    w.run()
    pushed(w, "good")
    w.run()
    pushed(w, "bad 1")
    assert w.sink.threads[0].outdated
    w.run()
    assert [a["start_line"] for a in w.check["annotations"]] == [2]


def test_threads_are_left_open_where_the_configuration_says_so() -> None:
    w = world("bad 1")
    w.terms = PullTerms(resolve=False)
    w.run()
    pushed(w, "good")
    w.run()
    (t,) = w.sink.threads
    assert (replies(t), t.resolved) == (["fixed"], False)
    assert "left open" not in w.summary


def test_d44_a_right_that_is_missing_is_found_out_once() -> None:
    w = world("bad 1", "bad 2", "bad 3")
    w.run()
    pushed(w, "good")
    w.sink.rule("POST /graphql", 403, "FORBIDDEN")
    done = w.run()
    assert sent(w).count("POST /graphql") == 1
    assert [replies(t) for t in w.sink.threads] == [["fixed"]] * 3
    assert w.summary.count("may not resolve") == 1
    assert done.incomplete == ()


def test_d44_github_says_that_we_cannot_resolve() -> None:
    w = world("bad 1", "bad 2")
    w.run()
    pushed(w, "good")
    for t in list(w.sink.threads):
        w.sink.change(t.node, can_resolve=False)
    w.run()
    assert "POST /graphql" not in sent(w)
    assert w.summary.count("may not resolve") == 1


def test_d44_where_people_talk_nothing_is_touched() -> None:
    w = world("bad 1")
    w.run()
    (t,) = w.sink.threads
    w.sink.change(t.node, remarks=(*t.remarks, Remark(900, HUMAN, "mine", "t")))
    pushed(w, "good")
    w.run()
    assert len(w.sent) == 4
    assert "fixed in 2222222" in w.summary
    pushed(w, "good", "x")
    w.run()
    assert "fixed in" not in w.summary


def test_what_a_person_resolved_or_disliked_stays_silent() -> None:
    w = world("bad 1", "bad 2")
    w.run()
    one, two = w.sink.threads
    w.sink.change(one.node, resolved=True, resolved_by=HUMAN)
    w.sink.change(two.node, thumbs_down=1)
    for lines in (["bad 1", "bad 2", "x"], ["good"], ["bad 1", "bad 2"]):
        pushed(w, *lines)
        w.run()
        assert len(w.sent) == 4
        assert w.check["annotations"] == []
    assert "A class (1)" in w.summary


def test_an_answer_that_cannot_be_given_is_said() -> None:
    w = world("bad 1", "bad 2")
    w.run()
    pushed(w, "good")
    w.sink.rule("POST .*/pulls/7/comments", 403, "no right")
    done = w.run()
    assert sent(w).count(COMMENTS) == 1
    assert stages(done.incomplete) == ["the answer in a conversation on a.sh"]


def test_a_silent_model_leaves_its_thread_and_says_so() -> None:
    w = world("bad 1")
    w.model = True
    w.run(w.review(origin=Origin.MODEL))
    pushed(w, "bad 1", "x")
    w.run(w.review(origin=Origin.MODEL, blind=["bad"]))
    assert len(w.sent) == 4
    assert "1 open conversation speaks of lines that still stand" in w.summary


def test_a_moved_finding_is_annotated_where_it_stands_now() -> None:
    w = world("bad 1")
    w.run()
    pushed(w, "  bad 1")
    w.run()
    assert len(w.sent) == 4
    assert [a["start_line"] for a in w.check["annotations"]] == [2]
    assert "moved" in w.summary


def test_what_an_incomplete_review_did_not_see_is_not_new_afterwards() -> None:
    """Somebody deleted the comment: they do not want to read it again."""
    w = world("bad 1")
    w.run()
    w.sink.threads.clear()
    pushed(w, "bad 1", "x")
    w.run(w.review(blind=["bad"], incomplete=[("detect", "a.sh", "it failed")]))
    pushed(w, "bad 1", "x", "y")
    w.run()
    assert REVIEWS not in sent(w)


def test_a_review_of_some_files_fixes_nothing_in_the_others() -> None:
    w = World({"a.sh": "one\n", "b.sh": "one\n"}, {"a.sh": "bad 1\n", "b.sh": "bad 2\n"})
    w.run()
    part = w.review()
    part = part._replace(change=part.change._replace(files=part.change.files[:1]), findings=part.findings[:1])
    w.run(part)
    assert COMMENTS not in sent(w)


# --- it ends in every case ------------------------------------------------------------------


def test_d37_a_crash_ends_check_and_summary() -> None:
    w = world("bad 1")
    w.run()
    table = marker.without(w.summary)
    pushed(w, "bad 1", "bad 2")
    posting = w.posting()
    posting.begin()
    posting.abandon("it was interrupted")
    assert (w.check["status"], w.check["conclusion"]) == ("completed", "neutral")
    assert "it was interrupted" in w.summary
    assert table.split("\n")[0] in w.summary  # the last one is still there, folded
    assert memory(w).verdict == "running"
    assert memory(w).fingerprints
    assert not w.posting().is_repeat()


def test_after_the_end_nothing_is_abandoned() -> None:
    w = world("bad 1")
    posting = w.posting()
    posting.begin()
    posting.end(w.review(), lambda paths: texts_of(w.files))
    before = len(w.sink.requests)
    posting.abandon("late")
    posting.tick("posting")
    assert len(w.sink.requests) == before


def test_before_the_beginning_nothing_is_abandoned() -> None:
    w = world("bad 1")
    w.posting().abandon("early")
    assert w.sink.requests == []


def test_d42_the_oldest_of_two_summaries_is_edited_and_a_pasted_one_is_not() -> None:
    w = world("bad 1")
    pasted = marker.write(Marker("summary", verdict="clean", paused=True))
    w.sink.remarks.append(Remark(900, HUMAN, pasted, "0"))
    w.run()
    assert SUMMARY in sent(w)
    w.sink.remarks.append(Remark(901, ME, marker.write(Marker("summary")), "9"))
    pushed(w, "bad 1", "x")
    w.run()
    assert SUMMARY not in sent(w)
    assert memory(w).head == w.sink.head_sha


def test_the_mention_is_the_name_of_the_app() -> None:
    w = world()
    w.run()
    assert f"@{ME.login} help" in w.summary
    said = w.sink.said()._replace(me=Who("octo-dev"), remarks=())
    posting = Posting(
        w.pull,
        said,
        w.stamp,
        w.sink,
        PullTerms(),
        now=lambda: 0.0,
        iso=lambda: "2026-11-30T10:00:00Z",
        again=lambda: said,
    )
    posting.begin()
    posting.end(w.review(), lambda paths: texts_of(w.files))
    assert "@octo-dev" not in w.summary


def test_one_that_is_killed_at_its_end_is_no_repeat_while_its_check_runs() -> None:
    """The summary had its verdict first: the check stayed in progress, and no event was worth a review."""
    w = world("bad 1")

    def killed(request: Request) -> Reply | None:
        if request.path.endswith("/check-runs/1") or w.check["status"] == "completed":
            raise KeyboardInterrupt
        return None

    for place, status in (("/check-runs/", "in_progress"), ("/issues/comments/", "completed")):
        w.sink.rules = [(f"PATCH .*{place}", killed, [1])]
        with pytest.raises(KeyboardInterrupt):
            w.run()
        assert w.check["status"] == status
        assert not w.posting().is_repeat()


def test_people_who_cannot_be_heard_at_the_end_are_told() -> None:
    w = world("bad 1")
    w.run(again=lambda: None)
    assert "GitHub did not say what was written here while it was reviewed" in w.summary
    w.run(force=True)
    assert "GitHub did not say" not in w.summary


def test_comments_on_files_after_one_that_is_lost_are_tried_again() -> None:
    """The rest was in no list: neither posted, nor lost."""
    w = world("bad 1", "bad 2", "bad 3")
    found = w.review().findings
    w.sink.rule("POST .*/pulls/7/comments", 403, "Forbidden")
    posted = post_on_files(w.pull, w.sink, found, "reviewbot")
    assert posted.lost == {f.fingerprint for f in found}
    assert [row.what for row in posted.incomplete] == ["3 comments on files"]
    assert len(w.sink.requests) == 1


# --- push after push ------------------------------------------------------------------------


def check_page(w: World) -> None:
    """What holds after each review, whatever was pushed."""
    review = w.review()
    assert w.outside_hunks() == []
    for f in review.findings:
        assert f.candidate.site.path in w.summary
    assert Counter(memory(w).fingerprints) == Counter(f.fingerprint for f in review.findings if f.decides)
    assert sum(r.path.endswith("/reviews") for r in w.sent) <= 1
    answered = sum("in_reply_to" in r.body or r.path == "/graphql" for r in w.sent)
    checks = sum("/check-runs/" in r.path for r in w.sent)
    assert len(w.sent) <= 4 + 1 + answered + checks - 1


def test_ten_pushes() -> None:
    w = World({"a.sh": "one\n", "c.sh": "c\n"}, {"a.sh": "one\nbad 1\n", "c.sh": "c\n"})
    script: list[tuple[str, dict[str, str], dict[str, str]]] = [
        ("a new defect", {"a.sh": "one\nbad 1\nbad 2\n", "c.sh": "c\n"}, {}),
        ("a fix", {"a.sh": "one\ngood\nbad 2\n", "c.sh": "c\n"}, {}),
        ("a move", {"a.sh": "one\n\n\nbad 2\ngood\n", "c.sh": "c\n"}, {}),
        ("a rename", {"b.sh": "one\n\n\nbad 2\ngood\n", "c.sh": "c\n"}, {"b.sh": "a.sh"}),
        ("a rebase", {"b.sh": "zero\none\n\n\nbad 2\ngood\n", "c.sh": "c\n"}, {"b.sh": "a.sh"}),
        ("an unrelated one", {"b.sh": "zero\none\n\n\nbad 2\ngood\n", "c.sh": "c\nd\n"}, {"b.sh": "a.sh"}),
        ("a revert", {"a.sh": "one\nbad 1\nbad 2\n", "c.sh": "c\n"}, {}),
        ("a merge of base", {"a.sh": "one\nbad 1\nbad 2\n", "c.sh": "c\n", "d.sh": "d\n"}, {}),
    ]
    w.run()
    for _, files, renames in script:
        w.push(files, renames)
        w.run()
        check_page(w)
    started = [marker.read(t.remarks[0], ME) for t in w.sink.threads]
    assert Counter(m.quote for m in started if m) == {digest("bad 1"): 1, digest("bad 2"): 1}
    assert [replies(t) for t in w.sink.threads] == [["fixed", "back"], []]
    assert w.posting().is_repeat()


LINES = st.lists(st.sampled_from(["bad 1", "bad 2", "  bad 2", "bad 3", "good", "x", "bad?"]), max_size=7)
FILES = st.fixed_dictionaries({"a.sh": LINES, "b.sh": LINES}).map(
    lambda files: {path: "".join(f"{line}\n" for line in lines) for path, lines in files.items()}
)


def most(files: dict[str, str]) -> Counter[tuple[str, str]]:
    rows = [
        (path, digest(line)) for path, text in files.items() for line in text.splitlines() if "bad" in line
    ]
    return Counter(rows)


@settings(max_examples=25, deadline=None)
@given(st.lists(FILES, min_size=2, max_size=6))
def test_whatever_is_pushed_no_finding_has_two_threads(pushes: list[dict[str, str]]) -> None:
    w = World({"a.sh": "", "b.sh": ""}, pushes[0])
    ever: Counter[tuple[str, str]] = Counter()
    for n, files in enumerate(pushes):
        if n:
            w.push(files)
        ever |= most(files)
        w.run()
        check_page(w)
        started = Counter((m.path, m.quote) for t in w.sink.threads if (m := marker.read(t.remarks[0], ME)))
        assert all(number <= ever[own] for own, number in started.items())
        assert w.posting().is_repeat()
        w.run(force=True)
        assert not {REVIEWS, COMMENTS, "POST /graphql"} & set(sent(w))


@settings(max_examples=40, deadline=None)
@given(
    FILES,
    st.sampled_from([0, 403, 422, 502]),
    st.sampled_from(["reviews", "pulls/7/comments", "check-runs/", "issues"]),
)
def test_whatever_is_refused_every_finding_stands_somewhere_and_all_else_is_said(
    files: dict[str, str], status: int, where: str
) -> None:
    w = World({"a.sh": "", "b.sh": ""}, files)
    w.sink.rule(f"(POST .*/{where}|PATCH .*/{where})", status, "refused", times=2 if where == "issues" else 9)
    try:
        done = w.run()
    except UsageError:
        assert status == 403
        return
    shown = w.summary if where != "issues" else "".join(str(r.body) for r in w.sink.requests)
    for f in done.findings:
        site = f.candidate.site
        assert f"{site.path}:{site.line}" in shown
    lost = [f for f in done.findings if f.decides and f.fingerprint not in memory(w).fingerprints]
    assert not lost or done.verdict == "incomplete"
    (end,) = w.sink.checks.values() if w.sink.checks else ({"status": "completed"},)
    assert end["status"] == "completed" or "check run" in " ".join(stages(done.incomplete))


FAULTS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "POST .*/reviews",
                "POST .*/pulls/7/comments",
                "PATCH .*/check-runs/",
                "PATCH .*/issues",
                "POST /graphql",
            ]
        ),
        st.sampled_from([0, 403, 422, 502]),
        st.integers(1, 3),
    ),
    max_size=3,
)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(FILES, FAULTS, st.booleans()), min_size=2, max_size=5))
def test_once_github_works_again_nothing_is_missing_and_nothing_twice(
    pushes: list[tuple[dict[str, str], list[tuple[str, int, int]], bool]],
) -> None:
    """Each push is reviewed while GitHub fails, and then again; a.sh is c.sh in some of them."""
    w = World({"a.sh": "", "b.sh": ""}, {"a.sh": "", "b.sh": ""})
    ever: Counter[tuple[str, str]] = Counter()
    for files, faults, renamed in pushes:
        ever |= most(files)
        named = {"c.sh": files["a.sh"], "b.sh": files["b.sh"]} if renamed else files
        w.push(named, {"c.sh": "a.sh"} if renamed else {})
        for place, status, times in faults:
            w.sink.rule(place, status, "refused", times)
        with contextlib.suppress(UsageError):
            w.run()
        w.sink.rules.clear()
        assert w.run(force=True).verdict != "incomplete"
        check_page(w)
        found = [(t, m) for t in w.sink.threads if (m := marker.read(t.remarks[0], ME))]
        started = Counter((m.path.replace("c", "a", 1), m.quote) for _, m in found)
        assert all(number <= ever[own] for own, number in started.items())
        left = {(path, quote) for path, quote in most(files)}
        gone = [t for t, m in found if (m.path.replace("c", "a", 1), m.quote) not in left]
        assert all(replies(t)[-1:] in (["fixed"], ["double"]) for t in gone)
        w.run(force=True)
        assert not {REVIEWS, COMMENTS, "POST /graphql"} & set(sent(w))
