"""What a provider sent → Answer. It may be anything: a gateway's error page, a cut or unknown form."""

from __future__ import annotations

import json
import re
from typing import Any

from reviewbot.core.types import Answer, Lookup, Question, Usage
from reviewbot.llm.models import ModelFacts

_FENCED = re.compile(r"```[^`\n]*\n(.*)```", re.DOTALL)
_TYPES: dict[object, type] = {"array": list, "object": dict, "string": str}
_CUT_OFF = {
    "max_tokens": "the answer was longer than the {tokens} tokens that it was given",
    "model_context_window_exceeded": "the question and its answer did not fit the model",
    None: "the answer ended before it was whole",
}


def read_body(question: Question, body: str, facts: ModelFacts) -> Answer:
    """The Answer in the body of a response with status 200."""
    body = body.removeprefix("\ufeff")
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        if body.lstrip().startswith("{"):  # begun as an answer: it was made, and is to be paid for
            detail = "the response ended before it was whole"
            return Answer(reason="cut-off", detail=detail, usage=at_most(question, facts))
        return Answer(reason="odd", detail=f"not an answer of a model: {excerpt(body)}", usage=Usage(calls=1))
    return read_message(question, message, facts)


def read_message(question: Question, message: object, facts: ModelFacts) -> Answer:
    """The Answer in a message of the Messages API, decoded."""
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        detail = f"not an answer of a model: {excerpt(json.dumps(message))}"
        return Answer(reason="odd", detail=detail, usage=Usage(calls=1))
    content = [block for block in message["content"] if isinstance(block, dict)]
    usage = read_usage(message.get("usage"), facts)
    answer = _by_stop_reason(question, message, content)
    if usage is None:  # a gateway that does not count: the dearest that it can have been
        return answer._replace(usage=at_most(question, facts))
    return answer._replace(usage=usage)


def _by_stop_reason(question: Question, message: dict[str, Any], content: list[dict[str, Any]]) -> Answer:
    stopped = message.get("stop_reason")
    if stopped in ("end_turn", "stop_sequence"):
        return _payload(question, _said(content))
    if stopped == "tool_use":
        return _lookups(content)
    if stopped == "refusal":
        return Answer(reason="refused", detail=_refusal(message.get("stop_details")))
    if stopped is None or stopped in ("max_tokens", "model_context_window_exceeded"):
        return Answer(reason="cut-off", detail=_CUT_OFF[stopped].format(tokens=question.max_tokens))
    if stopped == "pause_turn":
        return Answer(reason="cut-off", detail="the provider paused, which nothing here asks for")
    return Answer(reason="odd", detail=f"it stopped for a reason that is not known: {excerpt(str(stopped))}")


def _said(content: list[dict[str, Any]]) -> str:
    return "".join(str(block.get("text", "")) for block in content if block.get("type") == "text")


def _refusal(details: object) -> str:
    known = details if isinstance(details, dict) else {}
    words = [str(known[key]) for key in ("category", "explanation") if known.get(key)]
    return (
        f"the model refused: {excerpt(': '.join(words))}"
        if words
        else "the model refused, and does not say why"
    )


def _lookups(content: list[dict[str, Any]]) -> Answer:
    wanted = tuple(
        Lookup(str(block.get("id", "")), str(block.get("name", "")), json.dumps(block.get("input")))
        for block in content
        if block.get("type") == "tool_use"
    )
    if not wanted:
        return Answer(reason="odd", detail="it wants to look something up, and does not say what")
    return Answer(lookups=wanted, said=json.dumps(content))


# --- JSON within text ---------------------------------------------------------------------


def _payload(question: Question, text: str) -> Answer:
    payload = _decoded(text)
    if payload is None and (fenced := _FENCED.search(text)):  # not before: a text in it may hold a fence
        payload = _decoded(fenced[1])
    if isinstance(payload, str):  # encoded twice
        payload = _decoded(payload)
    if not isinstance(payload, dict):
        return Answer(reason="not-json", detail=f"the answer is no JSON object: {excerpt(text)}")
    schema = json.loads(question.schema)
    payload = _unwrapped(payload, schema)
    if lacking := _lacking(payload, schema):
        return Answer(reason="not-json", detail=f"the answer lacks {', '.join(lacking)}: {excerpt(text)}")
    return Answer(payload=payload)


def _lacking(payload: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """The fields of the answer that are not there, or of another type. What is inside of them is left to
    who reads them."""
    types = {name: field.get("type") for name, field in schema.get("properties", {}).items()}
    return [
        name
        for name in schema.get("required", ())
        if name not in payload or not isinstance(payload[name], _TYPES.get(types.get(name), object))
    ]


def _unwrapped(payload: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The same, where a list or an object was encoded by itself and stands as a text."""
    fields = schema.get("properties", {})
    nested = {name for name, field in fields.items() if field.get("type") in ("array", "object")}
    return {
        name: _decoded(value, value) if name in nested and isinstance(value, str) else value
        for name, value in payload.items()
    }


def _decoded(text: str, otherwise: object = None) -> object:
    try:
        return json.loads(text, parse_constant=lambda _: None)  # a NaN costs the field that it is in
    except (ValueError, RecursionError):
        return otherwise


# --- what it cost -------------------------------------------------------------------------


def read_usage(usage: object, facts: ModelFacts) -> Usage | None:
    """None where the tokens were not counted."""
    if not isinstance(usage, dict) or not isinstance(usage.get("input_tokens"), int):
        return None
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    fresh, written, read, answered = (_count(usage.get(name)) for name in names)
    return Usage(
        calls=1,
        input_tokens=fresh + written + read,
        cached_tokens=read,
        output_tokens=answered,
        usd=facts.usd(fresh, written, read, answered),
    )


def _count(value: object) -> int:
    return min(max(value, 0), 10**9) if isinstance(value, int) else 0


def at_most(question: Question, facts: ModelFacts) -> Usage:
    """Of a call that may have been paid for, and whose tokens nobody told: its price is an upper bound."""
    return Usage(calls=1, usd=facts.estimate(question))


def excerpt(text: str) -> str:
    """Enough of a foreign text to recognise it, on one line."""
    line = " ".join(text[:400].split())
    return repr(line if len(line) <= 160 else f"{line[:160]}…")
