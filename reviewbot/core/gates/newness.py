"""Whether a gate that fails failed before the change, and whether it fails again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reviewbot.core.gates.findings import held, unwanted
from reviewbot.core.gates.output import beyond, faults, in_tree, whole
from reviewbot.core.gates.plan import only
from reviewbot.core.gates.unplaced import counts_more, says_more
from reviewbot.core.patterns import pattern
from reviewbot.core.types import (
    ABSENT,
    EXECUTING,
    Change,
    GatePlan,
    GateResult,
    GateRun,
    GateStatus,
    Side,
    Status,
    Texts,
)

Results = tuple[GateResult, ...]
Identity = tuple[str, str, str, str]  # of a Fault
_RAN = (GateStatus.PASSED, GateStatus.FAILED)
_WORD = pattern(r"[^\s:\"'(),=\[\]]+")  # of an output, which can be a path
_SHOWN = 120  # characters of a row


def both(plan: GatePlan) -> GatePlan:
    """The plan, and behind it what executes once more, on the tree at base: what of it fails at head, or
    has failed before, is only known when it is too late to run beside it."""
    return GatePlan((*plan.runs, *(run._replace(side=Side.LEFT) for run in plan.runs if _twice(run))))


def apart(results: Sequence[GateResult], change: Change) -> Results:
    """Those of the results of `both` that are of head, in their order; what executes has its result at base
    with it, in which renamed files have their names at head. What names a file that base has not is skipped
    there, whatever came of it."""
    moved = {f.old_path: f.path for f in change.files if f.status is Status.RENAMED and f.old_path}
    base = (_renamed(result, moved) for result in results if result.run.side is Side.LEFT)
    head = (result for result in results if result.run.side is Side.RIGHT)
    return tuple(_with_base(result, next(base)) if _twice(result.run) else result for result in head)


def _renamed(base: GateResult, moved: Mapping[str, str]) -> GateResult:
    if not moved:
        return base
    output = _WORD.sub(lambda m: moved.get(in_tree(m[0]), m[0]), base.output)
    named = tuple(replace(text, path=moved.get(text.path, text.path)) for text in base.named)
    return base._replace(output=output, named=named)


def _twice(run: GateRun) -> bool:
    return run.tool == EXECUTING and run.verdict is None


def _with_base(head: GateResult, base: GateResult) -> GateResult:
    gone = [name for name in head.names if name not in base.names]
    if gone and base.status not in (GateStatus.REFUSED, GateStatus.SKIPPED):
        base = GateResult(base.run, GateStatus.SKIPPED, reason=f"there is no {gone[0]} at base")
    return head._replace(base=base)


def recheck(results: Sequence[GateResult], before: Texts) -> GatePlan:
    """What is still to be run for the results of `apart`, in order.

    A checker that shows faults runs on what base had of the faulty files; what executes and is new by
    comparison, or may be, runs at head once more. A result at base that is kept from an earlier review is not
    believed where it would make a failure new, or fixed. `before` is keyed by the paths at head, so that
    renamed files keep their names here.
    """
    return GatePlan(tuple(_further(result, side, before) for result in results for side in _asks(result)))


def _further(result: GateResult, side: Side, before: Texts) -> GateRun:
    if result.base is None:
        return _before(result, before)
    return result.run._replace(attempt=2) if side is Side.RIGHT else result.base.run._replace(fresh=True)


def _asks(result: GateResult) -> tuple[Side, ...]:
    """The sides at which a result asks for a further run."""
    base = result.base
    if base is None:
        return (Side.LEFT,) if result.status is GateStatus.FAILED or faults(result) else ()
    once_more = (Side.LEFT,) if base.kept else ()
    if result.status is GateStatus.PASSED and base.status is GateStatus.FAILED:
        return once_more
    if result.status is not GateStatus.FAILED or _lack_the_same(result, base):
        return ()
    if _blame(result, base) == "new":
        return (Side.RIGHT, *once_more)
    return (Side.RIGHT,) if not _apart(result, base) and says_more(result, base) else ()


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
    "flaky": it passed at a second attempt on the same tree; "fixed": it executes, passes, and failed on base.
    What only parses runs on base for its faults at head, so that nobody knows what else it would have found
    there.
    """
    asked = ((number, side) for number, result in enumerate(results) for side in _asks(result))
    further = dict(zip(asked, rechecked, strict=True))
    blamed = tuple(
        _blamed(result, further.get((number, Side.LEFT)), further.get((number, Side.RIGHT)))
        for number, result in enumerate(results)
    )
    blamed = _told_apart(blamed)
    return blamed, tuple(result.base for result in blamed if result.base)


