"""A repository whose change has a launcher with a step that nobody checks: what `--fix` has to do with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.repos import Repo

LAUNCH = """\
#!/usr/bin/env bash
set -x
CONFIG="$1"
mkdir -p results || exit 1
python3 tools/inject.py "$CONFIG"
sbatch --export="ALL,CONFIG=$CONFIG" bench.sbatch || exit 1
"""
STEP = 'python3 tools/inject.py "$CONFIG"\n'
GUARDED = 'python3 tools/inject.py "$CONFIG" || exit 1\n'
FIXED = LAUNCH.replace(STEP, GUARDED)
OLD = LAUNCH.replace(STEP, "")

GATED = """\
---
name: gated
description: Review of launchers, with a gate that executes.
---
# Gated

## Files in scope

| Stage | File | Owns |
|---|---|---|
| launch | `runners/*.sh` | the launch |

## Defect classes

1. **A failed step does not stop the launch.** The launcher goes on after a step that failed, and launches
   on the old input. Fix: `|| exit 1`.

## Gates

```bash smoke
bash tests/run.sh
```
"""


def launchers(
    folder: Path, files: dict[str, str | bytes], base: dict[str, str | bytes] | None = None
) -> Repo:
    """main has the launchers of `files` without their step, and `base`; the branch `work`, checked out, has
    `files`."""
    repo = Repo(folder)
    repo.write("README.md", "launchers\n")
    for name, content in {**{name: _without(text) for name, text in files.items()}, **(base or {})}.items():
        repo.write(name, content, mode=0o755 if name.endswith(".sh") else None)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "work")
    for name, content in files.items():
        repo.write(name, content)
    repo.commit("head")
    return repo


def _without(content: str | bytes) -> str | bytes:
    if isinstance(content, bytes):
        lines = content.split(b"\n")
        return b"\n".join(line for line in lines if b"inject.py" not in line)
    return content.replace(STEP, "")


class Ran:
    """What one command of this process gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def review(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


def ran(repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *argv: str) -> Ran:
    monkeypatch.chdir(repo.path)
    code = cli.run(list(argv))
    out, err = capsys.readouterr()
    return Ran(code, out, err)
