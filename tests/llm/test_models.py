"""The data file: what models cost, and by what names providers call them."""

from __future__ import annotations

import pytest

from reviewbot.core.types import ModelTerms
from reviewbot.llm.models import facts, retired
from tests.llm.questions import question


@pytest.mark.parametrize(
    "name",
    [
        "claude-sonnet-5-5",
        "claude-sonnet-5-5-20260915",
        "claude-sonnet-5-5@20260915",
        "anthropic.claude-sonnet-5-5-20260915-v1:0",
        "us.anthropic.claude-sonnet-5-5-v1:0",
    ],
)
def test_a_model_is_known_by_the_names_of_all_providers(name: str) -> None:
    assert facts(name).name == "claude-sonnet-5-5"
    assert facts(name).known


@pytest.mark.parametrize(
    "name", ["claude-sonnet-5-6", "claude-sonnet-5", "claude-sonnet-5-5-turbo", "llama", ""]
)
def test_a_model_that_is_not_known_costs_what_the_dearest_does(name: str) -> None:
    assert not facts(name).known
    assert facts(name).rates == facts("claude-fable-5-2").rates


def test_the_default_models_are_known_and_served() -> None:
    terms = ModelTerms()
    assert all(facts(model).known and not retired(model) for model in (terms.find, terms.refute))


def test_a_long_prompt_costs_more_in_all_its_tokens() -> None:
    haiku = facts("claude-haiku-5-5")
    assert haiku.usd(60_000, 0, 40_000, 1000) == pytest.approx((60_000 * 0.1 + 40_000 * 0.01 + 500) / 1e6)
    assert haiku.usd(60_001, 0, 40_000, 1000) == pytest.approx((60_001 * 0.5 + 40_000 * 0.05 + 2500) / 1e6)


def test_an_estimate_is_that_of_a_prompt_that_is_written_to_the_cache() -> None:
    sonnet = facts("claude-sonnet-5-5")
    asked = question(system=(), data=(), schema="x" * 3000, max_tokens=1000)
    assert sonnet.estimate(asked) == pytest.approx((1000 * 2.5 + 1000 * 10) / 1e6)


def test_the_end_of_a_model_is_known() -> None:
    assert retired("claude-sonnet-4-5-20250929") == "2026-11-30"
    assert retired("claude-sonnet-5-5") == ""
