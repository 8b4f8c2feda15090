"""The inputs of the Action."""

from __future__ import annotations

import pytest
import yaml

from reviewbot.core.errors import UsageError
from reviewbot.core.inputs import NAMES, read_inputs, variable
from reviewbot.core.types.inputs import Inputs
from tests.steps import ACTION


def test_nothing_given_is_the_default() -> None:
    assert read_inputs({}) == Inputs()
    assert read_inputs({variable(name): " " for name in NAMES}) == Inputs()


def test_the_defaults_of_the_action_are_the_same() -> None:
    declared = yaml.safe_load(ACTION.read_text())["inputs"]
    assert set(declared) == set(NAMES)
    given = {variable(n): str(i["default"]) for n, i in declared.items() if "default" in i and n != "token"}
    assert read_inputs(given) == Inputs()


def test_each_is_read() -> None:
    given = {
        "INPUT_TOKEN": "t",
        "INPUT_ANTHROPIC_API_KEY": "k",
        "INPUT_SKILL": "one\n two \n\n",
        "INPUT_FAIL_ON": "note",
        "INPUT_GATE": "false",
        "INPUT_MAX_COST": "0.25",
        "INPUT_POST": "never",
        "INPUT_SANDBOX": "off",
        "INPUT_SARIF": "false",
        "INPUT_REPORT": "none",
        "INPUT_HAND_OVER": "a/b.json",
    }
    assert read_inputs(given) == Inputs(
        "t", "k", ("one", "two"), "note", False, 0.25, "never", "off", False, "none", "a/b.json"
    )
    assert "k" not in repr(Inputs(key="k", token="k")).split("'")


@pytest.mark.parametrize("cost", ["nan", "inf", "-1", "1e3", "1000.5", "$2", "1" * 400])
def test_amounts_that_are_none(cost: str) -> None:
    with pytest.raises(UsageError, match="max-cost"):
        read_inputs({"INPUT_MAX_COST": cost})
