"""`reviewbot skills test`: a skill's own tests, as its author runs them."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from reviewbot import cli
from reviewbot.gates.run import LocalGates
from reviewbot.wiring import skilltests
from tests.skillfiles import FRONT

SCHEMA = json.loads(files("reviewbot.core.report").joinpath("skilltest.schema.json").read_text())
SKILL = (
    FRONT.replace("some-review", "shell-review")
    + "## Files in scope\n\n| Stage | File |\n|---|---|\n| shell | `*.sh` |\n\n"
    + "## Defect classes\n\n1. **An unbounded wait.** It never ends. Fix: bound it.\n"
    + "2. **A class that no detector knows.** Something. Fix: think.\n"
    + "3. **Single quotes on purpose: a false positive.** SC2016. Do not report it.\n\n"
    + "## Mechanical gates\n\n```bash\nshellcheck <each>.sh\n```\n"
)
WAIT = "#!/bin/sh\nset -eu\nuntil nc -z db 5432; do\n    sleep 1\ndone\n./migrate\n"
FINE = "#!/bin/sh\nset -eu\n./migrate\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a skill in a work tree; the command runs at its top."""
    skill = tmp_path / ".reviewbot/skills/shell-review"
    skill.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (skill / "SKILL.md").write_text(SKILL)
    monkeypatch.chdir(tmp_path)
    return skill


def case(folder: Path, name: str, expect: str, head: str = WAIT, base: str | None = None) -> None:
    for side, text in (("head", head), ("base", base)):
        if text is not None:
            place = folder / "cases" / name / side / "run.sh"
            place.parent.mkdir(parents=True)
            place.write_text(text)
    (folder / "cases" / name / "expect.toml").write_text(expect)


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    code = cli.run(["skills", "test", "--format", "json", *argv])
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    return code, document


EXPECTED = 'class = 1\n[[finding]]\npath = "run.sh"\nline = 3\n'


