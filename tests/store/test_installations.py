"""All of an installation goes with it, and nothing of another."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import create_engine, text

from reviewbot.store import Store, deletion
from reviewbot.store.tables import metadata, sessions, version, workers
from tests.store.rows import delivery, run


def fill(store: Store, installation: int, repo: str, each: int = 1) -> None:
    """Something in every table that is somebody's."""
    store.installations.remember(installation, f"account-{installation}", [repo])
    for n in range(each):
        id = f"{repo} {n}"
        store.runs.create(run(id, installation=installation, repo=repo, document={"x": 1}))
        store.runs.tick(id, "diff")
        store.deliveries.take([delivery(id, installation=installation, repo=repo)])
        store.votes.record(repo, n, "blind-loop", "f", "found", 1.0)
        store.answers.of(installation).write(id, b"x")


def rows(url: str) -> dict[str, int]:
    """How many rows each table has."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        counts = {
            name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()
            for name, table in metadata.tables.items()
            if table not in (version, workers, sessions)
        }
    engine.dispose()
    return counts


def test_everything_of_it_is_deleted(store: Store, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion, "BATCH", 2)
    fill(store, 8, "octo-org/other")
    others = rows(url)
    assert set(others.values()) == {1}
    fill(store, 7, "octo-org/demo", each=5)
    erased: list[str] = []
    store.installations.forget(7, erased.extend)
    assert sorted(erased) == [f"octo-org/demo {n}" for n in range(5)]
    assert rows(url) == others
    erased.clear()
    store.installations.forget(8, erased.extend)
    assert erased == ["octo-org/other 0"]
    assert set(rows(url).values()) == {0}
    erased.clear()
    store.installations.forget(8, erased.extend)
    assert erased == []


def test_a_run_stays_known_until_others_have_erased_it(store: Store, url: str) -> None:
    """Who is killed in between begins with it again."""
    fill(store, 7, "octo-org/demo", each=3)

    def killed(ids: Sequence[str]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.installations.forget(7, killed)
    erased: list[str] = []
    store.installations.forget(7, erased.extend)
    assert sorted(erased) == [f"octo-org/demo {n}" for n in range(3)]
    assert set(rows(url).values()) == {0}


def test_votes_go_also_where_the_repository_was_not_told(store: Store) -> None:
    store.runs.create(run("a", repo="octo-org/by-run"))
    store.deliveries.take([delivery("a", repo="octo-org/by-delivery")])
    for repo in ("octo-org/by-run", "octo-org/by-delivery"):
        store.votes.record(repo, 1, "blind-loop", "f", "found", 1.0)
    store.installations.forget(7, list)
    assert store.votes.by_class("octo-org/by-run") == store.votes.by_class("octo-org/by-delivery") == []


def test_repositories_that_are_given_back(store: Store, url: str) -> None:
    fill(store, 7, "octo-org/stays")
    before = rows(url)
    fill(store, 7, "octo-org/demo", each=2)
    erased: list[str] = []
    store.installations.leave(7, ["octo-org/demo", "octo-org/unknown"], erased.extend)
    assert sorted(erased) == ["octo-org/demo 0", "octo-org/demo 1"]
    # Whose question was about which repository is not known.
    assert rows(url) == before | {"reviewbot_answers": 3}


def test_a_repository_belongs_to_the_last_that_told_of_it(store: Store) -> None:
    assert store.installations.of("octo-org/demo") is None
    store.installations.remember(7, "octo-org", ["octo-org/demo", "octo-org/demo", "octo-org/second"])
    store.installations.remember(7, "octo-renamed")
    assert store.installations.of("octo-org/demo") == 7
    store.installations.remember(8, "octo-two", ["octo-org/demo"])
    assert (store.installations.of("octo-org/demo"), store.installations.of("octo-org/second")) == (8, 7)
