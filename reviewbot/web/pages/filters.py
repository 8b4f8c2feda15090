"""How times read on a page, beside what core/report/filters.py says of values."""

from __future__ import annotations

from datetime import UTC, datetime

from reviewbot.core.report import filters, words


def ago(now: float, at: float) -> str:
    """`just now`, `5 min ago`, `3 h ago`, `2 days ago`; what is a month old has its date."""
    passed = now - at
    if passed < 45:
        return "just now"
    if passed < 3570:
        return f"{round(passed / 60)} min ago"
    if passed < 84600:
        return f"{round(passed / 3600)} h ago"
    if passed < 30 * 86400:
        return f"{words.count(round(passed / 86400), 'day')} ago"
    return stamp(at)[:10]


def iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def stamp(at: float) -> str:
    """`2026-11-30 22:48:42 UTC`."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC"


FILTERS = filters.FILTERS | {"iso": iso, "percent": lambda share: f"{share:.0%}", "stamp": stamp}
