"""A rule of a skill that brings a proof: a tool of the repository shows a finding, or denies it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.repos import Repo

SKILL = """\
---
name: cleaning
description: Review the scripts that clean up.
---
# Cleaning

## Defect classes

1. **A folder that may be empty.** It deletes from the root. Fix: ask first.
"""
RULE = """\
id: empty-folder
language: bash
class: 1
grade: hint
message: "`rm` below a variable that may be empty"
cost: Everything below the root is gone.
fix: Write `"${DIR:?}/"`.
proof: ./tools/show.sh <path> <line>
rule:
  kind: command
  regex: '^rm -rf "\\$\\w+/"$'
bad:
  - rm -rf "$DIR/"
good:
  - rm -rf build
"""
# A variable with a value above the line cannot be empty there.
TOOL = """\
#!/bin/bash
set -u
name=$(sed -n "$2{s/.*\\$\\([A-Z]*\\).*/\\1/p}" "$1") || exit 2
echo "$1:$2 reads $name"
if head -n "$2" "$1" | grep -q "^$name=/."; then exit 10; fi
if grep -q unknown "$1"; then exit 7; fi
exit 0
"""
UNSAFE = '#!/bin/bash\nDIR=$1\nrm -rf "$DIR/"\n'
SAFE = '#!/bin/bash\nDIR=/var/cache/x\nrm -rf "$DIR/"\n'


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write(".reviewbot/skills/cleaning/SKILL.md", SKILL)
    repo.write(".reviewbot/skills/cleaning/rules/empty-folder.yml", RULE)
    repo.write("tools/show.sh", TOOL, 0o755)
    monkeypatch.chdir(repo.path)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    return repo


def review(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    code = cli.run(["diff", "main", "--skill", "cleaning", "--format", "json", *argv])
    out, err = capsys.readouterr()
    assert err == ""
    return code, json.loads(out)


def test_a_proof_proves_one_finding_and_rejects_another(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write("-f x.sh", UNSAFE)
    repo.write("ops/safe.sh", SAFE)
    repo.write("ops/other.sh", UNSAFE + "# unknown\n")
    repo.commit("head")
    code, found = review(capsys)
    shown = {f["path"]: f for f in found["findings"]}
    assert {path: f["grade"] for path, f in shown.items()} == {"-f x.sh": "proven", "ops/other.sh": "hint"}
    [receipt] = [r for r in shown["-f x.sh"]["receipts"] if r["kind"] == "run"]
    assert receipt["ok"]
    assert receipt["claim"] == "In the sandbox `./tools/show.sh ./-f x.sh 3` exits 0, which shows it"
    assert "./-f x.sh:3 reads DIR" in receipt["detail"]
    [rejected] = found["rejections"]
    assert (rejected["path"], rejected["line"], rejected["reason"]) == ("ops/safe.sh", 3, "disproved")
    assert rejected["detail"] == "`./tools/show.sh ops/safe.sh 3` exits 10, which denies it"
    assert code == 1


def test_a_change_of_the_tool_cannot_deny(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write("run.sh", UNSAFE)
    repo.write("tools/show.sh", "#!/bin/bash\nexit 10\n", 0o755)
    repo.commit("head")
    _, found = review(capsys)
    assert [(f["path"], f["grade"]) for f in found["findings"]] == [("run.sh", "proven")]
    assert found["rejections"] == []


@pytest.mark.parametrize("path", ["tools/lib.sh", "ops/known"])
def test_no_other_file_of_the_change_testifies(
    repo: Repo, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    """A file that the tool reads, in whatever folder, could deny what it was to show."""
    repo.git("checkout", "-q", "main")
    repo.write("tools/show.sh", f"#!/bin/bash\ngrep -q safe {path} && exit 10\nexit 0\n", 0o755)
    repo.write(path, "nothing\n")
    repo.commit("a tool that reads")
    repo.git("checkout", "-q", "-b", "more")
    repo.write("run.sh", UNSAFE)
    repo.write(path, "safe\n")
    repo.commit("head")
    _, found = review(capsys)
    assert [(f["path"], f["grade"]) for f in found["findings"]] == [("run.sh", "proven")]


def test_where_no_code_is_executed_the_finding_stays_as_it_is(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.git("checkout", "-q", "main")
    repo.write(".reviewbot/config.toml", "[gates]\nexecute = false\n")
    repo.commit("no execution")
    repo.git("checkout", "-q", "-b", "more")
    repo.write("run.sh", UNSAFE)
    repo.write("safe.sh", SAFE)
    repo.commit("head")
    _, found = review(capsys)
    assert {f["path"]: f["grade"] for f in found["findings"]} == {"run.sh": "hint", "safe.sh": "hint"}


def test_a_proof_is_over_when_the_time_of_the_gates_is(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("checkout", "-q", "main")
    repo.write("tools/show.sh", "#!/bin/bash\nsleep 86399\n", 0o755)
    repo.commit("a slow tool")
    repo.git("checkout", "-q", "-b", "more")
    repo.write("run.sh", UNSAFE)
    repo.commit("head")
    monkeypatch.setenv("REVIEWBOT_GATE_TIMEOUT", "0.5")
    _, found = review(capsys)
    assert [(f["path"], f["grade"]) for f in found["findings"]] == [("run.sh", "hint")]
