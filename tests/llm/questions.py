"""Questions for the tests of the adapters."""

from __future__ import annotations

import json
from typing import Any

from reviewbot.core.types import Part, Question

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "findings": {"type": "array", "items": {"type": "object"}},
            "summary": {"type": "string"},
        },
        "required": ["findings"],
    }
)


def question(**fields: Any) -> Question:
    return Question(
        **{
            "purpose": "find",
            "about": "classes 1-4, 1 file",
            "model": "claude-sonnet-5-5",
            "effort": "medium",
            "system": (Part("You review."), Part("The skill.", marked=True)),
            "data": (Part("The change.", marked=True), Part("Find.")),
            "schema": SCHEMA,
            "max_tokens": 1000,
            **fields,
        }
    )
