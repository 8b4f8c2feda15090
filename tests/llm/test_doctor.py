"""What the provider tells of the configured models."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reviewbot.core.errors import ConfigError
from reviewbot.core.types import ModelTerms
from reviewbot.llm.doctor import ModelCheck, check
from tests.fakes.anthropic_server import Asked, Reply, anthropic_server, fails

MODEL = "claude-sonnet-5-5"


def tells(**fields: Any) -> Reply:
    yes = {"supported": True}
    can = {"structured_outputs": yes, "effort": {"supported": True, "low": yes, "medium": yes, "max": yes}}
    model = {"id": MODEL, "type": "model", "lifecycle": "active", "capabilities": can, **fields}
    return Reply(200, json.dumps(model).encode(), {"content-type": "application/json"})


def lists(*names: str) -> Reply:
    rows = [{"id": name, "type": "model"} for name in names]
    return Reply(
        200, json.dumps({"data": rows, "has_more": False}).encode(), {"content-type": "application/json"}
    )


def checked(*replies: Reply, terms: ModelTerms | None = None, **settings: Any) -> tuple[ModelCheck, ...]:
    with anthropic_server(replies) as server:
        return check((terms or ModelTerms())._replace(provider="anthropic"), "sk-1", server.url, **settings)


def test_a_model_that_can_do_all_has_no_fault() -> None:
    def script(asked: Asked) -> Reply:
        assert (asked.method, asked.path) == ("GET", f"/v1/models/{MODEL}")
        return tells()

    with anthropic_server(script) as server:
        [found] = check(ModelTerms("anthropic"), "sk-1", server.url)
    assert found.faults == ()
    assert found.notes == (
        "$2 in, $10 out for a million tokens (as of 2026-11-30); 1,000,000 tokens, effort high by default",
    )
    assert len(server.asked) == 1  # both passes ask the same one


def test_each_configured_model_is_asked_for() -> None:
    found = checked(tells(), tells(), terms=ModelTerms(refute="claude-haiku-5-5"))
    assert [row.model for row in found] == [MODEL, "claude-haiku-5-5"]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"lifecycle": "retired"}, "ended"),
        ({"capabilities": {"structured_outputs": {"supported": False}}}, "structured outputs"),
        ({"capabilities": {"effort": {"low": {"supported": False}}}}, "no effort 'low'"),
    ],
)
def test_what_a_model_cannot_do_is_a_fault(fields: dict[str, Any], fault: str) -> None:
    [found] = checked(tells(**fields))
    [said] = found.faults
    assert fault in said


def test_a_deprecated_model_is_noted_with_its_day() -> None:
    [found] = checked(tells(lifecycle="deprecated", retires_at="2027-03-01T00:00:00Z"))
    assert found.faults == ()
    assert "2027-03-01" in found.notes[0]


def test_a_model_that_its_provider_does_not_know_is_a_fault_with_the_nearest_name() -> None:
    terms = ModelTerms(find="claude-sonet-5-5", refute="claude-sonet-5-5")
    [found] = checked(fails(404, "not_found_error"), lists(MODEL, "claude-haiku-5-5"), terms=terms)
    assert found.faults == (f"its provider does not know it; did you mean {MODEL}?",)
    assert "no price is known" in found.notes[0]


def test_a_gateway_without_a_list_of_models_is_no_fault() -> None:
    [found] = checked(fails(404, "not_found_error"), fails(404, "not_found_error"))
    assert found.faults == ()
    assert "not checked" in found.notes[0]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (fails(401, "authentication_error", "no such key"), "no such key"),
        (Reply(0), "connection"),
        (Reply(0, end="stall"), "no answer"),
        (Reply(200, b"<html>", {"content-type": "text/html"}), "JSONDecodeError"),
        (Reply(200, b"[]", {"content-type": "application/json"}), "no model provider"),
        (Reply(200, b'{"capabilities": 7}', {"content-type": "application/json"}), "no model provider"),
    ],
)
def test_whatever_answers_for_a_provider_the_doctor_says_what(reply: Reply, said: str) -> None:
    [found] = checked(reply, timeout=0.2)
    [fault] = found.faults
    assert said in fault


@pytest.mark.parametrize("provider", ["bedrock", "vertex", "foundry"])
def test_a_cloud_is_not_asked(provider: str) -> None:
    [found] = check(ModelTerms(provider=provider), "")
    assert found.faults == ()
    assert provider in found.notes[0]


def test_what_is_no_key_is_wrong_configuration() -> None:
    with pytest.raises(ConfigError):
        check(ModelTerms("anthropic"), "")
