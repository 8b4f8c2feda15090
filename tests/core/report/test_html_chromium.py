"""The HTML report in a real browser, from a file and with no network. REVIEWBOT_SCREENSHOTS names the folder
in which pictures of it are left."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from reviewbot.assets import look
from reviewbot.core.report import FORMATS, Page
from reviewbot.core.types import GateStatus, Grade, Receipt, Refutation, Rejection, Review, Severity, Site
from tests import builders

PICTURES = os.environ.get("REVIEWBOT_SCREENSHOTS", "")  # before the environment is cleaned
EVIL = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\u202e\0\udce9"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium")
    assert path, "Chromium is missing; see scripts/system-packages"
    with sync_playwright() as playwright:
        # Its sandbox needs a user that is not root; the pages are our own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visit:
    """The report in a window without a network. `told` is what the console said, `asked` what was fetched."""

    def __init__(self, chromium: Browser, review: Review, folder: Path, **options: Any) -> None:
        file = folder / "report.html"
        file.write_text(FORMATS["html"](review, Page(look=look)), encoding="utf-8")
        self.context: BrowserContext = chromium.new_context(offline=True, **options)
        self.page = self.context.new_page()
        self.told: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda error: self.told.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        self.file = file.as_uri()


def whole() -> Review:
    """A review with one of everything."""
    hole = builders.finding(
        fingerprint="448fcc710862cfc5",
        title="Argument holes under `set -u`",
        severity=Severity.BLOCKER,
        grade=Grade.PROVEN,
        path="tools/quantize.sh",
        line=9,
        quote='        --model) MODEL="$2"; shift 2 ;;\n        --bits) BITS="$2"; shift 2 ;;',
        also=(Site("tools/quantize.sh", 12, 12, "x"),),
        unsuggested="the guard belongs before the loop",
        receipts=(
            Receipt("run", "it stops", "a.sh", 1, True, "$ bash quantize.sh --model\nunbound variable"),
        ),
    )
    hint = builders.finding(fingerprint="5" * 16, grade=Grade.HINT, refutation=Refutation("unsure", "Maybe."))
    return builders.review(
        builders.suggested(),
        hole,
        hint,
        builders.finding(preexisting=True, fingerprint="6" * 16),
        incomplete=(("gate", "shellcheck -S warning", "shellcheck is not installed"),),
        rejections=(Rejection(builders.candidate(title="A wait"), "refuted", "`timeout` ends the loop."),),
        uncovered=(("docs/recipes.md", "no skill claims it"),),
        gates=(
            builders.gate(),
            builders.gate(GateStatus.FAILED, "pytest -q", output="E  8 == 4\n1 failed", exit=1, blame="new"),
            builders.gate(GateStatus.REFUSED, "make verify", reason="there is no sandbox"),
        ),
        checked=(builders.checked("held"), builders.checked("not-checked", "Another class")),
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_is_fit_to_be_read(chromium: Browser, tmp_path: Path, width: int, scheme: Any) -> None:
    size = {"width": width, "height": 900}
    visit = Visit(chromium, whole(), tmp_path, viewport=size, color_scheme=scheme)
    page = visit.page
    folder = Path(PICTURES) if PICTURES else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"report-{width}-{scheme}.png", full_page=True)
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert (visit.told, visit.asked) == ([], [visit.file])
    # The style sheet was let in by the policy of the page.
    assert page.evaluate("getComputedStyle(document.body).display") == "flex"
    found = [
        f"{rule['id']}: {node['html'][:200]}"
        for rule in Axe().run(page).response["violations"]
        if rule["impact"] in ("serious", "critical", "moderate")
        for node in rule["nodes"]
    ]
    assert found == []
    visit.context.close()


def test_without_scripts_everything_is_there(chromium: Browser, tmp_path: Path) -> None:
    visit = Visit(chromium, whole(), tmp_path, java_script_enabled=False)
    page = visit.page
    assert page.get_by_role("heading", name="Incomplete: 1 planned step not done").is_visible()
    refuted = page.get_by_text("ends the loop.")
    assert not refuted.is_visible()
    page.get_by_text("1 claim that did not become a finding").click()
    assert refuted.is_visible()
    visit.context.close()


def test_on_paper_everything_is_open(chromium: Browser, tmp_path: Path) -> None:
    visit = Visit(chromium, whole(), tmp_path, viewport={"width": 720, "height": 1000})
    page = visit.page
    folded = page.locator("#rejections .ledger")
    assert not folded.is_visible()
    page.emulate_media(media="print")
    height = folded.bounding_box()
    assert height
    assert height["height"] > 10
    assert page.evaluate("document.documentElement.scrollWidth") <= 720
    visit.context.close()


def test_a_script_in_a_finding_is_text(chromium: Browser, tmp_path: Path) -> None:
    evil = builders.suggested(title=EVIL, quote=EVIL, failure=EVIL, path=EVIL, fix=EVIL, skill=EVIL)
    review = builders.review(evil, incomplete=(("gate", EVIL, EVIL),), paths=(EVIL,))
    visit = Visit(chromium, review, tmp_path)
    page = visit.page
    assert "<script>" in page.locator(".quote").first.inner_text()
    assert page.locator("script, img").count() == 0
    assert "owned" not in page.title()
    assert (visit.told, visit.asked) == ([], [visit.file])
    visit.context.close()


def test_a_script_that_gets_in_all_the_same_does_not_run(chromium: Browser, tmp_path: Path) -> None:
    visit = Visit(chromium, whole(), tmp_path)
    page = visit.page
    page.evaluate("""html => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'owned'";
        document.body.append(script);
        document.getElementById("findings").insertAdjacentHTML("afterend", html);
    }""", EVIL)  # fmt: skip
    page.wait_for_function("document.querySelector('main img').complete")
    assert page.title() != "owned"
    assert sum("Content Security Policy" in words for words in visit.told) >= 2
    visit.context.close()


def test_ten_thousand_findings_open(chromium: Browser, tmp_path: Path) -> None:
    many = [builders.finding(line=line, fingerprint=f"{line:016x}") for line in range(1, 10_001)]
    visit = Visit(chromium, builders.review(*many), tmp_path)
    assert visit.page.locator(".finding, .ledger > li").count() == 10_000
    assert (visit.told, visit.asked) == ([], [visit.file])
    visit.context.close()
