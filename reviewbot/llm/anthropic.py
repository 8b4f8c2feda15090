"""One attempt at a provider, by the anthropic SDK."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar

from reviewbot.core.types import Answer, Question
from reviewbot.llm.clients import checked_key, missing, open_client
from reviewbot.llm.failures import failed
from reviewbot.llm.models import ModelFacts, facts
from reviewbot.llm.reading import read_body, read_message
from reviewbot.llm.request import arguments

if TYPE_CHECKING:
    from reviewbot.llm.clients import Client

STREAMED_ABOVE = 21_333  # tokens of an answer: more takes so long that connections without a word are cut
TIMEOUT = 600.0  # seconds
_T = TypeVar("_T")


def warm_up() -> None:
    """Begin to import the SDK beside what else is done: it takes seconds."""
    Thread(target=_import, daemon=True).start()


def _import() -> None:
    try:
        import anthropic  # noqa: F401
    except ImportError:
        return  # the first question says so


class AnthropicModel:
    """Implements the Model port without patience: a question is asked once, one after the other.

    provider: of ModelTerms. key: it is in no detail of an Answer. base_url: empty for the provider's own
    place. timeout: seconds that one attempt may take. Raises ConfigError for what is no key.
    """

    def __init__(self, provider: str, key: str, base_url: str = "", timeout: float = TIMEOUT) -> None:
        self._key = checked_key(key) if key or provider == "anthropic" else ""
        self._provider = provider
        self._base_url = base_url
        self._timeout = timeout
        self._opening = Lock()
        self._client: Client | None = None

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        return tuple(self._attempt(question) for question in questions)

    def _attempt(self, question: Question) -> Answer:
        known = facts(question.model)
        began = time.monotonic()
        try:
            answer = self._call(question, known)
        except ImportError as error:
            return Answer(reason="odd", detail=missing(error))
        except Exception as error:  # the SDK raises much that is not its own, cloud libraries more
            answer = failed(question, known, error, time.time())
        if self._key:
            answer = answer._replace(detail=answer.detail.replace(self._key, "[key]"))
        return answer._replace(usage=answer.usage._replace(seconds=time.monotonic() - began))

    def _call(self, question: Question, known: ModelFacts) -> Answer:
        with self._opening:
            if self._client is None:
                self._client = open_client(self._provider, self._key, self._base_url, self._timeout)
        messages, sent = self._client.messages, arguments(question)
        # The SDK's own time is that between two pieces of an answer: one that drips has no end.
        ends = time.monotonic() + self._timeout
        if question.max_tokens <= STREAMED_ABOVE:
            # The body as text: of one that is no message the SDK would make whatever comes out.
            with messages.with_streaming_response.create(**sent) as response:
                return read_body(question, "".join(_until(ends, response.iter_text())), known)
        with messages.stream(**sent) as stream:
            for _ in _until(ends, stream):
                pass
            return read_message(question, stream.get_final_message().to_dict(), known)


def _until(ends: float, pieces: Iterable[_T]) -> Iterator[_T]:
    """Raises TimeoutError for what comes later than at `ends`, by the monotonic clock."""
    for piece in pieces:
        if time.monotonic() > ends:
            raise TimeoutError
        yield piece
