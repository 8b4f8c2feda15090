"""A served pull request, and a client to it whose time is not the clock's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from reviewbot.hosts.github.client import Access, Client
from tests.fakes.github import FakeGitHub, FakePull, FakeRepository, fake_github
from tests.repos import Repo

BEFORE = "".join(f"line {number}\n" for number in range(1, 41))
AFTER = BEFORE.replace("line 5\n", "LINE 5\nLINE 5b\n").replace("line 30\n", "")


@dataclass
class Time:
    """`naps` are the seconds that were slept."""

    now: float = 1_800_000_000.0
    naps: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.now += seconds


@dataclass
class Door:
    fake: FakeGitHub
    source: Repo
    served: FakeRepository
    pull: FakePull
    time: Time
    client: Client

    def access(self, token: str = "") -> Access:
        return Access(self.fake.url, self.fake.server, token or self.fake.token)

    def other(self, token: str = "") -> Client:
        return Client(self.access(token), sleep=self.time.sleep, clock=self.time)

    def push(self, branch: str = "topic") -> None:
        self.source.git("push", "-q", "--force", str(self.served.path), branch)


def source(folder: Path) -> Repo:
    """`topic` changes a.sh and has dir/new.py, on top of `main`."""
    repo = Repo(folder)
    repo.write("a.sh", BEFORE)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    repo.write("a.sh", AFTER)
    repo.write("dir/new.py", "x = 1\n")
    repo.commit("change")
    return repo


@contextmanager
def opened(folder: Path) -> Iterator[Door]:
    """acme/launcher#7 asks for `topic`."""
    repo = source(folder / "source")
    with fake_github(folder) as fake:
        served = fake.repository(repo.path)
        time = Time()
        client = Client(Access(fake.url, fake.server, fake.token), sleep=time.sleep, clock=time)
        yield Door(fake, repo, served, served.pull(7, "topic"), time, client)
