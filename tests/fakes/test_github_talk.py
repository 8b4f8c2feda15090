"""Issue comments, check runs, GraphQL and rights on the fake GitHub."""

from __future__ import annotations

from typing import Any

import pytest
from github import Github, GithubException, UnknownObjectException
from github.Issue import Issue
from github.PullRequest import PullRequest
from github.Repository import Repository

from tests.fakes.github import FakeGitHub, FakePull


@pytest.fixture
def repo(client: Github, pull: FakePull) -> Repository:
    return client.get_repo("acme/launcher")


@pytest.fixture
def issue(repo: Repository) -> Issue:
    return repo.get_issue(7)


@pytest.fixture
def asked(repo: Repository) -> PullRequest:
    return repo.get_pull(7)


# --- issue comments -----------------------------------------------------------------------


def test_a_comment_is_edited_reacted_to_and_deleted(issue: Issue, pull: FakePull) -> None:
    made = issue.create_comment("hello")
    assert (made.user.login, made.user.type, made.performed_via_github_app.slug) == (
        "reviewbot[bot]",
        "Bot",
        "reviewbot",
    )
    made.edit("hello again")
    made.create_reaction("eyes")
    assert [item.body for item in issue.get_comments()] == ["hello again"]
    assert [(item.content, item.user.login) for item in made.get_reactions()] == [("eyes", "reviewbot[bot]")]
    assert pull.comments[0]["reactions"]["eyes"] == 1
    made.delete()
    assert pull.comments == []


def test_comments_of_others(repo: Repository, issue: Issue, pull: FakePull) -> None:
    pull.comment("octo-dev", "why?")
    pull.comment("other[bot]", "because", type="Bot", association="CONTRIBUTOR")
    found = list(issue.get_comments())
    assert [(item.user.login, item.user.type) for item in found] == [
        ("octo-dev", "User"),
        ("other[bot]", "Bot"),
    ]
    with pytest.raises(GithubException, match="403"):
        found[0].edit("no")
    with pytest.raises(GithubException, match="403"):
        found[0].delete()
    assert len(pull.comments) == 2


def test_101_comments_are_two_pages(fake: FakeGitHub, issue: Issue, pull: FakePull) -> None:
    for number in range(101):
        pull.comment("octo-dev", str(number))
    before = len(fake.reads)
    assert [item.body for item in issue.get_comments()] == [str(number) for number in range(101)]
    assert [item.query["per_page"] for item in fake.reads[before:]] == ["100", "100"]


def test_a_comment_that_is_too_long(issue: Issue, pull: FakePull) -> None:
    made = issue.create_comment("x" * 65536)
    for write in (issue.create_comment, made.edit):
        with pytest.raises(GithubException, match=r"body is too long \(maximum is 65536 characters\)"):
            write("x" * 65537)
    assert len(pull.comments) == 1


# --- rights -------------------------------------------------------------------------------


def test_a_locked_conversation(issue: Issue, asked: PullRequest, pull: FakePull) -> None:
    pull.locked = True
    assert asked.raw_data["number"] == 7
    with pytest.raises(GithubException, match="issue is locked"):
        issue.create_comment("hello")
    with pytest.raises(GithubException, match="issue is locked"):
        asked.create_review(body="b", event="COMMENT")


def test_an_archived_repository(repo: Repository, issue: Issue, pull: FakePull) -> None:
    pull.repository.archived = True
    for write in (
        lambda: issue.create_comment("hello"),
        lambda: repo.create_check_run("reviewbot", pull.head_sha),
    ):
        with pytest.raises(GithubException, match="archived so is read-only"):
            write()


@pytest.mark.parametrize(
    ("permission", "accepted"),
    [
        ("checks", "checks=write"),
        ("issues", "issues=write; pull_requests=write"),
        ("pull_requests", "pull_requests=write"),
    ],
)
def test_a_permission_that_is_lacking_is_named(
    fake: FakeGitHub, repo: Repository, issue: Issue, asked: PullRequest, permission: str, accepted: str
) -> None:
    fake.lacking = {permission}
    write = {
        "checks": lambda: repo.create_check_run("reviewbot", asked.head.sha),
        "issues": lambda: issue.create_comment("hello"),
        "pull_requests": lambda: asked.create_review(body="b", event="COMMENT"),
    }[permission]
    with pytest.raises(GithubException, match="Resource not accessible by integration") as refused:
        write()
    assert refused.value.status == 403
    assert {name.lower(): value for name, value in refused.value.headers.items()}[
        "x-accepted-github-permissions"
    ] == accepted


