"""Reviews and their comments on the fake GitHub: the rules of hunks, threads that follow the head."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from github import Github, GithubException
from github.PullRequest import PullRequest

from tests.fakes.github import FakeGitHub, FakePull
from tests.repos import Repo

THREAD = "Pull request review thread"


@pytest.fixture
def asked(client: Github, pull: FakePull) -> PullRequest:
    return client.get_repo("acme/launcher").get_pull(7)


def review(asked: PullRequest, *comments: dict[str, Any], sha: str = "", **keys: Any) -> Any:
    commit = asked.base.repo.get_commit(sha or asked.head.sha)
    keys = {"body": "Look.", "event": "COMMENT", **keys}
    return asked.create_review(
        commit=commit, comments=[{"body": "here", **item} for item in comments], **keys
    )


def at(line: int, side: str = "RIGHT", **keys: Any) -> dict[str, Any]:
    return {"path": "a.sh", "line": line, "side": side, **keys}


def test_every_row_of_a_hunk_takes_a_comment_and_no_other_line(asked: PullRequest, pull: FakePull) -> None:
    right, left = [*range(2, 10), *range(28, 34)], [*range(2, 9), *range(27, 34)]
    for side, rows in (("RIGHT", right), ("LEFT", left)):
        review(asked, *(at(line, side) for line in rows))
        for line in {1, 10, 20, 27 if side == "RIGHT" else 26, 34, 41} - {0}:
            with pytest.raises(GithubException, match="line must be part of the diff"):
                review(asked, at(line, side))
    assert len(pull.threads) == 28
    assert [len(item["body"]) for item in pull.reviews] == [5, 5]


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        (at(30, start_line=6, start_side="RIGHT"), "start line must be part of the same hunk as the line."),
        (at(6, start_line=6, start_side="RIGHT"), "start line must precede the end line."),
        (at(5, start_line=6, start_side="RIGHT"), "start line must precede the end line."),
        (at(6, "LEFT", start_line=6, start_side="RIGHT"), None),
        (at(6, start_line=5, start_side="LEFT"), None),
        (at(30, start_line=28, start_side="RIGHT"), None),
        ({"path": "nowhere.sh", "line": 1}, "diff hunk can't be blank"),
    ],
)
def test_ranges(asked: PullRequest, comment: dict[str, Any], words: str | None) -> None:
    if words is None:
        [made] = review(asked, comment) and asked.get_review_comments()
        assert (made.line, made.start_line) == (comment["line"], comment["start_line"])
        assert made.diff_hunk.startswith("@@ -")
        return
    with pytest.raises(GithubException) as refused:
        review(asked, comment)
    assert refused.value.status == 422
    assert words in refused.value.data["errors"][0]
    assert refused.value.data["errors"][0].startswith(THREAD)


def test_a_review_is_all_or_nothing(asked: PullRequest, pull: FakePull) -> None:
    with pytest.raises(GithubException):
        review(asked, at(5), at(20), at(6))
    assert (pull.reviews, pull.review_comments, pull.threads) == ([], [], [])
    made = review(asked, at(5), at(6))
    assert [item.line for item in asked.get_single_review_comments(made.id)] == [5, 6]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"body": ""}, "blank"),
        ({"body": "x" * 65537}, r"body is too long \(maximum is 65536 characters\)"),
    ],
)
def test_refused_reviews(asked: PullRequest, pull: FakePull, keys: dict[str, Any], words: str) -> None:
    with pytest.raises(GithubException, match=words):
        review(asked, **keys)
    assert pull.reviews == []


def test_no_verdict_on_the_own_pull_request(fake: FakeGitHub, asked: PullRequest, pull: FakePull) -> None:
    pull.author = fake.me
    with pytest.raises(GithubException, match="Can not request changes on your own pull request"):
        review(asked, event="REQUEST_CHANGES")
    with pytest.raises(GithubException, match="Can not approve your own pull request"):
        review(asked, event="APPROVE")


def test_without_an_event_a_review_is_pending(asked: PullRequest, pull: FakePull) -> None:
    made = asked.create_review(
        commit=asked.base.repo.get_commit(asked.head.sha),
        comments=[{"path": "a.sh", "body": "b", "line": 5}],
    )
    assert made.state == "PENDING"
    assert list(asked.get_review_comments()) == []
    with pytest.raises(GithubException, match="one pending review"):
        review(asked)
    made.delete()
    assert pull.reviews == []


def test_unknown_keys_of_a_review_comment_are_a_violation(fake: FakeGitHub, asked: PullRequest) -> None:
    with pytest.raises(GithubException):
        review(asked, at(5, subject_type="line"))
    assert "takes no subject_type" in fake.violations.pop()
    assert fake.violations == []


def test_a_null_in_a_request_is_a_violation(fake: FakeGitHub, asked: PullRequest) -> None:
    with pytest.raises(GithubException):
        review(asked, at(5, start_line=None))
    assert "start_line" in fake.violations.pop()
    fake.violations.clear()


def test_a_comment_by_itself(asked: PullRequest, pull: FakePull) -> None:
    made = asked.create_review_comment("look", asked.head.sha, "a.sh", line=6, start_line=5, side="RIGHT")
    file = asked.create_review_comment("all of it", asked.head.sha, "a.sh", subject_type="file")
    assert (made.line, made.start_line, file.line) == (6, 5, None)
    with pytest.raises(GithubException, match=r"pull_request_review_thread.line must be part of the diff"):
        asked.create_review_comment("look", asked.head.sha, "a.sh", line=20)
    with pytest.raises(GithubException, match="path"):
        asked.create_review_comment("look", asked.head.sha, "nowhere", subject_type="file")
    assert [item.state for item in asked.get_reviews()] == ["COMMENTED"] * 2
    made.edit("look again")
    assert pull.threads[0].comments[0]["body"] == "look again"
    assert [made.create_reaction("eyes").id for _ in range(2)] == [
        item.id for item in made.get_reactions()
    ] * 2
    file.delete()
    assert len(pull.threads) == len(pull.review_comments) == 1


def test_replies_go_to_the_first_comment(
    asked: PullRequest, pull: FakePull, fake: FakeGitHub, client: Github
) -> None:
    made = asked.create_review_comment("look", asked.head.sha, "a.sh", line=6)

    def reply(to: int) -> Any:
        body = {"body": "b", "in_reply_to": to, "path": "a.sh", "commit_id": asked.head.sha}
        return client.requester.requestJsonAndCheck("POST", f"{asked.url}/comments", input=body)[1]

    answer = reply(made.id)
    assert answer["in_reply_to_id"] == made.id
    with pytest.raises(GithubException, match="in_reply_to"):
        reply(answer["id"])
    theirs = pull.reply(pull.threads[0], "octo-dev", "no")
    assert theirs["user"]["type"] == "User"
    assert len(pull.threads[0].comments) == 3


def test_the_comments_of_others_are_not_ours_to_change(asked: PullRequest, pull: FakePull) -> None:
    asked.create_review_comment("look", asked.head.sha, "a.sh", line=6)
    theirs = pull.reply(pull.threads[0], "octo-dev", "no")
    with pytest.raises(GithubException, match="403"):
        asked.get_review_comment(theirs["id"]).edit("yes")


def test_a_thread_of_somebody_else(asked: PullRequest, pull: FakePull) -> None:
    thread = pull.thread("other[bot]", "a.sh", 8, "Nit.", type="Bot")
    [made] = asked.get_review_comments()
    assert (made.user.login, made.line, thread.line, pull.reviews[0]["user"]["login"]) == (
        "other[bot]",
        8,
        8,
        "other[bot]",
    )
    with pytest.raises(ValueError, match="must be part of the diff"):
        pull.thread("octo-dev", "a.sh", 20, "Nit.")


def test_threads_follow_their_lines(
    asked: PullRequest, source: Repo, pull: FakePull, push: Callable[..., str], after: str
) -> None:
    review(asked, at(6, start_line=5, start_side="RIGHT"), at(30, "LEFT"), at(8))

    def lines() -> list[tuple[int | None, int | None]]:
        return [(item.line, item.start_line) for item in asked.get_review_comments()]

    source.write("a.sh", "first\n" + after)
    head = push()
    assert lines() == [(7, 6), (30, None), (9, None)]
    assert [item.commit_id for item in asked.get_review_comments()] == [head] * 3
    source.write("a.sh", "first\n" + after.replace("LINE 5\n", "other\n"))
    push()
    assert lines() == [(None, None), (30, None), (9, None)]
    assert [thread.outdated for thread in pull.threads] == [True, False, False]
    [old, _, _] = asked.get_review_comments()
    assert (old.original_line, old.original_start_line, old.position) == (6, 5, None)
    source.rm("a.sh")
    push()
    assert [line for line, _ in lines()] == [None, 30, None]


def test_a_line_that_comes_back_is_current_again(
    asked: PullRequest, source: Repo, pull: FakePull, push: Callable[..., str], after: str
) -> None:
    asked.create_review_comment("look", asked.head.sha, "a.sh", line=6)
    source.write("a.sh", after.replace("LINE 5b", "fixed"))
    push()
    assert asked.get_review_comments()[0].line is None
    source.write("a.sh", after)
    push()
    assert asked.get_review_comments()[0].line == 6


def test_a_force_push_re_points_reviews(
    asked: PullRequest, source: Repo, pull: FakePull, push: Callable[..., str], after: str
) -> None:
    old = asked.head.sha
    review(asked, at(8))
    source.write("b.sh", "true\n")
    push()
    assert asked.get_reviews()[0].commit_id == old
    source.git("reset", "-q", "--hard", "main")
    source.write("a.sh", "first\n" + after)
    head = push()
    assert asked.get_reviews()[0].commit_id == head
    assert asked.get_review_comments()[0].line == 9
    with pytest.raises(GithubException, match="not part of the pull request"):
        review(asked, sha=old)


def test_an_older_commit_has_its_own_hunks(
    asked: PullRequest, source: Repo, pull: FakePull, push: Callable[..., str], after: str
) -> None:
    old = pull.head_sha
    source.write("a.sh", "1\n2\n3\n4\n5\n6\n7\n8\n9\n" + after)
    push()
    review(asked, at(5), sha=old)
    [made] = asked.get_review_comments()
    assert (made.line, made.original_line, made.original_commit_id) == (14, 5, old)