def _told_apart(results: Results) -> Results:
    """`results`, where a gate that newly fails by what other gates had on base says so itself."""
    had = Counter(one for r in results if r.run.executes and r.base for one in _identities(r.base))
    return tuple(_telling(r, had) if r.run.executes else r for r in results)


def _telling(result: GateResult, had: Counter[Identity]) -> GateResult:
    if result.blame != "new" or result.told or result.base is None:
        return result
    own = _identities(result.base)
    new = {fault.identity for fault in beyond(result, result.base)}
    others = new and all(had[one] > (one in own) for one in new)
    return result._replace(told="on base another gate failed so") if others else result


def _identities(result: GateResult) -> set[Identity]:
    return {fault.identity for fault in faults(result)}


def _blamed(result: GateResult, before: GateResult | None, again: GateResult | None) -> GateResult:
    """A result with its blame, given those of its further runs at base and at head."""
    base = result.base
    if base is None:
        return _checked(result, before) if before else result
    base = before or base
    if again and again.status in _RAN:
        result = result._replace(again=again)
        drawn = _drawn(result, again)
        result, base = result._replace(drawn=drawn), base._replace(drawn=drawn)
    made = _compared(result, base)
    return made._replace(base=base._replace(blame=made.blame))


def _drawn(first: GateResult, second: GateResult) -> tuple[tuple[str, str, str], ...]:
    """The places of which two runs of one tree say different things."""
    one, other = _messages(first), _messages(second)
    return tuple(place for place in one if place in other and one[place] != other[place])


def _messages(result: GateResult) -> dict[tuple[str, str, str], Counter[str]]:
    found: dict[tuple[str, str, str], Counter[str]] = {}
    for fault in faults(result):
        found.setdefault(fault.place, Counter())[fault.gist] += 1
    return found


def _compared(result: GateResult, base: GateResult) -> GateResult:
    if result.status is GateStatus.PASSED and base.status is GateStatus.FAILED:
        return result._replace(blame="fixed")
    if result.status is GateStatus.TIMEOUT and base.status is GateStatus.PASSED and not base.kept:
        return result._replace(reason=f"{result.reason}; base passed in {base.seconds:.1f} s")
    if result.status is not GateStatus.FAILED:
        return result
    if _lack_the_same(result, base):
        return result._replace(status=GateStatus.MISSING)
    return _repeated(result._replace(blame=_blame(result, base)), base)


def _lack_the_same(head: GateResult, base: GateResult) -> bool:
    return base.status is GateStatus.MISSING and base.reason == head.reason


def _checked(result: GateResult, base: GateResult) -> GateResult:
    codes = {fault.code for fault in faults(result)}
    quiet = codes and all(unwanted(result, fault) for fault in faults(result))
    reason = f"only {', '.join(sorted(codes))}, never reported here" if quiet else result.reason
    return result._replace(blame=_blame(result, base), reason=reason, base=base)


def _repeated(result: GateResult, base: GateResult) -> GateResult:
    """A failure behind its second attempt, if there was one. What fails twice is not flaky, be it at other
    places."""
    if result.again and result.again.status is GateStatus.PASSED and result.blame in ("new", "unknown"):
        reasons = (result.reason, "a second run of the same tree passed")
        return result._replace(blame="flaky", reason="; ".join(filter(None, reasons)))
    if result.blame != "new":
        return result
    new = list(beyond(result, base))
    told = counts_more(result, base) if not new and base.status is GateStatus.FAILED else ""
    if new and not any(held(result, fault) for fault in new):
        told = "a second run of the same tree failed elsewhere"
    return result._replace(told=told)


def _blame(head: GateResult, base: GateResult) -> str:
    if base.status in (GateStatus.PASSED, GateStatus.SKIPPED):
        return "new"
    counts = head.run.executes and base.status is GateStatus.FAILED and counts_more(head, base)
    if counts or (base.status is GateStatus.FAILED and any(beyond(head, base))):
        return "new"
    return "unknown" if untold(head, base) else "preexisting"


def untold(head: GateResult, base: GateResult | None) -> str:
    """Why a failure at head, none of whose faults is new, may be a new one all the same; "" if it cannot."""
    if base is None or base.status is not GateStatus.FAILED:
        return "no result on base"
    if why := _apart(head, base):
        return why
    more = says_more(head, base) if head.run.executes else ""
    return f"it says what it does not on base, {more[:_SHOWN]!r}" if more else ""


def _apart(head: GateResult, base: GateResult) -> str:
    """Why two failures cannot be compared; "" if they can."""
    if head.exit != base.exit:
        return f"it exits {head.exit}, and {base.exit} on base"
    return "" if whole(head) and whole(base) else "not all of its output is known"
