"""Whether a gate that fails failed before the change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reviewbot.core.gates.findings import unwanted
from reviewbot.core.gates.output import faults
from reviewbot.core.gates.plan import only
from reviewbot.core.types import ABSENT, GatePlan, GateResult, GateRun, GateStatus, Side, Texts


def on_base(results: Sequence[GateResult], before: Texts) -> GatePlan:
    """One run for each result that shows faults, in order: the same, on what base had of the faulty files,
    or on the whole tree at base where it executes.

    `before` is keyed by the paths at head, so that renamed files keep their names here.
    """
    return GatePlan(tuple(_before(result, before) for result in results if _faulty(result)))


def _before(result: GateResult, before: Texts) -> GateRun:
    if result.run.executes:
        return result.run._replace(side=Side.LEFT, files=(), reason="")
    paths = list(dict.fromkeys(fault.path for fault in faults(result)))
    paths = paths or [text.path for text in result.run.files]
    texts = [replace(before.files[p], path=p) for p in paths if p in before.files]
    whole = [text for text in texts if not text.partial]
    run = only(result.run, whole)._replace(side=Side.LEFT, reason="")
    if whole:
        return run
    reasons = {before.unread.get(path, "the text at base is not known") for path in paths}
    if reasons == {ABSENT}:
        return run._replace(verdict=GateStatus.SKIPPED, reason="there is no such file at base")
    return run._replace(verdict=GateStatus.REFUSED, reason="; ".join(sorted(reasons - {ABSENT})))


def blame(results: Sequence[GateResult], base_results: Sequence[GateResult]) -> tuple[GateResult, ...]:
    """`results`, each faulty one with its blame. `base_results` are those of `on_base`, in its order.

    "new": head has a fault that base has not; "preexisting": it has none; "unknown": the run on
    base came to no result.
    """
    faulty = [i for i, result in enumerate(results) if _faulty(result)]
    before = dict(zip(faulty, base_results, strict=True))
    return tuple(_blamed(r, before[i]) if i in before else r for i, r in enumerate(results))


def _blamed(result: GateResult, base: GateResult) -> GateResult:
    if base.status is GateStatus.MISSING and base.reason == result.reason:
        return result._replace(status=GateStatus.MISSING)  # it lacks the same on both sides
    codes = {fault.code for fault in faults(result)}
    quiet = codes and all(unwanted(result, fault) for fault in faults(result))
    reason = f"only {', '.join(sorted(codes))}, never reported here" if quiet else result.reason
    return result._replace(blame=_blame(result, base), reason=reason)


def _blame(head: GateResult, base: GateResult) -> str:
    if base.status in (GateStatus.PASSED, GateStatus.SKIPPED):
        return "new"
    if base.status is not GateStatus.FAILED:
        return "unknown"
    return "new" if Counter(_identities(head)) - Counter(_identities(base)) else "preexisting"


def _identities(result: GateResult) -> Iterator[tuple[str, str, str, str]]:
    for fault in faults(result):
        quote = "" if "unexpected end of file" in fault.gist else " ".join(fault.quote.split())
        yield fault.path, fault.code, fault.gist, quote


def _faulty(result: GateResult) -> bool:
    return result.status is GateStatus.FAILED or bool(faults(result))
