"""Environment files and workflow commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewbot.core.errors import OutputError, UsageError
from reviewbot.hosts import actions
from reviewbot.hosts.actions import Step
from tests.steps import read_outputs


def step(folder: Path) -> Step:
    return Step("push", "", str(folder / "out"), str(folder / "summary"), 0, str(folder))


def test_an_output_can_hold_anything(tmp_path: Path) -> None:
    hostile = "a\nend-00\nverdict<<x\nclean\nx\n::set-output name=a::b"
    at = step(tmp_path)
    actions.set_outputs(at, {"verdict": "incomplete", "report": hostile})
    actions.set_outputs(at, {"verdict": "findings"})
    text = (tmp_path / "out").read_text()
    assert read_outputs(text) == {"verdict": "findings", "report": hostile}
    ends = [
        line.partition("<<")[2] for line in text.splitlines() if line.startswith(("verdict<<e", "report<<e"))
    ]
    assert len(set(ends)) == 3
    assert all(len(end) == 36 for end in ends)


def test_the_summary_is_written_in_place_of_our_own_alone(tmp_path: Path) -> None:
    (tmp_path / "summary").write_text("before\n")
    at = step(tmp_path)._replace(written=7)
    actions.write_summary(at, "a long one\n")
    actions.write_summary(at, "short\n")
    assert (tmp_path / "summary").read_text() == "before\nshort\n"


def test_each_line_of_a_secret_is_masked(capsys: pytest.CaptureFixture[str]) -> None:
    actions.mask(["one\ntwo%\r\n", "", "one"])
    assert capsys.readouterr().out == "::add-mask::one\n::add-mask::two%25\n"


def test_a_line_commands_nothing() -> None:
    for words in ("::error::x", "a ##[add-mask]b", "x\n::stop-commands::y", "\r::z"):
        line = actions.plain(words)
        assert line.startswith("reviewbot: ")
        assert line.count("\n") == 1
        assert "##[" not in line
    assert actions.notice("error", "a\n::b%") == "::error title=reviewbot::a%0A::b%25\n"


def test_elsewhere_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is for GitHub Actions"):
        actions.step({})
    (tmp_path / "file").write_text("")
    event = {"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": "e", "RUNNER_TEMP": str(tmp_path / "file")}
    with pytest.raises(OutputError, match="set RUNNER_TEMP"):
        actions.step(event)
