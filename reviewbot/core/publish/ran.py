"""What became of the gates, as the summary tells it: what passed in one line, what did not in a table."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.core.ask.redact import redacted
from reviewbot.core.publish.cap import inert
from reviewbot.core.report import words
from reviewbot.core.report.markup import code, details, fence, table
from reviewbot.core.types import GateStatus, Review

TAIL = 20  # lines of a failed gate's output
_PASSED, _SKIPPED = GateStatus.PASSED.value, GateStatus.SKIPPED.value


def gates(review: Review) -> Iterator[str]:
    told = list(words.told(review))
    passed = [_passed(*row) for row in told if row[1].startswith(_PASSED)]
    rest = [row for row in told if not row[1].startswith((_PASSED, _SKIPPED))]
    if rest:
        cells = [(code(redacted(line)), f"{n:,}", inert(what)) for line, what, n in rest]
        yield table(("Gate", "Runs", "Result"), cells)
    if passed:
        yield f"{'Other gates' if rest else 'Gates'}: {', '.join(passed)} passed."


def skipped(review: Review) -> Iterator[str]:
    """A line for each gate that had nothing to run on, or nothing to run with."""
    for line, what, _ in words.told(review):
        if what.startswith(_SKIPPED):
            yield f"{code(redacted(line))}: {inert(what.removeprefix(f'{_SKIPPED}: '))}"


def outputs(review: Review) -> Iterator[str]:
    for result in review.gates:
        if result.status is GateStatus.FAILED and result.output.strip():
            tail = "\n".join(result.output.rstrip("\n").split("\n")[-TAIL:])
            line = code(redacted(words.command(result)))
            yield details("Output of a failed gate", f"{line}\n\n{fence(tail, 'text')}")


def _passed(line: str, what: str, runs: int) -> str:
    """`bash -n <each>` (4 runs); of one that base fails also that."""
    apart = [words.count(runs, "run")] if runs > 1 else []
    apart += [inert(more)] if (more := what.removeprefix(_PASSED).lstrip(", ")) else []
    return code(redacted(line)) + (f" ({', '.join(apart)})" if apart else "")
