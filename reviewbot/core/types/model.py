"""What a model is asked, and what came of it."""

from __future__ import annotations

from typing import NamedTuple

from reviewbot.core.types.review import Usage


class Part(NamedTuple):
    """A piece of what is sent. Behind a `marked` one the provider may keep all that came before it, so
    that later questions with the same beginning cost less."""

    text: str
    marked: bool = False


class Lookup(NamedTuple):
    """Something that the model wants to see before it answers. We serve it; it can change nothing."""

    id: str  # the provider's
    name: str  # of a tool of core/ask/lookups.py
    arguments: str  # JSON


class Turn(NamedTuple):
    """An exchange that came before: what the model wanted to see, and what it was shown, in that order."""

    said: str  # the provider's own form of its turn, JSON, given back as it came
    lookups: tuple[Lookup, ...]
    shown: tuple[str, ...]


class Question(NamedTuple):
    """One call. All of it but `about` is its identity: who asks the same again need not pay again."""

    purpose: str  # "find" | "refute"
    about: str  # for people: "classes 1-4, 3 files, pass 2"
    model: str
    effort: str
    system: tuple[Part, ...]
    data: tuple[Part, ...]  # the user's side: the change, then the task
    schema: str  # of the answer, JSON
    tools: str = ""  # JSON list of what may be looked up; "": nothing
    turns: tuple[Turn, ...] = ()
    max_tokens: int = 16_000  # of the answer, its thinking included


class Answer(NamedTuple):
    """Either a `payload`, or `lookups` that the model wants first, or the `reason` why there is neither."""

    payload: object = None  # decoded JSON
    lookups: tuple[Lookup, ...] = ()
    said: str = ""  # with `lookups`: what the next Turn gives back
    # refused | cut-off | overloaded | limited | denied | too-large | unreachable | not-json | cap | odd
    reason: str = ""
    detail: str = ""  # in words
    usage: Usage = Usage()  # booked even where the answer is of no use
    retry_after: float = 0.0  # seconds, where the provider says when it may be asked again
