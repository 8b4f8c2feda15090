"""Questions side by side, in the order in which the provider's cache serves them best."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Condition, Thread

from reviewbot.core.ports import Model
from reviewbot.core.types import Answer, Question

AT_ONCE = 6  # providers limit how much is asked at a time


class Parallel:
    """Implements the Model port around another, whose `ask` is called with one question from each of a
    few threads.

    Of the questions that begin alike up to a marked part, the first is answered before the others are
    asked: they read from the cache what it wrote there.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._written: set[tuple[object, ...]] = set()  # beginnings that were sent

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        run = _Run(self._model, questions, self._written)
        for _ in range(min(len(questions), AT_ONCE)):
            # An interrupted review does not wait for answers that nobody will read.
            Thread(target=run.work, daemon=True).start()
        answers = run.wait()
        self._written.update(*map(beginnings, questions))
        return answers


class _Run:
    def __init__(self, model: Model, questions: Sequence[Question], written: set[tuple[object, ...]]) -> None:
        self._model = model
        self._questions = questions
        self._changed = Condition()  # guards all below
        self._todo, self._waits_for = _order(questions, written)
        self._answers: dict[int, Answer] = {}
        self._error: BaseException | None = None

    def work(self) -> None:
        while (index := self._next()) is not None:
            try:
                [answer] = self._model.ask((self._questions[index],))
            except BaseException as error:  # raised again by wait()
                with self._changed:
                    self._error = error
                    self._todo.clear()
                    self._changed.notify_all()
                return
            with self._changed:
                self._answers[index] = answer
                self._changed.notify_all()

    def _next(self) -> int | None:
        with self._changed:
            while self._todo:
                for index in self._todo:
                    if self._waits_for[index] <= self._answers.keys():
                        self._todo.remove(index)
                        return index
                self._changed.wait()
        return None

    def wait(self) -> tuple[Answer, ...]:
        count = len(self._questions)
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._error or len(self._answers) == count)
        except BaseException:
            with self._changed:
                self._todo.clear()
                self._changed.notify_all()
            raise
        if self._error:
            raise self._error
        return tuple(self._answers[index] for index in range(count))


def _order(
    questions: Sequence[Question], written: set[tuple[object, ...]]
) -> tuple[list[int], list[set[int]]]:
    """The questions that others wait for first; and for each those that it waits for."""
    first: dict[tuple[object, ...], int] = {}
    waits_for: list[set[int]] = []
    for index, question in enumerate(questions):
        begun = [beginning for beginning in beginnings(question) if beginning not in written]
        waits_for.append({first.setdefault(beginning, index) for beginning in begun} - {index})
    return sorted(range(len(questions)), key=lambda index: len(waits_for[index])), waits_for


def beginnings(question: Question) -> list[tuple[object, ...]]:
    """What a provider may keep of the question: all up to each of its marked parts."""
    parts = (*question.system, *question.data)
    texts = tuple(part.text for part in parts)
    return [
        (question.model, question.tools, texts[: number + 1])
        for number, part in enumerate(parts)
        if part.marked
    ]
