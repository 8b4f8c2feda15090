"""The demonstration's repository as a pull request on the fake GitHub, and the command that reviews it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reviewbot import cli
from reviewbot.hosts import demo
from tests.fakes.github import FakeGitHub, FakePull, fake_github
from tests.repos import Repo

NUMBER = 7
Files = Mapping[str | bytes, str | bytes | None]  # path -> content; None: it is removed


class Launched(NamedTuple):
    """A pull request with four defects. `work` is a clone to commit and push from."""

    github: FakeGitHub
    pull: FakePull
    work: Repo

    def push(self, message: str = "x", *, force: bool = False) -> str:
        """Commit everything and push it to the pull request; the new head."""
        head = self.work.commit(message)
        self.publish(force=force)
        return head

    def publish(self, *, force: bool = False) -> None:
        mark = "+" if force else ""
        self.work.git("push", "-q", str(self.pull.repository.path), f"{mark}HEAD:refs/heads/{self.pull.head}")

    def open_threads(self) -> list[Any]:
        return [thread for thread in self.pull.threads if not thread.resolved]


@contextmanager
def launched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Launched]:
    with demo.repository(keep=False) as made, fake_github(folder / "github") as github:
        repository = github.repository(Path(made), "acme/launcher")
        pull = repository.pull(NUMBER, demo.HEAD, demo.BASE)
        work = Repo(folder / "work")
        work.git("fetch", "-q", made, "+refs/heads/*:refs/remotes/origin/*")
        work.git("checkout", "-q", "-b", demo.HEAD, f"refs/remotes/origin/{demo.HEAD}")
        served(github, monkeypatch)
        yield Launched(github, pull, work)


@contextmanager
def made(
    folder: Path, monkeypatch: pytest.MonkeyPatch, base: Files, head: Files, *, serve: str = "acme/launcher"
) -> Iterator[Launched]:
    """A pull request of the branch `change`: `head` on top of `base`, which is main."""
    work = Repo(folder / "work")
    written(work, base)
    work.commit("base")
    work.git("checkout", "-q", "-b", "change")
    written(work, head)
    work.commit("change")
    with fake_github(folder / "github") as github:
        repository = github.repository(work.path, serve)
        pull = repository.pull(NUMBER, "change")
        work.git("update-ref", "refs/remotes/origin/main", "main")
        served(github, monkeypatch)
        yield Launched(github, pull, work)


def written(work: Repo, files: Files) -> None:
    for name, content in files.items():
        if content is None:
            work.rm(name)
        else:
            work.write(name, content)


def served(github: FakeGitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    monkeypatch.setenv("GITHUB_SERVER_URL", github.server)
    monkeypatch.setenv("GITHUB_TOKEN", github.token)


def reviewed(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    """`reviewbot pr`: its exit code, stdout and stderr."""
    code = cli.run(["pr", f"acme/launcher#{NUMBER}", *options])
    out, err = capsys.readouterr()
    return code, out, err


def documents(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    _, out, _ = reviewed(capsys, "--format", "json", *options)
    return json.loads(out)
