"""What a model has to answer, as JSON schemas. Bounds are hints to it; answers are read field by field."""

from __future__ import annotations

import json
from typing import Any


def _record(**fields: object) -> dict[str, Any]:
    """An object with exactly these fields; providers refuse any other kind."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _list(items: object) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _or_null(schema: object) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _words(*allowed: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(allowed)}


_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_PLACE = _record(path=_TEXT, line=_NUMBER, quote=_TEXT)

_EVIDENCE = _record(
    kind=_words("quote", "count", "absent", "defined", "called"),
    path=_TEXT,
    line=_NUMBER,
    text=_TEXT,
    pattern=_TEXT,
    expected=_NUMBER,
    guard=_TEXT,
    guarded=_NUMBER,
)
_FINDING = _record(
    **{"class": _TEXT},
    title=_TEXT,
    confidence=_NUMBER,
    path=_TEXT,
    side=_words("RIGHT", "LEFT"),
    line=_NUMBER,
    quote=_TEXT,
    also=_list(_PLACE),
    cause=_or_null(_PLACE),
    failure=_list(_record(text=_TEXT, evidence=_list(_NUMBER))),
    cost=_TEXT,
    fix=_TEXT,
    evidence=_list(_EVIDENCE),
    replacement=_or_null(_record(start_line=_NUMBER, line=_NUMBER, text=_TEXT)),
)
_LOOKED = _record(**{"class": _TEXT}, result=_words("found", "held", "nothing-found", "not-applicable"))

FIND = json.dumps(_record(findings=_list(_FINDING), looked=_list(_LOOKED)))
REFUTE = json.dumps(
    _record(verdict=_words("refuted", "confirmed", "unsure"), counter=_or_null(_PLACE), reason=_TEXT)
)
