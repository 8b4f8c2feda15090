"""A fake GitHub with one repository and pull request 7, `topic` into `main`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from github import Auth, Github

from tests.fakes.github import FakeGitHub, FakePull, FakeRepository, fake_github
from tests.repos import Repo

BEFORE = "".join(f"line {number}\n" for number in range(1, 41))
# @@ -2,7 +2,8 @@ with rows 2 to 9 on the right, and @@ -27,7 +28,6 @@ with rows 28 to 33 on the right.
AFTER = BEFORE.replace("line 5\n", "LINE 5\nLINE 5b\n").replace("line 30\n", "")


@pytest.fixture
def after() -> str:
    """The text of a.sh at the head."""
    return AFTER


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


@pytest.fixture
def push(source: Repo, served: FakeRepository) -> Callable[..., str]:
    """Commits what is in the work tree and pushes it, by force; returns the commit."""

    def pushed(branch: str = "topic") -> str:
        commit = source.commit("more")
        source.git("push", "-q", "--force", str(served.path), f"HEAD:refs/heads/{branch}")
        return commit

    return pushed


@pytest.fixture
def client(fake: FakeGitHub) -> Iterator[Github]:
    made = Github(
        base_url=fake.url,
        auth=Auth.Token(fake.token),
        per_page=100,
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
    )
    yield made
    made.close()
