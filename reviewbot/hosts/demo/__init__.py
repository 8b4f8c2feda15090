"""The demonstration: a repository with a change in it that a careful colleague would stop.

`base/` and `head/` beside this file are its two commits; `head/` holds only what differs. The
findings are computed like any other: nothing here knows what they are.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reviewbot.hosts.git import CLEAN, KEPT, Git

BASE = "main"
HEAD = "synthetic-acceptance"

_COMMITS = {
    BASE: "Serving benchmarks",
    HEAD: "Measure with a synthetic acceptance length; quantize with calibration",
}
_AUTHOR = {"NAME": "reviewbot demo", "EMAIL": "demo@example.invalid", "DATE": "2025-01-01T00:00:00Z"}


@contextmanager
def repository(keep: bool) -> Iterator[str]:
    """A new folder with the repository, its branch `HEAD` checked out. Removed afterwards unless `keep`."""
    folder = tempfile.mkdtemp(prefix="reviewbot-demo-")
    try:
        _build(folder)
        yield folder
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _build(folder: str) -> None:
    git = _git(folder)
    git.ask("init", "--quiet", "--template=", f"--initial-branch={BASE}")
    _commit(git, Path(__file__).with_name("base"), _COMMITS[BASE])
    git.ask("checkout", "--quiet", "-b", HEAD)
    _commit(git, Path(__file__).with_name("head"), _COMMITS[HEAD])


def _commit(git: Git, files: Path, message: str) -> None:
    shutil.copytree(
        files,
        git.folder,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__"),
        copy_function=shutil.copyfile,  # a preserved modification time would hide a change from git
    )
    for script in Path(git.folder).rglob("*.sh"):
        script.chmod(0o755)  # a wheel carries no modes
    git.ask("add", "--all")
    git.ask("commit", "--quiet", f"--message={message}")


def _git(folder: str) -> Git:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    people = {f"GIT_{who}_{key}": value for who in ("AUTHOR", "COMMITTER") for key, value in _AUTHOR.items()}
    environment = {**kept, **CLEAN, "GIT_DIR": os.path.join(folder, ".git"), **people}
    return Git(folder, has_work_tree=True, shallow=False, environment=environment)
