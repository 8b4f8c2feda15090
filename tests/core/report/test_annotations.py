"""Workflow commands, read back as the runner reads them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from reviewbot.core.report.annotations import Note, command, render
from reviewbot.core.types import Grade, Review, Severity, Side, Site, SkillOrigin, Skills
from reviewbot.core.visible import visible
from tests import builders
from tests.core.report.readers import Command, commands
from tests.strategies import few, reviews, texts

PROPERTIES = {"file", "line", "endLine", "title"}


@few
@given(reviews())
def test_every_line_is_a_command_of_ours_and_hides_nothing(review: Review) -> None:
    text = render(review)
    found = commands(text)
    assert len(found) == text.count("\n") == len(text.splitlines())
    for one in found:
        assert one.level in ("error", "warning", "notice")
        assert one.properties.keys() <= PROPERTIES
        assert all(visible(said) == said for said in (one.message, *one.properties.values()))
    said = sum(not f.preexisting for f in review.findings) + len(review.incomplete)
    assert len(found) == said
    titles = [one.properties["title"] for one in found[: len(review.incomplete)]]
    assert titles == [f"Not done: {i.stage}" for i in review.incomplete]


@given(texts, texts)
def test_the_runner_reads_what_was_meant(value: str, message: str) -> None:
    given = {"file": visible(value), "title": "a, b: c::d%0A"}
    (read,) = commands(command(Note("error", given, visible(message))) + "\n")
    assert read == Command("error", {key: said for key, said in given.items() if said}, visible(message))


def test_a_finding_stands_at_its_lines() -> None:
    finding = builders.suggested(severity=Severity.BLOCKER, line=4, quote="a\nb", path="a,b:c.sh")
    (one,) = commands(render(builders.review(finding)))
    assert one.level == "error"
    assert one.properties == {
        "file": "a,b:c.sh", "line": "4", "endLine": "5", "title": "A failed step does not stop the launch",
    }  # fmt: skip
    assert one.message.startswith("`python3` can fail")
    assert "\nFix: Stop the launch" in one.message
    assert one.message.endswith("6 lines stop the script by `|| exit 1` (6 lines: 7, 9)")


def test_a_percent_is_not_a_code() -> None:
    text = render(builders.review(builders.finding(title="100%0A", failure="x%25y", cost="", fix="")))
    assert ",title=100%250A::x%2525y\n" in text


@pytest.mark.parametrize(
    ("severity", "level"), [("blocker", "error"), ("warning", "warning"), ("note", "notice")]
)
def test_the_level_is_the_severity_and_a_hint_is_a_notice(severity: str, level: str) -> None:
    sure = builders.finding(severity=Severity(severity))
    hint = builders.finding(severity=Severity(severity), grade=Grade.HINT)
    assert [one.level for one in commands(render(builders.review(hint, sure)))] == [level, "notice"]


def test_what_is_not_at_head_says_where_it_is() -> None:
    base = builders.finding(site=Site("gone.sh", 7, 7, "set -e", Side.LEFT))
    skill = builders.skill(origin=SkillOrigin.BUILTIN, path="builtin:silent-failures")
    gate = builders.finding(path="builtin:silent-failures", line=3)
    found = commands(render(builders.review(base, gate, skills=Skills((skill,)))))
    assert [one.properties.keys() for one in found] == [{"title"}, {"title"}]
    assert found[0].message.startswith("gone.sh:7 (at base)\n")
    assert found[1].message.startswith("builtin:silent-failures:3\n")


def test_nothing_is_said_of_what_is_old_or_of_a_clean_review() -> None:
    assert render(builders.review(builders.finding(preexisting=True))) == ""


def test_what_was_not_done_comes_first() -> None:
    review = builders.review(builders.finding(), incomplete=(("gate", "shellcheck", "not installed"),))
    first, second = commands(render(review))
    assert first == Command("warning", {"title": "Not done: gate"}, "shellcheck: not installed")
    assert second.properties["file"]


def test_ten_of_a_kind_are_shown_and_the_rest_is_counted() -> None:
    many = [
        builders.finding(severity=severity, line=line) for severity in Severity for line in range(1, 3_001)
    ]
    incomplete = tuple(("gate", f"gate {n}", "missing") for n in range(4))
    found = commands(render(builders.review(*many, incomplete=incomplete)))
    levels = Counter(one.level for one in found)
    assert max(levels.values()) <= 10
    assert levels["error"] + 1 <= 9  # with the runner's own
    last = found[-1]
    assert last.level == "notice"
    assert last.message.startswith(f"{9_004 - (len(found) - 1):,} more annotations are left out")
    assert [one.properties["title"] for one in found[:4]] == ["Not done: gate"] * 4


def test_a_message_is_no_longer_than_is_taken() -> None:
    finding = builders.finding(failure="\U0001f600" * 100_000, title="t" * 1_000)
    (one,) = commands(render(builders.review(finding)))
    assert len(one.message.encode()) <= 65_536
    assert len(one.properties["title"]) == 255
