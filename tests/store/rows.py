"""Rows to put into a store."""

from __future__ import annotations

from typing import Any

from reviewbot.core.types.run import Delivery, Run

REPO = "octo-org/demo"
NASTY = "a\0b \udc80 ' \" \\ % _ é \U0001f600 \u2028"  # NUL, a lone surrogate, quotes, wildcards


def delivery(id: str, **fields: Any) -> Delivery:
    given = {"action": "opened", "installation": 7, "repo": REPO, "number": 3, "received": 1_000_000.0}
    return Delivery(id, "pull_request", **(given | fields))


def run(id: str, **fields: Any) -> Run:
    return Run(**({"id": id, "repo": REPO, "number": 3, "installation": 7, "created": 1_000_000.0} | fields))
