from __future__ import annotations

from reviewbot.core.publish import requests
from reviewbot.core.publish.anchors import Anchor
from reviewbot.core.types import Remark, Side, Thread
from tests.core.publish.sinks import ME, PULL

THREAD = Thread("T_1", "a.sh", 3, None, Side.RIGHT, False, None, False, True, (Remark(11, ME, "x", "t"),))


def test_a_review_names_its_commit_and_is_no_draft() -> None:
    made = requests.review(PULL, "words", [{"path": "a.sh"}], "key")
    assert (made.method, made.path) == ("POST", "/repos/acme/launcher/pulls/7/reviews")
    wanted = {"commit_id": PULL.head_sha, "event": "COMMENT", "body": "words", "comments": [{"path": "a.sh"}]}
    assert made.body == wanted
    assert made.marker == "key"


def test_one_line_has_no_start() -> None:
    one = requests.comment(Anchor("a.sh", 3), "words")
    assert one == {"path": "a.sh", "body": "words", "line": 3, "side": "RIGHT"}
    two = requests.comment(Anchor("a.sh", 4, Side.RIGHT, 3), "words")
    assert two == {**one, "line": 4, "start_line": 3, "start_side": "RIGHT"}


def test_what_creates_can_be_found_again_and_what_edits_needs_not() -> None:
    created = [
        requests.check_begin(PULL, {"external_id": "acme/launcher#7@1"}),
        requests.issue_comment(PULL, "b", "key"),
        requests.review(PULL, "b", [], "key"),
        requests.single_comment(PULL, {"path": "a.sh", "body": "b"}, "key"),
        requests.file_comment(PULL, "a.sh", "b", "key"),
        requests.answer(PULL, THREAD, "b", "key"),
    ]
    assert all(r.method == "POST" and r.marker for r in created)
    harmless = [
        requests.check_edit(PULL, 5, {}),
        requests.summary_edit(PULL, 5, "b"),
        requests.resolve(THREAD),
        requests.unresolve(THREAD),
        requests.react(PULL, 5, "eyes"),
    ]
    assert not any(r.marker for r in harmless)


def test_an_answer_goes_to_the_first_comment() -> None:
    made = requests.answer(PULL, THREAD, "words", "key")
    assert made.path == "/repos/acme/launcher/pulls/7/comments"
    assert made.body["in_reply_to"] == 11
    assert {"commit_id", "path", "body"} <= made.body.keys()  # the official description asks for them


def test_a_file_comment_has_no_line() -> None:
    body = requests.file_comment(PULL, "a.sh", "words", "key").body
    assert body["subject_type"] == "file"
    assert not {"line", "side", "start_line"} & body.keys()


def test_threads_are_turned_by_graphql() -> None:
    for made, field in (
        (requests.resolve(THREAD), "resolveReviewThread"),
        (requests.unresolve(THREAD), "unresolveReviewThread"),
    ):
        assert made.path == "/graphql"
        assert f" {field}(" in made.body["query"]
        assert made.body["variables"] == {"input": {"threadId": "T_1"}}


def test_reactions_go_to_the_right_room() -> None:
    assert requests.react(PULL, 5, "eyes").path == "/repos/acme/launcher/issues/comments/5/reactions"
    assert requests.react(PULL, 5, "eyes", in_thread=True).path.endswith("/pulls/comments/5/reactions")
