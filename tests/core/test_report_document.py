"""The JSON report: its schema is shipped, and every review is valid under it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from reviewbot.core.report.document import document, render
from reviewbot.core.types import (
    Edit,
    Finding,
    GateStatus,
    Grade,
    Origin,
    Refutation,
    Rejection,
    Review,
    Severity,
    Side,
    SkillOrigin,
    Suggestion,
)
from tests import builders
from tests.strategies import few, reviews

SCHEMA: dict[str, Any] = json.loads(
    files("reviewbot.core.report").joinpath("review.schema.json").read_text(encoding="utf-8")
)


def loaded(review: Review) -> dict[str, Any]:
    """The report as a reader gets it, after the schema has been heard."""
    report: dict[str, Any] = json.loads(render(review))
    Draft202012Validator(SCHEMA).validate(report)
    return report


@few
@given(reviews())
def test_every_review_is_valid_json_under_the_schema(review: Review) -> None:
    report = loaded(review)
    assert render(review).isascii()
    assert report["verdict"] == review.verdict
    assert report["coverage"]["files"] == report["coverage"]["covered"] + len(report["coverage"]["uncovered"])
    assert report["coverage"]["files"] == len(review.change.files)
    assert len(report["findings"]) == len(review.findings)
    assert len(report["rejections"]) == len(review.rejections)


def test_the_schema_is_a_schema_and_describes_every_field() -> None:
    Draft202012Validator.check_schema(SCHEMA)

    def undescribed(node: Any, at: str = "") -> list[str]:
        if not isinstance(node, dict):
            return []
        found = []
        for name, field in node.get("properties", {}).items():
            if "$ref" not in field and "description" not in field:
                found.append(f"{at}/{name}")
        open_objects = (
            [at] if node.get("type") == "object" and node.get("additionalProperties") is not False else []
        )
        inner = [undescribed(child, f"{at}/{key}") for key, child in node.items() if isinstance(child, dict)]
        inner += [undescribed(child, at) for child in node.get("oneOf", [])]
        return [*found, *open_objects, *(entry for entries in inner for entry in entries)]

    assert undescribed({k: v for k, v in SCHEMA.items() if k != "properties"} | {"x": SCHEMA}) == []


def enums(node: Any) -> dict[str, list[str]]:
    """Name of a field -> its enumeration, over the whole schema."""
    if not isinstance(node, dict):
        return {}
    own = {name: f["enum"] for name, f in node.get("properties", {}).items() if "enum" in f}
    for child in node.values():
        own |= enums(child)
    return own


def test_the_schema_knows_exactly_the_words_of_the_vocabulary() -> None:
    words = enums(SCHEMA)
    assert words["severity"] == [s.value for s in Severity]
    assert words["grade"] == [g.value for g in Grade]
    assert words["side"] == [s.value for s in Side]
    assert enums(SCHEMA["properties"]["gates"]["items"])["status"] == [s.value for s in GateStatus]
    assert enums(SCHEMA["properties"]["skills"]["items"])["origin"] == [o.value for o in SkillOrigin]
    assert enums(SCHEMA["$defs"]["finding"])["origin"] == [o.value for o in Origin]


def test_fields_stand_in_the_order_of_the_contract() -> None:
    report = document(builders.review(builders.suggested(), gates=(builders.gate(),)))
    assert list(report) == list(SCHEMA["required"])
    assert list(report["findings"][0]) == SCHEMA["$defs"]["finding"]["required"]
    assert list(report["gates"][0]) == SCHEMA["properties"]["gates"]["items"]["required"]


def test_a_finding_is_written_word_by_word() -> None:
    finding: Finding = builders.suggested(also=(builders.candidate(line=50).site,))
    (report,) = loaded(builders.review(finding))["findings"]
    assert report == {
        "fingerprint": "0123456789abcdef",
        "skill": "launcher-adversarial-review",
        "class": "a-failed-step-does-not-stop-the-launch",
        "rank": 1,
        "title": "A failed step does not stop the launch",
        "severity": "warning",
        "origin": "detector",
        "detector": "swallowed-failure",
        "grade": "strong",
        "confidence": 100,
        "path": "runners/launch_h200.sh",
        "side": "RIGHT",
        "start_line": 41,
        "line": 41,
        "quote": builders.INJECT,
        "also": [{"path": "runners/launch_h200.sh", "line": 50}],
        "preexisting": False,
        "failure": finding.candidate.failure,
        "cost": finding.candidate.cost,
        "fix": finding.candidate.fix,
        "placement": "inline",
        "suggestion": {
            "start_line": 41,
            "line": 41,
            "replacement": f"{builders.INJECT} || exit 1",
            "checked": ["applies", "parses", "gates", "fixes"],
        },
        "receipts": [
            {"kind": r.kind, "claim": r.claim, "path": r.path, "line": r.line, "ok": True, "detail": r.detail}
            for r in finding.receipts
        ],
        "refutation": {"verdict": "not-run", "reason": ""},
    }


def test_a_finding_without_a_suggestion_or_a_detector_has_nulls() -> None:
    finding = builders.finding(origin=Origin.MODEL, detector=None, refutation=Refutation("confirmed", "read"))
    (report,) = loaded(builders.review(finding))["findings"]
    assert report["suggestion"] is None
    assert report["detector"] is None
    assert report["refutation"] == {"verdict": "confirmed", "reason": "read"}


def test_an_empty_replacement_deletes_and_stays_empty() -> None:
    finding = builders.finding(suggestion=Suggestion(Edit(3, 4, ""), ("a", "b"), ("applies",)))
    (report,) = loaded(builders.review(finding))["findings"]
    assert report["suggestion"] == {"start_line": 3, "line": 4, "replacement": "", "checked": ["applies"]}


def test_bytes_that_are_no_utf8_are_shown_as_bytes() -> None:
    review = builders.review(
        paths=(b"caf\xe9.sh".decode("utf-8", "surrogateescape"),), uncovered=(("\ud800", "binary"),)
    )
    report = loaded(review)
    assert report["coverage"] == {
        "files": 2,
        "covered": 1,
        "uncovered": [{"path": "\\ud800", "reason": "binary"}],
    }
    finding = builders.finding(path=b"caf\xe9.sh".decode("utf-8", "surrogateescape"), quote="é")
    (shown,) = loaded(builders.review(finding))["findings"]
    assert (shown["path"], shown["quote"]) == ("caf\\xe9.sh", "é")


def test_a_gate_keeps_the_last_lines_of_its_output() -> None:
    output = "".join(f"line {n}\n" for n in range(1, 101))
    failed = builders.gate(GateStatus.FAILED, exit=1, seconds=0.12345, output=output, blame="new")
    skipped = builders.gate(GateStatus.SKIPPED, "ruff check", argv=(), reason="no configuration at base")
    report = loaded(builders.review(gates=(failed, skipped)))["gates"]
    assert report[0] == {
        "skill": "launcher-adversarial-review",
        "command": ["bash", "-n", "<each>.sh"],
        "status": "failed",
        "exit": 1,
        "blame": "new",
        "seconds": 0.123,
        "tail": "\n".join(f"line {n}" for n in range(81, 101)),
        "reason": "",
    }
    assert (report[1]["command"], report[1]["exit"]) == (["ruff", "check"], None)


def test_rejections_and_skills_are_listed() -> None:
    rejection = Rejection(builders.candidate(), "duplicate", "stands already")
    report = loaded(builders.review(rejections=(rejection,)))
    assert report["rejections"] == [
        {
            "class": "a-failed-step-does-not-stop-the-launch",
            "path": "runners/launch_h200.sh",
            "line": 41,
            "title": "A failed step does not stop the launch",
            "reason": "duplicate",
            "detail": "stands already",
        }
    ]
    assert report["skills"] == [
        {
            "name": "launcher-adversarial-review",
            "path": "skills/launcher-adversarial-review/SKILL.md",
            "origin": "builtin",
            "hash": "0123456789ab",
            "files": 1,
        }
    ]


@pytest.mark.parametrize(
    ("incomplete", "preexisting", "verdict"),
    [
        (False, False, "findings"),
        (False, True, "clean"),
        (True, False, "incomplete"),
        (True, True, "incomplete"),
    ],
)
def test_the_verdict_is_incomplete_whatever_was_found(
    incomplete: bool, preexisting: bool, verdict: str
) -> None:
    rows = (("gate", "shellcheck", "not installed"),) if incomplete else ()
    report = loaded(builders.review(builders.finding(preexisting=preexisting), incomplete=rows))
    assert report["verdict"] == verdict
