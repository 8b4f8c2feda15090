"""The Markdown report, read back by a Markdown parser: strangers' text stays text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from reviewbot.core.report import words
from reviewbot.core.report.markdown import render
from reviewbot.core.report.markup import ZERO_WIDTH_SPACE, code, fence, language, prose, table
from reviewbot.core.types import (
    GateStatus,
    Grade,
    Receipt,
    Rejection,
    Review,
)
from reviewbot.core.visible import visible
from tests import builders
from tests.core.expected import expected
from tests.strategies import few, reviews, texts

OWN_TAGS = {"<br>", "<details>", "</details>", "<summary>", "</summary>"}


def parsed(markdown: str) -> list[Token]:
    """Block and inline tokens in one list."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    return [t for token in tokens for t in (token, *(token.children or ()))]


def tags(tokens: Sequence[Token]) -> set[str]:
    html = "".join(t.content for t in tokens if t.type in ("html_block", "html_inline"))
    return set(re.findall(r"<[^>]*>", html))


def live(tokens: Sequence[Token]) -> list[str]:
    """What GitHub would make a link or a notification of, outside code."""
    plain = " ".join(t.content for t in tokens if t.type == "text")
    return re.findall(r"@\w+|#\d+|GH-\d+|\w+://|www\.", plain)


def said(tokens: Sequence[Token]) -> str:
    """What a reader sees, without our zero-width spaces."""
    return "".join(t.content for t in tokens if t.type in ("text", "code_inline")).replace(
        ZERO_WIDTH_SPACE, ""
    )


@few
@given(reviews())
def test_no_text_of_a_stranger_becomes_markup(review: Review) -> None:
    tokens = parsed(render(review))
    assert tags(tokens) <= OWN_TAGS
    assert not {"link_open", "image", "blockquote_open", "hr", "code_block"} & {t.type for t in tokens}
    assert live(tokens) == []


@few
@given(reviews())
def test_every_finding_is_a_row_of_five_cells_and_its_quote_stands_in_one_fence(review: Review) -> None:
    tokens = parsed(render(review))
    kinds = words.by_meaning(review.findings)
    rows = [0]
    for token in tokens:
        if token.type == "tr_open":
            rows.append(0)
        rows[-1] += token.type in ("td_open", "th_open")
    assert rows.count(5) == (len(kinds.new) + 1 if kinds.new else 0)
    assert rows.count(3) == (len(words.gates(review)) + 1 if review.gates else 0)
    assert set(rows) <= {0, 3, 5}
    fences = [t.content for t in tokens if t.type == "fence"]
    for finding in (*kinds.new, *kinds.second_look):
        assert visible(finding.candidate.site.quote) + "\n" in fences


@few
@given(reviews())
def test_every_file_nobody_looked_at_and_every_older_finding_is_named(review: Review) -> None:
    tokens = parsed(render(review))
    assert sum(t.type == "list_item_open" for t in tokens) >= len(review.uncovered) + sum(
        f.preexisting for f in review.findings
    )
    sections = {
        tokens[i + 1].content for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag == "h2"
    }
    assert ("Not done" in sections) == bool(review.incomplete)
    assert ("Not covered" in sections) == bool(review.uncovered)


@given(texts)
def test_prose_and_code_say_what_was_given(text: str) -> None:
    flat = " ".join(visible(text).split()).replace(ZERO_WIDTH_SPACE, "")
    assert said(parsed(f"x {code(text)}")) == f"x {flat}".rstrip()
    # The spaces at the ends of a code span are no text.
    spoken = said(parsed(f"x {prose(text)}")).replace("`", "")
    assert "".join(spoken.split()) == "".join(f"x {flat}".replace("`", "").split())


