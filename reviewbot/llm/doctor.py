"""Whether the configured models can do what a review asks of them, as their provider tells."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from reviewbot.core.errors import nearest
from reviewbot.core.types import ModelTerms
from reviewbot.llm.clients import checked_key, missing, open_anthropic
from reviewbot.llm.failures import diagnose
from reviewbot.llm.models import as_of, facts, retired

if TYPE_CHECKING:
    import anthropic

TIMEOUT = 10.0  # seconds


class ModelCheck(NamedTuple):
    model: str
    faults: tuple[str, ...] = ()  # why a review with it fails
    notes: tuple[str, ...] = ()  # what else there is to know


def check(
    terms: ModelTerms, key: str, base_url: str = "", timeout: float = TIMEOUT
) -> tuple[ModelCheck, ...]:
    """One for each model that the terms name. Never raises for what a provider does;
    raises ConfigError for what is no key."""
    efforts: dict[str, set[str]] = {}
    for model, effort in ((terms.find, terms.find_effort), (terms.refute, terms.refute_effort)):
        efforts.setdefault(model, set()).add(effort)
    if terms.provider != "anthropic":
        note = f"not asked for: {terms.provider} does not tell what its models can do"
        return tuple(ModelCheck(model, notes=(note, *_known(model))) for model in efforts)
    try:
        client = open_anthropic(checked_key(key), base_url, timeout)
    except ImportError as error:
        return tuple(ModelCheck(model, faults=(missing(error),)) for model in efforts)
    with client:
        return tuple(_examine(client, model, wanted) for model, wanted in efforts.items())


def _examine(client: anthropic.Anthropic, model: str, efforts: Collection[str]) -> ModelCheck:
    notes = tuple(_known(model))
    try:
        told = json.loads(client.models.with_raw_response.retrieve(model).text())
    except Exception as error:  # as in AnthropicModel
        detail = diagnose(error, time.time()).detail
        if getattr(error, "status_code", 0) != 404:
            return ModelCheck(model, (detail,), notes)
        if names := _names(client):
            return ModelCheck(model, (f"its provider does not know it; {nearest(model, names)}",), notes)
        return ModelCheck(model, notes=(f"not checked, there is no list of models here: {detail}", *notes))
    if at(told, "lifecycle") == "deprecated":
        notes = (
            f"deprecated; its provider ends it on {at(told, 'retires_at') or 'a day not yet named'}",
            *notes,
        )
    return ModelCheck(model, tuple(_lacking(told, efforts)), notes)


def _names(client: anthropic.Anthropic) -> list[str]:
    try:
        listed = at(json.loads(client.models.with_raw_response.list(limit=1000).text()), "data")
    except Exception:  # the fault that led here is the one that is told
        return []
    return [str(at(row, "id")) for row in listed] if isinstance(listed, list) else []


def _lacking(told: object, efforts: Collection[str]) -> Iterator[str]:
    if at(told, "type") != "model":
        yield "what answers for it is no model provider"
    if at(told, "lifecycle") == "retired":
        yield "its provider has ended it"
    if at(told, "capabilities", "structured_outputs", "supported") is False:
        yield "it cannot answer in a given form (structured outputs)"
    for effort in sorted(efforts):
        if at(told, "capabilities", "effort", effort, "supported") is False:
            yield f"it knows no effort {effort!r}"


def _known(model: str) -> Iterator[str]:
    """What this installation knows of the model."""
    known = facts(model)
    rates = f"${known.rates.input:g} in, ${known.rates.output:g} out for a million tokens"
    if known.known:
        yield f"{rates} (as of {as_of()}); {known.context:,} tokens, effort {known.effort} by default"
    else:
        yield f"no price is known: caps and costs take that of the dearest, {rates}"
    if day := retired(model):
        yield f"not served from {day} on"


def at(value: object, *path: str) -> object:
    """What lies at the path in nested objects of JSON; None where nothing does."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value
