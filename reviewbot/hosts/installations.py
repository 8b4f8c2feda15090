"""The payload of an event → what it changes about where the App is installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from reviewbot.core.errand import Installed, Suspended, Uninstalled, Vanished
from reviewbot.hosts.payload import Fields, fields_of

_GRANTS = ("created", "unsuspend", "new_permissions_accepted")
MOST = 10_000  # repositories of one payload

Change: TypeAlias = Installed | Suspended | Uninstalled | Vanished


def change(event: str, payload: bytes | Mapping[str, Any], file: str = "the payload") -> Change | None:
    """None: it changes nothing. Raises UsageError as hosts.event.trigger does."""
    reader = {
        "installation": _installation,
        "installation_repositories": _chosen,
        "repository": _repository,
    }.get(event)
    if reader is None:
        return None
    fields = fields_of(payload, file)
    return reader(fields, fields.text("action") if fields.values.get("action") is not None else "")


def _installation(fields: Fields, action: str) -> Change | None:
    found = fields.object("installation")
    number = found.number("id")
    if action == "deleted":
        return Uninstalled(number)
    if action == "suspend":
        return Suspended(number)
    if action in _GRANTS:
        return Installed(number, _account(found), _names(fields, "repositories"), action == "unsuspend")
    return None


def _chosen(fields: Fields, action: str) -> Change | None:
    found = fields.object("installation")
    number = found.number("id")
    if action == "added":
        return Installed(number, _account(found), _names(fields, "repositories_added"))
    removed = _names(fields, "repositories_removed") if action == "removed" else ()
    return Uninstalled(number, removed) if removed else None


def _repository(fields: Fields, action: str) -> Change | None:
    """Who may read the pages of a repository is asked by its name, which is another one's soon."""
    if action not in ("deleted", "renamed", "transferred"):
        return None
    full = fields.object("repository").text("full_name")
    if action == "deleted":
        return Vanished((full,))
    owner, _, name = full.partition("/")
    changes = fields.object("changes")
    if action == "renamed":
        return Vanished((f"{owner}/{changes.object('repository').object('name').text('from')}",))
    before = changes.object("owner").object("from")
    whose = before.inner("organization") or before.object("user")
    return Vanished((f"{whose.text('login')}/{name}",))


def _account(installation: Fields) -> str:
    """An enterprise has a slug and no login."""
    account = installation.object("account")
    return account.text("login" if account.values.get("login") is not None else "slug")


def _names(fields: Fields, key: str) -> tuple[str, ...]:
    rows = fields.values.get(key) or []
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise fields.wrong(key, "a list of objects")
    items = (Fields(row, fields.file, f"{fields.path}{key}[{n}].") for n, row in enumerate(rows[:MOST]))
    return tuple(item.text("full_name") for item in items)