@given(st.lists(st.tuples(texts, texts), max_size=3))
def test_a_cell_keeps_its_text(cells: list[tuple[str, str]]) -> None:
    tokens = parsed(table(("a", "b"), [(prose(left), code(right)) for left, right in cells]))
    inline = [t for t in tokens if t.type == "inline"][2:]
    assert len(inline) == 2 * len(cells)
    for token, text in zip(inline, (text for row in cells for text in row), strict=True):
        flat = " ".join(visible(text).split())
        # The spaces at the ends of a code span are no text.
        spoken = said(token.children or ()).replace("`", "")
        assert "".join(spoken.split()) == "".join(flat.replace("`", "").split())


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("append `|| exit 1`", "append `|| exit 1`"),
        ("a lone ` stays", "a lone \\` stays"),
        ("CONFIG_PATH and _this_", "CONFIG_PATH and \\_this\\_"),
        ("ask @alice about #12", f"ask @{ZERO_WIDTH_SPACE}alice about \\#{ZERO_WIDTH_SPACE}12"),
        ("see https://a.example", f"see https:{ZERO_WIDTH_SPACE}//a.example"),
        ("<b> & [x](y)", "\\<b\\> \\& \\[x\\](y)"),
        ("- not a list", "\\- not a list"),
        ("1. nor this", "1\\. nor this"),
        ("two\nlines", "two lines"),
        ("`` ` ``", "\\`\\` \\` \\`\\`"),
    ],
)
def test_prose(text: str, markdown: str) -> None:
    assert prose(text) == markdown


def test_code_and_fences_outgrow_the_backticks_in_them() -> None:
    assert code("a `b` c") == "``a `b` c``"
    assert code("`a") == "`` `a ``"
    assert code("grep 'a\\|b'") == "grep 'a\\\\|b'"
    assert fence("```\n````", "bash") == "`````bash\n```\n````\n`````"
    assert (language("a/run.SBATCH"), language("a.py"), language("Makefile")) == ("bash", "python", "")


def test_the_report_of_one_finding() -> None:
    hint = builders.finding(grade=Grade.HINT, path="b.py", line=3, quote="os.system(cmd)")
    old = builders.finding(preexisting=True, line=90)
    review = builders.review(
        builders.suggested(),
        hint,
        old,
        uncovered=(("a.png", "binary"),),
        incomplete=(("gate", "shellcheck -S warning a.sh", "not installed"),),
        gates=(
            builders.gate(),
            builders.gate(GateStatus.FAILED, exit=2, blame="new", output="a.sh: line 1: no\n"),
        ),
        checked=(builders.checked("held", "Held class"), builders.checked("not-checked", "Other class")),
    )
    report = render(review)
    assert report == expected("report.md")


def test_a_proof_shows_its_transcript_in_a_fence_that_it_cannot_leave() -> None:
    transcript = "$ bash a.sh\n```\n<script>\n(exit 1)"
    receipt = Receipt("run", "it stops", "a.sh", 41, True, transcript)
    report = render(builders.review(builders.finding(receipts=(receipt,))))
    assert f"1. It stops\n\n````console\n{transcript}\n````\n" in report


def test_why_a_finding_was_not_proven_stands_with_it() -> None:
    report = render(builders.review(builders.finding(unproven="bubblewrap is not installed")))
    assert "\nNot proven by running it: bubblewrap is not installed.\n" in report


def test_what_a_proof_contradicted_stands_with_its_reason() -> None:
    claim = Rejection(builders.candidate(), "disproved", "`./show.sh` exits 10, which denies it")
    report = render(builders.review(rejections=(claim,)))
    assert (
        "- `runners/launch_h200.sh:41`: A failed step does not stop the launch. "
        "**disproved**: `./show.sh` exits 10, which denies it\n"
    ) in report


def test_more_backticks_than_a_span_can_have_are_plain() -> None:
    assert code("`" * 79) == "`" * 80 + " " + "`" * 79 + " " + "`" * 80
    assert code("`" * 80) == "\\`" * 80


def test_no_fence_is_longer_than_github_counts() -> None:
    lines = fence("`" * 1_000).split("\n")
    assert lines[0] == lines[-1] == "`" * 251
    assert lines[1].replace(ZERO_WIDTH_SPACE, "") == "`" * 1_000
