"""The trial of tests/readings: its cases are what they say they are, and its score is the one that stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.readings import reading, scoring

SCORE = reading.FOLDER / "score.json"
NOTHING = {"findings": [], "looked": [], "summary": "It changes something."}


def expected(case: Path) -> dict[str, Any]:
    return json.loads(case.joinpath("expected.json").read_text(encoding="utf-8"))


def written(answers: Path, **files: object) -> Path:
    """Answers as somebody would record them; `find_1` becomes `find-1.json`."""
    answers.mkdir()
    for name, answer in files.items():
        answers.joinpath(f"{name.replace('_', '-')}.json").write_text(json.dumps(answer), encoding="utf-8")
    return answers


def finding(case: Path, defect: dict[str, Any], **other: object) -> dict[str, Any]:
    """What a reader would say who knows the defect."""
    place = quoted(case, defect["path"], defect["line"])
    causes = [quoted(case, p["path"], p["line"]) for p in defect["also"]] or [place]
    own = {
        "class": defect["class"],
        "title": defect["what"][:60],
        "confidence": 90,
        **place,
        "cause": causes[-1],
        "failure": [{"text": "It fails here.", "evidence": [0]}],
        "cost": "Somebody pays.",
        "fix": "Mend it.",
        "evidence": [{"kind": "quote", "path": place["path"], "line": place["line"], "text": place["quote"]}],
    }
    return own | other


def quoted(case: Path, path: str, line: int) -> dict[str, Any]:
    lines = text(case, path).split("\n")
    return {"path": path, "line": line, "quote": lines[line - 1]}


def text(case: Path, path: str) -> str:
    head = case / "head" / path
    return (head if head.exists() else case / "base" / path).read_text(encoding="utf-8")


def test_half_of_the_cases_are_clean_and_each_says_why() -> None:
    cases = [expected(case) for case in reading.CASES]
    assert (
        [case["clean"] for case in cases].count(True) == [case["clean"] for case in cases].count(False) == 5
    )
    assert all(case["clean"] == (not case["defects"]) and len(case["why"]) > 100 for case in cases)


def test_each_known_defect_is_of_a_class_of_the_skill_and_stands_on_a_line_of_code() -> None:
    slugs = {c.slug for c in reading.general_skill().classes if c.kind == "defect"}
    known = [(case, defect) for case in reading.CASES for defect in expected(case)["defects"]]
    assert {defect["class"] for _, defect in known} <= slugs
    places = [(case, p) for case, defect in known for p in (defect, *defect["also"])]
    assert [p for case, p in places if not quoted(case, p["path"], p["line"])["quote"].strip()] == []


@pytest.mark.parametrize("case", reading.CASES, ids=lambda case: case.name)
def test_without_a_model_nothing_is_found(case, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(reading.build(case, tmp_path / "repo").path)
    code = cli.run(["diff", "main", "--no-model", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert (code, report["verdict"], report["findings"]) == (0, "clean", [])


@pytest.mark.parametrize("case", reading.CASES, ids=lambda case: case.name)
def test_who_names_each_known_defect_is_heard(case, tmp_path):
    known = expected(case)["defects"]
    found = NOTHING | {"findings": [finding(case, defect) for defect in known]}
    said = {
        f"refute_{n}": {"verdict": "confirmed", "counter": None, "reason": "So it is."} for n in (1, 2, 3)
    }
    answers = written(tmp_path / "answers", find_1=found, find_2=NOTHING, **said)
    score = reading.score(case, tmp_path / "repo", answers)
    assert score.incomplete == ()
    assert [claim.detail for claim in score.after("sure")] == ["confirmed: So it is."] * len(known)
    assert {claim.defect for claim in score.claims} == set(range(len(known)))


def test_each_step_takes_away_what_it_should(tmp_path):
    case = reading.FOLDER / "soft-delete"
    login, seats, purge = expected(case)["defects"]
    place = quoted(case, "accounts/repository.py", 65)
    false = finding(
        case, purge, **place, cause=None, evidence=[{"kind": "quote", **place, "text": place["quote"]}]
    )
    found = [
        finding(case, login),
        finding(case, seats, confidence=20),
        finding(case, purge, quote="before = now"),
        false,
    ]
    counter = quoted(case, "accounts/repository.py", 61)
    answers = written(
        tmp_path / "answers",
        find_1=NOTHING | {"findings": found},
        find_2=NOTHING | {"findings": [finding(case, login)]},
        refute_1={"verdict": "confirmed", "counter": None, "reason": ""},
        refute_2={"verdict": "refuted", "counter": counter, "reason": "It is marked."},
    )
    score = reading.score(case, tmp_path / "repo", answers)
    assert [(claim.end, claim.defect) for claim in score.claims] == [
        ("unquoted", 2),
        ("duplicate", 0),
        ("low-confidence", 1),
        ("refuted", None),
        ("elsewhere", 0),  # the function that was forgotten is in no hunk
    ]
    assert [len(score.after(step)) for step in scoring.STEPS] == [5, 4, 2, 1, 1, 0]
    figures = json.loads(scoring.document({"soft-delete": score}))["all"]
    assert figures["steps"]["claimed"] == {
        "claims": 5,
        "true": 4,
        "found": 3,
        "precision": 0.8,
        "recall": 1.0,
    }
    assert figures["steps"]["sure"] == {
        "claims": 1,
        "true": 1,
        "found": 1,
        "precision": 1.0,
        "recall": 0.33,
    }


def test_who_has_not_answered_is_asked_and_the_review_is_not_whole(tmp_path):
    case = reading.FOLDER / "token-refresh"
    nobody = tmp_path / "nobody"
    asked = reading.ask(case, tmp_path / "one", tmp_path / "out", nobody)
    assert [path.name for path in asked] == ["1-find.md", "2-find.md"]
    first = asked[0].read_text(encoding="utf-8")
    assert "`two-things-happen-at-once`" in first
    assert "ten tokens a minute" in first  # of README.md, which is not in the change
    missing = [line for line in reading.score(case, tmp_path / "two", nobody).incomplete if "nobody" in line]
    assert len(missing) == 2

    found = NOTHING | {"findings": [finding(case, expected(case)["defects"][0])]}
    answers = written(tmp_path / "answers", find_1=found, find_2=NOTHING)
    asked = reading.ask(case, tmp_path / "three", tmp_path / "later", answers)
    assert [path.name for path in asked] == ["1-refute.md"]
    assert "await self._renew()" in asked[0].read_text(encoding="utf-8")


def test_the_score_is_the_one_that_stands(tmp_path):
    recorded = [case for case in reading.CASES if reading.is_recorded(case)]
    scores = {case.name: reading.score(case, tmp_path / case.name, case / "answers") for case in recorded}
    stands = json.loads(SCORE.read_text(encoding="utf-8")) if SCORE.exists() else {"cases": {}}
    got = json.loads(scoring.document(scores))
    assert got["cases"] == stands["cases"]
    assert [name for name, own in scores.items() if own.incomplete] == []
