from __future__ import annotations

from reviewbot.jobs.steps import Outcome, Step, Unreachable


def done(step: Step) -> Outcome:
    try:
        return step()
    except Unreachable as error:
        return Outcome(incomplete=(str(error),))
    except Exception as error:  # its words may be anybody's, and pages show what is kept
        return Outcome(incomplete=(type(error).__name__,))
