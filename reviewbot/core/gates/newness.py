"""Whether a gate that fails failed before the change, and whether it fails again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reviewbot.core.gates.findings import held, unwanted
from reviewbot.core.gates.output import Fault, faults, whole
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


def both(plan: GatePlan) -> GatePlan:
    """The plan, and behind it what executes once more, on the tree at base: what of it fails at head, or
    has failed before, is only known when it is too late to run beside it."""
    return GatePlan((*plan.runs, *(run._replace(side=Side.LEFT) for run in plan.runs if _twice(run))))


def apart(results: Sequence[GateResult]) -> Results:
    """Those of the results of `both` that are of head, in their order; what executes has its result at base
    with it. What names a file that base has not is skipped there, whatever came of it."""
    base = (result for result in results if result.run.side is Side.LEFT)
    head = (result for result in results if result.run.side is Side.RIGHT)
    return tuple(_with_base(result, next(base)) if _twice(result.run) else result for result in head)


def _twice(run: GateRun) -> bool:
    return run.tool == EXECUTING and run.verdict is None


def _with_base(head: GateResult, base: GateResult) -> GateResult:
    gone = [name for name in head.names if name not in base.names]
    if gone and base.status not in (GateStatus.REFUSED, GateStatus.SKIPPED):
        base = GateResult(base.run, GateStatus.SKIPPED, reason=f"there is no {gone[0]} at base")
    return head._replace(base=base)


def recheck(results: Sequence[GateResult], before: Texts) -> GatePlan:
    """What is still to be run, one for each result of `apart` that asks for it, in order.

    A checker that shows faults runs on what base had of the faulty files; what executes and is new by
    comparison runs at head once more. `before` is keyed by the paths at head, so that renamed files keep
    their names here.
    """
    return GatePlan(
        tuple(
            result.run._replace(attempt=2) if result.base else _before(result, before)
            for result in results
            if _asks(result)
        )
    )


def _asks(result: GateResult) -> bool:
    if result.base is None:
        return result.status is GateStatus.FAILED or bool(faults(result))
    failed = result.status is GateStatus.FAILED
    return failed and not _lack_the_same(result, result.base) and _blame(result, result.base) == "new"


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


def blame(results: Sequence[GateResult], rechecked: Sequence[GateResult]) -> tuple[Results, Results]:
    """`results`, each faulty one with its blame and its result at base, and all of those at base.
    `rechecked` are the results of `recheck`, in its order.

    "new": head has a fault that base has not; "preexisting": it has none; "unknown": `untold` says why;
    "flaky": nothing of what looked new came again on the same tree; "fixed": it executes, passes, and
    failed on base. What only parses runs on base for its faults at head, so that nobody knows what else it
    would have found there.
    """
    asked = (number for number, result in enumerate(results) if _asks(result))
    further = dict(zip(asked, rechecked, strict=True))
    blamed = tuple(_blamed(result, further.get(number)) for number, result in enumerate(results))
    return blamed, tuple(result.base for result in blamed if result.base)


def _blamed(result: GateResult, rechecked: GateResult | None) -> GateResult:
    if result.base is None:
        return _checked(result, rechecked) if rechecked else result
    made = _compared(result, result.base, rechecked)
    return made._replace(base=result.base._replace(blame=made.blame))


def _compared(result: GateResult, base: GateResult, again: GateResult | None) -> GateResult:
    if result.status is GateStatus.PASSED and base.status is GateStatus.FAILED:
        return result._replace(blame="fixed")
    if result.status is not GateStatus.FAILED:
        return result
    if _lack_the_same(result, base):
        return result._replace(status=GateStatus.MISSING)
    result = result._replace(blame=_blame(result, base))
    return _repeated(result, base, again) if again else result


def _lack_the_same(head: GateResult, base: GateResult) -> bool:
    return base.status is GateStatus.MISSING and base.reason == head.reason


def _checked(result: GateResult, base: GateResult) -> GateResult:
    codes = {fault.code for fault in faults(result)}
    quiet = codes and all(unwanted(result, fault) for fault in faults(result))
    reason = f"only {', '.join(sorted(codes))}, never reported here" if quiet else result.reason
    return result._replace(blame=_blame(result, base), reason=reason, base=base)


def _repeated(result: GateResult, base: GateResult, again: GateResult) -> GateResult:
    """A new failure behind its second attempt, which can have come to no result itself."""
    if again.status not in (GateStatus.PASSED, GateStatus.FAILED):
        return result
    result = result._replace(again=again)
    new = list(_beyond(result, base))
    if any(held(result, fault) for fault in new) or (not new and again.status is GateStatus.FAILED):
        return result
    ended = "passed" if again.status is GateStatus.PASSED else "failed elsewhere"
    reasons = (result.reason, f"a second run of the same tree {ended}")
    return result._replace(blame="flaky", reason="; ".join(filter(None, reasons)))


def _blame(head: GateResult, base: GateResult) -> str:
    passed = base.status in (GateStatus.PASSED, GateStatus.SKIPPED)
    if passed or (base.status is GateStatus.FAILED and any(_beyond(head, base))):
        return "new"
    return "unknown" if untold(head, base) else "preexisting"


def untold(head: GateResult, base: GateResult | None) -> str:
    """Why a failure at head, none of whose faults is new, may be a new one all the same; "" if it cannot."""
    if base is None or base.status is not GateStatus.FAILED:
        return "no result on base"
    if head.exit != base.exit:
        return f"it exits {head.exit}, and {base.exit} on base"
    return "" if whole(head) and whole(base) else "not all of its output is known"


def _beyond(head: GateResult, base: GateResult) -> Iterator[Fault]:
    """The faults of head that base has not."""
    old = Counter(fault.identity for fault in faults(base))
    for fault in faults(head):
        if old[fault.identity]:
            old[fault.identity] -= 1
        else:
            yield fault
