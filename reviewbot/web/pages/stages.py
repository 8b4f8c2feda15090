"""The stages of a run as a list that ticks: the same for the page and for what follows it live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reviewbot.core.publish.summary import STAGES
from reviewbot.core.report.filters import duration
from reviewbot.core.types.run import Progressed, Run

# Before the stages that the comment names: the commits are fetched.
_DOES = {"fetch": "Fetch the commits", **dict(STAGES)}
OPEN = ("waiting", "running")


class Stage(NamedTuple):
    stage: str
    does: str
    state: str  # waiting | running | done | stopped | skipped
    amount: str = ""  # "3 of 8", "1.2 s"


def stages(run: Run, ticks: Sequence[Progressed]) -> list[Stage]:
    """All that are known, and then whatever else the run has named, in the order in which it came."""
    seen: dict[str, Progressed] = {}
    begun: dict[str, float] = {}
    for tick in ticks:
        seen[tick.stage] = tick
        begun.setdefault(tick.stage, tick.at)
    order = list(begun)
    rows = [*_DOES, *(name for name in order if name not in _DOES)]
    return [_stage(run, name, order, seen, begun) for name in rows]


def _stage(
    run: Run, name: str, order: Sequence[str], seen: dict[str, Progressed], begun: dict[str, float]
) -> Stage:
    does = _DOES.get(name, name)
    if name not in seen and name == "posting" and (run.facts or {}).get("posted"):
        return Stage(name, does, "done")  # the run notes what it posted, and ticks no stage for it
    if name not in seen:
        return Stage(name, does, "waiting" if run.state in OPEN else "skipped")
    tick, at = seen[name], order.index(name)
    last = at + 1 == len(order)
    amount = f"{tick.done:,} of {tick.total:,}" if tick.total else ""
    whole = tick.done >= tick.total if tick.total else not last
    if whole or not last or run.state == "done":
        end = tick.at if last and run.ended is None else run.ended if last else begun[order[at + 1]]
        took = duration(end - begun[name]) if end is not None else ""
        return Stage(name, does, "done", ", ".join(filter(None, (amount, took))))
    return Stage(name, does, "running" if run.state in OPEN else "stopped", amount)
