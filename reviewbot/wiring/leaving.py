"""Who leaves takes all along: rows, jobs, and the clones in the state folder of each server."""

from __future__ import annotations

import time
from threading import Event

from reviewbot.core.errand import Uninstalled, Vanished
from reviewbot.gates import state
from reviewbot.hosts.github.kept import sweep
from reviewbot.jobs.durable import Durable
from reviewbot.store import Store

DAY = 86_400.0
SWEEP = 60.0  # seconds between two looks for clones of those who have left: other servers hear of it by them
ALL = 100_000  # runs


class Leaving:
    def __init__(self, store: Store, engine: Durable, days: float) -> None:
        """days: how long runs are kept."""
        self._store, self._engine, self._days = store, engine, days
        self._left = Event()
        self._kept = self._swept = 0.0

    def forget(self, errand: Uninstalled | Vanished) -> str:
        """Delete all that is kept of it. What it was, in words."""
        gone, erase = self._store.installations, self._engine.erase
        words = ", ".join(errand.repos)
        if isinstance(errand, Vanished):
            gone.vanish(errand.repos, erase)
        elif errand.repos:
            gone.leave(errand.installation, errand.repos, erase)
        else:
            gone.forget(errand.installation, erase)
            words = f"installation {errand.installation}"
        self._left.set()
        return f"deleted what was kept of {words}"

    def tidy(self) -> None:
        """To be called every few seconds: it does what is due."""
        if not self._kept or time.monotonic() - self._kept > DAY:
            self._kept = time.monotonic()
            self._store.installations.finish(self._engine.erase)
            self._store.retain(self._days)
            self._engine.forget(DAY)
        if self._left.is_set() or not self._swept or time.monotonic() - self._swept > SWEEP:
            self._swept = time.monotonic()
            self._left.clear()
            folder = state.folder("clones")
            if folder and sweep(folder, self._store.installations.known()):
                self._left.set()  # some are in use, and are looked for again at once
