"""Git over HTTP: `git http-backend` behind the fake's own rules of who may read."""

from __future__ import annotations

import subprocess
from email.message import Message
from typing import TYPE_CHECKING
from urllib.parse import SplitResult

from tests.repos import ENV

if TYPE_CHECKING:
    from tests.fakes.github.server import FakeGitHub


def serve_git(
    fake: FakeGitHub, method: str, url: SplitResult, headers: Message, body: bytes
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and content. A wrong token is refused even where none is needed, as on GitHub."""
    name, found, _ = url.path[1:].partition(".git/")
    given = headers.get("Authorization", "")
    repository = fake.repositories.get(name)
    if repository and repository.hidden:
        repository = None
    if (given and not fake.knows(given)) or (not given and (repository is None or repository.private)):
        challenge = {"WWW-Authenticate": 'Basic realm="GitHub"'}
        return 401, challenge, b"Invalid username or token.\n"
    if not found or repository is None:
        return 404, {}, b"Repository not found.\n"
    fake.look()
    environment = {
        **ENV,
        "GIT_PROJECT_ROOT": str(fake.root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "GIT_PROTOCOL": headers.get("Git-Protocol", ""),
        "REQUEST_METHOD": method,
        "PATH_INFO": url.path,
        "QUERY_STRING": url.query,
        "CONTENT_TYPE": headers.get("Content-Type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_CONTENT_ENCODING": headers.get("Content-Encoding", ""),
    }
    done = subprocess.run(["git", "http-backend"], env=environment, input=body, capture_output=True)
    head, _, content = done.stdout.partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode("ascii").split("\r\n"))
    status = int(fields.pop("Status", "200 OK").split()[0])
    return status, fields, content
