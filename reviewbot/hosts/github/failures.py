"""What GitHub answers, and what it means where it is no success: one line for people."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.visible import visible

MOVED = (301, 302, 307, 308)
LONGEST = 400  # characters of GitHub's own words
_GRAPHQL = {"FORBIDDEN": 403, "INSUFFICIENT_SCOPES": 403, "NOT_FOUND": 404, "RATE_LIMITED": 429}


class Answer(NamedTuple):
    """`status` is HTTP's, for GraphQL the one that REST would give; 0: none came, and `lost` says why.
    Names of headers are lower case. `data` is JSON; None where the body is none."""

    status: int
    headers: Mapping[str, str] = {}
    data: Any = None
    lost: str = ""

    @property
    def done(self) -> bool:
        return 200 <= self.status < 300

    @property
    def uncertain(self) -> bool:
        """It may have been done all the same."""
        return self.status == 0 or self.status >= 500


class Refused(UsageError):
    """A request that GitHub did not fulfil. `status` as of Answer; 429 whatever GitHub gave where it asks to
    come later."""

    def __init__(self, status: int, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.status = status


@contextmanager
def of_form(what: str) -> Iterator[None]:
    """Whatever is not where GitHub's description says is a Refused."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise Refused(200, f"{what}: this is no answer of GitHub's", "check GITHUB_API_URL") from error


def of_graphql(answer: Answer) -> Answer:
    """As REST would answer: GraphQL's errors come as a success."""
    if not answer.done or not isinstance(answer.data, dict):
        return answer
    errors = answer.data.get("errors")
    if not errors:
        return answer._replace(data=answer.data.get("data"))
    rows = [error for error in errors if isinstance(error, dict)]
    status = next((_GRAPHQL[row["type"]] for row in rows if row.get("type") in _GRAPHQL), 422)
    words = "; ".join(str(row.get("message", "")) for row in rows)
    if status == 422 and words.startswith("Something went wrong while executing your query"):
        status = 502  # its time-out
    return answer._replace(status=status, data={"message": words})


def limited(answer: Answer) -> bool:
    """GitHub asks to come again later. Nothing was done."""
    if answer.status == 429:
        return True
    if answer.status != 403:
        return False
    exhausted = answer.headers.get("x-ratelimit-remaining") == "0"
    words = said(answer.data).lower()
    return exhausted or "retry-after" in answer.headers or "rate limit" in words or "abuse detection" in words


def pause(answer: Answer, attempt: int, now: float) -> float:
    """Seconds to wait before attempt number `attempt` + 2; `now` in seconds since 1970."""
    after = answer.headers.get("retry-after", "")
    if after.isdecimal():
        return max(1.0, float(after))
    if (reset := _reset(answer)) is not None:
        return max(0.0, reset - now) + 1.0
    return 60.0 * 2.0**attempt


def _reset(answer: Answer) -> float | None:
    reset = answer.headers.get("x-ratelimit-reset", "")
    if answer.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        return float(reset)
    return None


def why(answer: Answer) -> str:
    """Why it was not done, with the remedy where there is one. One line; hide() is the caller's."""
    words = said(answer.data)
    if answer.status == 0:
        return answer.lost
    if answer.uncertain:
        return f"GitHub fails with {answer.status}" + (f": {words}" if words else "")
    if answer.status in MOVED:
        return "GitHub leads elsewhere; use the repository's present name"
    if answer.status == 401:
        return "GitHub does not accept the token; set GITHUB_TOKEN to one that is valid"
    if limited(answer):
        return f"GitHub's rate limit is used up{_until(answer)}; try again later"
    if answer.status == 403 and (wanted := answer.headers.get("x-accepted-github-permissions")):
        return f"the token lacks {_permissions(wanted)}; grant it (GitHub: {words})"
    if answer.status == 404:
        return f"GitHub has no such thing, or the token cannot see it: {words}"
    return f"GitHub answers {answer.status}: {words or 'without a word'}"


def said(data: Any) -> str:
    """GitHub's own words, on one line."""
    if not isinstance(data, Mapping):
        return ""
    errors = data.get("errors")
    rows = errors if isinstance(errors, list) else [errors] if errors else []
    texts = (str(data.get("message") or ""), *_words(rows))
    line = " ".join("; ".join(text for text in texts if text).split())
    return visible(line if len(line) <= LONGEST else line[:LONGEST] + "…")


def _words(rows: list[Any]) -> Iterator[str]:
    for row in rows:
        if not isinstance(row, Mapping):
            yield str(row)
        elif row.get("message"):
            yield str(row["message"])
        else:
            yield " ".join(str(row[name]) for name in ("resource", "field", "code") if row.get(name))


def _until(answer: Answer) -> str:
    reset = _reset(answer)
    if reset is None or reset > 4e9:
        return ""
    return time.strftime(" until %H:%M:%S UTC", time.gmtime(reset))


def _permissions(header: str) -> str:
    """`issues=write; pull_requests=write` (either will do) in words."""
    either = (
        " and ".join(one.strip().replace("=", ": ") for one in row.split(",")) for row in header.split(";")
    )
    return visible(" or ".join(either))
