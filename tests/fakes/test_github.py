"""What is read from the fake GitHub is what git has at that moment."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from github import Github, GithubException, UnknownObjectException

from tests.fakes.github import FakeGitHub, FakePull, FakeRepository, pull_answers, signing
from tests.repos import Repo

NOW = 1_800_000_000


def get(fake: FakeGitHub, path: str, **headers: str) -> requests.Response:
    return requests.get(fake.url + path, headers={"Authorization": f"Bearer {fake.token}", **headers})


def test_a_pull_request(client: Github, source: Repo, pull: FakePull) -> None:
    found = client.get_repo("acme/launcher").get_pull(7)
    assert (found.number, found.state, found.draft, found.user.login) == (7, "open", False, "octo-dev")
    assert (found.head.ref, found.head.sha) == ("topic", source.git("rev-parse", "topic"))
    assert (found.base.ref, found.base.sha) == ("main", source.git("rev-parse", "main"))
    assert (found.changed_files, found.additions, found.deletions, found.commits) == (2, 3, 2, 1)
    assert found.head.repo.full_name == "acme/launcher"
    assert [commit.commit.message for commit in found.get_commits()] == ["change"]


def test_the_head_moves_between_two_requests(
    client: Github, source: Repo, pull: FakePull, push: Callable[..., str]
) -> None:
    before = client.get_repo("acme/launcher").get_pull(7).head.sha
    source.write("b.sh", "true\n")
    after = push()
    assert before != after
    assert client.get_repo("acme/launcher").get_pull(7).head.sha == after == pull.head_sha
    assert pull.repository.bare.refs()["refs/pull/7/head"] == after


def test_a_closed_pull_request_keeps_its_commits(
    client: Github, source: Repo, pull: FakePull, push: Callable[..., str]
) -> None:
    head, base = pull.head_sha, pull.base_sha
    pull.state, pull.merged = "closed", True
    source.git("push", "-q", str(pull.repository.path), "topic:main", ":topic")
    found = client.get_repo("acme/launcher").get_pull(7)
    assert (found.head.sha, found.base.sha, found.merged, found.changed_files) == (head, base, True, 2)


def test_the_diff_is_from_the_merge_base(
    client: Github, source: Repo, pull: FakePull, push: Callable[..., str]
) -> None:
    source.git("checkout", "-q", "main")
    source.write("elsewhere.sh", "true\n")
    push("main")
    found = client.get_repo("acme/launcher").get_pull(7)
    assert found.base.sha == source.git("rev-parse", "main")
    assert [item.filename for item in found.get_files()] == ["a.sh", "dir/new.py"]


def test_files_without_a_patch(
    client: Github, source: Repo, pull: FakePull, push: Callable[..., str]
) -> None:
    source.git("mv", "a.sh", "renamed.sh")
    source.write("renamed.sh", source.git("show", "main:a.sh") + "\n")
    source.write("binary", b"\0\1")
    source.write("huge", "x\n" * 20_001)
    source.write("--- odd +++", "@@ -1 +1 @@\n-- \n++ \n")
    source.file("dir/new.py").chmod(0o755)
    push()
    found = {item.filename: item for item in client.get_repo("acme/launcher").get_pull(7).get_files()}
    assert found["renamed.sh"].previous_filename == "a.sh"
    assert found["renamed.sh"].status == "renamed"
    assert {name: item.patch is None for name, item in found.items()} == {
        "--- odd +++": False,
        "binary": True,
        "dir/new.py": False,
        "huge": True,
        "renamed.sh": True,
    }
    assert found["huge"].additions == 20_001
    assert found["--- odd +++"].patch == "@@ -0,0 +1,3 @@\n+@@ -1 +1 @@\n+-- \n+++ "
    assert found["--- odd +++"].additions == 3


def test_files_come_in_pages_and_end(
    fake: FakeGitHub,
    client: Github,
    source: Repo,
    pull: FakePull,
    push: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert pull_answers.MOST_FILES == 3000
    monkeypatch.setattr(pull_answers, "MOST_FILES", 250)  # 3000 would take seconds
    for number in range(260):
        source.write(f"many/{number}", f"{number}\n")
    push()
    found = client.get_repo("acme/launcher").get_pull(7)
    assert found.changed_files == 262
    before = len(fake.log)
    assert len(list(found.get_files())) == 250
    assert len(fake.log) - before == 3
    page = get(fake, "/repos/acme/launcher/pulls/7/files?per_page=100&page=2")
    assert set(page.links) == {"first", "prev", "next", "last"}
    assert page.links["last"]["url"].endswith("pulls/7/files?per_page=100&page=3")


def test_a_diff_that_is_too_large_is_406(
    fake: FakeGitHub, source: Repo, pull: FakePull, push: Callable[..., str]
) -> None:
    accept = {"Accept": "application/vnd.github.diff"}
    assert b"+LINE 5\n" in get(fake, "/repos/acme/launcher/pulls/7", **accept).content
    source.write("huge", "x\n" * 20_001)
    push()
    refused = get(fake, "/repos/acme/launcher/pulls/7", **accept)
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (406, "too_large")


def test_forks(
    fake: FakeGitHub, client: Github, source: Repo, served: FakeRepository, tmp_path: Path
) -> None:
    source.git("checkout", "-q", "-b", "theirs", "main")
    source.write("a.sh", "echo theirs\n")
    commit = source.commit("theirs")
    fork = fake.repository(source.path, "octo-dev/launcher")
    theirs = served.pull(8, "theirs", fork=fork)
    repo = client.get_repo("acme/launcher")
    found = repo.get_pull(8)
    assert (found.head.sha, found.head.label, found.head.repo.fork) == (commit, "octo-dev:theirs", True)
    assert served.bare.refs()["refs/pull/8/head"] == commit
    assert repo.compare("main", "octo-dev:theirs").ahead_by == 1
    fork.hidden = True
    assert repo.get_pull(8).head.repo is None
    fork.hidden = False
    fake.remove(fork)
    gone = repo.get_pull(8)
    assert (gone.head.repo, gone.head.sha, theirs.head_sha) == (None, commit, commit)


def test_lists_of_pull_requests(client: Github, source: Repo, pull: FakePull) -> None:
    source.git("push", "-q", str(pull.repository.path), "topic:stacked")
    upper = pull.repository.pull(8, "stacked", "topic")
    repo = client.get_repo("acme/launcher")
    assert [item.number for item in repo.get_pulls(head="acme:topic")] == [7]
    assert [item.number for item in repo.get_pulls(base="topic")] == [8]
    pull.state = "closed"
    assert [item.number for item in repo.get_pulls()] == [8]
    assert [item.number for item in repo.get_pulls(state="all")] == [8, 7]
    upper.retarget("main")
    assert repo.get_pull(8).base.ref == "main"


def test_comparisons(client: Github, source: Repo, served: FakeRepository) -> None:
    found = client.get_repo("acme/launcher").compare("main", "topic")
    assert found.merge_base_commit.sha == source.git("rev-parse", "main")
    assert (found.status, found.ahead_by, found.behind_by) == ("ahead", 1, 0)
    assert [item.filename for item in found.files] == ["a.sh", "dir/new.py"]
    with pytest.raises(UnknownObjectException):
        client.get_repo("acme/launcher").compare("main", "nowhere")


def test_contents_trees_and_blobs(
    fake: FakeGitHub, client: Github, source: Repo, served: FakeRepository
) -> None:
    repo = client.get_repo("acme/launcher")
    file = repo.get_contents("dir/new.py", ref="topic")
    assert not isinstance(file, list)
    assert (file.decoded_content, file.type) == (b"x = 1\n", "file")
    folder = repo.get_contents("dir", ref="topic")
    assert isinstance(folder, list)
    assert [item.path for item in folder] == ["dir/new.py"]
    with pytest.raises(UnknownObjectException):
        repo.get_contents("dir/new.py")
    tree = repo.get_git_tree("topic", recursive=True)
    assert [item.path for item in tree.tree] == ["a.sh", "dir", "dir/new.py"]
    assert base64.b64decode(repo.get_git_blob(file.sha).content) == b"x = 1\n"
    assert repo.get_commit("topic").sha == source.git("rev-parse", "topic")
    raw = get(fake, "/repos/acme/launcher/contents/a.sh", Accept="application/vnd.github.raw+json")
    assert raw.text.startswith("line 1\n")


def test_activity_is_what_was_pushed(
    fake: FakeGitHub, source: Repo, pull: FakePull, push: Callable[..., str]
) -> None:
    first = pull.head_sha
    source.write("b.sh", "true\n")
    second = push()
    assert pull.head_sha == second
    source.git("reset", "-q", "--hard", first)
    source.write("c.sh", "true\n")
    third = push()
    found = get(fake, "/repos/acme/launcher/activity?ref=topic").json()
    assert [(item["activity_type"], item["before"], item["after"]) for item in found] == [
        ("force_push", second, third),
        ("push", first, second),
    ]


def test_who_may_do_what(fake: FakeGitHub, client: Github, served: FakeRepository) -> None:
    served.permissions = {"octo-dev": "write", "passer-by": "none"}
    repo = client.get_repo("acme/launcher")
    assert repo.get_collaborator_permission("octo-dev") == "write"
    assert repo.get_collaborator_permission("passer-by") == "none"
    with pytest.raises(GithubException, match="404"):
        repo.get_collaborator_permission("nobody")
    with pytest.raises(GithubException, match="not accessible by integration"):
        assert client.get_user().login
    fake.app, fake.me = False, "octo-bot"
    assert client.get_user().login == "octo-bot"
    assert client.get_rate_limit().rate.limit == 5000


def test_a_wrong_token_is_refused(fake: FakeGitHub, served: FakeRepository) -> None:
    for given in ("", "Bearer ghs_other", "token"):
        refused = requests.get(f"{fake.url}/repos/acme/launcher", headers={"Authorization": given})
        assert (refused.status_code, refused.json()["message"]) == (401, "Bad credentials")
    basic = requests.get(f"{fake.url}/repos/acme/launcher", auth=("x-access-token", fake.token))
    assert basic.status_code == 200


def test_an_app_mints_tokens(fake: FakeGitHub, served: FakeRepository) -> None:
    fake.clock = lambda: NOW
    signed = {"Authorization": f"Bearer {signing.signed(NOW)}"}
    assert requests.get(f"{fake.url}/app", headers=signed).json()["slug"] == "reviewbot"
    found = requests.get(f"{fake.url}/repos/acme/launcher/installation", headers=signed).json()
    url = found["access_tokens_url"]
    made = requests.post(url, headers=signed, json={"repository_ids": [served.id]})
    assert (made.status_code, made.json()["expires_at"]) == (201, "2027-01-15T09:00:00Z")
    token = {"Authorization": f"Bearer {made.json()['token']}"}
    assert requests.get(f"{fake.url}/repos/acme/launcher", headers=token).status_code == 200
    fake.minted.clear()
    assert requests.get(f"{fake.url}/repos/acme/launcher", headers=token).status_code == 401
    assert (
        requests.get(f"{fake.url}/app", headers={"Authorization": f"Bearer {fake.token}"}).status_code == 401
    )
    assert requests.post(url, headers=signed, json={"repository_ids": [1]}).status_code == 422


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"iat": NOW + 60}, "'Issued at' claim"),
        ({"iat": "x"}, "'Issued at' claim"),
        ({"exp": NOW}, "'Expiration time' claim ('exp') must be"),
        ({"exp": NOW + 700}, "too far in the future"),
        ({"iss": "78"}, "Integration not found"),
    ],
)
def test_what_an_app_signs_is_checked(fake: FakeGitHub, claims: dict[str, object], why: str) -> None:
    fake.clock = lambda: NOW
    refused = requests.get(
        f"{fake.url}/app", headers={"Authorization": f"Bearer {signing.signed(NOW, **claims)}"}
    )
    assert refused.status_code == 401
    assert why in refused.json()["message"]


def test_a_person_sees_what_they_may(fake: FakeGitHub, source: Repo) -> None:
    private = fake.repository(source.path, "acme/secret", private=True)
    fake.people["ghu_mine"] = "octo-dev"
    mine = {"Authorization": "token ghu_mine"}
    private.permissions = {}
    assert requests.get(f"{fake.url}/user", headers=mine).json()["login"] == "octo-dev"
    assert requests.get(f"{fake.url}/repos/acme/secret", headers=mine).status_code == 404
    private.permissions = {"octo-dev": "read"}
    assert requests.get(f"{fake.url}/repos/acme/secret", headers=mine).status_code == 200


def test_a_login(fake: FakeGitHub) -> None:
    to = f"{fake.server}/login/oauth/authorize?client_id=a&redirect_uri=http://x/back&state=s"
    sent = requests.get(to, allow_redirects=False)
    code = sent.headers["location"].removeprefix("http://x/back?code=").removesuffix("&state=s")
    url, body = f"{fake.server}/login/oauth/access_token", {"client_id": "a", "client_secret": "b"}
    found = requests.post(url, json={**body, "code": code}).json()
    assert fake.people == {found["access_token"]: "octo-dev"}
    assert requests.post(url, data={**body, "code": code}).json()["error"] == "bad_verification_code"


def test_times_are_counted_in_requests(client: Github, pull: FakePull) -> None:
    issue = client.get_repo("acme/launcher").get_issue(7)
    made = [issue.create_comment("x").created_at.isoformat() for _ in range(2)]
    assert made == ["2026-11-30T10:00:03+00:00", "2026-11-30T10:00:04+00:00"]