# --- check runs ---------------------------------------------------------------------------


NOTE = {"path": "a.sh", "start_line": 1, "end_line": 1, "annotation_level": "warning", "message": "m"}


def noted(count: int) -> dict[str, Any]:
    return {"title": "t", "summary": "s", "annotations": [NOTE] * count}


def test_annotations_are_added(repo: Repository, asked: PullRequest, pull: FakePull) -> None:
    run = repo.create_check_run("reviewbot", asked.head.sha, status="in_progress", output=noted(1))
    assert (run.status, run.conclusion, run.app.slug) == ("in_progress", None, "reviewbot")
    run.edit(output=noted(50))
    run.edit(conclusion="neutral", output=noted(50))
    assert (run.status, run.conclusion, run.output.annotations_count) == ("completed", "neutral", 101)
    assert [item.path for item in run.get_annotations()] == ["a.sh"] * 101
    assert len(pull.annotations(pull.check_runs[0])) == 101


def test_of_runs_with_a_name_the_newest_counts(repo: Repository, asked: PullRequest) -> None:
    first, second = (repo.create_check_run("reviewbot", asked.head.sha) for _ in range(2))
    commit = repo.get_commit(asked.head.sha)
    assert [run.id for run in commit.get_check_runs(check_name="reviewbot")] == [second.id]
    assert [run.id for run in commit.get_check_runs(filter="all")] == [second.id, first.id]


def test_51_annotations_are_a_violation(fake: FakeGitHub, repo: Repository, asked: PullRequest) -> None:
    with pytest.raises(GithubException, match="422"):
        repo.create_check_run("reviewbot", asked.head.sha, output=noted(51))
    assert "maxItems 50" in fake.violations.pop()


def test_completed_needs_a_conclusion(fake: FakeGitHub, repo: Repository, asked: PullRequest) -> None:
    with pytest.raises(GithubException, match="422"):
        repo.create_check_run("reviewbot", asked.head.sha, status="completed")
    assert "needs a conclusion" in fake.violations.pop()
    fake.violations.clear()


def test_check_runs_are_for_apps(fake: FakeGitHub, repo: Repository, asked: PullRequest) -> None:
    with pytest.raises(GithubException, match="No commit found for SHA"):
        repo.create_check_run("reviewbot", "1" * 40)
    fake.app = False
    with pytest.raises(GithubException, match=r"You must authenticate via a GitHub App\."):
        repo.create_check_run("reviewbot", asked.head.sha)


# --- GraphQL ------------------------------------------------------------------------------


THREADS = """query($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  viewer { login databaseId }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id isResolved isOutdated isCollapsed path line startLine originalLine diffSide subjectType
        viewerCanResolve resolvedBy { login }
        comments(first: 100) { pageInfo { hasNextPage } nodes {
          id databaseId body createdAt isMinimized minimizedReason author { login __typename }
          reactionGroups { content reactors { totalCount } }
        } }
      }
    }
  } }
}"""


def threads(client: Github, **variables: Any) -> dict[str, Any]:
    given = {"owner": "acme", "name": "launcher", "number": 7, "first": 100, **variables}
    _, answer = client.requester.graphql_query(THREADS, given)
    found: dict[str, Any] = answer["data"]["repository"]["pullRequest"]["reviewThreads"]
    return found


def test_threads(client: Github, asked: PullRequest, pull: FakePull) -> None:
    comment = asked.create_review_comment("look", asked.head.sha, "a.sh", line=5)
    pull.reply(pull.threads[0], "octo-dev", "why?")
    pull.react(pull.threads[0], "octo-dev", "-1")
    [thread] = threads(client)["nodes"]
    assert (thread["line"], thread["isResolved"], thread["diffSide"]) == (5, False, "RIGHT")
    assert [item["author"] for item in thread["comments"]["nodes"]] == [
        {"login": "reviewbot", "__typename": "Bot"},
        {"login": "octo-dev", "__typename": "User"},
    ]
    first = thread["comments"]["nodes"][0]
    groups = {item["content"]: item["reactors"]["totalCount"] for item in first["reactionGroups"]}
    assert (first["databaseId"], groups["THUMBS_DOWN"], groups["EYES"]) == (comment.id, 1, 0)