def test_all_right(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "wait", EXPECTED)
    case(folder, "fine", "class = 1\n", FINE)
    assert cli.run(["skills", "test"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert rows[0] == "shell-review (.reviewbot/skills/shell-review/SKILL.md)"
    assert rows[2] == "1 An unbounded wait 2 1 1 - - -"
    assert rows[3].startswith("2 A class that no detector none - ")
    assert rows[-1] == "passed: 2 cases of 1 skill, 2 classes without a case"


def test_what_is_missed_is_named_with_its_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "wait", EXPECTED, FINE)
    code, tests = run(capsys)
    assert (code, tests["verdict"]) == (1, "failed")
    (failure,) = tests["failures"]
    assert failure["kind"] == "missed"
    assert failure["source"] == ".reviewbot/skills/shell-review/cases/wait/expect.toml:2"
    assert failure["what"] == "expected an-unbounded-wait at run.sh:3; nothing came"


def test_a_false_alarm_fails_a_clean_case(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "wait", "class = 1\n")
    code, tests = run(capsys)
    assert code == 1
    (failure,) = tests["failures"]
    assert (failure["kind"], failure["class"], failure["place"]) == (
        "false-alarm",
        "an-unbounded-wait",
        "run.sh:3",
    )
    assert tests["classes"][0]["false_alarms"] == 1


def test_what_base_has_too_is_not_new(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "old", "class = 1\n", f"{WAIT}./more\n", WAIT)
    assert run(capsys)[0] == 0


def test_what_a_gate_says_counts_where_it_is_expected(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unused = "#!/bin/sh\nunused=1\n"
    case(folder, "expected", 'class = 1\n[[finding]]\npath = "run.sh"\nclass = "gate-shellcheck"\n', unused)
    case(folder, "elsewhere", "class = 1\n", unused)
    assert run(capsys)[0] == 0
    case(folder, "suppressed", "class = 3\n", unused)
    code, tests = run(capsys)
    assert code == 1
    assert [(f["case"], f["class"]) for f in tests["failures"]] == [("suppressed", "gate-shellcheck")]


def test_a_suppressed_code_is_no_false_alarm(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "quotes", "class = 3\n", "#!/bin/sh\nssh host 'echo $HOME'\n")
    assert run(capsys)[0] == 0


def test_what_needs_a_model_is_counted_apart(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "model", 'class = 2\nneeds = "model"\n[[finding]]\npath = "run.sh"\n', FINE)
    code, tests = run(capsys)
    assert code == 0
    assert {k: tests["classes"][1][k] for k in ("positive", "missed", "for_model")} == {
        "positive": 1,
        "missed": 0,
        "for_model": 1,
    }


def test_too_few_cases_of_a_class(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "wait", EXPECTED)
    case(folder, "fine", "classes = [1, 2, 3]\n", FINE)
    code, tests = run(capsys, "--min-cases", "1")
    assert code == 1
    assert [(f["class"], f["what"]) for f in tests["failures"]] == [
        ("a-class-that-no-detector-knows", "has 0 positive of 1 cases")
    ]


def test_a_review_that_is_not_whole(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    case(folder, "wait", EXPECTED)
    monkeypatch.setattr(skilltests, "LocalGates", lambda **_: LocalGates(programs=_Nothing()))
    code, tests = run(capsys)
    assert (code, tests["verdict"]) == (3, "incomplete")
    assert [f["kind"] for f in tests["failures"]] == ["incomplete"]


class _Nothing(dict[str, Any]):
    """No program is installed."""

    def __missing__(self, tool: str) -> Any:
        from reviewbot.gates.programs import MissingProgram

        class Missing:
            def command(self, run: object) -> object:
                raise MissingProgram(f"{tool} is not installed")

        return Missing()


def test_a_skill_without_cases_has_not_passed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, tests = run(capsys)
    assert (code, tests["verdict"], tests["cases"]) == (2, "untested", 0)


def test_one_skill_by_name_by_path_and_one_case(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    case(folder, "wait", EXPECTED)
    case(folder, "fine", "class = 1\n", FINE)
    other = folder.parent / "other-review"
    other.mkdir()
    (other / "SKILL.md").write_text(SKILL.replace("shell-review", "other-review"))
    case(other, "one", EXPECTED)
    place = ".reviewbot/skills/shell-review"
    cases = {
        (): 3,
        ("shell-review",): 2,
        (place,): 2,
        (f"{place}/SKILL.md",): 2,
        (".reviewbot/skills",): 3,
        (f"{place}/cases/wait",): 1,
        (f"{place}/cases/wait/",): 1,
        (str(folder),): 2,
        ("shell-review", "other-review"): 3,
        (f"{place}/cases/wait", f"{place}/cases/fine"): 2,
        ("shell-review", "shell-review"): 2,
    }
    for argv, count in cases.items():
        code, tests = run(capsys, *argv)
        assert (argv, code, tests["cases"]) == (argv, 0, count)
        assert (argv, sum(row["positive"] + row["clean"] for row in tests["classes"])) == (argv, count)
    monkeypatch.chdir(folder / "cases/fine")
    assert run(capsys, ".")[1]["cases"] == 1
    assert run(capsys)[1]["cases"] == 3


def test_outside_of_any_skill_the_built_in_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[int] = []
    monkeypatch.setattr(skilltests, "_outcomes", lambda cases, progress: asked.append(len(cases)) or ())
    _, tests = run(capsys)
    assert {row["skill"] for row in tests["classes"]} >= {"silent-failures", "launcher-adversarial-review"}
    assert asked[0] > 0


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("class = 9\n", "cases/wait/expect.toml:1: shell-review has no class '9'; known here: "),
        ("class = 1\n[[finding]]\n", "cases/wait/expect.toml:2: finding.path: Field required"),
        ("clas = 1\n", "cases/wait/expect.toml:1: unknown key clas; did you mean class?"),
    ],
)
def test_bad_input_is_named_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str], expect: str, message: str
) -> None:
    case(folder, "wait", expect)
    assert cli.run(["skills", "test"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"reviewbot: error: .reviewbot/skills/shell-review/{message}" in err


def test_a_case_without_its_parts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "wait", EXPECTED)
    (folder / "cases/wait/expect.toml").rename(folder / "cases/wait/expected.toml")
    assert cli.run(["skills", "test"]) == 2
    assert "cases/wait has no expect.toml; say there what the case must bring" in capsys.readouterr().err
    (folder / "cases/wait/expected.toml").rename(folder / "cases/wait/expect.toml")
    (folder / "cases/wait/head/run.sh").unlink()
    assert cli.run(["skills", "test"]) == 2
    assert "cases/wait has no files in head/; put there what is to be reviewed" in capsys.readouterr().err


def test_a_link_in_a_case_is_not_followed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "wait", EXPECTED)
    (folder / "cases/wait/head/passwd.sh").symlink_to("/etc/passwd")
    assert cli.run(["skills", "test"]) == 2
    assert "cases/wait/head/passwd.sh is a link or a special file; only regular" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nonsense"], "nonsense: no such file or skill; known here: "),
        (["shell-revew"], "shell-revew: no such file or skill; did you mean shell-review?"),
        (["--min-cases", "many"], "'many' is no number of cases; see reviewbot skills test --help"),
        (["--min-cases", "-1"], "see reviewbot skills test --help"),
    ],
)
def test_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str], argv: list[str], message: str) -> None:
    assert cli.run(["skills", "test", *argv]) == 2
    assert message in capsys.readouterr().err


def test_a_skill_that_does_not_load_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(folder, "wait", EXPECTED)
    (folder / "rules").mkdir()
    (folder / "rules/broken.yml").write_text("id: [\n")
    assert cli.run(["skills", "test"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "rules/broken.yml:" in err
    assert err.endswith("see reviewbot skills check\n")


def test_cases_behind_a_link_are_not_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for target in ("/", "../../../elsewhere"):
        (folder / "cases").symlink_to(target)
        assert cli.run(["skills", "test"]) == 2
        assert "shell-review/cases is a link, which is not followed" in capsys.readouterr().err
        (folder / "cases").unlink()
