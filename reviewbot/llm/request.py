"""Question → the arguments of the Messages API.

Left out on purpose, because Sonnet 5.5 answers them with a 400: thinking budgets and switched-off
thinking, sampling parameters, a forced tool, the beginning of the answer.
"""

from __future__ import annotations

import json
from typing import Any

from reviewbot.core.types import Part, Question, Turn

_MARK = {"type": "ephemeral"}  # what comes before it is kept for five minutes, renewed by each use


def arguments(question: Question) -> dict[str, Any]:
    """As JSON values. Everything before the last marked part is the same, byte for byte, for questions
    that have it in common. Raises ValueError for a Turn that is not JSON."""
    asked = {"role": "user", "content": _blocks(question.data)}
    last = len(question.turns) - 1
    turns = [message for number, turn in enumerate(question.turns) for message in _turn(turn, number == last)]
    sent = {
        "model": question.model,
        "max_tokens": question.max_tokens,
        "system": _blocks(question.system),
        "messages": [asked, *turns],
        "output_config": {
            "effort": question.effort,
            "format": {"type": "json_schema", "schema": json.loads(question.schema)},
        },
    }
    if question.tools:
        sent["tools"] = json.loads(question.tools)
    return {name: _encodable(value) for name, value in sent.items()}


def _blocks(parts: tuple[Part, ...]) -> list[dict[str, Any]]:
    """An empty one is left out: the API refuses it."""
    return [
        {"type": "text", "text": part.text, **({"cache_control": _MARK} if part.marked else {})}
        for part in parts
        if part.text
    ]


def _turn(turn: Turn, last: bool) -> list[dict[str, Any]]:
    """What the model said and what it was shown. The last is marked: the next round begins with it."""
    shown: list[dict[str, Any]] = [
        {"type": "tool_result", "tool_use_id": lookup.id, "content": text}
        for lookup, text in zip(turn.lookups, turn.shown, strict=True)
    ]
    if last and shown:
        shown[-1]["cache_control"] = _MARK
    return [{"role": "assistant", "content": json.loads(turn.said)}, {"role": "user", "content": shown}]


def _encodable(value: Any) -> Any:
    """The same with lone surrogates (bytes of a file that are no text) spelt out: UTF-8 has no others."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {_encodable(name): _encodable(item) for name, item in value.items()}
    return value
