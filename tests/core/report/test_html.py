"""The HTML report, read back by a parser: it fetches nothing, and strangers' text stays text."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given

from reviewbot.assets import look
from reviewbot.core.errors import AssetError
from reviewbot.core.report import FORMATS, Page
from reviewbot.core.types import (
    Edit,
    GateStatus,
    Receipt,
    Rejection,
    Review,
    Suggestion,
)
from reviewbot.core.visible import name, visible
from tests import builders
from tests.strategies import fewest, reviews

PAGE = Page(look=look)
TAGS = {
    *("html", "head", "meta", "title", "link", "style", "body", "a", "header", "div", "span", "svg", "path"),
    *(
        "main",
        "h1",
        "h2",
        "h3",
        "p",
        "code",
        "section",
        "ul",
        "ol",
        "li",
        "strong",
        "nav",
        "article",
        "figure",
    ),
    *(
        "figcaption",
        "table",
        "thead",
        "tbody",
        "tr",
        "td",
        "th",
        "dl",
        "dt",
        "dd",
        "details",
        "summary",
        "pre",
    ),
    "footer",
}
EMPTY = {"meta", "link", "path"}


class Read(HTMLParser):
    """What a browser makes of a page: its tags, their attributes, its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.style = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["style"]:
            self.style += data
        else:
            self.text.append(data)


def rendered(review: Review) -> str:
    return FORMATS["html"](review, PAGE)


def said(page: str) -> str:
    return "".join("".join(Read(page).text).split())


@fewest
@given(reviews())
def test_no_text_of_a_stranger_becomes_markup_or_hides(review: Review) -> None:
    page = rendered(review)
    page.encode("utf-8")
    read = Read(page)
    assert {tag for tag, _ in read.tags} <= TAGS
    for _, attributes in read.tags:
        assert not {key for key in attributes if key.startswith("on") or key in ("src", "srcset", "style")}
        href = attributes.get("href") or "#"
        assert href.startswith(("#", "data:image/svg+xml;base64,"))
    assert visible(page) == page
    text = "".join("".join(read.text).split())
    assert review.verdict in text
    for finding in review.findings:
        assert "".join(visible(finding.candidate.site.quote.split("\n")[0]).split()) in text
    for uncovered in review.uncovered:
        assert "".join(name(uncovered.path).split()) in text


def test_the_style_is_the_one_that_the_policy_lets_in() -> None:
    read = Read(rendered(builders.review()))
    policy = next(a["content"] for t, a in read.tags if t == "meta" and "http-equiv" in a) or ""
    digest = base64.b64encode(hashlib.sha256(read.style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r"url\(|@import|unsafe", read.style + policy)


def test_everything_of_a_review_is_in_it() -> None:
    old = builders.finding(preexisting=True, path="old.sh", fingerprint="1" * 16)
    ran = Receipt("run", "it stops", "a.sh", 1, True, "$ bash a.sh\nunbound variable")
    suggestion = Suggestion(Edit(1, 2, "set -e"), ("set +e", "true"), ("applies",))
    elsewhere = builders.finding(line=50, suggestion=suggestion, receipts=(ran,), unproven="no sandbox")
    refuted = Rejection(builders.candidate(title="A wait"), "refuted", "`timeout` ends it.")
    review = builders.review(
        builders.suggested(),
        elsewhere,
        builders.finding(line=60, unsuggested="it would not parse"),
        old,
        incomplete=(("gate", "shellcheck", "not installed"),),
        rejections=(refuted,),
        uncovered=(("docs/x.md", "no skill claims it"),),
        gates=(builders.gate(GateStatus.FAILED, output="boom\nbang", exit=1),),
        checked=(builders.checked("not-checked"),),
        reader="claude-sonnet-5-5, prompts 0123",
    )
    text = said(rendered(review))
    for words in (
        *(
            "main...HEAD",
            "Incomplete: 1 planned step not done",
            "shellcheck: not installed",
            "3 new findings",
        ),
        *("runners/launch_h200.sh:41", builders.INJECT, "3 receipts", "unbound variable", "set +e", "set -e"),
        *("Not proven by running it: no sandbox.", "No suggested edit: it would not parse.", "1 preexisting"),
        *(
            "old.sh:41",
            "A wait",
            "timeout ends it.",
            "boom bang",
            "docs/x.md",
            "no skill claims it",
            "not-checked",
        ),
        *("claude-sonnet-5-5", "0123456789ab", "aaaaaaaaaaaa", "1 of 2 changed files reviewed."),
    ):
        assert "".join(words.split()) in text, words
    page = rendered(review)
    assert page.index("Incomplete: 1") < page.index('id="findings"')


def test_a_clean_review_says_what_that_means_and_an_incomplete_one_is_none() -> None:
    clean = "Nothing new was found, and all that was planned was done."
    assert clean in rendered(builders.review())
    review = builders.review(incomplete=(("gate", "shellcheck", "not installed"),))
    assert clean not in rendered(review)
    assert "this is not a clean review" in rendered(review)


def test_ten_thousand_findings_are_all_named() -> None:
    found = [builders.finding(line=line, fingerprint=f"{line:016x}") for line in range(1, 10_001)]
    page = rendered(builders.review(*found))
    assert page.count("<article") == 500
    assert "9,500 further findings" in page
    assert page.count('id="f-') == 10_000
    assert len(page) < 8_000_000


def test_known_debts_are_called_that() -> None:
    review = builders.review(builders.finding(preexisting=True))
    review = review._replace(change=review.change._replace(whole=True))
    text = rendered(review)
    assert "1 known" in text
    assert "In the baseline" in text
    assert "1 of 1 file reviewed." in text


def test_without_its_look_it_is_an_error() -> None:
    with pytest.raises(AssetError, match="templates"):
        FORMATS["html"](builders.review(), Page())
