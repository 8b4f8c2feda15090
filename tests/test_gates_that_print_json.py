"""A gate that prints its results as JSON, at the front door: what it names are findings at their lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.repos import Repo

SKILL = """\
---
name: gates
description: Review by gates.
---
# Gates

## Defect classes

1. **An argument hole.** A flag without its value ends the run. Fix: look first.
2. **`assert` in a verifier.** `python -O` deletes it. Fix: raise.

## Gates

```bash gate
{line}
```
"""
SCAN = """\
import json, os, sys
def at(path, line, level, **more):
    place = {"artifactLocation": {"uri": path}, "region": {"startLine": line}}
    text = {"text": f"{level} here"}
    where = [{"physicalLocation": place}]
    return {"ruleId": "R1", "level": level, "message": text, "locations": where, **more}
top = "file://" + os.getcwd()
results = [
    at("a%20b.py", 1, "error"),
    at(f"{top}/lib/c.py", 2, "note"),
    at("lib/c.py", 1, "warning"),
    at("lib/c.py", 3, "error", suppressions=[{"kind": "inSource"}]),
    at("../../etc/passwd", 1, "error"),
    at("file:///etc/passwd", 1, "error"),
    at("lib/c.py", 999, "error"),
]
print(json.dumps({"version": "2.1.0", "runs": [{"results": results}]}))
print("scanned", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("scan.py", SCAN)
    repo.write("lib/c.py", "one\n")
    monkeypatch.chdir(repo.path)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("a b.py", "wrong\n")
    repo.write("lib/c.py", "one\ntwo\nthree\n")
    repo.commit("head")
    return repo


def review(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, *argv: str
) -> tuple[int, dict[str, Any]]:
    (tmp_path / "SKILL.md").write_text(SKILL.format(line=line))
    code = cli.run(["diff", "main", "--skill", str(tmp_path / "SKILL.md"), "--format", "json", *argv])
    out, err = capsys.readouterr()
    assert err == ""
    return code, json.loads(out)


@pytest.mark.parametrize("argv", [(), ("--unsafe-run-gates",)])
def test_the_results_of_a_failed_gate_are_findings(
    repo: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...]
) -> None:
    code, found = review(tmp_path, capsys, "python3 scan.py 1", *argv)
    title = "R1:"
    rows = {(f["path"], f["line"], f["title"], f["severity"], f["preexisting"]) for f in found["findings"]}
    assert rows == {
        ("a b.py", 1, f"{title} error here", "warning", False),
        ("lib/c.py", 2, f"{title} note here", "note", False),
        ("lib/c.py", 1, f"{title} warning here", "warning", True),
    }
    assert code == 1


def test_results_of_a_gate_that_passes_are_no_findings(
    repo: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = review(tmp_path, capsys, "python3 scan.py 0")
    assert (code, found["findings"]) == (0, [])
    assert [gate["status"] for gate in found["gates"]] == ["passed"]


@pytest.mark.parametrize(
    ("script", "path", "line", "said"),
    [
        ("shellcheck -f json ops/x.sh\n", "ops/x.sh", 2, "SC2164"),
        ("shellcheck -f json1 ops/x.sh\n", "ops/x.sh", 2, "SC2164"),
        ("ruff check --isolated -q --output-format json ops/x.py\n", "ops/x.py", 1, "F401"),
    ],
)
def test_what_shellcheck_and_ruff_print_is_read(
    repo: Repo,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    script: str,
    path: str,
    line: int,
    said: str,
) -> None:
    repo.write("ops/x.sh", "#!/bin/bash\ncd build\n")
    repo.write("ops/x.py", "import os\n")
    repo.write("lint.sh", script)
    repo.commit("lint")
    code, found = review(tmp_path, capsys, "bash lint.sh")
    (finding,) = found["findings"]
    assert (finding["path"], finding["line"]) == (path, line)
    assert finding["title"].startswith(f"{said}: ")
    assert finding["failure"].startswith("The gate `bash lint.sh` fails here: ")
    assert code == 1