def test_threads_come_in_pages(client: Github, asked: PullRequest) -> None:
    for line in (4, 5, 6):
        asked.create_review_comment("look", asked.head.sha, "a.sh", line=line)
    page = threads(client, first=2)
    assert page["pageInfo"]["hasNextPage"]
    rest = threads(client, first=2, after=page["pageInfo"]["endCursor"])
    assert [item["line"] for item in (*page["nodes"], *rest["nodes"])] == [4, 5, 6]
    assert not rest["pageInfo"]["hasNextPage"]


def settle(client: Github, name: str, thread: str) -> dict[str, Any]:
    shape = "thread { id isResolved resolvedBy { login } }"
    _, answer = client.requester.graphql_named_mutation(name, {"threadId": thread}, shape)
    found: dict[str, Any] = answer["thread"]
    return found


def test_resolving(fake: FakeGitHub, client: Github, asked: PullRequest, pull: FakePull) -> None:
    asked.create_review_comment("look", asked.head.sha, "a.sh", line=5)
    [thread] = pull.threads
    assert settle(client, "resolveReviewThread", thread.id)["resolvedBy"] == {"login": "reviewbot[bot]"}
    assert (thread.resolved, thread.resolved_by) == (True, "reviewbot[bot]")
    assert not settle(client, "unresolveReviewThread", thread.id)["isResolved"]
    pull.resolve(thread, "octo-dev")
    assert threads(client)["nodes"][0]["resolvedBy"] == {"login": "octo-dev"}
    with pytest.raises(UnknownObjectException):
        settle(client, "resolveReviewThread", "PRRT_nowhere")
    assert [item.field for item in fake.writes if item.path == "/graphql"] == [
        "resolveReviewThread",
        "unresolveReviewThread",
        "resolveReviewThread",
    ]


@pytest.mark.parametrize("lacking", [set(), {"contents"}])
def test_resolving_without_the_right(
    fake: FakeGitHub, client: Github, asked: PullRequest, pull: FakePull, lacking: set[str]
) -> None:
    asked.create_review_comment("look", asked.head.sha, "a.sh", line=5)
    fake.can_resolve, fake.lacking = bool(lacking), lacking
    assert not threads(client)["nodes"][0]["viewerCanResolve"]
    with pytest.raises(GithubException, match="FORBIDDEN"):
        settle(client, "resolveReviewThread", pull.threads[0].id)
    assert not pull.threads[0].resolved
    assert fake.log[-1].status == 200


def test_minimizing(client: Github, issue: Issue, asked: PullRequest) -> None:
    made = issue.create_comment("old")
    assert made.minimize("OUTDATED")
    comment = asked.create_review_comment("look", asked.head.sha, "a.sh", line=5)
    client.requester.graphql_named_mutation(
        "minimizeComment",
        {"subjectId": comment.node_id, "classifier": "OUTDATED"},
        "minimizedComment { isMinimized minimizedReason }",
    )
    [first] = threads(client)["nodes"][0]["comments"]["nodes"]
    assert (first["isMinimized"], first["minimizedReason"]) == (True, "outdated")


@pytest.mark.parametrize(
    "query",
    [
        "{ viewer { nickname } }",
        "{ viewer { login }",
        'mutation { resolveReviewThread(input: {thread: "x"}) { thread { id } } }',
    ],
)
def test_what_is_not_in_the_schema_is_a_violation(
    fake: FakeGitHub, client: Github, pull: FakePull, query: str
) -> None:
    with pytest.raises(GithubException):
        client.requester.graphql_query(query, {})
    assert fake.violations
    fake.violations.clear()


def test_an_official_field_that_the_fake_lacks_is_a_violation(fake: FakeGitHub, client: Github) -> None:
    with pytest.raises(GithubException, match=r"the fake has no User\.bio"):
        client.requester.graphql_query("{ viewer { bio } }", {})
    assert "the fake has no User.bio" in fake.violations.pop()
