"""Questions whose model looks things up before it answers: asked in rounds, all together in each.

The tools are the same in every round, also in the last, in which a model may no longer use them: they
stand in front of all else that is sent, so without them the whole prefix would be bought anew; and a
turn that used a tool must not come without it. That an answer is due is said behind what was looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reviewbot.core.ports import Model, Progress
from reviewbot.core.types import Answer, Lookup, ModelTerms, Question, Turn

AT_ONCE = 12  # look-ups of one turn that are served
TOO_MANY = f"Not looked up: more than {AT_ONCE} at once. Ask again for what you still need."
NO_ROOM = "Not looked up: as much as may be shown was shown."
NOW = "Nothing more can be looked up. Answer now, with what you have; what you could not see, do not claim."


def converse(
    questions: Sequence[Question],
    model: Model,
    serve: Callable[[Lookup], str],
    terms: ModelTerms,
    progress: Progress,
) -> tuple[Answer, ...]:
    """One final answer to each question, in their order, with the usage of all its turns. One that still
    wants to look something up when an answer is due ends as `cut-off`."""
    talks = [_Talk(question, terms) for question in questions]
    open_talks = talks
    while open_talks:
        progress("model", len(talks) - len(open_talks), len(talks))
        answers = model.ask([talk.question for talk in open_talks])
        for talk, answer in zip(open_talks, answers, strict=True):
            talk.hear(answer, serve)
        open_talks = [talk for talk in open_talks if not talk.ended]
    progress("model", len(talks), len(talks))
    return tuple(talk.answer for talk in talks)


class _Talk:
    """One question and what was said to it so far."""

    def __init__(self, question: Question, terms: ModelTerms) -> None:
        self.question = question
        self.answer = Answer()
        self.ended = False
        self._rounds = terms.rounds
        self._room = terms.lookup_bytes

    def hear(self, answer: Answer, serve: Callable[[Lookup], str]) -> None:
        """Take an answer in; where it wants to look something up, put the question on by a turn."""
        self.answer = answer._replace(usage=self.answer.usage.plus(answer.usage))
        wants = bool(answer.lookups) and not answer.reason and answer.payload is None
        if wants and self._rounds > 0:
            self._rounds -= 1
            turn = Turn(answer.said, answer.lookups, self._shown(answer.lookups, serve))
            self.question = self.question._replace(turns=(*self.question.turns, turn))
            return
        self.ended = True
        if wants:
            detail = f"after {len(self.question.turns)} rounds of look-ups it wants more, and does not answer"
            self.answer = Answer(reason="cut-off", detail=detail, usage=self.answer.usage)

    def _shown(self, lookups: Sequence[Lookup], serve: Callable[[Lookup], str]) -> tuple[str, ...]:
        """What each brings; the last says so where an answer is due."""
        shown = [self._one(lookup, serve) for lookup in lookups[:AT_ONCE]]
        shown += [TOO_MANY] * (len(lookups) - len(shown))
        if self._room <= 0:
            self._rounds = 0
        if not self._rounds:
            shown[-1] = f"{shown[-1]}\n\n{NOW}"
        return tuple(shown)

    def _one(self, lookup: Lookup, serve: Callable[[Lookup], str]) -> str:
        if self._room <= 0:
            return NO_ROOM
        text = serve(lookup)
        size = len(text.encode("utf-8", "replace"))
        if size > self._room:
            self._room = 0
            return NO_ROOM
        self._room -= size
        return text
