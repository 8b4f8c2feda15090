"""What goes wrong by switch, what git clients get, and that violations do not pass."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from github import Github, GithubException
from github.Repository import Repository

from tests.fakes.github import FakeGitHub, FakePull, FakeRepository, Fault, fake_github
from tests.fakes.github.answers import ROUTES
from tests.fakes.github.spec import DATA, official
from tests.repos import ENV, Repo


@pytest.fixture
def repo(client: Github, pull: FakePull) -> Repository:
    return client.get_repo("acme/launcher")


def test_a_fault_ends_after_its_times(fake: FakeGitHub, repo: Repository, pull: FakePull) -> None:
    headers = {"Retry-After": "7"}
    fake.faults.append(
        Fault("GET", r"/repos/acme/launcher/pulls/7", 429, headers, {"message": "slow"}, times=2)
    )
    for _ in range(2):
        with pytest.raises(GithubException, match="slow") as refused:
            repo.get_pull(7)
        assert (refused.value.status, refused.value.headers["retry-after"]) == (429, "7")
    assert repo.get_pull(7).number == 7
    assert fake.faults == []
    assert [item.status for item in fake.log][-3:] == [429, 429, 200]


def test_a_fault_for_ever(fake: FakeGitHub, repo: Repository) -> None:
    fake.faults.append(Fault("GET", r".*/pulls/7", times=-1))
    for _ in range(3):
        with pytest.raises(GithubException, match="502"):
            repo.get_pull(7)


def test_a_lost_answer(fake: FakeGitHub, repo: Repository, pull: FakePull) -> None:
    issue = repo.get_issue(7)
    fake.faults.append(Fault("POST", r".*/issues/7/comments", stored=True))
    with pytest.raises(GithubException, match="502"):
        issue.create_comment("once")
    fake.faults.append(Fault("POST", r".*/issues/7/comments", stored=True, drop=True))
    with pytest.raises(requests.ConnectionError):
        issue.create_comment("twice")
    fake.faults.append(Fault("POST", r".*/issues/7/comments"))
    with pytest.raises(GithubException, match="502"):
        issue.create_comment("never")
    assert [item["body"] for item in pull.comments] == ["once", "twice"]


def test_the_head_moves_between_two_calls(
    fake: FakeGitHub, repo: Repository, source: Repo, pull: FakePull, push: Callable[..., str]
) -> None:
    before = pull.head_sha
    fake.faults.append(Fault("GET", r".*/pulls/7/files", status=0, then=lambda: move(source, push)))
    found = repo.get_pull(7)
    assert found.head.sha == before
    assert "moved.sh" in [item.filename for item in found.get_files()]


def move(source: Repo, push: Callable[..., str]) -> None:
    source.write("moved.sh", "true\n")
    push()


def test_a_slow_answer(fake: FakeGitHub, pull: FakePull) -> None:
    fake.faults.append(Fault("GET", r"/rate_limit", status=0, delay=0.1))
    with pytest.raises(requests.ReadTimeout):
        requests.get(f"{fake.url}/rate_limit", headers={"Authorization": f"token {fake.token}"}, timeout=0.02)


def test_a_fault_of_a_mutation(fake: FakeGitHub, client: Github, repo: Repository, pull: FakePull) -> None:
    found = repo.get_pull(7)
    found.create_review_comment("look", found.head.sha, "a.sh", line=5)
    fake.faults.append(Fault("POST", "graphql:resolveReviewThread"))
    client.requester.graphql_query("{ viewer { login } }", {})
    with pytest.raises(GithubException, match="502"):
        client.requester.graphql_named_mutation(
            "resolveReviewThread", {"threadId": pull.threads[0].id}, "thread { id }"
        )
    assert not pull.threads[0].resolved


def test_a_request_that_meets_a_fault_is_checked_too(fake: FakeGitHub, repo: Repository) -> None:
    fake.faults.append(Fault("POST", r".*/check-runs"))
    with pytest.raises(GithubException, match="502"):
        repo.create_check_run("reviewbot", "1" * 40, status="completed")
    assert fake.violations
    fake.violations.clear()


@pytest.mark.parametrize("path", ["/nowhere", "/rate_limit?page=2", "/user"])
def test_a_violation_does_not_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.delitem(ROUTES, ("GET", "/user"))  # GitHub has it, the fake has not

    def run() -> None:
        with fake_github(tmp_path) as fake:
            requests.get(fake.url + path, headers={"Authorization": f"token {fake.token}"})

    with pytest.raises(AssertionError, match="against the official description"):
        run()


def test_writes_and_reads(fake: FakeGitHub, client: Github, repo: Repository, pull: FakePull) -> None:
    repo.get_issue(7).create_comment("hello")
    client.requester.graphql_query("query Who { viewer { login } }", {})
    assert [(item.method, item.path, item.body) for item in fake.writes] == [
        ("POST", "/repos/acme/launcher/issues/7/comments", {"body": "hello"})
    ]
    assert [item.path for item in fake.reads] == [
        "/repos/acme/launcher",
        "/repos/acme/launcher/issues/7",
        "/graphql",
    ]
    assert fake.writes[0].headers["authorization"] == f"token {fake.token}"
    assert fake.writes[0].answer["body"] == "hello"


# --- git ----------------------------------------------------------------------------------


def git(folder: Path, *args: str, header: str = "") -> tuple[int, str]:
    options = ["-c", f"http.extraHeader={header}"] if header else []
    done = subprocess.run(["git", *options, *args], cwd=folder, env=ENV, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def fetch(fake: FakeGitHub, folder: Path, what: str, header: str = "") -> tuple[int, str]:
    git(folder, "init", "-q")
    url = f"{fake.server}/acme/launcher.git"
    return git(folder, "fetch", "-q", "--filter=blob:none", "--depth=1", url, what, header=header)


def test_git_fetches_the_head_of_a_pull_request(fake: FakeGitHub, pull: FakePull, tmp_path: Path) -> None:
    (tmp_path / "clone").mkdir()
    assert fetch(fake, tmp_path / "clone", "refs/pull/7/head") == (0, "")
    assert git(tmp_path / "clone", "rev-parse", "FETCH_HEAD") == (0, pull.head_sha + "\n")
    assert fake.git_log[-1].path == "/acme/launcher.git/git-upload-pack"


def test_a_commit_that_was_forced_away_can_still_be_fetched(
    fake: FakeGitHub, source: Repo, pull: FakePull, push: Callable[..., str], tmp_path: Path
) -> None:
    old = pull.head_sha
    source.git("reset", "-q", "--hard", "main")
    source.write("a.sh", "true\n")
    push()
    assert pull.head_sha != old
    (tmp_path / "clone").mkdir()
    assert fetch(fake, tmp_path / "clone", old) == (0, "")


def test_a_private_repository_needs_the_token(
    fake: FakeGitHub, served: FakeRepository, pull: FakePull, tmp_path: Path
) -> None:
    served.private = True
    (tmp_path / "clone").mkdir()
    assert fetch(fake, tmp_path / "clone", "main")[0] != 0
    assert fake.git_log[-1].status == 401
    header = f"Authorization: Bearer {fake.token}"
    assert fetch(fake, tmp_path / "clone", "main", header) == (0, "")
    assert fetch(fake, tmp_path / "clone", "main", "Authorization: Bearer ghs_other")[0] != 0
    served.hidden = True
    assert fetch(fake, tmp_path / "clone", "main", header)[0] != 0
    assert fake.git_log[-1].status == 404


def test_a_fault_of_git(fake: FakeGitHub, pull: FakePull, tmp_path: Path) -> None:
    fake.faults.append(Fault("GET", r"git:/acme/launcher\.git/info/refs", status=503))
    (tmp_path / "clone").mkdir()
    status, said = fetch(fake, tmp_path / "clone", "main")
    assert (status, "503" in said) == (128, True)
    assert fetch(fake, tmp_path / "clone", "main") == (0, "")


def test_nobody_pushes_over_http(fake: FakeGitHub, source: Repo, pull: FakePull) -> None:
    header = f"Authorization: Bearer {fake.token}"
    url = f"{fake.server}/acme/launcher.git"
    assert git(source.path, "push", "-q", url, "topic:main", header=header)[0] != 0


# --- the data -----------------------------------------------------------------------------


def test_the_extracts_carry_no_prose() -> None:
    text = gzip.decompress((DATA / "rest.json.gz").read_bytes()).decode()
    assert not re.search(r'"(description|summary|externalDocs)":"', text)
    assert official().find("GET", "/repos/a/b/contents/dir/file.py")
    assert official().find("GET", "/repos/a/b/commits/feature/x/check-runs")
    assert '"""' not in gzip.decompress((DATA / "schema.graphql.gz").read_bytes()).decode()
    assert "MIT" in (DATA / "LICENSE").read_text()


def test_the_example_payloads() -> None:
    found = {path.stem: path.read_text() for path in (DATA / "events").iterdir()}
    assert {
        "check_run.requested_action", "check_run.rerequested", "check_suite.requested",
        "installation.deleted", "issue_comment.created", "ping", "pull_request.closed",
        "pull_request.edited", "pull_request.opened", "pull_request.ready_for_review",
        "pull_request.synchronize", "pull_request_review_comment.created",
    } <= set(found)  # fmt: skip
    for name, text in found.items():
        assert json.loads(text).get("action") == (name.partition(".")[2] or None)
        assert set(re.findall(r"[\w.]@([\w.-]++)(?!:)", text)) <= {"example.invalid"}, name
