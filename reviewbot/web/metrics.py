"""What /metrics shows. No label is a name from outside: labels stay few, and they give nobody away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from reviewbot.core.errors import StoreDown
from reviewbot.store import Store

TYPE = "text/plain; version=0.0.4; charset=utf-8"
_ANSWERS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0)
_WORK = (0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1_800.0)
_WAIT = ("received", "claimed")


class Meters:
    """Of one server: two of them in one process do not share a number."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._registry = registry = CollectorRegistry()
        self._taken = Counter(
            "reviewbot_deliveries", "Deliveries taken, by what was decided", ["state"], registry=registry
        )
        self._answers = Histogram(
            "reviewbot_webhook_seconds",
            "Time to the answer of a delivery, by its status",
            ["status"],
            buckets=_ANSWERS,
            registry=registry,
        )
        self._runs = Counter(
            "reviewbot_runs_ended",
            "Reviews ended here, by state and verdict",
            ["state", "verdict"],
            registry=registry,
        )
        self._gates = Histogram(
            "reviewbot_gate_seconds", "Time of each gate", ["status"], buckets=_WORK, registry=registry
        )
        self._models = Histogram(
            "reviewbot_model_seconds", "Time of a review's questions", buckets=_WORK, registry=registry
        )
        self._usd = Counter("reviewbot_model_dollars", "Spent on questions to models", registry=registry)
        registry.register(_Stored(store, clock))

    def delivered(self, state: str) -> None:
        self._taken.labels(state).inc()

    def answered(self, status: int, seconds: float) -> None:
        self._answers.labels(str(status)).observe(seconds)

    def ended(self, state: str, report: Mapping[str, Any]) -> None:
        """A run is over; `report` is what cli.companion tells of it."""
        self._runs.labels(state, str(report["verdict"])).inc()
        for gate in report["gates"]:
            self._gates.labels(str(gate["status"])).observe(float(gate["seconds"]))
        usage = report["usage"]
        if usage and usage["calls"]:
            self._models.observe(float(usage["seconds"]))
            self._usd.inc(float(usage["usd"]))

    def text(self) -> bytes:
        """Asks the store: not for the event loop's thread."""
        return generate_latest(self._registry)


class _Stored(Collector):
    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return ()  # or registering would ask the store

    def collect(self) -> Iterable[GaugeMetricFamily]:
        try:
            deliveries, runs = self._store.deliveries.counts(), self._store.runs.counts()
            oldest = self._store.deliveries.oldest()
        except StoreDown:
            yield GaugeMetricFamily("reviewbot_store_up", "Whether the store answers", 0)
            return
        yield GaugeMetricFamily("reviewbot_store_up", "Whether the store answers", 1)
        yield _by_state("reviewbot_stored_deliveries", "Deliveries in the store", deliveries)
        yield _by_state("reviewbot_stored_runs", "Reviews in the store", runs)
        waiting = sum(count for state, count in deliveries.items() if state in _WAIT)
        yield GaugeMetricFamily("reviewbot_queue_depth", "Deliveries that wait for work", waiting)
        age = 0.0 if oldest is None else max(0.0, self._clock() - oldest)
        yield GaugeMetricFamily("reviewbot_queue_age_seconds", "How long the oldest of them waits", age)


def _by_state(name: str, text: str, counts: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=["state"])
    for state, count in sorted(counts.items()):
        family.add_metric([state], count)
    return family
