"""Large pull requests and long conversations at the front door: what is read, written and said."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.fakes.github import FakePull
from tests.pulls import Launched, made, reviewed

SAFE = "#!/usr/bin/env bash\nset -euo pipefail\necho ready\n"
WAITS = """#!/usr/bin/env bash
set -euo pipefail

vllm serve --port {port} &
SERVER_PID=$!
trap 'kill "$SERVER_PID"' EXIT
until curl --silent --fail http://localhost:{port}/health > /dev/null; do
    sleep 5
done
"""
BASE = {"README.md": "A launcher.\n"}
# Without gates: what is measured here is the way to GitHub and back.
SKILL = """---
name: waits-review
description: Review scripts for waits without an end.
---
# Waits

## Defect classes

1. **An unbounded wait.** `until ! curl; do sleep 1; done` has no end when the other side never comes. Cost:
   a job that hangs until somebody kills it. Fix: a limit on the loop.
"""


@pytest.fixture
def skill(tmp_path: Path) -> str:
    path = tmp_path / "SKILL.md"
    path.write_text(SKILL)
    return str(path)


def waiting(number: int) -> dict[str, str]:
    """So many scripts, each with a loop that cannot finish."""
    return {f"tools/run_{n:03}.sh": WAITS.format(port=8000 + n) for n in range(number)}


def tops(pull: FakePull) -> list[dict[str, Any]]:
    return [c for c in pull.review_comments if not c.get("in_reply_to_id")]


def summary(it: Launched) -> str:
    [comment] = [c for c in it.pull.comments if c["user"]["login"] == it.github.me]
    return comment["body"]


def test_250_files_with_findings_take_12_reads_and_9_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], skill: str
):
    with made(tmp_path, monkeypatch, BASE, waiting(250)) as it:
        code, out, _ = reviewed(capsys, "--skill", skill, "--post", "--format", "json")
        assert code == 1
        found = json.loads(out)["findings"]
        assert len({f["path"] for f in found}) == 250
        assert len(it.github.reads) <= 12, [(e.method, e.path) for e in it.github.reads]
        assert len(tops(it.pull)) == 10
        [run] = it.pull.check_runs
        annotations = it.pull.annotations(run)
        assert len(annotations) == len(found) - 10
        further = -(-len(annotations) // 50) - 1
        kinds = [(e.method, re.sub(r"\d+$", "N", e.path)) for e in it.github.writes]
        check, comment = "/repos/acme/launcher/check-runs", "/repos/acme/launcher/issues/comments/N"
        assert kinds == [
            ("POST", check),
            ("POST", "/repos/acme/launcher/issues/7/comments"),
            ("POST", "/repos/acme/launcher/pulls/7/reviews"),
            *[("PATCH", f"{check}/N")] * (further + 1),
            ("PATCH", comment),
        ]
        assert (run["status"], run["conclusion"]) == ("completed", "neutral")
        assert len(summary(it)) <= 65_000
        assert "All 250 places of row 1" in summary(it)
        assert all(f"`{f['path']}:" in summary(it) for f in found)
        assert "Left out for its length: Without a comment of their own: 240 findings." in summary(it)
        assert "`reviewbot pr acme/launcher#7` prints it." in summary(it)


def test_of_40_findings_10_are_inline_and_none_of_the_others_is_new_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], skill: str
):
    with made(tmp_path, monkeypatch, BASE, waiting(40)) as it:
        assert reviewed(capsys, "--skill", skill, "--post")[0] == 1
        assert len(tops(it.pull)) == 10
        fixed = it.pull.threads[0].path
        assert summary(it).startswith("**40 findings** (40 warnings). ")
        it.work.write(fixed, SAFE)
        it.push("one of them is fixed")
        assert reviewed(capsys, "--skill", skill, "--post")[0] == 1
        assert len(tops(it.pull)) == 10
        text = summary(it)
        assert text.startswith("**39 findings** (39 warnings), all still there. ")
        assert [t.resolved for t in it.pull.threads] == [True] + [False] * 9
        first, second = it.pull.check_runs
        assert [len(it.pull.annotations(run)) for run in (first, second)] == [30, 30]


def test_3200_files_by_the_api_are_incomplete_and_say_200(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    words = {f"docs/{n:04}.md": "word\n" for n in range(2_999)}
    head = words | {"a_run.sh": WAITS.format(port=8000)} | {f"z/run_{n:03}.sh": SAFE for n in range(200)}
    with made(tmp_path, monkeypatch, BASE, head) as it:
        monkeypatch.setenv("GITHUB_SERVER_URL", "http://127.0.0.1:1")
        code, out, _ = reviewed(capsys, "--post", "--format", "json")
        found = json.loads(out)
        assert code == 3
        assert found["verdict"] == "incomplete"
        assert found["coverage"]["files"] == 3_200
        assert [f["path"] for f in found["findings"]] == ["a_run.sh"]
        text = summary(it)
        assert "200" in text
        assert "3,000" in text
        assert it.pull.check_runs[0]["conclusion"] == "neutral"


def test_a_long_conversation_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with made(tmp_path, monkeypatch, BASE, waiting(1)) as it:
        for n in range(101):
            it.pull.comment("octo-dev", f"word {n}")
        first = it.pull.thread("octo-dev", "tools/run_000.sh", 3, "what about this?")
        for n in range(149):
            comment = it.pull.review_comment("octo-dev", f"and {n}?", first.comments[0])
            it.pull.threads.append(replace(first, id=f"PRRT_9{n}", comments=[comment]))
            it.pull.review_comments.append(comment)
        assert reviewed(capsys, "--post")[0] == 1
        assert len(it.pull.comments) == 102
        assert len(it.pull.threads) == 151
        writes = len(it.github.writes)
        assert reviewed(capsys, "--post")[0] == 1
        assert len(it.github.writes) == writes
        it.work.write("README.md", "Words.\n")
        it.push("words")
        assert reviewed(capsys, "--post")[0] == 1
        assert (len(it.pull.comments), len(it.pull.review_comments)) == (102, 151)


@pytest.mark.parametrize("body", ["x" * 65_537, "<!-- reviewbot:1 {" * 3_641, "@reviewbot " * 5_958])
def test_the_longest_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], body: str
):
    with made(tmp_path, monkeypatch, BASE, waiting(1)) as it:
        it.pull.comment("octo-dev", body)
        it.pull.thread("octo-dev", "tools/run_000.sh", 7, body)
        assert reviewed(capsys, "--post")[0] == 1
        assert len(it.pull.comments) == 2
        assert [c["line"] for c in tops(it.pull)] == [7, 8]  # one below the other


@pytest.mark.parametrize("step", [-3_600.0, 3_600.0])
def test_a_clock_that_jumps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], step: float
):
    """Forward: a checklist at each look, and no more. Back: none, and no time below nothing."""
    ticks = itertools.count(1e6, step)
    monkeypatch.setattr("reviewbot.wiring.pull.time", SimpleNamespace(monotonic=lambda: next(ticks)))
    with made(tmp_path, monkeypatch, BASE, waiting(1)) as it:
        assert reviewed(capsys, "--post")[0] == 1
        edits = [e for e in it.github.writes if e.method == "PATCH" and "/issues/comments/" in e.path]
        assert len(edits) == 1 if step < 0 else 1 < len(edits) < 20
        assert (" h " in summary(it)) == (step > 0)
        assert "-" not in re.findall(r"Took [^.]*", summary(it) + "Took 0")[0]
