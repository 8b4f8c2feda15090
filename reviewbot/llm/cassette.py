"""Answers that were given before: for tests, for evaluation, and because a repeated review is free."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from hashlib import sha256

from reviewbot.core.ports import Model
from reviewbot.core.types import Answer, Lookup, Question

FORM = 1  # of the files; one of another form counts as none


class Cassette:
    """Implements the Model port around another, or around none: then what was not recorded is not known.

    Each answer of use is kept in a file of its own in `folder`, named by the content of its question,
    before it is returned. A replayed one costs nothing, and its usage says so.
    """

    def __init__(self, model: Model | None, folder: str) -> None:
        self._model = model
        self._folder = folder

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        return tuple(self._one(question) for question in questions)

    def _one(self, question: Question) -> Answer:
        name = key(question)
        path = os.path.join(self._folder, f"{name}.json")
        if recorded := _replay(path):
            return recorded
        if self._model is None:
            return Answer(reason="unreachable", detail=f"no answer was recorded for question {name[:12]}")
        [answer] = self._model.ask((question,))
        if not answer.reason:
            _record(path, answer)
        return answer


def key(question: Question) -> str:
    """By content: all of the question but `about`."""
    return sha256(json.dumps(question._replace(about="")).encode("ascii")).hexdigest()


def _replay(path: str) -> Answer | None:
    """None where there is no such file, or a damaged one: then it is asked again."""
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        if kept["form"] != FORM:
            return None
        lookups = tuple(Lookup(*lookup) for lookup in kept["lookups"])
        answer = Answer(payload=kept["payload"], lookups=lookups, said=kept["said"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    texts = [answer.said, *(text for lookup in lookups for text in lookup)]
    whole = all(isinstance(text, str) for text in texts) and (answer.payload is None) == bool(lookups)
    return answer if whole else None


def _record(path: str, answer: Answer) -> None:
    """In one step. Where it cannot be kept, the next review pays for it again: no more."""
    from tempfile import NamedTemporaryFile  # 14 ms

    content = {"form": FORM, "payload": answer.payload, "lookups": answer.lookups, "said": answer.said}
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=folder, prefix=".", delete=False) as file:
            try:
                json.dump(content, file, indent=1)
                file.flush()
                os.replace(file.name, path)
            except OSError:
                os.unlink(file.name)
    except OSError:
        return
