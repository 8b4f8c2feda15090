"""All of an installation goes with it, and nothing of another."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import create_engine, text

from reviewbot.store import SUSPENDED, Store, deletion
from reviewbot.store.deliveries import UNINSTALLED
from reviewbot.store.tables import away, metadata, sessions, version, workers
from tests.store.conftest import Clock
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
        store.answers.of(installation, repo).write(id, b"x")


def rows(url: str) -> dict[str, int]:
    """How many rows each table has."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        counts = {
            name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()
            for name, table in metadata.tables.items()
            if table not in (version, workers, sessions, away)
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
    assert rows(url) == before


def test_a_repository_belongs_to_the_last_that_told_of_it(store: Store) -> None:
    assert store.installations.of("octo-org/demo") is None
    store.installations.remember(7, "octo-org", ["octo-org/demo", "octo-org/demo", "octo-org/second"])
    store.installations.remember(7, "octo-renamed")
    assert store.installations.of("octo-org/demo") == 7
    store.installations.remember(8, "octo-two", ["octo-org/demo"])
    assert (store.installations.of("octo-org/demo"), store.installations.of("octo-org/second")) == (8, 7)


def test_a_repository_is_found_under_another_case(store: Store, url: str) -> None:
    fill(store, 7, "octo-org/Demo", each=2)
    assert (store.installations.of("OCTO-org/demo"), store.installations.known()) == (7, {"octo-org/demo"})
    assert len(store.runs.of_repo("Octo-Org/demo", 9)) == 2
    store.installations.leave(7, ["Octo-Org/dEMO"], list)
    assert rows(url) == dict.fromkeys(rows(url), 0) | {"reviewbot_installations": 1}


def test_a_name_that_no_repository_has_any_more_goes_whoever_had_it(store: Store, url: str) -> None:
    fill(store, 7, "octo-org/stays")
    before = rows(url)
    fill(store, 7, "octo-org/demo", each=2)
    erased: list[str] = []
    store.installations.vanish(["Octo-org/demo"], erased.extend)
    assert sorted(erased) == ["octo-org/demo 0", "octo-org/demo 1"]
    assert rows(url) == before


def test_what_comes_late_of_one_that_left_is_ignored_and_names_nothing(store: Store, url: str) -> None:
    fill(store, 7, "octo-org/demo")
    store.installations.forget(7, list)
    again = delivery("gone", action="deleted", trigger={"kind": "Uninstalled", "fields": {}})
    late = delivery("late", trigger={"kind": "ReviewPull", "fields": {}})
    other = delivery("other", installation=8)
    assert store.deliveries.take([again, late, other, delivery("seen", state="ignored")]) == [True] * 4
    for id in ("late", "seen"):
        found = store.deliveries.get(id)
        assert found is not None
        assert found[4:6] + found[7:9] + found[10:] == ("", None, "ignored", UNINSTALLED, None)
    assert [row.id for row in store.deliveries.next(9)] == ["gone", "other"]
    assert not store.installations.remember(7, "octo-org", ["octo-org/demo"], resumed=True)
    assert (store.installations.away(7), store.installations.away(8)) == (UNINSTALLED, "")
    assert rows(url)["reviewbot_repositories"] == 0


def test_what_was_stored_while_it_was_forgotten_goes_later(store: Store, url: str, clock: Clock) -> None:
    store.installations.forget(7, list)
    store.deliveries.take([delivery("late")])
    store.runs.create(run("late"))
    store.answers.of(7, "octo-org/demo").write("late", b"x")
    erased: list[str] = []
    store.installations.finish(erased.extend)
    assert erased == ["late"]
    assert rows(url) == dict.fromkeys(rows(url), 0) | {"reviewbot_deliveries": 1}  # it names nothing
    clock.at += 91 * 86_400
    store.retain(90)
    assert store.installations.away(7) == ""


def test_one_that_is_suspended_until_it_is_not(store: Store, clock: Clock) -> None:
    store.installations.suspend(7)
    store.installations.suspend(7)
    clock.at += 91 * 86_400
    store.retain(90)
    store.installations.remember(7, "octo-org", ["octo-org/demo"])
    assert store.installations.away(7) == SUSPENDED
    store.installations.remember(7, "octo-org", resumed=True)
    assert store.installations.away(7) == ""
    store.installations.forget(7, list)
    store.installations.suspend(7)
    assert store.installations.away(7) == UNINSTALLED
