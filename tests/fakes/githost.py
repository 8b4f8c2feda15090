"""A host of git repositories over smart HTTP on loopback: git's own `http-backend` behind a small server."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from tests.repos import ENV


class _Handler(BaseHTTPRequestHandler):
    host: GitHost

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        self.host.requests.append((self.path, {name.lower(): v for name, v in self.headers.items()}))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        url = urlsplit(self.path)
        name, _, rest = url.path[1:].partition(".git")
        if name in self.host.moved:
            self.send_response(301)
            self.send_header("Location", f"{self.host.url}/{self.host.moved[name]}.git{rest}?{url.query}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        environment = {
            **ENV,
            "GIT_PROJECT_ROOT": str(self.host.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REQUEST_METHOD": self.command,
            "PATH_INFO": url.path,
            "QUERY_STRING": url.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
        }
        done = subprocess.run(["git", "http-backend"], env=environment, input=body, capture_output=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.partition(": ") for line in head.decode("ascii").split("\r\n")]
        status = next((value for name, _, value in fields if name == "Status"), "200 OK")
        self.send_response(int(status.split()[0]))
        for name, _, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: Any) -> None:
        pass


class GitHost:
    """`url` is the server's; `requests` are the paths and headers that it saw."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.url = ""
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.moved: dict[str, str] = {}

    def publish(self, source: Path, name: str) -> None:
        """Serve a copy of the repository `source` as `owner/repo`."""
        target = self.root / f"{name}.git"
        command = ["git", "clone", "-q", "--mirror", "--no-local", str(source), str(target)]
        subprocess.run(command, env=ENV, check=True, capture_output=True)

    def remove(self, name: str) -> None:
        shutil.rmtree(self.root / f"{name}.git")

    def redirect(self, old: str, new: str) -> None:
        """Answer for the repository `old` that it has moved to `new`."""
        self.moved[old] = new


@contextmanager
def git_host(root: Path) -> Iterator[GitHost]:
    """A server of the repositories below `root`, which is made if need be."""
    root.mkdir(parents=True, exist_ok=True)
    host = GitHost(root)
    handler = type("Handler", (_Handler,), {"host": host})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        host.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield host
        finally:
            server.shutdown()
            thread.join()
