"""The fake GitHub does what GitHub does, driven by PyGithub where it has a call."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from github import Auth, Github, GithubException

from tests.fakes.github import FakeGitHub, FakePull, FakeRepository, Fault, fake_github
from tests.repos import ENV, Repo

BEFORE = "".join(f"line {number}\n" for number in range(1, 41))
AFTER = BEFORE.replace("line 5\n", "LINE 5\nLINE 5b\n").replace("line 30\n", "")


@pytest.fixture
def source(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "source")
    repo.write("a.sh", BEFORE)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    repo.write("a.sh", AFTER)
    repo.write("dir/new.py", "x = 1\n")
    repo.commit("change")
    return repo


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeGitHub]:
    with fake_github(tmp_path) as running:
        yield running


@pytest.fixture
def served(fake: FakeGitHub, source: Repo) -> FakeRepository:
    return fake.repository(source.path)


@pytest.fixture
def pull(served: FakeRepository) -> FakePull:
    return served.pull(7, "topic")


def client(fake: FakeGitHub, token: str | None = None) -> Github:
    return Github(
        base_url=fake.url,
        auth=Auth.Token(token or fake.token),
        per_page=100,
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
    )


def asked(fake: FakeGitHub, pull: FakePull) -> Any:
    return client(fake).get_repo(pull.repository.name).get_pull(pull.number)


def push(source: Repo, served: FakeRepository, *refs: str) -> None:
    source.git("push", "-q", "--force", str(served.path), *(refs or ("topic",)))


def test_pull_request(fake: FakeGitHub, source: Repo, pull: FakePull) -> None:
    found = asked(fake, pull)
    assert (found.number, found.head.sha, found.base.ref) == (7, source.git("rev-parse", "topic"), "main")
    assert [(item.filename, item.status) for item in found.get_files()] == [
        ("a.sh", "modified"),
        ("dir/new.py", "added"),
    ]
    assert found.changed_files == 2
    assert found.get_commits().totalCount == 1


def test_review_and_threads(fake: FakeGitHub, source: Repo, pull: FakePull) -> None:
    found = asked(fake, pull)
    review = found.create_review(
        commit=found.base.repo.get_commit(found.head.sha),
        body="Two things.",
        event="COMMENT",
        comments=[
            {"path": "a.sh", "body": "one", "line": 6, "start_line": 5, "start_side": "RIGHT"},
            {"path": "a.sh", "body": "two", "line": 30, "side": "LEFT"},
        ],
    )
    assert review.state == "COMMENTED"
    assert [(item.line, item.start_line, item.side) for item in found.get_review_comments()] == [
        (6, 5, "RIGHT"),
        (30, None, "LEFT"),
    ]
    source.write("a.sh", "first\n" + AFTER)
    source.commit("one line more")
    push(source, pull.repository)
    assert [item.line for item in found.get_review_comments()] == [7, 30]
    source.write("a.sh", "first\n" + AFTER.replace("LINE 5b", "line 5c"))
    source.commit("changed")
    push(source, pull.repository)
    assert [item.line for item in found.get_review_comments()] == [None, 30]
    assert [thread.outdated for thread in pull.threads] == [True, False]


def test_git_over_http(fake: FakeGitHub, pull: FakePull, tmp_path: Path) -> None:
    url = f"{fake.server}/acme/launcher.git"
    command = ["git", "clone", "-q", "--filter=blob:none", "--no-checkout", url, str(tmp_path / "clone")]
    subprocess.run(command, env=ENV, check=True)
    fetch = ["git", "fetch", "-q", "origin", "refs/pull/7/head"]
    subprocess.run(fetch, cwd=tmp_path / "clone", env=ENV, check=True)
    got = subprocess.run(
        ["git", "rev-parse", "FETCH_HEAD"], cwd=tmp_path / "clone", env=ENV, capture_output=True
    )
    assert got.stdout.decode().strip() == pull.head_sha


THREADS = """query($owner: String!, $name: String!, $number: Int!, $after: String) {
  viewer { login databaseId }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
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


def threads(fake: FakeGitHub) -> list[dict[str, Any]]:
    variables = {"owner": "acme", "name": "launcher", "number": 7}
    _, answer = client(fake).requester.graphql_query(THREADS, variables)
    assert answer["data"]["viewer"]["login"] == "reviewbot[bot]"
    found: list[dict[str, Any]] = answer["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"]
    return found


def test_graphql(fake: FakeGitHub, pull: FakePull) -> None:
    found = asked(fake, pull)
    comment = found.create_review_comment("look", found.head.sha, "a.sh", line=5)
    pull.reply(pull.threads[0], "octo-dev", "why?")
    pull.react(pull.threads[0], "octo-dev", "-1")
    [thread] = threads(fake)
    assert (thread["line"], thread["isResolved"], thread["diffSide"]) == (5, False, "RIGHT")
    assert [item["author"] for item in thread["comments"]["nodes"]] == [
        {"login": "reviewbot", "__typename": "Bot"},
        {"login": "octo-dev", "__typename": "User"},
    ]
    groups = {item["content"]: item["reactors"] for item in thread["comments"]["nodes"][0]["reactionGroups"]}
    assert groups["THUMBS_DOWN"] == {"totalCount": 1}
    client(fake).requester.graphql_named_mutation(
        "resolveReviewThread", {"threadId": thread["id"]}, "thread { id isResolved }"
    )
    client(fake).requester.graphql_named_mutation(
        "minimizeComment",
        {"subjectId": comment.node_id, "classifier": "OUTDATED"},
        "minimizedComment { isMinimized minimizedReason }",
    )
    [thread] = threads(fake)
    assert (thread["isResolved"], thread["resolvedBy"]) == (True, {"login": "reviewbot[bot]"})
    assert thread["comments"]["nodes"][0]["minimizedReason"] == "outdated"


def test_check_runs(fake: FakeGitHub, pull: FakePull) -> None:
    repo = client(fake).get_repo("acme/launcher")
    run = repo.create_check_run("reviewbot", pull.head_sha, status="in_progress")
    note = {"path": "a.sh", "start_line": 1, "end_line": 1, "annotation_level": "warning", "message": "m"}
    for _ in range(2):
        run.edit(output={"title": "t", "summary": "s", "annotations": [note] * 50})
    run.edit(conclusion="neutral")
    assert run.status == "completed"
    assert [item.path for item in run.get_annotations()] == ["a.sh"] * 100
    assert len(pull.annotations(pull.check_runs[0])) == 100
    with pytest.raises(GithubException, match="maxItems 50"):
        run.edit(output={"title": "t", "summary": "s", "annotations": [note] * 51})
    fake.violations.clear()


def test_issue_comments(fake: FakeGitHub, pull: FakePull) -> None:
    issue = client(fake).get_repo("acme/launcher").get_issue(7)
    made = issue.create_comment("hello")
    made.edit("hello again")
    made.create_reaction("eyes")
    assert [item.body for item in asked(fake, pull).get_issue_comments()] == ["hello again"]
    assert [item.content for item in made.get_reactions()] == ["eyes"]
    made.delete()
    assert pull.comments == []
    with pytest.raises(GithubException, match="too long"):
        issue.create_comment("x" * 65537)


def test_faults(fake: FakeGitHub, pull: FakePull) -> None:
    issue = client(fake).get_repo("acme/launcher").get_issue(7)
    fake.faults.append(Fault("POST", r".*/comments", stored=True))
    with pytest.raises(GithubException) as caught:
        issue.create_comment("once")
    assert caught.value.status == 502
    assert len(pull.comments) == 1
    fake.faults.append(Fault("GET", r".*/pulls/7", drop=True))
    with pytest.raises(requests.ConnectionError):
        asked(fake, pull)
    assert fake.faults == []
