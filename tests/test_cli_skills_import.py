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


def test_a_file_that_is_no_paste_is_written_as_it_is(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = CLEAN.replace("\n", "\r\n").encode()
    (folder / "good.md").write_bytes(written)
    assert cli.run(["skills", "import", "good.md"]) == 0
    out, err = capsys.readouterr()
    path, *_, checked = out.splitlines()
    assert (folder / path).read_bytes() == written
    assert checked.endswith("0 errors, 1 warning")
    assert err == "reviewbot: good.md is no copy of a web page: written as it is\n"


def test_the_page_in_the_help_is_one_that_works(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["skills", "import", "--help"])
    shown = capsys.readouterr().out.partition("without them:\n\n")[2]
    top = "".join(f"{line.strip()}\n" for line in shown.splitlines())
    assert top.splitlines()[4:] == ["name: my-review", "|", "||"]
    rest = "".join(f"{line.lstrip()}\n|\n||\n" for line in CLEAN.splitlines()[2:])
    borderless = top.replace("||\n", "").replace("|\n", "") + "".join(CLEAN.splitlines(keepends=True)[2:])
    for number, text in enumerate([top + rest, borderless]):
        (folder / "paste.txt").write_text(text)
        assert cli.run(["skills", "import", "paste.txt", "-o", f"out{number}"]) == 0
        skill = (folder / f"out{number}/my-review/SKILL.md").read_text()
        assert skill.split() == CLEAN.replace(f"name: {NAME}", "name: my-review").split()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"Just some text.\n",
            "paste.txt has no front matter, which a rendered page does not show; copy the raw text of the "
            "file (on GitHub: the Raw button), or its page with the lines `|` and `||` as they were copied\n",
        ),
        (b"", "paste.txt has no front matter"),
        (
            page("# No front matter\n\n1. a\n2. b").encode(),
            "paste.txt has no front matter, which",
        ),
        (b"---\nname: a\n", "paste.txt:1:1 S002 the front matter is not closed"),
        (
            b"---\nname: a\ndescription: b\n---\n# A\n\nOnly prose.\n",
            "paste.txt: no part of a skill is understood",
        ),
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
