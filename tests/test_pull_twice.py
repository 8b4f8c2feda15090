"""Two runs at once on one pull request."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.github import Fault
from tests.pulls import NUMBER, Launched, made, reviewed

BASE = {
    ".reviewbot/skills/verifiers/SKILL.md": """\
---
name: verifiers
description: Review what verifies a conversion.
---
# Verifiers

## Defect classes

1. **`assert` in a verifier.** `python -O` deletes it.
"""
}
HEAD = {"tools/verify_x.py": "def verify_x(old, new):\n    assert old == new\n"}


def started(state: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "reviewbot", "pr", f"acme/launcher#{NUMBER}", "--post"]
    env = os.environ | {"REVIEWBOT_STATE_DIR": str(state)}
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def said(it: Launched) -> list[list[str]]:
    """The first lines of the replies in each thread."""
    return [[c["body"].split("\n")[0] for c in t.comments[1:]] for t in it.pull.threads]


def test_two_runs_at_once_on_one_machine_post_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with made(tmp_path, monkeypatch, BASE, HEAD) as it:
        runs = [started(tmp_path / "state") for _ in range(2)]
        assert [run.wait(100) for run in runs] == [0, 0]
        assert len(it.pull.threads) == 1


def test_what_two_machines_said_at_once_is_folded_and_not_called_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with made(tmp_path, monkeypatch, BASE, HEAD) as it:
        other = Fault(
            "POST", r".*/pulls/7/reviews", 0, then=lambda: started(tmp_path / "another machine").wait(100)
        )
        it.github.faults.append(other)
        assert reviewed(capsys, "--post")[0] == 0
        assert len(it.pull.threads) == 2
        for name in ("a", "b"):
            it.work.write(f"docs/{name}.md", "x\n")
            it.push()
            _, out, _ = reviewed(capsys, "--post", "--format", "json")
            assert len(json.loads(out)["findings"]) == 1
        assert sorted(t.resolved for t in it.pull.threads) == [False, True]
        [words] = [words for words in said(it) if words]
        assert len(words) == 1
        assert words[0].startswith("The same is said in [another conversation](")
