"""Who is logged in."""

from __future__ import annotations

import pytest

from reviewbot.store import Session, Store, sessions
from tests.store.conftest import Clock


def test_a_session_is_there_until_it_expires(store: Store, clock: Clock) -> None:
    store.sessions.open("octo-dev", "hash", clock.at + 10.0)
    assert store.sessions.get("hash") == Session("octo-dev", clock.at, clock.at + 10.0)
    assert store.sessions.get("other") is None
    clock.at += 10.0
    assert store.sessions.get("hash") is None


def test_a_session_is_there_until_it_is_closed(store: Store) -> None:
    store.sessions.open("octo-dev", "hash", 2_000_000.0)
    store.sessions.open("octo-dev", "hash2", 2_000_000.0)
    store.sessions.close("hash")
    assert store.sessions.get("hash") is None
    assert store.sessions.get("hash2") is not None


def test_each_login_has_its_latest_ones(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "EACH", 2)
    store.sessions.open("octo-two", "x", 2_000_000.0)
    for token in "abc":
        clock.at += 1.0
        store.sessions.open("octo-dev", token, 2_000_000.0)
    assert [token for token in "abcx" if store.sessions.get(token)] == ["b", "c", "x"]
