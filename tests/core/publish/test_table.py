"""The table of the summary, and what became of the gates below it."""

from __future__ import annotations

from reviewbot.core.publish import ran
from reviewbot.core.publish.table import PLACES, Row, defects
from reviewbot.core.types import GateStatus, Origin, Severity
from tests import builders

URL = "https://github.example/acme/launcher/pull/7#discussion_r"


def rows(number: int) -> list[Row]:
    found = [builders.finding(path=f"{n}.sh", line=n, fingerprint=f"{n:016x}") for n in range(1, number + 1)]
    return [Row(f, f"{URL}{f.candidate.site.line}", "new") for f in found]


def test_a_kind_of_defect_is_one_row_with_all_of_its_places() -> None:
    first, second = rows(2)
    (shown,) = defects([first, second._replace(url="", state="still there")])
    assert f"<br>[`1.sh:1`]({URL}1) (new), `2.sh:2` (still there) | " in shown
    assert shown.count("\n") == 2


def test_what_sets_a_finding_apart_from_the_first_of_its_row_is_told() -> None:
    first, other = rows(2)
    c = other.finding.candidate._replace(title="Another one", severity=Severity.NOTE)
    (shown,) = defects([first, other._replace(finding=other.finding._replace(candidate=c))])
    assert f"[`2.sh:2`]({URL}2) (new, note): Another one | " in shown


def test_faults_of_one_tool_are_kinds_of_their_own() -> None:
    pair = [
        builders.finding(origin=Origin.GATE, title=title, slug="gate-shellcheck") for title in ("SC1", "SC2")
    ]
    (shown,) = defects(map(Row, pair))
    assert shown.count("\n") == 3


def test_every_place_is_named_somewhere() -> None:
    (shown,) = defects(rows(PLACES))
    assert " more" not in shown
    shown, folded = defects(rows(PLACES + 7))
    assert " and 7 more | " in shown
    for n in range(1, PLACES + 8):
        assert f"- [`{n}.sh:{n}`]({URL}{n}) (new)\n" in folded


def test_gates_that_passed_are_a_line_and_only_the_others_a_table() -> None:
    passed = builders.gate()
    assert list(ran.gates(builders.review(gates=(passed,) * 4))) == [
        "Gates: `bash -n <each>.sh` (4 runs) passed."
    ]
    failed = builders.gate(GateStatus.FAILED, exit=2, blame="new", output="a.sh: line 1: no\n")
    table, line = ran.gates(builders.review(gates=(passed, failed)))
    assert table.endswith("| `bash -n <each>.sh` | 1 | failed (exit 2), new |")
    assert line == "Other gates: `bash -n <each>.sh` passed."


def test_a_gate_that_was_skipped_is_told_with_its_reason() -> None:
    idle = builders.gate(GateStatus.SKIPPED, line="./check.sh", reason="no changed file for it")
    idle = idle._replace(run=idle.run._replace(spec=idle.run.spec._replace(kind="executing")))
    review = builders.review(gates=(idle,))
    assert list(ran.gates(review)) == []
    assert list(ran.skipped(review)) == ["`./check.sh`: no changed file for it"]
