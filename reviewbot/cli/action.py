"""`reviewbot action`: the step of a GitHub Action. .github/actions/review/action.yml starts it."""

from __future__ import annotations

import os

from reviewbot.cli.parser import EXIT_CODES
from reviewbot.core.errors import EXIT_INCOMPLETE, ReviewbotError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from reviewbot.core.types import Review
    from reviewbot.core.types.inputs import Inputs
    from reviewbot.hosts.actions import Step
    from reviewbot.wiring.action import Done

EPILOG = """\
It reads the event at GITHUB_EVENT_PATH and the inputs of the action in
INPUT_…, and writes the step's summary, its outputs, annotations, and files for
the next steps below RUNNER_TEMP. docs/action/ has the workflows.

"""
LARGEST = 25_000_000  # bytes of an event
UNENDED = "**Not reviewed:** the review did not end. The log of this step says why.\n"
FILES = {"html": "report.html", "markdown": "report.md", "json": "report.json"}


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Review what the event of a GitHub Action is about, and say it there."
    command.epilog = EPILOG + EXIT_CODES
    command.set_defaults(run=_action)
    command.add_argument(
        "--hand-over", metavar="FILE", help="of a workflow_run: what the run of the fork left (an artifact)"
    )


def _action(arguments: argparse.Namespace) -> int:
    """What goes wrong is in the summary too. Until it has ended, the summary and the outputs say that it has
    not: whatever kills this process, nothing looks clean."""
    from reviewbot.core.inputs import variable
    from reviewbot.hosts import actions, output

    named = (variable("token"), variable("anthropic-api-key"), actions.TOKEN, actions.KEY)
    actions.mask(os.environ.get(name, "") for name in named)
    at = actions.step(os.environ)
    actions.write_summary(at, UNENDED)
    actions.set_outputs(at, _outputs("incomplete"))
    try:
        return _reviewed(at, arguments.hand_over)
    except (ReviewbotError, OSError) as error:
        from reviewbot.core.report.markup import prose

        said = str(error)
        actions.write_summary(at, f"**Not reviewed:** {prose(said)}\n")
        output.show(actions.plain(f"error: {said}") + actions.notice("error", said))
        return error.exit_code if isinstance(error, ReviewbotError) else EXIT_INCOMPLETE


def _reviewed(at: Step, hand_over: str | None) -> int:
    from reviewbot.core.inputs import read_inputs
    from reviewbot.hosts import actions, handover, output
    from reviewbot.hosts.signals import terminable
    from reviewbot.wiring.action import Work, run_action

    inputs = read_inputs(os.environ)
    if hand_over:
        inputs = inputs._replace(hand_over=hand_over)
    actions.take_over(inputs)
    payload = output.read_input(at.payload, "the event", LARGEST)
    with terminable():
        done = run_action(Work(at.event, payload, at.payload, inputs, os.getcwd()))
    files = {}
    if done.hand_over is not None:
        files["hand-over"] = _saved(at, "hand-over.json", handover.written(done.hand_over))
    if done.review is None:
        return _nothing(at, done, files)
    return _told(at, done, done.review, inputs, files)


def _nothing(at: Step, done: Done, files: dict[str, str]) -> int:
    from reviewbot.core.report.markup import prose
    from reviewbot.hosts import actions, output

    actions.write_summary(at, f"**Not reviewed:** {prose(done.said)}.\n")
    actions.set_outputs(at, _outputs("none", files=files))
    output.show(actions.plain(done.said))
    return 0


def _told(at: Step, done: Done, review: Review, inputs: Inputs, files: dict[str, str]) -> int:
    from reviewbot.assets import look
    from reviewbot.core.ask.redact import redacted
    from reviewbot.core.report import FORMATS, Page
    from reviewbot.core.report.stepsummary import step_summary
    from reviewbot.core.report.words import verdict
    from reviewbot.hosts import actions, output
    from reviewbot.wiring.action import exit_of

    page, where = Page(look=look), "The log of the step has the verdict."
    if inputs.report in FORMATS:
        files["report"] = _saved(at, FILES[inputs.report], redacted(FORMATS[inputs.report](review, page)))
        where = f"The artifact of this run has the whole report, in {FILES[inputs.report]}."
    if inputs.sarif and "sarif" in FORMATS:
        files["sarif"] = _saved(at, "reviewbot.sarif", redacted(FORMATS["sarif"](review, page)))
    notes = tuple(_notes(done, review, inputs))
    actions.write_summary(at, step_summary(notes, redacted(FORMATS["markdown"](review, page)), where))
    decided = sum(finding.decides for finding in review.findings)
    actions.set_outputs(at, _outputs(review.verdict, decided, len(review.incomplete), files))
    output.show(actions.plain(verdict(review)) + (actions.plain(done.said) if done.said else ""))
    if review.incomplete:
        level = "error" if inputs.gate else "warning"
        output.show(actions.notice(level, f"the review is not whole: {verdict(review)}"))
    if "annotations" in FORMATS:
        output.show(redacted(FORMATS["annotations"](review, page)))
    return exit_of(review, inputs)


def _notes(done: Done, review: Review, inputs: Inputs) -> Iterator[str]:
    """Above the report: why nothing is posted, where it is posted, and whether code could be run."""
    from reviewbot.gates.sandbox import level

    yield from done.notes
    if review.incomplete and not inputs.gate:
        yield "The review is not whole; the step does not fail by it, since the input `gate` is `false`."
    if done.said:
        yield f"{done.said}." if done.notes or " " in done.said else f"Posted: {done.said}"
    full, why, remedy = level()
    if full:
        yield "Sandbox: full; gates that execute code run in it, where the configuration lets them."
    else:
        yield f"Sandbox: none, gates that execute code are refused: {why}; {remedy}."


def _saved(at: Step, name: str, text: str) -> str:
    from reviewbot.hosts import output

    path = os.path.join(at.folder, name)
    output.save(text, path)
    return path


def _outputs(
    verdict: str, findings: int = 0, incomplete: int = 0, files: dict[str, str] | None = None
) -> dict[str, str]:
    """All of them, so that none is left from before."""
    counts = {"verdict": verdict, "findings": str(findings), "incomplete": str(incomplete)}
    paths = {name: (files or {}).get(name, "") for name in ("report", "sarif", "hand-over")}
    return counts | paths
