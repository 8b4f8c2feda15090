"""A signed body → the delivery that is kept of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from reviewbot.core.errand import Errand, written
from reviewbot.core.errors import UsageError
from reviewbot.core.types import Ignore
from reviewbot.core.types.run import Delivery
from reviewbot.core.visible import visible
from reviewbot.web.body import Turned
from reviewbot.web.parts import Decide

WORD = 60  # characters of an event's or action's name
REPO = 140  # GitHub: 39 and 100 and the slash
WHY = 500
_FORM = b"payload="  # how a body begins that came as a form


class _Beyond(Exception):
    """It may be JSON, and is more than this reads."""


class Envelope(NamedTuple):
    """What the headers say."""

    id: str
    event: str


def delivery(body: bytes, envelope: Envelope, decide: Decide, now: float) -> Delivery:
    """Decides what is to be done, so that the reason for doing nothing is kept too. Raises Turned where
    the body is no JSON object. What is JSON beyond what is read here is kept as failed."""
    try:
        payload = _object(body)
    except _Beyond as error:  # GitHub may send it; to ask for it again would help nobody
        return Delivery(envelope.id, envelope.event, received=now, state="failed", why=str(error))
    row = _about(payload, envelope)._replace(received=now)
    try:
        errand = decide(envelope.event, payload)
    except UsageError as error:  # a field is not as GitHub writes it: nothing can be done, and it shows
        return row._replace(state="failed", why=_line(str(error)))
    if isinstance(errand, Ignore):
        return row._replace(state="ignored", why=_line(errand.why))
    return _placed(row, errand)._replace(trigger=written(errand))


def _object(body: bytes) -> Mapping[str, Any]:
    if body.startswith(_FORM):
        raise Turned(415, "the payload came as a form; set the webhook's content type to application/json")
    try:
        payload = json.loads(body)
    except RecursionError:
        raise _Beyond("the payload is nested too deeply to be read") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise Turned(400, "the body is no JSON") from None
    except ValueError:  # of int(): Python reads at most so many digits
        raise _Beyond("the payload has a number that is too long to be read") from None
    if not isinstance(payload, dict):
        raise Turned(400, "the body holds no object")
    return payload


def _about(payload: Mapping[str, Any], envelope: Envelope) -> Delivery:
    """Where it comes from, as far as the payload says so: for those who look for it later."""
    pull = _inner(payload, "pull_request") or _inner(payload, "issue")
    return Delivery(
        id=envelope.id,
        event=envelope.event,
        action=_text(payload.get("action"), WORD),
        installation=_number(_inner(payload, "installation").get("id")),
        repo=_text(_inner(payload, "repository").get("full_name"), REPO),
        number=_number(pull.get("number")),
    )


def _placed(row: Delivery, errand: Errand) -> Delivery:
    """With the pull request that the errand names: that of a check run is not in its payload's root."""
    number = getattr(errand, "number", None)
    return row._replace(number=row.number if number is None else number)


def _inner(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def _text(value: Any, most: int) -> str:
    return visible(value[:most]) if isinstance(value, str) else ""


def _number(value: Any) -> int | None:
    return value if type(value) is int and 0 < value < 2**63 else None


def _line(why: str) -> str:
    return visible(" ".join(why.split())[:WHY])
