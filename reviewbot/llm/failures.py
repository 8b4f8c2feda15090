"""What can go wrong between us and a provider → the reason of an Answer."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from reviewbot.core.types import Answer, Question, Usage
from reviewbot.llm.models import ModelFacts
from reviewbot.llm.reading import at_most, excerpt

if TYPE_CHECKING:
    import anthropic

# By the type that the provider gives, which is also what an error within a stream has; else by status.
_BY_TYPE = {
    "authentication_error": "denied",
    "permission_error": "denied",
    "billing_error": "denied",
    "request_too_large": "too-large",
    "rate_limit_error": "limited",
    "overloaded_error": "overloaded",
    "api_error": "overloaded",
    "timeout_error": "unreachable",
}
_BY_STATUS = {401: "denied", 402: "denied", 403: "denied", 413: "too-large", 429: "limited"}
_IN_TRANSIT = {408, 409, 504}  # the provider itself says: try again


class Failure(NamedTuple):
    reason: str  # of Answer
    detail: str
    sent: bool = True
    begun: bool = False  # an answer may have been made, and is paid for then
    retry_after: float = 0.0  # seconds


def failed(question: Question, facts: ModelFacts, error: Exception, now: float) -> Answer:
    """The Answer where a call raised. `now`: seconds since the epoch."""
    failure = diagnose(error, now)
    usage = at_most(question, facts) if failure.begun else Usage(calls=int(failure.sent))
    return Answer(reason=failure.reason, detail=failure.detail, usage=usage, retry_after=failure.retry_after)


def diagnose(error: Exception, now: float) -> Failure:
    """Imports the SDK, which is there if the error is one of its own."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return Failure(
            _reason(error),
            f"the provider answered {error.status_code}: {excerpt(error.api_message or error.message)}",
            begun=error.status_code < 300,  # in the middle of a stream
            retry_after=retry_after(error.response.headers, now),
        )
    cause = error.__cause__ if isinstance(error, anthropic.APIConnectionError) else error
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError):
        return Failure("unreachable", f"no connection: {excerpt(str(cause))}", sent=False)
    if isinstance(cause, httpx2.TimeoutException | TimeoutError):
        return Failure("unreachable", "no answer within the time that it was given", begun=True)
    if isinstance(cause, httpx2.NetworkError | httpx2.RemoteProtocolError):
        return Failure("unreachable", f"the connection broke: {excerpt(str(cause))}", begun=True)
    return Failure("odd", f"{type(error).__name__}: {excerpt(str(error))}", sent=False)


def _reason(error: anthropic.APIStatusError) -> str:
    status = error.status_code
    if status >= 500 and error.response.headers.get("x-should-retry") == "false":
        return "odd"
    if reason := _BY_TYPE.get(error.type or "") or _BY_STATUS.get(status):
        return reason
    if status in _IN_TRANSIT:
        return "unreachable"
    return "overloaded" if status >= 500 else "odd"


def retry_after(headers: Mapping[str, str], now: float) -> float:
    """Seconds; 0.0 where the headers do not say, or say it in no known form."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        if isfinite(seconds):
            return max(seconds, 0.0)
    from email.utils import parsedate_to_datetime  # 20 ms

    try:
        return max(parsedate_to_datetime(headers["retry-after"]).timestamp() - now, 0.0)
    except (KeyError, ValueError, OverflowError):
        return 0.0
