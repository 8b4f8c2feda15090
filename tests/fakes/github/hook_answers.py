"""What an App asks about itself: its deliveries, and the conversion of a manifest."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.fakes.github.answers import Answer, Refused, Request, answers
from tests.fakes.github.model import Json, app
from tests.fakes.github.signing import private_key

if TYPE_CHECKING:
    from tests.fakes.github.server import FakeGitHub


def delivered(
    fake: FakeGitHub,
    guid: str,
    status: int,
    *,
    at: float | None = None,
    event: str = "pull_request",
    action: str = "opened",
    redelivery: bool = False,
) -> Json:
    """Notes that GitHub sent an event to the App, which answered `status` (0: nothing)."""
    moment = datetime.fromtimestamp(fake.clock() if at is None else at, UTC)
    row = {
        "id": fake.next_id(),
        "guid": guid,
        "delivered_at": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "redelivery": redelivery,
        "duration": 0.03,
        "status": "OK" if 200 <= status < 300 else "Invalid HTTP Response: 503" if status else "timed out",
        "status_code": status,
        "event": event,
        "action": action,
        "installation_id": 88,
        "repository_id": 1,
    }
    fake.deliveries.append(row)
    return row


@answers("GET", "/app/hook/deliveries")
def deliveries(request: Request) -> Answer:
    """The newest first; a cursor is the id of the first row of a page."""
    rows = request.fake.deliveries[::-1]
    ids = [str(row["id"]) for row in rows]
    if (cursor := request.query.get("cursor", "")) and cursor not in ids:
        raise Refused(400, "Invalid cursor")
    start = ids.index(cursor) if cursor else 0
    end = start + min(int(request.query.get("per_page", 30)), 100)
    headers = {}
    if end < len(rows):
        headers["Link"] = (
            f'<{request.fake.url}{request.path}?per_page={end - start}&cursor={ids[end]}>; rel="next"'
        )
    return Answer(rows[start:end], headers=headers)


@answers("POST", "/app/hook/deliveries/{delivery_id}/attempts")
def attempt(request: Request) -> Answer:
    """Sent again by `fake.resend`, whose status is noted."""
    fake = request.fake
    old = next((row for row in fake.deliveries if str(row["id"]) == request.names["delivery_id"]), None)
    if old is None:
        raise Refused(404, "Not Found")
    status = fake.resend(old)
    delivered(fake, old["guid"], status, event=old["event"], action=old["action"], redelivery=True)
    return Answer({}, 202)


@answers("POST", "/app-manifests/{code}/conversions")
def conversion(request: Request) -> Answer:
    """Each code is good once."""
    manifest = request.fake.manifests.pop(request.names["code"], None)
    if manifest is None:
        raise Refused(404, "Not Found")
    made = {**app(request.fake), "name": manifest["name"], "permissions": manifest["default_permissions"]}
    secrets = {"client_id": "Iv1.fake", "client_secret": "c" * 40, "webhook_secret": "w" * 40}
    return Answer({**made, **secrets, "pem": private_key()}, 201)
