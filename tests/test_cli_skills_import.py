"""`reviewbot skills import`: the copy of a web page becomes the file that it shows."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from reviewbot import cli
from tests.skillfiles import TWIN

CLEAN = TWIN.read_text()
NAME = "distill-campaign-review"


def page(text: str) -> str:
    """What selecting and copying a code host's page of a file gives: borders, and no indentation."""
    rows = "".join(f"{line.lstrip()}\n|\n||\n" for line in text.split("\n"))
    return f"{text.count(chr(10))} lines (70 sloc)\n\n4.83 KiB\n\n{rows}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "paste.txt").write_text(page(CLEAN))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_result_is_the_file_apart_from_white_space(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["skills", "import", "paste.txt"]) == 0
    out, err = capsys.readouterr()
    path, checked = out.splitlines()
    assert path == f".reviewbot/skills/{NAME}/SKILL.md"
    assert checked.startswith(f"{path}: ")
    assert checked.endswith("0 errors, 0 warnings")
    assert err == ""
    assert (folder / path).read_text().split() == CLEAN.split()


def test_into_another_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["skills", "import", "paste.txt", "-o", "review/skills"]) == 0
    assert capsys.readouterr().out.startswith(f"review/skills/{NAME}/SKILL.md\n")
    assert (folder / f"review/skills/{NAME}/SKILL.md").is_file()
    assert not (folder / ".reviewbot").exists()


def test_from_stdin(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(page(CLEAN).encode())))
    assert cli.run(["skills", "import", "-"]) == 0
    assert (folder / f".reviewbot/skills/{NAME}/SKILL.md").is_file()


def test_what_is_there_is_not_written_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = folder / f".reviewbot/skills/{NAME}/SKILL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    assert cli.run(["skills", "import", "paste.txt"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{NAME} is there already; remove it, or write elsewhere with -o DIR" in err
    assert mine.read_text() == "mine"


def test_a_file_that_is_no_paste_is_to_be_copied(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "good.md").write_text(CLEAN)
    assert cli.run(["skills", "import", "good.md"]) == 2
    assert capsys.readouterr().err == (
        "reviewbot: error: good.md is no copy of a web page; it loads as it is; "
        f"copy it to {folder}/.reviewbot/skills/{NAME}/SKILL.md\n"
    )
    assert not (folder / ".reviewbot").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"Just some text.\n", "paste.txt:1:1 S002 "),
        (b"", "paste.txt:1:1 S002 "),
        (page("# No front matter\n\ntext").encode(), "paste.txt:1:1 S002 "),
        (b"\xff\xfe", "paste.txt is not UTF-8 (byte 1); save it as UTF-8"),
    ],
)
def test_what_is_no_skill_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    (folder / "paste.txt").write_bytes(content)
    assert cli.run(["skills", "import", "paste.txt"]) == 2
    assert f"reviewbot: error: {message}" in capsys.readouterr().err
    assert not (folder / ".reviewbot").exists()


def test_a_name_in_the_paste_cannot_lead_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "paste.txt").write_text(page(CLEAN.replace(f"name: {NAME}", "name: ../../evil")))
    assert cli.run(["skills", "import", "paste.txt"]) == 0
    assert (folder / ".reviewbot/skills/evil/SKILL.md").is_file()
    assert capsys.readouterr().out.startswith(".reviewbot/skills/evil/SKILL.md\n")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nothing.txt"], "nothing.txt: No such file"),
        (["paste.txt", "-o", ""], "DIR is empty; an unset variable? name it, or leave -o out"),
        ([], "required: FILE; see reviewbot skills import --help"),
    ],
)
def test_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str], argv: list[str], message: str) -> None:
    assert cli.run(["skills", "import", *argv]) == 2
    assert message in capsys.readouterr().err
