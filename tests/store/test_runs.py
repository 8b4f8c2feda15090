"""What is known of a run while it goes, and afterwards."""

from __future__ import annotations

import pytest

from reviewbot.core.types.run import Progressed, RepoRow
from reviewbot.store import Store, columns
from tests.store.conftest import Clock
from tests.store.rows import NASTY, run


def test_what_is_created_is_there_with_every_field(store: Store) -> None:
    full = run(
        "a", why="opened", title="t", author="octo-dev", url="https://x", head="h", base="b", kind="command",
        state="done", verdict="clean", begun=1.0, ended=2.0, worker="w", usd=0.25, error="e",
        document={"schema": "reviewbot.review/1"}, facts={"config": {}},
    )  # fmt: skip
    assert store.runs.create(full)
    assert store.runs.get("a") == full
    assert store.runs.get("b") is None


def test_a_run_is_created_once(store: Store) -> None:
    assert store.runs.create(run("a"))
    assert not store.runs.create(run("a", title="other"))
    assert store.runs.get("a") == run("a")


def test_the_life_of_a_run(store: Store, clock: Clock) -> None:
    store.runs.create(run("a"))
    clock.at = 1_000_001.0
    assert store.runs.begin("a", "w1")
    store.runs.note("a", head="h", base="b", title="t", author="octo-dev", url="https://x", facts={"x": 1})
    store.runs.note("a", facts={"y": 2})
    clock.at = 1_000_002.0
    assert store.runs.begin("a", "w2")  # taken over
    store.runs.finish("a", "done", "findings", {"findings": []}, 0.5)
    assert store.runs.get("a") == run(
        "a", head="h", base="b", title="t", author="octo-dev", url="https://x", state="done", worker="w2",
        verdict="findings", begun=1_000_001.0, ended=1_000_002.0, usd=0.5,
        document={"findings": []}, facts={"x": 1, "y": 2},
    )  # fmt: skip
    assert not store.runs.begin("a", "w3")


def test_ticks_are_numbered_within_their_run(store: Store, clock: Clock) -> None:
    for id in ("a", "b"):
        store.runs.create(run(id))
        store.runs.tick(id, "diff")
    clock.at += 1.0
    store.runs.tick("a", "gates", 1, 3)
    both = [Progressed(0, 1_000_000.0, "diff"), Progressed(1, 1_000_001.0, "gates", 1, 3)]
    assert store.runs.ticks("a") == both
    assert store.runs.ticks("a", after=0) == both[1:]
    assert store.runs.ticks("a", after=1) == []


def test_ticks_are_bounded_and_the_last_is_always_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reviewbot.store.runs.TICKS", 4)
    store.runs.create(run("a"))
    for done in range(9):
        store.runs.tick("a", "model", done, 9)
        assert store.runs.ticks("a")[-1].done == done
    assert [tick.n for tick in store.runs.ticks("a")] == [0, 1, 2, 8]


def test_cancelling(store: Store) -> None:
    store.runs.create(run("a"))
    assert store.runs.cancel_asked("a") == ""
    assert store.runs.ask_cancel("a", "a newer push")
    assert store.runs.ask_cancel("a", "asked for by octo-dev")
    assert store.runs.cancel_asked("a") == "a newer push"
    store.runs.finish("a", "cancelled", error="a newer push")
    assert not store.runs.ask_cancel("a", "again")


def test_a_cancel_without_a_reason_is_asked(store: Store) -> None:
    store.runs.create(run("a"))
    store.runs.ask_cancel("a", "")
    assert store.runs.cancel_asked("a")


def test_what_is_asked_of_a_deleted_run_does_nothing_and_it_is_to_stop(store: Store) -> None:
    assert not store.runs.begin("a", "w")
    store.runs.tick("a", "diff")
    store.runs.note("a", head="h", facts={"x": 1})
    store.runs.finish("a", "done", "clean", {"x": 1})
    assert store.runs.cancel_asked("a")
    store.runs.create(run("a"))
    assert store.runs.get("a") == run("a")
    assert store.runs.ticks("a") == []


def test_lists(store: Store) -> None:
    for n, state in enumerate(["running", "waiting", "done", "failed", "cancelled"]):
        store.runs.create(run(str(n), state=state, created=1_000_000.0 - n, worker=f"w{n}", document={}))
    store.runs.create(run("x", number=4, created=1.0))
    store.runs.create(run("y", repo="octo-org/other"))
    assert [each.id for each in store.runs.open_of("octo-org/demo", 3)] == ["1", "0"]
    assert [each.id for each in store.runs.open()] == ["0", "x", "1", "y"]
    assert [each.id for each in store.runs.of_repo("octo-org/demo", 3)] == ["0", "1", "2"]
    assert [each.id for each in store.runs.of_repo("octo-org/demo", 9, before=999_998.0)] == ["3", "4", "x"]
    assert [each.document for each in store.runs.of_repo("octo-org/demo", 1)] == [None]
    assert [each.id for each in store.runs.stale({"w1"})] == ["0"]
    assert store.runs.stale(["w0", "w1"]) == []
    assert store.runs.counts() == {"running": 1, "waiting": 3, "done": 1, "failed": 1, "cancelled": 1}


def test_repositories(store: Store) -> None:
    for n, verdict in enumerate(["clean", "clean", "findings", "incomplete", ""]):
        store.runs.create(run(str(n), verdict=verdict, usd=0.25, created=10.0 + n))
    store.runs.create(run("x", repo="octo-org/other", created=20.0))
    none = {"clean": 0, "findings": 0, "incomplete": 0}
    demo = RepoRow("octo-org/demo", 5, 14.0, {"clean": 2, "findings": 1, "incomplete": 1}, 1.25)
    other = RepoRow("octo-org/other", 1, 20.0, none, 0.0)
    assert store.runs.repos() == [other, demo]
    assert store.runs.repos(limit=1) == [other]


def test_any_text_is_kept(store: Store) -> None:
    nasty = run(
        NASTY, why=NASTY, title=NASTY, author=NASTY, head=NASTY, error=NASTY, document={NASTY: [NASTY]}
    )
    assert store.runs.create(nasty)
    store.runs.tick(NASTY, NASTY)
    kept = store.runs.get(NASTY)
    assert kept is not None
    assert kept.document == {NASTY: [NASTY]}
    assert kept.title == NASTY.replace("\0", "\ufffd").replace("\udc80", "\ufffd")
    assert len(store.runs.ticks(NASTY)) == 1


def test_a_long_text_is_cut(store: Store) -> None:
    store.runs.create(run("a", title="x" * 10_000))
    kept = store.runs.get("a")
    assert kept is not None
    assert kept.title == "x" * 499 + "…"


def test_a_report_that_is_too_large_is_not_kept_and_that_is_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "PACKED", 100)
    store.runs.create(run("a"))
    store.runs.finish("a", "done", "findings", {"x": [str(n * n) for n in range(1_000)]}, error="why")
    kept = store.runs.get("a")
    assert kept is not None
    assert (kept.document, kept.verdict) == (None, "findings")
    assert kept.error.startswith("why; the report is not kept: ")
