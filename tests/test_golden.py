"""Golden cases at the front door: two trees and the part of the JSON report that must come out.

A case is a folder of tests/golden with `base/` and `head/` (whole trees) and `expected.json`:
`argv` (more options of `diff`), `exit`, and `review`. Of an object only the named keys are
compared; a list must have the same length.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.repos import Repo

CASES = sorted(path.parent for path in Path(__file__).with_name("golden").glob("*/expected.json"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = json.loads(case.joinpath("expected.json").read_text(encoding="utf-8"))
    repo = Repo(tmp_path / "repo")
    lay_out(case / "base", repo.path)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    lay_out(case / "head", repo.path)
    repo.commit("head")
    monkeypatch.chdir(repo.path)
    code = cli.run(["diff", "main", "--format", "json", *expected.get("argv", ())])
    review = json.loads(capsys.readouterr().out)
    assert differences(expected["review"], review) == []
    assert code == expected["exit"]


def lay_out(files: Path, folder: Path) -> None:
    # Not copy2: git believes a file of the same size and an old modification time to be unchanged.
    shutil.copytree(files, folder, dirs_exist_ok=True, copy_function=shutil.copyfile)


def differences(wanted: Any, got: Any, at: str = "review") -> list[str]:
    """Where `got` is not what is `wanted`."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        missing = [f"{at}.{key} is missing" for key in wanted if key not in got]
        return missing + [
            d for key in wanted if key in got for d in differences(wanted[key], got[key], f"{at}.{key}")
        ]
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        return [
            d
            for i, pair in enumerate(zip(wanted, got, strict=True))
            for d in differences(*pair, f"{at}[{i}]")
        ]
    return [] if wanted == got else [f"{at} is {got!r}, not {wanted!r}"]


def test_there_are_cases() -> None:
    assert len(CASES) >= 10


@pytest.mark.parametrize(
    ("wanted", "got", "said"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"a": [{}]}, {"a": [{"b": 1}]}, []),
        ({"a": 1}, {}, ["review.a is missing"]),
        ({"a": [1]}, {"a": [2]}, ["review.a[0] is 2, not 1"]),
        ({"a": []}, {"a": [1]}, ["review.a is [1], not []"]),
        ({"a": None}, {"a": {}}, ["review.a is {}, not None"]),
    ],
)
def test_a_difference_is_seen(wanted: Any, got: Any, said: list[str]) -> None:
    assert differences(wanted, got) == said
