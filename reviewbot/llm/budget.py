"""Never more than was allowed: what a call may cost is set aside before it starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition

from reviewbot.core.ports import Model
from reviewbot.core.types import Answer, Question
from reviewbot.llm.dayledger import DayLedger
from reviewbot.llm.models import ModelFacts, facts


class Budget:
    """Implements the Model port around another; may be asked from several threads.

    A question is asked if all that was paid, all that is set aside for calls under way, and the most that
    it may cost stay within `max_usd`, and within what `day` allows. One that does not fit now waits for
    the calls under way, which mostly cost less than was set aside; one that will never fit is not asked,
    and its Answer's reason is `cap`. So sums may pass the cap only where a provider bills more than
    ModelFacts.estimate foresees.
    """

    def __init__(
        self,
        model: Model,
        max_usd: float,
        day: DayLedger | None = None,
        prices: Callable[[str], ModelFacts] = facts,
    ) -> None:
        self._model = model
        self._max_usd = max_usd
        self._day = day
        self._prices = prices
        self._settled = Condition()  # guards the next two
        self._paid = 0.0
        self._set_aside: list[float] = []

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        return tuple(self._one(question) for question in questions)

    def _one(self, question: Question) -> Answer:
        known = self._prices(question.model)
        most = known.estimate(question)
        if refusal := self._reserve(most):
            priced = "" if known.known else f" ({question.model} has no known price: that of {known.name})"
            return Answer(reason="cap", detail=f"{refusal}{priced}")
        paid = most  # also where the call is interrupted: it may have been made
        try:
            [answer] = self._model.ask((question,))
            paid = answer.usage.usd
        finally:
            self._settle(most, paid)
        return answer

    def _reserve(self, most: float) -> str:
        """Why not, in words; "": it is set aside."""
        with self._settled:
            while refusal := self._refusal(most):
                if not self._set_aside or self._paid + most > self._max_usd:
                    return refusal
                self._settled.wait()
            self._set_aside.append(most)
        return ""

    def _refusal(self, most: float) -> str:
        if self._paid + sum(self._set_aside) + most > self._max_usd:
            return f"it may cost ${most:.2f}; of ${self._max_usd:.2f} a review ${self._paid:.2f} are spent"
        return self._day.reserve(most) if self._day else ""

    def _settle(self, most: float, paid: float) -> None:
        with self._settled:
            self._set_aside.remove(most)
            self._paid += paid
            if self._day:
                self._day.settle(most, paid)
            self._settled.notify_all()
