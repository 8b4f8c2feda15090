"""Whether a gate that fails failed before the change, and whether it fails again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reviewbot.core.gates.findings import held, unwanted
from reviewbot.core.gates.output import Fault, faults
from reviewbot.core.gates.plan import only
from reviewbot.core.types import (
    ABSENT,
    EXECUTING,
    GatePlan,
    GateResult,
    GateRun,
    GateStatus,
    Side,
    Texts,
)

Results = tuple[GateResult, ...]
Identity = tuple[str, str, str, str]


def both(plan: GatePlan) -> GatePlan:
    """The plan, and behind it what executes once more, on the tree at base: what of it fails at head, or
    has failed before, is only known when it is too late to run beside it."""
    return GatePlan((*plan.runs, *(run._replace(side=Side.LEFT) for run in plan.runs if _twice(run))))


def apart(results: Sequence[GateResult]) -> tuple[Results, Results]:
    """The results of `both` at head, and those at base: one for each at head that executes, in their
    order. What names a file that base has not is skipped there, whatever came of it."""
    head = tuple(result for result in results if result.run.side is Side.RIGHT)
    base = (result for result in results if result.run.side is Side.LEFT)
    pairs = zip((result for result in head if _twice(result.run)), base, strict=True)
    return head, tuple(_on_base(ours, theirs) for ours, theirs in pairs)


def _twice(run: GateRun) -> bool:
    return run.tool == EXECUTING and run.verdict is None


def _on_base(head: GateResult, base: GateResult) -> GateResult:
    gone = [name for name in head.run.names if name not in base.run.names]
    if not gone or base.status in (GateStatus.REFUSED, GateStatus.SKIPPED):
        return base
    return GateResult(base.run, GateStatus.SKIPPED, reason=f"there is no {gone[0]} at base")


def recheck(results: Sequence[GateResult], executed: Sequence[GateResult], before: Texts) -> GatePlan:
    """What is still to be run, one for each result that asks for it, in order. `results` and `executed` are
    those of `apart`.

    A checker that shows faults runs on what base had of the faulty files; what executes and is new by
    comparison runs at head once more. `before` is keyed by the paths at head, so that renamed files keep
    their names here.
    """
    runs = (
        _before(ours, before) if theirs is None else ours.run._replace(attempt=2, files=(), names=())
        for ours, theirs in _pairs(results, executed)
        if _asks(ours, theirs)
    )
    return GatePlan(tuple(runs))


def _pairs(
    results: Sequence[GateResult], executed: Sequence[GateResult]
) -> Iterator[tuple[GateResult, GateResult | None]]:
    """Each result of head, and that of base which ran beside it, if one did."""
    rest = iter(executed)
    return ((result, next(rest) if _twice(result.run) else None) for result in results)


def _asks(head: GateResult, base: GateResult | None) -> bool:
    if base is None:
        return _faulty(head)
    return head.status is GateStatus.FAILED and not _lack_the_same(head, base) and _blame(head, base) == "new"


def _before(result: GateResult, before: Texts) -> GateRun:
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


def blame(
    results: Sequence[GateResult], executed: Sequence[GateResult], rechecked: Sequence[GateResult]
) -> tuple[Results, Results]:
    """`results`, each faulty one with its blame, and all results of base. `rechecked` are those of `recheck`,
    in its order.

    "new": head has a fault that base has not; "preexisting": it has none; "unknown": the run on base came
    to no result; "flaky": nothing of what looked new came again on the same tree; "fixed": it executes,
    passes, and failed on base. What only parses runs on base for its faults at head, so that nobody knows
    what else it would have found there.
    """
    pairs = list(_pairs(results, executed))
    asked = (number for number, pair in enumerate(pairs) if _asks(*pair))
    further = dict(zip(asked, rechecked, strict=True))
    blamed = tuple(_blamed(*pair, further.get(number)) for number, pair in enumerate(pairs))
    return blamed, (*executed, *(result for result in rechecked if result.run.side is Side.LEFT))


def _blamed(result: GateResult, base: GateResult | None, rechecked: GateResult | None) -> GateResult:
    if base is None:
        return _checked(result, rechecked) if rechecked else result
    if result.status is GateStatus.PASSED and base.status is GateStatus.FAILED:
        return result._replace(blame="fixed")
    if result.status is not GateStatus.FAILED:
        return result
    if _lack_the_same(result, base):
        return result._replace(status=GateStatus.MISSING)
    result = result._replace(blame=_blame(result, base))
    return _repeated(result, base, rechecked) if rechecked else result


def _lack_the_same(head: GateResult, base: GateResult) -> bool:
    return base.status is GateStatus.MISSING and base.reason == head.reason


def _checked(result: GateResult, base: GateResult) -> GateResult:
    codes = {fault.code for fault in faults(result)}
    quiet = codes and all(unwanted(result, fault) for fault in faults(result))
    reason = f"only {', '.join(sorted(codes))}, never reported here" if quiet else result.reason
    return result._replace(blame=_blame(result, base), reason=reason)


def _repeated(result: GateResult, base: GateResult, again: GateResult) -> GateResult:
    """A new failure behind its second attempt, which can have come to no result itself."""
    if again.status not in (GateStatus.PASSED, GateStatus.FAILED):
        return result
    result = result._replace(again=again)
    old = Counter(_identities(base))
    new = list(_beyond(faults(result), old))
    if any(held(result, fault) for fault in new) or (not new and again.status is GateStatus.FAILED):
        return result
    ended = "passed" if again.status is GateStatus.PASSED else "failed elsewhere"
    reasons = (result.reason, f"a second run of the same tree {ended}")
    return result._replace(blame="flaky", reason="; ".join(filter(None, reasons)))


def _blame(head: GateResult, base: GateResult) -> str:
    if base.status in (GateStatus.PASSED, GateStatus.SKIPPED):
        return "new"
    if base.status is not GateStatus.FAILED:
        return "unknown"
    return "new" if Counter(_identities(head)) - Counter(_identities(base)) else "preexisting"


def _beyond(ours: Sequence[Fault], old: Counter[Identity]) -> Iterator[Fault]:
    for fault in ours:
        if old[_identity(fault)]:
            old[_identity(fault)] -= 1
        else:
            yield fault


def _identities(result: GateResult) -> Iterator[Identity]:
    return map(_identity, faults(result))


def _identity(fault: Fault) -> Identity:
    quote = "" if "unexpected end of file" in fault.gist else " ".join(fault.quote.split())
    return fault.path, fault.code, fault.gist, quote


def _faulty(result: GateResult) -> bool:
    return result.status is GateStatus.FAILED or bool(faults(result))
