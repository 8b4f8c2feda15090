"""What the engine keeps of a step: a text of ASCII, which every database takes as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isfinite
from typing import Any

from reviewbot.core import errors
from reviewbot.core.errors import ReviewbotError, StoreDown
from reviewbot.jobs.engine import JSON, Interrupted, StepFailed

_KNOWN = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, ReviewbotError)
}


def written(value: object, at: str = "it") -> str:
    """Raises TypeError for what JSON would not give back as it was: a tuple, a key that is no text, NaN."""
    _check(value, at)
    text = json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    # Not JSON's own escapes: of two lone surrogates side by side they would make one character.
    return text.encode("unicode_escape").decode("ascii")


def read(text: str) -> JSON:
    value: JSON = json.loads(text.encode("ascii").decode("unicode_escape"))
    return value


def outcome(name: str, call: Callable[[], JSON]) -> str:
    """What came of a step. Raises StepFailed for an error that is not raised on purpose, and Interrupted."""
    try:
        gave = call()
        _check(gave, f"step {name}")
        return written({"is": gave})
    except StoreDown as error:  # kept, it would be raised for ever
        raise Interrupted(str(error)) from error
    except ReviewbotError as error:
        # Of its class all that the next process is sure to know.
        kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _KNOWN)
        return written({"raised": kind, "words": str(error)})
    except (TypeError, StepFailed):
        raise
    except Exception as error:  # its message may hold what the database does not take
        raise StepFailed(f"{name}: {in_ascii(error)}") from error


def replayed(text: str) -> JSON:
    """What the step returned. Raises what it raised."""
    kept: Any = read(text)
    if "raised" in kept:
        raise _KNOWN[kept["raised"]](kept["words"])
    value: JSON = kept["is"]
    return value


def in_ascii(error: BaseException) -> str:
    words = " ".join(str(error).split())
    return ascii(f"{type(error).__name__}: {words}"[:500])[1:-1]


def _check(value: object, at: str) -> None:
    if value is None or type(value) in (bool, int, str):
        return
    if type(value) is float and isfinite(value):
        return
    if type(value) is list:
        for index, item in enumerate(value):
            _check(item, f"{at}[{index}]")
    elif type(value) is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise TypeError(f"no JSON at {at}: the key {key!r}")
            _check(item, f"{at}.{key}")
    else:
        raise TypeError(f"no JSON at {at}: {type(value).__name__}")
