"""A GitHub on loopback: REST, GraphQL and git over HTTP, with real bare repositories behind it."""

from tests.fakes.github.exchange import Exchange, Fault
from tests.fakes.github.loopback import fake_github
from tests.fakes.github.model import FakePull, FakeRepository, FakeThread
from tests.fakes.github.server import FakeGitHub

__all__ = ["Exchange", "FakeGitHub", "FakePull", "FakeRepository", "FakeThread", "Fault", "fake_github"]
