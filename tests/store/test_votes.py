"""How people took the findings, counted once each."""

from __future__ import annotations

import pytest

from reviewbot.core.types.run import ClassVotes
from reviewbot.store import Store

REPO = "octo-org/demo"


def test_each_kind_is_counted_once_for_each_finding_of_a_pull_request(store: Store) -> None:
    for kind in ("found", "found", "dismissed", "down"):
        store.votes.record(REPO, 1, "blind-loop", "f1", kind, 1.0)
    store.votes.record(REPO, 2, "blind-loop", "f1", "found", 1.0)
    store.votes.record(REPO, 1, "blind-loop", "f2", "resolved", 1.0)
    store.votes.record(REPO, 1, "argument-hole", "f3", "fixed", 1.0)
    store.votes.record("octo-org/other", 1, "argument-hole", "f3", "found", 1.0)
    assert store.votes.by_class(REPO) == [
        ClassVotes("argument-hole", fixed=1),
        ClassVotes("blind-loop", found=2, dismissed=1, down=1, resolved=1),
    ]


def test_a_kind_that_there_is_not(store: Store) -> None:
    with pytest.raises(ValueError, match="slug: no kind of vote"):
        store.votes.record(REPO, 1, "blind-loop", "f", "slug", 1.0)
