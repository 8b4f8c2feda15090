"""Who the token is, who may command, the App and its installation, the rate limit."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.fakes.github.answers import REPO, Answer, Refused, Request, answers
from tests.fakes.github.model import Json, app

PERMISSIONS = {
    "metadata": "read",
    "contents": "read",
    "pull_requests": "write",
    "issues": "write",
    "checks": "write",
}
RESET = 1796040000


@answers("GET", "/user")
def user(request: Request) -> Answer:
    if request.person:
        return Answer({**request.fake.user(request.person), "user_view_type": "public"})
    if request.fake.app:
        raise Refused(403, "Resource not accessible by integration")
    return Answer({**request.fake.user(request.fake.me), "user_view_type": "public"})


@answers("GET", "/rate_limit")
def rate_limit(request: Request) -> Answer:
    plenty = {"limit": 5000, "remaining": 4999, "used": 1, "reset": RESET}
    return Answer({"resources": {"core": plenty, "search": plenty, "graphql": plenty}, "rate": plenty})


@answers("GET", f"{REPO}/collaborators/{{username}}/permission")
def permission(request: Request) -> Answer:
    login = request.names["username"]
    if login not in request.repository.permissions:
        raise Refused(404, f"{login} is not a user")
    level = request.repository.permissions[login]
    return Answer({"permission": level, "role_name": level, "user": request.fake.user(login)})


@answers("GET", "/app")
def own_app(request: Request) -> Answer:
    return Answer({**app(request.fake), "permissions": PERMISSIONS})


def permissions(request: Request) -> dict[str, str]:
    return {name: level for name, level in PERMISSIONS.items() if name not in request.fake.lacking}


def installation(request: Request) -> Json:
    fake = request.fake
    return {
        "id": 88,
        "account": fake.user("acme"),
        "repository_selection": "selected",
        "access_tokens_url": f"{fake.url}/app/installations/88/access_tokens",
        "repositories_url": f"{fake.url}/installation/repositories",
        "html_url": f"{fake.server}/settings/installations/88",
        "app_id": 77,
        "app_slug": "reviewbot",
        "target_id": 501,
        "target_type": "Organization",
        "permissions": permissions(request),
        "events": ["pull_request", "issue_comment"],
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "single_file_name": None,
        "suspended_at": None,
        "suspended_by": None,
    }


@answers("GET", f"{REPO}/installation")
def installed(request: Request) -> Answer:
    account = request.fake.user(request.repository.owner)
    return Answer({**installation(request), "account": account})


@answers("GET", "/app/installations")
def installations(request: Request) -> Answer:
    return request.page([installation(request)])


@answers("GET", "/app/installations/{installation_id}")
def one_installation(request: Request) -> Answer:
    if request.names["installation_id"] != "88":
        raise Refused(404, "Not Found")
    return Answer(installation(request))


@answers("POST", "/app/installations/{installation_id}/access_tokens")
def token(request: Request) -> Answer:
    """A new token, good until `fake.minted` is emptied."""
    if request.names["installation_id"] != "88":
        raise Refused(404, "Not Found")
    known = {repository.id for repository in request.fake.repositories.values()}
    names = {repository.name.partition("/")[2] for repository in request.fake.repositories.values()}
    named = set(request.body.get("repositories", ()))
    if set(request.body.get("repository_ids", ())) - known or named - names:
        raise Refused(422, "There is at least one repository that does not exist or is not accessible.")
    value = f"ghs_minted{len(request.fake.minted):030}"
    request.fake.minted.append(value)
    granted = request.body.get("permissions", permissions(request))
    expires = datetime.fromtimestamp(request.fake.clock() + 3_600, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Answer({"token": value, "expires_at": expires, "permissions": granted}, 201)
