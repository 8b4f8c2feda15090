"""Where the commands of a page run: the demonstration's repository, a fake GitHub with its pull request, a
home of its own, and `reviewbot` on PATH."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from reviewbot.hosts import demo
from tests.docs.blocks import ROOT
from tests.pulls import Launched
from tests.repos import ENV

SHIM = '#!/bin/sh\nPYTHONPATH="{root}" exec "{python}" -W error -m reviewbot "$@"\n'
# The state between two commands is a file that the next one reads: folder, variables, status of the last.
RUN = """\
cd "$(cat "$WORLD/cwd")" || exit 99
. "$WORLD/env"
(exit "$(cat "$WORLD/status")")
{command}
status=$?
pwd >"$WORLD/cwd"
export -p >"$WORLD/env"
printf '%s\\n' "$status" >"$WORLD/status"
exit "$status"
"""


class Ran(NamedTuple):
    status: int
    printed: str  # stdout and stderr as they come


class World:
    def __init__(self, folder: Path, launched: Launched) -> None:
        self._folder = folder / "world"
        tools = self._folder / "bin"
        tools.mkdir(parents=True)
        shim = tools / "reviewbot"
        shim.write_text(SHIM.format(root=ROOT, python=sys.executable))
        shim.chmod(0o755)
        (tools / "python3").symlink_to(sys.executable)
        self._environment = {
            **{name: value for name, value in ENV.items() if not name.startswith("GIT_CONFIG")},
            "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self._folder),
            "WORLD": str(self._folder),
            "LC_ALL": "C.UTF-8",
            "REVIEWBOT_STATE_DIR": os.environ["REVIEWBOT_STATE_DIR"],
            "GITHUB_API_URL": launched.github.url,
            "GITHUB_SERVER_URL": launched.github.server,
            "GITHUB_TOKEN": launched.github.token,
        }
        self._prepare(launched.work.path)

    def _prepare(self, work: Path) -> None:
        """The branch of the demonstration in a clone, with the usual remote; its base is also `main`."""
        git = ["git", "-C", str(work)]
        subprocess.run([*git, "branch", "-q", "-f", demo.BASE, f"origin/{demo.BASE}"], check=True)
        subprocess.run([*git, "remote", "add", "origin", str(work)], check=True)
        for name, value in (("cwd", f"{work}\n"), ("env", ""), ("status", "0\n")):
            (self._folder / name).write_text(value)

    @property
    def here(self) -> Path:
        return Path((self._folder / "cwd").read_text().rstrip("\n"))

    def write(self, name: str, text: str) -> None:
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if name.endswith(".sh"):
            path.chmod(0o755)

    def run(self, command: str) -> Ran:
        script = RUN.format(command=command)
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        done = subprocess.run(
            ["bash", "-c", script], env=self._environment, cwd=self.here, text=True, timeout=100, **streams
        )
        return Ran(done.returncode, done.stdout)
