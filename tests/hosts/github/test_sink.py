"""What is posted: once, whatever becomes of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from reviewbot.core.types import Pull, Reply, Request, Thread
from reviewbot.hosts.github import reading
from reviewbot.hosts.github.secrets import hide, secrets
from reviewbot.hosts.github.sink import DryRun, GitHubSink
from tests.fakes.github import Fault
from tests.hosts.github.doors import Door, opened

REPO = "/repos/acme/launcher"
MARKER = '<!-- reviewbot:1 {"kind":"finding"} -->'
RESOLVE = (
    "mutation($input: ResolveReviewThreadInput!) { resolveReviewThread(input: $input) { thread { id } } }"
)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path) as made:
        yield made


@pytest.fixture
def pull(door: Door) -> Pull:
    return reading.pull(door.client, "acme/launcher", 7)


@pytest.fixture
def sink(door: Door, pull: Pull) -> GitHubSink:
    return GitHubSink(door.client, pull)


def summary(body: str = f"Reviewed.\n{MARKER}", marker: str = MARKER) -> Request:
    return Request("POST", f"{REPO}/issues/7/comments", {"body": body}, marker)


def place(line: int = 6) -> dict[str, Any]:
    return {"path": "a.sh", "line": line, "side": "RIGHT", "body": f"Look.\n{MARKER}"}


def review(door: Door, line: int = 6) -> Request:
    fields = {"commit_id": door.pull.head_sha, "event": "COMMENT", "body": f"One finding.\n{MARKER}"}
    return Request("POST", f"{REPO}/pulls/7/reviews", {**fields, "comments": [place(line)]}, MARKER)


def test_found_absent_and_unknown_are_told_apart(door: Door, sink: GitHubSink) -> None:
    assert sink.find(summary()).status == 404
    made = sink.send(summary())
    assert sink.find(summary()).data["id"] == made.data["id"]
    door.fake.faults += [Fault("GET", f"{REPO}/issues/7/comments", status=404)]
    unknown = sink.find(summary())
    assert (unknown.status, unknown.done) == (0, False)
    assert "not known" in unknown.why


def single(door: Door) -> Request:
    fields = {**place(), "commit_id": door.pull.head_sha}
    return Request("POST", f"{REPO}/pulls/7/comments", fields, MARKER)


def check(door: Door) -> Request:
    fields = {"name": "reviewbot", "head_sha": door.pull.head_sha, "status": "in_progress"}
    return Request(
        "POST", f"{REPO}/check-runs", {**fields, "external_id": "acme/launcher#7@1"}, "acme/launcher#7@1"
    )


def annotated(number: int, count: int = 2) -> Request:
    row = {"path": "a.sh", "start_line": 1, "end_line": 1, "annotation_level": "warning", "message": "m"}
    output = {"title": "t", "summary": "s", "annotations": [row] * count}
    return Request("PATCH", f"{REPO}/check-runs/{number}", {"output": output})


KINDS = {"summary": lambda _: summary(), "review": review, "single": single, "check": check}


def made(door: Door) -> list[dict[str, Any]]:
    """Without the reviews that GitHub makes around single comments."""
    pull = door.pull
    reviews = [row for row in pull.reviews if row["body"]]
    comments = [] if reviews else pull.review_comments
    return [*pull.comments, *reviews, *comments, *pull.check_runs]


# --- what goes well -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_sent(door: Door, sink: GitHubSink, kind: str) -> None:
    reply = sink.send(KINDS[kind](door))
    assert reply.done
    assert reply.why == ""
    assert [reply.data["id"]] == [row["id"] for row in made(door)]
    assert len(door.fake.writes) == 1
    assert door.time.naps == []


def test_the_head_is_that_of_now(door: Door, sink: GitHubSink) -> None:
    before = sink.head()
    door.source.write("a.sh", "x\n")
    door.source.commit("more")
    door.push()
    assert sink.head() == door.pull.head_sha != before
    door.fake.faults.append(Fault("GET", f"{REPO}/pulls/7", 404))
    assert sink.head() == ""


def test_the_comments_of_a_review_are_read_back(door: Door, sink: GitHubSink) -> None:
    number = sink.send(review(door)).data["id"]
    [(path, line, body, url)] = sink.comments(number) or ()
    assert (path, line, body) == ("a.sh", 6, f"Look.\n{MARKER}")
    assert url == door.pull.review_comments[0]["html_url"]
    door.fake.faults.append(Fault("GET", r".*/reviews/.*", 404))
    assert sink.comments(number) is None


# --- answers that were lost -----------------------------------------------------------------


@pytest.mark.parametrize("drop", [False, True], ids=["502", "dropped"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_stored_is_found_and_not_sent_again(
    door: Door, sink: GitHubSink, kind: str, drop: bool
) -> None:
    request = KINDS[kind](door)
    door.fake.faults.append(Fault("POST", request.path, 502, stored=True, drop=drop))
    reply = sink.send(request)
    assert reply.status == 201
    assert [reply.data["id"]] == [row["id"] for row in made(door)]
    assert (len(door.fake.writes), door.time.naps) == (1, [1.0])


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_not_stored_is_sent_again(door: Door, sink: GitHubSink, kind: str) -> None:
    request = KINDS[kind](door)
    door.fake.faults.append(Fault("POST", request.path, 502))
    assert sink.send(request).done
    assert len(made(door)) == 1
    assert (len(door.fake.writes), door.time.naps) == (2, [1.0, 2.0, 4.0])


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_lost_twice_is_said(door: Door, sink: GitHubSink, kind: str) -> None:
    request = KINDS[kind](door)
    door.fake.faults.append(Fault("POST", request.path, 502, times=-1))
    assert sink.send(request) == Reply(0, {}, "GitHub fails with 502: Server Error")
    assert len(door.fake.writes) == 2


def test_what_is_stored_late_is_found(door: Door, sink: GitHubSink, monkeypatch: pytest.MonkeyPatch) -> None:
    door.fake.faults.append(Fault("POST", summary().path, 502))
    nap = door.time.sleep

    def sleep(seconds: float) -> None:
        nap(seconds)
        if seconds == 4.0:
            door.pull.comment("reviewbot[bot]", summary().body["body"], type="Bot")

    monkeypatch.setattr(door.client, "sleep", sleep)
    assert sink.send(summary()).data["id"] == door.pull.comments[0]["id"]
    assert len(door.fake.writes) == 1


def test_a_time_out_is_a_lost_answer(door: Door, sink: GitHubSink, monkeypatch: pytest.MonkeyPatch) -> None:
    send = requests.Session.send

    def late(self: requests.Session, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        answer = send(self, request, **options)
        if request.method == "POST" and str(request.url).endswith("/comments"):
            raise requests.ReadTimeout("…")
        return answer

    monkeypatch.setattr(requests.Session, "send", late)
    assert sink.send(summary()).status == 201
    assert len(door.pull.comments) == len(door.fake.writes) == 1


def test_a_marker_that_somebody_else_pasted_is_not_ours(door: Door, sink: GitHubSink) -> None:
    door.pull.comment("octo-dev", f"look: {MARKER}")
    door.fake.faults.append(Fault("POST", summary().path, 502))
    reply = sink.send(summary())
    assert reply.data["id"] == door.pull.comments[1]["id"]
    assert door.pull.comments[1]["user"]["login"] == "reviewbot[bot]"


@pytest.mark.parametrize("lookup", [f"{REPO}/issues/7/comments", "graphql:viewer"])
def test_where_github_does_not_say_nothing_is_sent_again(door: Door, sink: GitHubSink, lookup: str) -> None:
    door.fake.faults.append(Fault("POST", summary().path, 502, stored=True))
    door.fake.faults.append(Fault("GET", lookup, 503, times=-1))
    reply = sink.send(summary())
    assert (reply.status, reply.data) == (0, {})
    assert re.match(r"GitHub fails with 502: .*; whether it was done is not known: .* 503", reply.why)
    assert len(door.fake.writes) == len(door.pull.comments) == 1


def test_an_older_check_of_the_same_commit_is_not_taken_for_ours(door: Door, sink: GitHubSink) -> None:
    old = sink.send(check(door)).data["id"]
    path = f"{REPO}/check-runs/{old}"
    sink.send(Request("PATCH", path, {"status": "completed", "conclusion": "neutral"}))
    door.fake.faults.append(Fault("POST", f"{REPO}/check-runs", 502))
    assert sink.send(check(door)).data["id"] != old
    assert len(door.pull.check_runs) == 2


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("begun_here", [True, False])
def test_annotations_are_not_added_twice(
    door: Door, sink: GitHubSink, pull: Pull, stored: bool, begun_here: bool
) -> None:
    """How many there are before is asked only where this job has not heard it."""
    number = sink.send(check(door)).data["id"]
    assert sink.send(annotated(number)).done
    sink = sink if begun_here else GitHubSink(door.client, pull)
    door.fake.faults.append(Fault("PATCH", r".*/check-runs/\d+", 502, stored=stored))
    reply = sink.send(annotated(number, 3))
    assert (reply.status, reply.data["output"]["annotations_count"]) == (200, 5)
    assert len(door.pull.annotations(door.pull.check_runs[0])) == 5
    asked = [e.method for e in door.fake.log if "/check-runs" in e.path][2:]
    assert asked[: asked.index("PATCH")] == ([] if begun_here else ["GET"])


def test_annotations_of_unknown_number_are_sent_once(door: Door, sink: GitHubSink, pull: Pull) -> None:
    number = GitHubSink(door.client, pull).send(check(door)).data["id"]
    door.fake.faults.append(Fault("GET", r".*/check-runs/\d+", 502, times=4))
    door.fake.faults.append(Fault("PATCH", r".*/check-runs/\d+", 502, stored=True))
    assert sink.send(annotated(number)).status == 0
    assert len(door.pull.annotations(door.pull.check_runs[0])) == 2


def test_an_edit_is_repeated(door: Door, sink: GitHubSink) -> None:
    number = sink.send(summary()).data["id"]
    edit = Request("PATCH", f"{REPO}/issues/comments/{number}", {"body": "new"})
    door.fake.faults.append(Fault("PATCH", edit.path, 502, stored=True))
    assert sink.send(edit).done
    assert [row["body"] for row in door.pull.comments] == ["new"]
    door.fake.faults.append(Fault("PATCH", edit.path, 502, times=-1))
    assert sink.send(edit) == Reply(502, {"message": "Server Error"}, "GitHub fails with 502: Server Error")
    assert len(door.fake.writes) == 1 + 2 + 2


# --- threads --------------------------------------------------------------------------------


def thread(door: Door, sink: GitHubSink) -> Thread:
    sink.send(single(door))
    return reading.said(door.client, reading.pull(door.client, "acme/launcher", 7)).threads[0]


def resolve(node: str) -> Request:
    return Request("POST", "/graphql", {"query": RESOLVE, "variables": {"input": {"threadId": node}}})


def test_a_thread_is_resolved_also_where_the_answer_was_lost(door: Door, sink: GitHubSink) -> None:
    node = thread(door, sink).node
    door.fake.faults.append(Fault("POST", "graphql:resolveReviewThread", 502, stored=True))
    reply = sink.send(resolve(node))
    assert reply.data == {"resolveReviewThread": {"thread": {"id": node}}}
    assert door.pull.threads[0].resolved


def test_who_may_not_resolve_is_told(door: Door, sink: GitHubSink) -> None:
    node = thread(door, sink).node
    door.fake.can_resolve = False
    reply = sink.send(resolve(node))
    assert (reply.status, door.pull.threads[0].resolved) == (403, False)
    assert reply.why.startswith("GitHub answers 403: ")
    assert sink.send(resolve("PRRT_none")).status == 404


# --- refusals -------------------------------------------------------------------------------


def test_a_missing_permission_is_named(door: Door, sink: GitHubSink) -> None:
    door.fake.lacking.add("checks")
    reply = sink.send(check(door))
    words = "the token lacks checks: write; grant it (GitHub: Resource not accessible by integration)"
    assert (reply.status, reply.why) == (403, words)
    assert (len(door.fake.writes), door.time.naps) == (1, [])


def test_a_line_outside_the_diff(door: Door, sink: GitHubSink) -> None:
    reply = sink.send(review(door, 20))
    assert (reply.status, len(door.fake.writes), door.pull.reviews) == (422, 1, [])
    assert "line must be part of the diff" in reply.why
    assert "line must be part of the diff" in str(reply.data["errors"])
    assert "\n" not in reply.why


def test_a_body_that_is_too_long(door: Door, sink: GitHubSink) -> None:
    reply = sink.send(summary("x" * 65_537))
    assert reply.status == 422
    assert "body is too long (maximum is 65536 characters)" in reply.why


def test_a_locked_conversation_and_an_archive(door: Door, sink: GitHubSink) -> None:
    door.pull.locked = True
    assert (sink.send(summary()).status, len(door.fake.writes)) == (403, 1)
    door.pull.locked, door.served.archived = False, True
    assert "archived so is read-only" in sink.send(summary()).why


def test_a_comment_that_is_gone(door: Door, sink: GitHubSink) -> None:
    reply = sink.send(Request("PATCH", f"{REPO}/issues/comments/1", {"body": "x"}))
    assert (reply.status, len(door.fake.writes)) == (404, 1)
    assert reply.why == "GitHub has no such thing, or the token cannot see it: Not Found"


def test_a_token_that_has_ended(door: Door, sink: GitHubSink) -> None:
    door.fake.token = "ghs_another00000000"
    reply = sink.send(summary())
    assert (reply.status, len(door.fake.writes)) == (401, 1)
    assert "does not accept the token" in reply.why


def test_a_limit_refused_it_so_it_is_sent_again(door: Door, sink: GitHubSink) -> None:
    body = {"message": "You have exceeded a secondary rate limit"}
    door.fake.faults.append(Fault("POST", summary().path, 403, body=body))
    assert sink.send(summary()).done
    assert (door.time.naps, len(door.pull.comments)) == ([60.0], 1)


def test_a_limit_that_stays(door: Door, sink: GitHubSink) -> None:
    body = {"message": "You have exceeded a secondary rate limit"}
    door.fake.faults.append(Fault("POST", summary().path, 403, body=body, times=-1))
    reply = sink.send(summary())
    assert (reply.status, reply.why) == (403, "GitHub's rate limit is used up; try again later")
    assert reply.later
    assert (len(door.fake.writes), door.time.naps) == (2, [60.0])


# --- secrets --------------------------------------------------------------------------------

EDGE = "-----{} RSA PRIVATE KEY-----"
KEY = "\n".join([EDGE.format("BEGIN"), "A1b2" * 16, "C3d4" * 16, EDGE.format("END"), ""])


def test_our_own_secrets_are_not_posted(door: Door, pull: Pull, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "model-key-000")
    monkeypatch.setenv("REVIEWBOT_PRIVATE_KEY", KEY)
    sink = GitHubSink(door.other(), pull)
    fields = {**place(), "body": f"{KEY} {'C3d4' * 16} model-key-000"}
    body = {"commit_id": door.pull.head_sha, "event": "COMMENT", "body": f"see {door.fake.token}!"}
    assert sink.send(Request("POST", f"{REPO}/pulls/7/reviews", {**body, "comments": [fields]}, "see")).done
    assert door.pull.reviews[0]["body"] == "see [redacted]!"
    sent = door.pull.review_comments[0]["body"]
    assert (sent.count("[redacted]"), "A1b2" in sent, "model-key" in sent) == (3, False, False)


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("REVIEWBOT_WEBHOOK_SECRET", "hook-new-0000,hook-old-0000", "hook-old-0000"),
        ("REVIEWBOT_WEBHOOK_SECRET", "hook-new-0000, hook-old-0000", "hook-new-0000"),
        ("REVIEWBOT_ADMIN_TOKEN", "admin-0000", "admin-0000"),
        ("REVIEWBOT_CLIENT_SECRET", "client-0000", "client-0000"),
        ("REVIEWBOT_DATABASE_URL", "postgresql://bot:pass%2B0000@db.test/bot", "pass%2B0000"),
        ("REVIEWBOT_DATABASE_URL", "postgresql://bot:pass%2B0000@db.test/bot", "pass+0000"),
        ("AWS_SECRET_ACCESS_KEY", "cloud-0000", "cloud-0000"),
        ("AWS_SESSION_TOKEN", "session-0000", "session-0000"),
        ("HF_TOKEN", "models-0000", "models-0000"),
    ],
    ids=range(9),  # else pytest puts the address in the environment
)
def test_every_secret_of_the_environment_is_kept(
    name: str, value: str, hidden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"see {hidden}." == hide(f"see {hidden}.", secrets())
    monkeypatch.setenv(name, value)
    assert hide(f"see {hidden}.", secrets()) == "see [redacted]."


def test_what_a_variable_without_a_secret_holds_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_TOKENS_WANTED", "plain-0000")
    monkeypatch.setenv("REVIEWBOT_DATABASE_URL", "postgresql://db.test:5432/reviewbot")
    assert not {"plain-0000", "5432/reviewbot"}.intersection(secrets())


def test_what_utf8_cannot_say_costs_no_comment(door: Door, sink: GitHubSink) -> None:
    assert sink.send(summary("a name with \udcff in it")).done
    assert door.pull.comments[0]["body"].encode()


def test_the_path_of_a_key_is_no_secret(door: Door, pull: Pull, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVIEWBOT_PRIVATE_KEY", "/keys/reviewbot.pem")
    GitHubSink(door.other(), pull).send(summary("the file /keys/reviewbot.pem"))
    assert door.pull.comments[0]["body"] == "the file /keys/reviewbot.pem"


# --- the rehearsal --------------------------------------------------------------------------


def test_a_rehearsal_notes_what_would_be_sent(
    door: Door, pull: Pull, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", door.fake.token)
    dry = DryRun(pull)
    begun, comment = dry.send(check(door)), dry.send(summary(f"with {door.fake.token}"))
    assert (begun.status, comment.status) == (201, 201)
    dry.send(Request("PATCH", f"{REPO}/check-runs/{begun.data['id']}", {"status": "completed"}))
    dry.send(Request("PATCH", f"{REPO}/issues/comments/{comment.data['id']}", {"body": "end"}))
    posted = dry.send(review(door))
    assert dry.send(resolve("T")).done
    assert dry.comments(posted.data["id"]) == (("a.sh", 6, f"Look.\n{MARKER}", pull.url),)
    assert dry.head() == door.pull.head_sha
    document = dry.document()
    assert document["schema"] == "reviewbot.publication/1"
    assert [(row["method"], row["path"]) for row in document["requests"]] == [
        ("POST", f"{REPO}/check-runs"),
        ("POST", f"{REPO}/issues/7/comments"),
        ("PATCH", f"{REPO}/check-runs/{{check_run_id}}"),
        ("PATCH", f"{REPO}/issues/comments/{{comment_id}}"),
        ("POST", f"{REPO}/pulls/7/reviews"),
        ("POST", "/graphql"),
    ]
    assert document["requests"][1]["body"] == {"body": "with [redacted]"}
    assert door.fake.writes == []


def test_a_rehearsal_without_a_review_has_no_comments(pull: Pull) -> None:
    assert DryRun(pull).comments(1) == ()
