from __future__ import annotations

from reviewbot.gates import statuses


def test_a_gate_that_did_not_run_is_missing() -> None:
    assert (statuses.status({}, "ruff") == "missing", "it is called passed")
