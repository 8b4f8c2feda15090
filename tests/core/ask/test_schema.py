"""The form of the answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from reviewbot.core.ask.schema import FIND, REFUTE

PLACE = {"path": "a.py", "line": 3, "quote": "x = 1"}
FINDING: dict[str, Any] = {
    "class": "an-error-is-swallowed",
    "title": "The error is lost",
    "confidence": 80,
    "path": "a.py",
    "side": "RIGHT",
    "line": 3,
    "quote": "x = 1",
    "also": [PLACE],
    "cause": None,
    "failure": [{"text": "It fails.", "evidence": [0]}],
    "cost": "Data.",
    "fix": "Raise.",
    "evidence": [
        {
            **{"kind": "count", "path": "", "line": 0, "text": "", "pattern": "x", "expected": 2},
            **{"guard": "", "guarded": 0},
        }
    ],
    "replacement": {"start_line": 3, "line": 3, "text": "x = 2"},
}
ANSWER = {"findings": [FINDING], "looked": [{"class": "a", "result": "held"}]}


def records(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from records(part)


@pytest.mark.parametrize("text", [FIND, REFUTE])
def test_every_field_of_every_object_is_required_and_no_other_allowed(text: str) -> None:
    """Providers refuse a schema that is not so."""
    found = list(records(json.loads(text)))
    assert found
    for record in found:
        assert record["required"] == list(record["properties"])
        assert record["additionalProperties"] is False


def test_answers_as_they_should_be_are_valid() -> None:
    jsonschema.validate(ANSWER, json.loads(FIND))
    for counter in (None, PLACE):
        jsonschema.validate({"verdict": "unsure", "counter": counter, "reason": "r"}, json.loads(REFUTE))


@pytest.mark.parametrize(
    "wrong",
    [
        {**ANSWER, "verdict": "approve"},
        {"findings": []},
        {**ANSWER, "findings": [{**FINDING, "side": "BOTH"}]},
        {**ANSWER, "findings": [{**FINDING, "severity": "blocker"}]},
        {**ANSWER, "looked": [{"class": "a", "result": "fine"}]},
    ],
)
def test_others_are_not(wrong: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, json.loads(FIND))


def test_the_verdict_is_asked_first() -> None:
    assert list(json.loads(REFUTE)["properties"]) == ["verdict", "counter", "reason"]
