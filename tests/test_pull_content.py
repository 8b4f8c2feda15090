"""What a pull request changes, at the front door: odd paths and line ends, no git, a model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from reviewbot.core.publish.table import PLACES
from tests.fakes.anthropic_server import anthropic_server
from tests.fakes.github import FakePull
from tests.pulls import Launched, documents, launched, made, reviewed
from tests.test_model_review import BASE as SHOP
from tests.test_model_review import HEAD as SHOP_CHANGED
from tests.test_model_review import SKILL as SHOP_SKILL
from tests.test_model_review import honest
from tests.test_pull_sizes import SKILL

BASE = {"README.md": "A launcher.\n"}
WAITS = """#!/usr/bin/env bash
set -euo pipefail

vllm serve --port 8000 &
SERVER_PID=$!
trap 'kill "$SERVER_PID"' EXIT
until curl --silent --fail http://localhost:8000/health > /dev/null; do
    sleep 5
done
"""
CHECKS = """\
def verify_checkpoint(old, new):
    assert old == new
    return True
"""
ODD = (
    "run_new\nline.sh",
    "run_'single'.sh",
    'run_"double".sh',
    "run_back\\slash.sh",
    "run_pi|pe.sh",
    "run_tick`s`.sh",
    "run_<b>&amp;.sh",
    "run_@octocat #1.sh",
    "run_\u202eevil.sh",
    "run_ünï.sh",
)


def tops(pull: FakePull) -> list[dict[str, Any]]:
    return [c for c in pull.review_comments if not c.get("in_reply_to_id")]


def summary(it: Launched) -> str:
    [comment] = [c for c in it.pull.comments if c["user"]["login"] == it.github.me]
    return comment["body"]


def timeless(document: dict[str, Any]) -> dict[str, Any]:
    gates = [{**gate, "seconds": 0} for gate in document["gates"]]
    return {**document, "gates": gates, "usage": {**document["usage"], "seconds": 0}}


def test_odd_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "SKILL.md").write_text(SKILL)
    only = ("--skill", str(tmp_path / "SKILL.md"), "--post")
    with made(tmp_path, monkeypatch, BASE, dict.fromkeys(ODD, WAITS)) as it:
        code, out, _ = reviewed(capsys, *only, "--format", "json")
        assert code == 1
        assert sorted(f["path"] for f in json.loads(out)["findings"]) == sorted(ODD)
        assert sorted(c["path"] for c in tops(it.pull)) == sorted(ODD)
        assert not [e for e in it.github.log if e.status >= 400]
        [row] = [line for line in summary(it).splitlines() if line.startswith("| 🟠")]
        assert len(re.findall(r"(?<!\\)\|", row)) == 5
        assert f" and {len(ODD) - PLACES} more |" in row
        said = summary(it) + "".join(c["body"] for c in tops(it.pull))
        assert "\u202e" not in said
        assert "@octocat" not in re.sub(r"(`+)[^`].*?(?<!`)\1(?!`)|<!--.*?-->", "", said)  # but as code
        it.work.write("README.md", "Words.\n")
        it.push("words")
        assert reviewed(capsys, *only)[0] == 1
        assert len(tops(it.pull)) == len(ODD)


def test_a_path_that_is_no_utf_8_is_told_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """GitHub's JSON has no name for it."""
    path = b"run_\xff.sh"
    with made(tmp_path, monkeypatch, BASE, {path: WAITS, "run_b.sh": WAITS}) as it:
        code, out, _ = reviewed(capsys, "--post", "--format", "json")
        assert code == 1
        found = json.loads(out)["findings"]
        assert len(found) == 2
        assert [c["path"] for c in tops(it.pull)] == ["run_b.sh"]
        assert "run_\\xff.sh" in summary(it)
        assert not [e for e in it.github.log if e.status == 422]
        it.work.write("README.md", "Words.\n")
        it.push("words")
        assert reviewed(capsys, "--post")[0] == 1
        assert len(tops(it.pull)) == 1
        assert summary(it).count(" (still there)") == 2


ENDS = {
    "lf": (CHECKS, True),
    "crlf": (CHECKS.replace("\n", "\r\n"), False),
    "mixed": (CHECKS.replace("new\n", "new\r\n"), False),
    "no-end": (CHECKS.removesuffix("\n"), True),
}


@pytest.mark.parametrize("kind", ENDS)
def test_line_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: str
):
    text, offered = ENDS[kind]
    with made(tmp_path, monkeypatch, BASE, {"tools/verify_checkpoint.py": text}) as it:
        code, out, err = reviewed(capsys, "--post", "--format", "json", "--fail-on", "note")
        assert code == 1, (out, err)
        [finding] = [f for f in json.loads(out)["findings"] if f["class"].startswith("assert")]
        [comment] = [c for c in tops(it.pull) if c["line"] == finding["line"]]
        assert ("```suggestion" in comment["body"]) == offered
        assert "\r" not in comment["body"]
        assert reviewed(capsys, "--post")[0] == 0
        assert len(it.pull.comments) == 1


def test_without_git_the_same_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with launched(tmp_path, monkeypatch) as it:
        by_git = documents(capsys)
        monkeypatch.setenv("GITHUB_SERVER_URL", "http://127.0.0.1:1")
        code, out, _ = reviewed(capsys, "--post", "--format", "json")
        by_api = json.loads(out)
        assert by_api["findings"] == by_git["findings"]
        assert (by_api["verdict"], code) in [("findings", 1), ("incomplete", 3)]
        assert by_api["coverage"] == by_git["coverage"]
        assert "read by GitHub's API" in summary(it)
        assert len(tops(it.pull)) == 4


def test_a_model_finds_the_same_here_and_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Each with an empty memory: an answer that is bought is not bought twice."""
    base = {"shop.py": SHOP, ".reviewbot/skills/shop-review/SKILL.md": SHOP_SKILL}
    with (
        made(tmp_path, monkeypatch, base, {"shop.py": SHOP_CHANGED}) as it,
        anthropic_server(honest) as provider,
    ):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
        monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "there"))
        there = documents(capsys, "--skill", "shop-review", "--post")
        monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "here"))
        monkeypatch.chdir(it.work.path)
        cli.run(["diff", "origin/main", "--skill", "shop-review", "--format", "json"])
        here = json.loads(capsys.readouterr().out)
        assert timeless(there) == timeless(here)
        assert [(f["origin"], f["line"]) for f in here["findings"]] == [("model", 4)]
        assert [(c["path"], c["line"]) for c in tops(it.pull)] == [("shop.py", 4)]
