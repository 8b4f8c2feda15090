from __future__ import annotations

import pytest

from reviewbot.gates import statuses


@pytest.mark.parametrize("gate", ["ruff", "bash -n"])
def test_a_gate_that_did_not_run_is_missing(gate: str) -> None:
    assert (statuses.status({}, gate), True) == ("missing", True), "it is called passed"
