"""What one repository's reviews have spent today, in a file that several processes share."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from math import isfinite


class DayLedger:
    """At most `max_usd` a day. `path`: a file of its own; beside it `path`.lock is made. `day`: that on
    which the review began, and on which all its calls are booked.

    What is set aside counts as spent until it is settled, also where the process that did so was killed.
    A ledger that cannot be read or kept allows nothing: what was spent is not known then.
    """

    def __init__(self, path: str, max_usd: float, day: str = "") -> None:
        self._path = path
        self._max_usd = max_usd
        self._day = day or datetime.now(UTC).date().isoformat()

    def reserve(self, usd: float) -> str:
        """Why not, in words; "": it is set aside."""
        try:
            with self._locked():
                days = self._read()
                spent = days.get(self._day, 0.0)
                if spent + usd > self._max_usd:
                    return f"it may cost ${usd:.2f}; of ${self._max_usd:.2f} a day ${spent:.2f} are spent"
                self._write({**days, self._day: spent + usd})
        except (OSError, ValueError) as error:
            return f"what was spent today is not known: {self._path}: {error}; remove the file"
        return ""

    def settle(self, reserved: float, paid: float) -> None:
        """Book what was paid in place of what was set aside. Where that fails, the latter stands."""
        try:
            with self._locked():
                days = self._read()
                spent = days.get(self._day, 0.0) - reserved + paid
                self._write({**days, self._day: max(spent, 0.0)})
        except (OSError, ValueError):
            return

    @contextmanager
    def _locked(self) -> Iterator[None]:
        os.makedirs(os.path.dirname(self._path), 0o700, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        lock = os.open(f"{self._path}.lock", flags, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _read(self) -> dict[str, float]:
        """By day. Raises ValueError where the file holds something else."""
        try:
            with open(self._path, encoding="utf-8") as file:
                days = json.load(file)
        except FileNotFoundError:
            return {}
        if not isinstance(days, dict) or not all(
            isinstance(usd, float) and isfinite(usd) for usd in days.values()
        ):
            raise ValueError("it is no ledger")
        return days

    def _write(self, days: dict[str, float]) -> None:
        new = f"{self._path}.new"  # nobody else writes it: the lock is held
        with open(new, "w", encoding="utf-8") as file:
            json.dump({day: usd for day, usd in days.items() if day >= self._day}, file)
        os.replace(new, self._path)
