"""Asking again after what may pass: an overloaded provider, a limit, a broken connection."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from reviewbot.core.ports import Model
from reviewbot.core.types import Answer, Question, Usage

_PASSING = ("overloaded", "limited", "unreachable")
LONGEST_WAIT = 30.0  # seconds between two attempts
PATIENCE = 120.0  # seconds from the first attempt to the beginning of the last
NOBODY_THERE = 20.0  # the same where nothing answers at all: a wrong address is known soon


class Patient:
    """Implements the Model port around another. The usage of an Answer is that of all its attempts.

    A provider may ask for a wait of weeks: one longer than LONGEST_WAIT is not begun.
    """

    def __init__(
        self,
        model: Model,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._sleep = sleep
        self._clock = clock

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        return tuple(self._one(question) for question in questions)

    def _one(self, question: Question) -> Answer:
        began = self._clock()
        usage, attempts = Usage(), 0
        while True:
            [answer] = self._model.ask((question,))
            usage = usage.plus(answer.usage)
            answer = answer._replace(usage=usage)
            attempts += 1
            wait = max(answer.retry_after, min(2.0 ** (attempts - 1), LONGEST_WAIT))
            if answer.reason not in _PASSING:
                return answer
            if wait > LONGEST_WAIT:
                return _noted(answer, f"it asks for a wait of {wait:,.0f} s")
            patience = NOBODY_THERE if answer.reason == "unreachable" else PATIENCE
            if self._clock() - began + wait > patience:
                return _noted(answer, f"attempts: {attempts}, in {patience:.0f} s")
            self._sleep(wait)


def _noted(answer: Answer, note: str) -> Answer:
    return answer._replace(detail=f"{answer.detail} ({note})")
