"""What holds for every test: no word of this machine's environment, no network but loopback."""

from __future__ import annotations

import ipaddress
import os
import re
import shutil
import socket
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import settings

SCRUBBED = re.compile(
    r"CI$|(GH|GITHUB|RUNNER|ANTHROPIC|REVIEWBOT|GIT)_|(NO_COLOR|FORCE_COLOR|COLUMNS|PYTHONUNBUFFERED)$"
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test has logged may hold lone surrogates, which one process cannot send to the other."""
    report = yield
    report.sections = [(name, ascii(text) if not text.isascii() else text) for name, text in report.sections]
    return report


# How long an example takes says something about the machine, not about the code.
settings.register_profile("house", deadline=None)
# `make test` has 15 minutes on two cores; the others are looked for by `make fuzz`, every night.
settings.register_profile("brief", settings.get_profile("ci"), max_examples=50)
settings.register_profile("long", deadline=None, max_examples=2000, print_blob=True)  # `make fuzz`
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("brief" if "CI" in os.environ else "house"))


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the tests of one run remember between them: that the sandbox has been tried."""
    return str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, kept: str) -> Iterator[None]:
    """No test takes a gate's result from another."""
    for name in [name for name in os.environ if SCRUBBED.match(name)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", kept)
    yield
    shutil.rmtree(os.path.join(kept, "results"), ignore_errors=True)


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that would reach another machine fails, whatever that machine would have said."""

    def guarded(name: str) -> Any:
        real = getattr(socket.socket, name)

        def call(self: socket.socket, *args: Any) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6) and not is_loopback(args[-1][0]):
                raise AssertionError(f"a test tried to reach {args[-1]}; only loopback is allowed")
            return real(self, *args)

        return call

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, guarded(name))


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
