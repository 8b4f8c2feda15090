"""The payload of an event → what it changes about where the App is installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewbot.core.errand import Installed, Uninstalled
from reviewbot.hosts.payload import Fields, fields_of

_GRANTS = ("created", "unsuspend", "new_permissions_accepted")
MOST = 10_000  # repositories of one payload


def change(
    event: str, payload: bytes | Mapping[str, Any], file: str = "the payload"
) -> Installed | Uninstalled | None:
    """None: it changes nothing. Raises UsageError as hosts.event.trigger does."""
    if event not in ("installation", "installation_repositories"):
        return None
    fields = fields_of(payload, file)
    action = fields.text("action") if fields.values.get("action") is not None else ""
    found = fields.object("installation")
    number = found.number("id")
    if event == "installation" and action == "deleted":
        return Uninstalled(number)
    if event == "installation" and action in _GRANTS:
        return Installed(number, _account(found), _names(fields, "repositories"))
    if event == "installation_repositories" and action == "added":
        return Installed(number, _account(found), _names(fields, "repositories_added"))
    if event == "installation_repositories" and action == "removed":
        removed = _names(fields, "repositories_removed")
        return Uninstalled(number, removed) if removed else None
    return None


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
