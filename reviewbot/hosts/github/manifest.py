"""Making a GitHub App from a manifest: a person consents on GitHub's page, a code comes back, and for
the code GitHub gives the App's secrets, once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from reviewbot.core.errors import UsageError
from reviewbot.core.visible import visible
from reviewbot.hosts.github.app import WRITES
from reviewbot.hosts.github.client import Access, Client
from reviewbot.hosts.github.failures import Refused
from reviewbot.hosts.github.secrets import key_texts, quieten

# Those of installations come to every App.
EVENTS = (
    "check_run",
    "check_suite",
    "issue_comment",
    "pull_request",
    "pull_request_review_comment",
    "repository",
)
NOWHERE = "https://example.invalid/webhook"  # of a webhook that is not active; GitHub wants one
_CODE = re.compile(r"[A-Za-z0-9_-]{1,200}")
_PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,200}")


class Made(NamedTuple):
    """An App as GitHub made it."""

    id: int
    slug: str
    page: str
    pem: str
    webhook_secret: str
    client_id: str
    client_secret: str

    def __repr__(self) -> str:
        return f"Made({self.id}, {self.slug!r}, …)"


def manifest(name: str, url: str, back: str) -> dict[str, Any]:
    """`url` is where the server will be seen, without a slash at its end ("": not known yet); `back` the
    local address that the code is sent to."""
    hook = {"url": f"{url}/webhook", "active": True} if url else {"url": NOWHERE, "active": False}
    made: dict[str, Any] = {
        "name": name,
        "url": url or "https://example.invalid",
        "hook_attributes": hook,
        "redirect_url": back,
        "public": False,
        "default_permissions": dict(WRITES),
        "default_events": list(EVENTS),
    }
    if url:
        made["callback_urls"] = [f"{url}/login/callback"]
    return made


def form_address(server: str, org: str, state: str) -> str:
    """Where the manifest is sent to by the browser. `org` "": the App is the person's own."""
    whose = f"organizations/{quote(org, safe='')}/" if org else ""
    return f"{server}/{whose}settings/apps/new?{urlencode({'state': state})}"


def convert(api: str, server: str, code: str) -> Made:
    """The App that stands behind the code. Raises UsageError; a code is good once, and for an hour."""
    if not _CODE.fullmatch(code):
        raise UsageError("GitHub's code has another form", "begin again")
    client = Client(Access(api, server, ""))
    answer = client.write("POST", f"/app-manifests/{code}/conversions", {})
    if not answer.done:
        raise Refused(
            answer.status, f"GitHub does not give the App's key: {client.why(answer)}", "begin again"
        )
    return _made(answer.data)


def _made(data: Any) -> Made:
    """Raises Refused where a field is not as GitHub writes it: they are going into a file of settings."""
    found: Mapping[str, Any] = data if isinstance(data, dict) else {}
    texts = {
        name: str(found.get(name) or "") for name in ("pem", "webhook_secret", "client_id", "client_secret")
    }
    quieten([text for text in (*key_texts(texts["pem"]), *list(texts.values())[1:]) if text])
    wrong = [name for name in texts if name != "pem" and not _PLAIN.fullmatch(texts[name])]
    wrong += ["pem"] if "PRIVATE KEY" not in texts["pem"] else []
    wrong += ["id"] if type(found.get("id")) is not int else []
    if wrong or not _PLAIN.fullmatch(str(found.get("slug"))):
        raise Refused(200, f"GitHub's answer lacks {', '.join(wrong or ['slug'])}", "check GITHUB_API_URL")
    return Made(int(found["id"]), str(found["slug"]), visible(str(found.get("html_url", ""))), **texts)
