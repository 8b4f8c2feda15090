"""The terminal report: it fits, it says the same without colour, and it obeys no stranger."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.assets import look
from reviewbot.core.report import FORMATS, Page, edits, words
from reviewbot.core.report.layout import LEAST, Ink, cells, chop, table, wrap
from reviewbot.core.report.terminal import EDITED, IN_FULL, QUOTED, render
from reviewbot.core.types import (
    GateStatus,
    Grade,
    Origin,
    Receipt,
    Rejection,
    Review,
    Severity,
    SkillOrigin,
    Skills,
)
from reviewbot.core.visible import visible
from tests import builders
from tests.core.expected import expected
from tests.strategies import few, reviews

STYLES = re.compile(r"\x1b\[[0-9;]*m|\x1b]8;;[^\x1b]*\x1b\\")


@few
@given(reviews(), st.integers(40, 200))
def test_no_line_is_wider_than_the_terminal_and_none_holds_a_control_character(
    review: Review, width: int
) -> None:
    report = render(review, width)
    assert {unicodedata.category(c) for c in report if c != "\n"} & {"Cc", "Cf", "Cs", "Zl", "Zp"} == set()
    whole = {  # the lines of a suggestion are for copying
        f"   {mark} {visible(line).expandtabs(4)}".rstrip()
        for finding in review.findings
        if finding.suggestion
        for mark, line in edits.rows(finding.suggestion)
    }
    assert max(cells(line) for line in report.split("\n") if line not in whole) <= width


@few
@given(reviews())
def test_colours_and_links_change_no_word(review: Review) -> None:
    coloured = render(review, 80, colour=True, link=lambda path: "file:///x")
    assert STYLES.sub("", coloured) == render(review, 80)
    assert "\x1b[" in coloured


@few
@given(reviews())
def test_the_verdict_is_what_stays_on_the_screen(review: Review) -> None:
    last_paragraph = render(review, 80).split("\n\n")[-1]
    assert "".join(last_paragraph.split()) == "".join(visible(words.verdict(review)).split())


@pytest.mark.parametrize("origin", [SkillOrigin.BASE, SkillOrigin.PATH, SkillOrigin.BUILTIN])
def test_classes_of_the_repositorys_own_skills_that_nobody_looked_for_are_named(origin: SkillOrigin) -> None:
    """A count sent their author to another format."""
    titles = [f"Defect {n}" for n in range(7)]
    review = builders.review(checked=tuple(builders.checked("not-checked", title) for title in titles))
    skill = review.skills.active[0]._replace(origin=origin)
    report = render(review._replace(skills=review.skills._replace(active=(skill,))), 100)
    assert "not checked  7 of 7 classes (--format markdown names them)\n" in report
    named = f"             {skill.name}: Defect 0; Defect 1; Defect 2; Defect 3; Defect 4 and 2"
    assert (named in report) is (origin is not SkillOrigin.BUILTIN)


def test_a_narrow_terminal_is_treated_as_forty_cells() -> None:
    review = builders.review(builders.suggested())
    assert render(review, 1) == render(review, 40)


def test_the_report_of_two_findings() -> None:
    loop = "until curl -sf localhost > /dev/null; do\n    sleep 5\ndone"
    second = builders.finding(
        path="benchmarks/bench_serving.sh",
        line=98,
        quote=loop,
        title="A loop that cannot finish and cannot notice",
        severity=Severity.BLOCKER,
        failure="A dead server is waited for.",
        cost="The node is held until the time limit.",
        fix="Check the process in the loop.",
        also=(builders.candidate(path="benchmarks/bench_serving.sh", line=120).site,),
    )
    review = builders.review(
        second,
        builders.suggested(),
        builders.finding(grade=Grade.HINT, path="b.py", line=3),
        builders.finding(preexisting=True),
        uncovered=(("a.png", "binary"), ("b.png", "binary")),
        incomplete=(("gate", "./tests/run.sh", "it would run code of the change"),),
        gates=(builders.gate(), builders.gate(), builders.gate(GateStatus.MISSING, "shellcheck a.sh")),
        checked=(builders.checked("held", "Held class"), builders.checked("not-checked", "Other class")),
    )
    assert render(review, 80) == expected("report.txt")


def test_a_clean_review_says_what_was_compared_and_the_verdict() -> None:
    assert render(builders.review()) == (
        "compared     main...HEAD, base aaaaaaaaaaaa, head bbbbbbbbbbbb\n\n"
        "clean: nothing new found; 1 of 1 changed file reviewed\n"
    )


def test_a_wide_terminal_has_room_for_the_costs() -> None:
    review = builders.review(builders.finding(), builders.finding(line=50))
    assert "defect" in render(review, 109)
    assert not re.search(r"where .* cost", render(review, 109))
    assert re.search(r"where .* cost", render(review, 110))


def test_a_long_review_sets_out_the_first_findings_and_names_all() -> None:
    findings = [builders.finding(path=f"f{n:03}.sh", line=n) for n in range(1, 101)]
    report = render(builders.review(*findings), 120)
    assert report.count("\n   cost ") == IN_FULL
    assert all(f"f{n:03}.sh:{n} " in report for n in range(1, 101))
    assert "--format markdown does so for all" in report


def test_a_long_quote_and_many_files_are_counted_not_poured_out() -> None:
    finding = builders.finding(quote="\n".join(f"line {n}" for n in range(100)))
    uncovered = tuple((f"gen/{n}.py", "generated") for n in range(2_000))
    report = render(builders.review(finding, uncovered=uncovered))
    assert f"line {QUOTED - 1}\n" in report
    assert f"line {QUOTED}\n" not in report
    assert "(88 more rows)" in report
    assert "generated: gen/0.py, gen/1.py, gen/2.py, gen/3.py, gen/4.py and 1,995 more" in " ".join(
        report.split()
    )


def test_long_lists_are_cut_and_counted() -> None:
    hints = [builders.finding(grade=Grade.HINT, line=n) for n in range(1, 101)]
    rows = tuple(("scope", f"f{n}.py", "not UTF-8") for n in range(100))
    report = render(builders.review(*hints, incomplete=rows))
    assert report.count("\n - runners/launch_h200.sh:") == IN_FULL
    assert report.count("scope: f") == IN_FULL
    assert report.count("75 more (--format markdown names them)") == 2
    assert "100 planned steps not done" in report


def test_commands_in_a_quote_are_shown_and_not_obeyed() -> None:
    evil = builders.finding(quote="echo '\x1b]0;owned\x07' \u202e# \x9b2J", path="a\x1b[2J.sh")
    report = render(builders.review(evil), colour=True)
    assert "echo '\\x1b]0;owned\\x07' \\u202e# \\x9b2J" in report
    assert "a\\x1b[2J.sh:41" in report


def test_a_link_leads_from_the_place_to_the_file() -> None:
    review = builders.review(builders.finding())
    linked = render(review, 80, colour=True, link=lambda path: f"file:///repo/{path}")
    url = "\x1b]8;;file:///repo/runners/launch_h200.sh\x1b\\"
    assert f"{url}\x1b[1mrunners/launch_h200.sh:41\x1b[0m\x1b]8;;\x1b\\" in linked
    assert "file://" not in render(review, 80, colour=False, link=lambda path: f"file:///repo/{path}")


def test_every_format_renders_through_the_one_table() -> None:
    review = builders.review(builders.finding())
    page = Page(width=100)
    assert list(FORMATS) == ["text", "markdown", "json", "sarif", "rdjson", "annotations", "html"]
    assert FORMATS["text"](review, page) == render(review, 100)
    for name in list(FORMATS)[1:]:
        page = Page(width=100, look=look)
        assert "runners/launch_h200.sh" in FORMATS[name](review, page)
        assert FORMATS[name](review, page) == FORMATS[name](review, Page(look=look))


def test_notes_of_the_change_reach_the_terminal() -> None:
    review = builders.review()
    review = review._replace(change=review.change._replace(notes=("only the hunks were read",)))
    assert "only the hunks were read" in render(review)
    assert words.verdict(review) in " ".join(render(review).split())


@given(st.text(st.sampled_from("ab 漢é\u0301"), max_size=60), st.integers(2, 20))
def test_wrapping_and_cutting_keep_every_character_within_the_width(text: str, width: int) -> None:
    assert "".join(chop(text, width)) == text
    assert all(cells(piece) <= width for piece in chop(text, width))
    assert "".join("".join(wrap(text, width)).split()) == "".join(text.split())
    assert all(cells(line) <= width for line in wrap(text, width))


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("", 0)])
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


def test_table_columns_share_the_room() -> None:
    rows = [("1", "short", "a longer text that must be wrapped")]
    assert table(("#", "x", "y"), rows, 30) == [
        ["#  x      y"],
        ["1  short  a longer text that", "          must be wrapped"],
    ]


def test_a_column_leaves_room_to_the_wider_ones() -> None:
    rows = [("src/" + "p" * 60, "d" * 80)]
    (head,), first = table(("where", "defect"), rows, 80)
    assert head.index("defect") == 80 - LEAST
    assert [len(line) for line in first] == [80, 80, 80, 64]


def test_without_colour_ink_leaves_no_mark() -> None:
    assert Ink(False)("x", "bold") == "x"
    assert Ink(True)("x", "bold", "red") == "\x1b[1;31mx\x1b[0m"
    assert Ink(True)("x") == "x"
    assert Ink(True).link("x", None) == "x"


def test_a_proof_shows_what_ran_and_what_it_printed() -> None:
    receipt = Receipt(
        "run",
        "`bash a.sh --model` stops",
        "a.sh",
        41,
        True,
        "$ bash a.sh --model\nno \x1b[31mvalue\n(exit 1)",
    )
    report = render(builders.review(builders.finding(receipts=(receipt,), grade=Grade.PROVEN)))
    shown = """\
   proof     `bash a.sh --model` stops
             | $ bash a.sh --model
             | no \\x1b[31mvalue
             | (exit 1)
"""
    assert shown in report


def test_a_long_transcript_is_cut_and_counted() -> None:
    receipt = Receipt("run", "it stops", "a.sh", 41, True, "\n".join(["$ bash a.sh", *["y"] * EDITED]))
    report = render(builders.review(builders.finding(receipts=(receipt,))))
    assert report.count("| y\n") == EDITED - 1
    assert "(1 more row)" in report


def test_why_findings_were_not_proven_is_said_once() -> None:
    one = builders.finding(unproven="bubblewrap is not installed")
    report = render(builders.review(one, one))
    assert report.count("not proven") == 1
    assert "not proven   2 findings: bubblewrap is not installed\n" in report


def test_what_was_rejected_is_counted_by_its_reasons() -> None:
    claims = [
        Rejection(builders.candidate(origin=Origin.MODEL), "refuted", "no"),
        Rejection(builders.candidate(), "disproved", "`./show.sh` exits 10"),
        Rejection(builders.candidate(), "duplicate"),
        Rejection(builders.candidate(origin=Origin.MODEL), "duplicate"),
    ]
    report = render(builders.review(rejections=tuple(claims)), 100)
    assert "rejected     2 claims: 1 refuted, 1 disproved (--format markdown names them)\n" in report


def test_a_check_of_a_built_in_skill_that_found_no_file_is_only_counted() -> None:
    idle = builders.gate(GateStatus.SKIPPED, reason="no changed file matches <each>.sh")
    own = Skills((builders.skill(origin=SkillOrigin.BASE),))
    assert "no changed file matches" in render(builders.review(gates=(idle,), skills=own), 100)
    report = render(builders.review(gates=(idle,)))
    assert "no changed file matches" not in report
    assert "1 gate skipped" in report


def test_an_old_failure_shows_what_it_says() -> None:
    gate = builders.gate(
        GateStatus.FAILED, "./run.sh", exit=1, blame="preexisting", output="error: no port\nbye\n"
    )
    report = render(builders.review(gates=(gate,)), 100)
    assert "./run.sh: failed (exit 1), preexisting; said last: error: no port" in report


def test_what_was_struck_of_a_claim_is_left_to_the_other_formats() -> None:
    struck = Receipt("count", '"Every caller breaks"', "a.sh", None, False, "`Every` was not counted")
    held = Receipt("count", "2 lines call it", "a.sh", None, True, "2 lines: 3, 9")
    review = builders.review(builders.finding(receipts=(struck, held)))
    assert "Every caller breaks" not in render(review)
    assert "   proof     2 lines call it (2 lines: 3, 9)\n" in render(review)
    assert "Does not hold: " in FORMATS["markdown"](review, Page())
