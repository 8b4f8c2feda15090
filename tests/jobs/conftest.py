from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.jobs.databases import postgres

_NUMBERS = count()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a database that is not there yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/engine/jobs.sqlite"
    server: str = request.getfixturevalue("server")
    return f"{server}/jobs{next(_NUMBERS)}"
