"""What the events of installations change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewbot.core.errand import Installed, Suspended, Uninstalled, Vanished
from reviewbot.core.errors import UsageError
from reviewbot.hosts.installations import change

EVENTS = Path(__file__).parent.parent / "data" / "github" / "events"
ACCOUNT = {"id": 88, "account": {"login": "acme"}}


def test_official_payloads() -> None:
    created = (EVENTS / "installation.created.json").read_bytes()
    told = json.loads(created)
    names = tuple(row["full_name"] for row in told["repositories"])
    found = change("installation", created)
    assert found == Installed(told["installation"]["id"], told["installation"]["account"]["login"], names)
    deleted = (EVENTS / "installation.deleted.json").read_bytes()
    assert change("installation", deleted) == Uninstalled(json.loads(deleted)["installation"]["id"])
    suspend = (EVENTS / "installation.suspend.json").read_bytes()
    assert change("installation", suspend) == Suspended(json.loads(suspend)["installation"]["id"])
    resumed = {"action": "unsuspend", "installation": ACCOUNT}
    assert change("installation", resumed) == Installed(88, "acme", resumed=True)


@pytest.mark.parametrize(
    ("action", "key", "names", "expected"),
    [
        ("added", "repositories_added", ["acme/new"], Installed(88, "acme", ("acme/new",))),
        ("removed", "repositories_removed", ["acme/old"], Uninstalled(88, ("acme/old",))),
        ("removed", "repositories_removed", [], None),  # lest it mean: all
        ("renamed", "repositories", [], None),
    ],
)
def test_repositories(action: str, key: str, names: list[str], expected: Any) -> None:
    payload = {"action": action, "installation": ACCOUNT, key: [{"full_name": name} for name in names]}
    assert change("installation_repositories", payload) == expected


@pytest.mark.parametrize(
    ("action", "changes", "expected"),
    [
        ("deleted", None, "Acme/new"),
        ("renamed", {"repository": {"name": {"from": "old"}}}, "Acme/old"),
        ("transferred", {"owner": {"from": {"user": {"login": "octo-dev"}}}}, "octo-dev/new"),
        ("transferred", {"owner": {"from": {"organization": {"login": "octo"}, "user": None}}}, "octo/new"),
        ("privatized", None, None),
        ("edited", {"repository": {"name": {"from": "old"}}}, None),
    ],
)
def test_a_name_that_another_repository_can_have_soon(
    action: str, changes: Any, expected: str | None
) -> None:
    payload = {"action": action, "repository": {"full_name": "Acme/new"}, "changes": changes}
    assert change("repository", payload) == (Vanished((expected,)) if expected else None)


@pytest.mark.parametrize("action", ["renamed", "transferred"])
def test_a_change_of_a_name_that_does_not_say_from_what(action: str) -> None:
    with pytest.raises(UsageError, match="`changes`"):
        change("repository", {"action": action, "repository": {"full_name": "acme/new"}})


def test_other_events_change_nothing() -> None:
    assert change("pull_request", {"action": "opened"}) is None


@pytest.mark.parametrize(
    "payload",
    [
        {"action": "created"},
        {"action": "created", "installation": {"id": "88"}},
        {"action": "created", "installation": {"id": 88}},
        {"action": "created", "installation": ACCOUNT, "repositories": [7]},
        {"action": "created", "installation": ACCOUNT, "repositories": [{"full_name": 7}]},
    ],
)
def test_a_field_that_is_not_as_github_writes_it(payload: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="a payload as GitHub sends it"):
        change("installation", payload)
