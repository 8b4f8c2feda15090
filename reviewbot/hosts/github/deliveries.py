"""Deliveries that we did not take, sent again by GitHub: it does not do so by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from reviewbot.core.visible import visible
from reviewbot.hosts.github.client import PER_PAGE, Client
from reviewbot.hosts.github.failures import Refused

PATH = "/app/hook/deliveries"
MOST = 50_000  # deliveries that are looked at
_CURSOR = re.compile(r"[?&]cursor=([^&>]+)[^>]*>;\s*rel=\"next\"")


class Missed(NamedTuple):
    """A delivery of which no attempt was taken."""

    id: int  # of the last attempt
    guid: str  # X-GitHub-Delivery
    event: str
    action: str
    at: float  # of the last attempt, seconds since 1970
    status: int  # that we answered with; 0: with nothing


class Healed(NamedTuple):
    sent: Sequence[Missed]
    refused: Sequence[tuple[Missed, str]]  # with GitHub's reason


def missed(client: Client, since: float, odd: Callable[[str], None]) -> list[Missed]:
    """Of the deliveries since then (seconds since 1970), the oldest first: the order in which they
    were to come. `client` speaks as the App. `odd` is told of rows that are none, which are left out.
    Raises Refused."""
    taken: set[str] = set()
    found: dict[str, Missed] = {}
    for row in _rows(client, since, odd):
        if 200 <= row.status < 300:
            taken.add(row.guid)
        found.setdefault(row.guid, row)  # the newest comes first
    return sorted((row for row in found.values() if row.guid not in taken), key=lambda row: (row.at, row.id))


def send_again(client: Client, rows: Sequence[Missed], told: Callable[[Missed], None]) -> Healed:
    """Asks GitHub for each; one that it refuses does not stop the others. `told` hears of each before."""
    sent: list[Missed] = []
    refused: list[tuple[Missed, str]] = []
    for row in rows:
        told(row)
        answer = client.write("POST", f"{PATH}/{row.id}/attempts", {})
        if answer.done:
            sent.append(row)
        else:
            refused.append((row, client.why(answer)))
    return Healed(sent, refused)


def _rows(client: Client, since: float, odd: Callable[[str], None]) -> list[Missed]:
    """The newest first, to the first that is older."""
    rows: list[Missed] = []
    query: dict[str, str | int] = {"per_page": PER_PAGE}
    for _ in range(MOST // PER_PAGE):
        answer = client.read(PATH, **query)
        if not answer.done:
            raise Refused(answer.status, f"GET {PATH}: {client.why(answer)}")
        if not isinstance(answer.data, list):
            raise Refused(answer.status, f"GET {PATH}: GitHub gives no list", "check GITHUB_API_URL")
        page = [found for row in answer.data if (found := _missed(row, odd))]
        rows += [row for row in page if row.at >= since]
        more = _CURSOR.search(answer.headers.get("link", ""))
        if not more or not answer.data or (page and page[-1].at < since):
            break
        query["cursor"] = more[1]
    return rows


def _missed(row: Any, odd: Callable[[str], None]) -> Missed | None:
    try:
        return Missed(
            int(row["id"]),
            str(row["guid"]),
            visible(str(row["event"])),
            visible(str(row["action"] or "")),
            datetime.fromisoformat(row["delivered_at"]).timestamp(),
            int(row["status_code"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        odd(visible(f"{row!s:.120} ({error!r:.80})"))
        return None
