"""What is older than it is to be kept goes, and nothing else."""

from __future__ import annotations

import pytest

from reviewbot.store import Store, deletion
from tests.store.conftest import Clock
from tests.store.rows import delivery, run

DAY = 86_400.0


def fill(store: Store, clock: Clock, name: str) -> None:
    for n in range(3):
        id = f"{name}{n}"
        store.runs.create(run(id, created=clock.at, document={"x": 1}))
        store.runs.tick(id, "diff")
        store.deliveries.take([delivery(id, received=clock.at)])
        store.votes.record("octo-org/demo", 1, name, id, "found", clock.at)
        store.answers.write(id, b"x")
    store.workers.register(name, "a", "1")
    store.sessions.open("octo-dev", name, clock.at + 1.0)


def test_the_old_goes_and_the_rest_stays(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion, "BATCH", 2)
    fill(store, clock, "old")
    clock.at += 30 * DAY
    fill(store, clock, "new")
    clock.at += DAY
    assert store.retain(30) == {
        "runs": 3, "deliveries": 3, "votes": 3, "answers": 3, "sessions": 0, "workers": 1,
    }  # fmt: skip
    assert store.runs.get("old0") is None
    assert store.runs.ticks("old0") == []
    assert store.deliveries.get("old0") is None
    assert store.answers.read("old0") is None
    assert [row.slug for row in store.votes.by_class("octo-org/demo")] == ["new"]
    kept = store.runs.get("new0")
    assert kept is not None
    assert kept.document == {"x": 1}
    assert set(store.retain(30).values()) == {0}
