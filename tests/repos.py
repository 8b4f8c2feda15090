"""Real git repositories for tests: small, reproducible, deaf to the machine's own configuration."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ENV = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "A Tester",
    "GIT_AUTHOR_EMAIL": "tester@example.invalid",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A Tester",
    "GIT_COMMITTER_EMAIL": "tester@example.invalid",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


class Repo:
    """A repository whose first branch is `main`. Names may be bytes that are no UTF-8."""

    def __init__(self, path: Path | str, *init: str) -> None:
        self.path = Path(path)
        if not (self.path / ".git").exists():
            self.path.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q", "-b", "main", *init)

    def git(self, *args: str | bytes, stdin: bytes | None = None) -> str:
        """Runs git here and returns its stdout without the last line end; fails loudly."""
        return self.git_bytes(*args, stdin=stdin).decode("utf-8", "surrogateescape").rstrip("\n")

    def git_bytes(self, *args: str | bytes, stdin: bytes | None = None) -> bytes:
        done = subprocess.run(["git", *args], cwd=self.path, env=ENV, input=stdin, capture_output=True)
        if done.returncode:
            raise AssertionError(f"git {args}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout

    def file(self, name: str | bytes) -> Path:
        return Path(os.fsdecode(os.path.join(os.fsencode(self.path), os.fsencode(name))))

    def write(self, name: str | bytes, content: str | bytes, mode: int | None = None) -> Path:
        """Writes the bytes as they are (no line end is translated), makes folders, sets the mode."""
        path = self.file(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            path.unlink()
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        if mode is not None:
            path.chmod(mode)
        return path

    def link(self, name: str | bytes, target: str) -> None:
        path = self.file(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    def rm(self, name: str | bytes) -> None:
        self.file(name).unlink()

    def commit(self, message: str = "x") -> str:
        """Commits everything in the work tree; returns the commit's id."""
        self.git("add", "-A", "-f", ".")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")
