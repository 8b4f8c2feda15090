"""`reviewbot completion`: bash itself completes with what is printed."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from reviewbot import cli

# What bash does when the tab key is pressed behind the last word.
TAB = """\
source {script}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
eval "$(complete -p reviewbot | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert cli.run(["completion", "bash"]) == 0
    path = tmp_path / "reviewbot.bash"
    path.write_text(capsys.readouterr().out)
    return path


def completed(script: Path, *words: str) -> set[str]:
    asked = TAB.format(script=shlex.quote(str(script)), words=shlex.join(["reviewbot", *words]))
    done = subprocess.run(["bash", "-c", asked], cwd=script.parent, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return set(done.stdout.split())


def test_every_command_is_offered(script: Path) -> None:
    assert completed(script, "") == set(cli.COMMANDS)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("rep",), {"replay"}),
        (("diff", "--sta"), {"--staged"}),
        (("diff", "--fail-on", ""), {"blocker", "warning", "note", "never"}),
        (("skills", "a"), {"add"}),
        (("skills", "check", "--str"), {"--strict"}),
        (("completion", ""), {"bash", "zsh", "tcsh"}),
        (("init", "--"), {"--help", "--dry-run", "--force"}),
        (("diff", "--output", "reviewbot.b"), {"reviewbot.bash"}),
    ],
)
def test_bash_completes(script: Path, words: tuple[str, ...], offered: set[str]) -> None:
    assert completed(script, *words) == offered


@pytest.mark.parametrize(("shell", "start"), [("zsh", "#compdef reviewbot\n"), ("tcsh", "# AUTOMATICALLY")])
def test_the_other_shells_have_theirs(shell: str, start: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert out.startswith(start)
    assert all(name in out for name in cli.COMMANDS)


def test_help_has_the_line_for_the_rc_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["completion", "--help"]) == 0
    out = capsys.readouterr().out
    for line in ("source <(reviewbot completion bash)", 'eval "$(reviewbot completion zsh)"'):
        assert line in out


@pytest.mark.parametrize("command", ["completion", "init"])
def test_help_has_80_columns(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([command, "--help"]) == 0
    assert max(map(len, capsys.readouterr().out.split("\n"))) <= 80


def test_another_shell_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["completion", "fish"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "fish" in err
