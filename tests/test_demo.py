"""`reviewbot demo`: a real review, computed like any other."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from reviewbot import cli
from reviewbot.hosts import demo

FILES = Path(demo.__file__).parent


def test_four_defects_of_four_classes_each_at_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["demo", "--format", "json"]) == 0
    review = json.loads(capsys.readouterr().out)
    assert review["verdict"] == "findings"
    new = {f["detector"]: f for f in review["findings"] if not f["preexisting"] and f["grade"] != "hint"}
    assert {detector: f["path"] for detector, f in new.items()} == {
        "swallowed-failure": "runners/launch_h200.sh",
        "argument-hole": "tools/quantize.sh",
        "blind-loop": "benchmarks/bench_serving.sh",
        "assert-in-verifier": "tools/convert_checkpoint.py",
    }
    assert len({f["class"] for f in new.values()}) == 4
    for finding in new.values():
        lines = FILES.joinpath("head", finding["path"]).read_text(encoding="utf-8").split("\n")
        assert "\n".join(lines[finding["start_line"] - 1 : finding["line"]]) == finding["quote"]
    assert review["incomplete"] == []


def test_the_launch_line_has_a_suggestion_that_was_tried(capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["demo", "--format", "json"])
    (finding,) = [
        f for f in json.loads(capsys.readouterr().out)["findings"] if f["detector"] == "swallowed-failure"
    ]
    assert finding["quote"].startswith("python3 ")
    assert finding["suggestion"]["replacement"] == f"{finding['quote']} || exit 1"
    assert {"applies", "parses", "fixes"} <= set(finding["suggestion"]["checked"])


def test_an_older_defect_is_counted_and_decides_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["demo", "--format", "json"])
    review = json.loads(capsys.readouterr().out)
    old = [(f["detector"], f["path"], f["placement"]) for f in review["findings"] if f["preexisting"]]
    assert old == [("assert-in-verifier", "tools/convert_checkpoint.py", "table")]


def test_the_report_is_on_stdout_and_the_next_step_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["demo"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("1. runners/launch_h200.sh:13  warning\n")
    assert err == "reviewbot: try it on your own repository: reviewbot diff origin/main\n"


def test_the_kept_repository_gives_the_same_review(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cli.run(["demo", "--keep"])
    out, err = capsys.readouterr()
    said = err.split("\n")[0].removeprefix("reviewbot: the demonstration is in ")
    folder, command = said.split("; try: ")
    cd, _, review = command.partition(" && ")
    assert shlex.split(cd) == ["cd", folder]
    monkeypatch.chdir(folder)
    assert cli.run(shlex.split(review)[1:]) == 1
    assert capsys.readouterr().out == out
