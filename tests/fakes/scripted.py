"""A Model without a provider: it gives the answers that a test wrote down, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reviewbot.core.types import Answer, Question

Script = Sequence[Answer] | Callable[[Question], Answer]


class ScriptedModel:
    """`answers` are given in the order in which questions come, or made of each question. A question
    too many fails the test."""

    def __init__(self, answers: Script) -> None:
        self.rounds: list[tuple[Question, ...]] = []  # what was asked side by side
        self._answer = answers if callable(answers) else self._next
        self._left = [] if callable(answers) else list(answers)

    @property
    def questions(self) -> list[Question]:
        return [question for asked in self.rounds for question in asked]

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        self.rounds.append(tuple(questions))
        return tuple(self._answer(question) for question in questions)

    def _next(self, question: Question) -> Answer:
        if not self._left:
            raise AssertionError(f"nothing is scripted for: {question.about}")
        return self._left.pop(0)
