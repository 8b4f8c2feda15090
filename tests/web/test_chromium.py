"""The pages in a real browser. REVIEWBOT_SCREENSHOTS names the folder in which pictures of them are left."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from reviewbot.core.types.run import Run
from tests.web import made

WIDTHS, SCHEMES = (360, 1440), ("light", "dark")
PICTURES = os.environ.get("REVIEWBOT_SCREENSHOTS", "")  # before the environment is cleaned
SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => { for (const e of list.getEntries()) window.shifted += e.value; })
  .observe({type: "layout-shift", buffered: true});
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium")
    assert path, "Chromium is missing; see scripts/system-packages"
    with sync_playwright() as playwright:
        # Its sandbox needs a user that is not root; the pages are our own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[made.Kept]:
    with made.store(tmp_path_factory.mktemp("shelf")) as shelf:
        yield shelf


@pytest.fixture(scope="module")
def ids(shelf: made.Kept) -> made.Filled:
    return made.filled(shelf)


@pytest.fixture(scope="module")
def url(shelf: made.Kept) -> Iterator[str]:
    with made.served(made.site(shelf)) as url:
        yield url


class Visit:
    """A browser window; `told` is what its console said."""

    def __init__(self, chromium: Browser, url: str, **options: Any) -> None:
        self.url = url
        self.context = chromium.new_context(reduced_motion="reduce", **options)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.told: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda error: self.told.append(str(error)))

    def open(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def administrator(self) -> Visit:
        self.open("/login")
        self.page.get_by_label("Administrator token").fill(made.ADMIN)
        self.page.get_by_role("button", name="Log in").click()
        self.page.wait_for_url(self.url + "/")
        return self


@pytest.fixture
def visit(chromium: Browser, url: str) -> Iterator[Visit]:
    visit = Visit(chromium, url, viewport={"width": 1440, "height": 900})
    yield visit
    visit.context.close()


def paths(ids: made.Filled) -> dict[str, str]:
    return {
        "dashboard": "/",
        "run": f"/runs/{ids.done}",
        "run-incomplete": f"/runs/{ids.incomplete}",
        "run-running": f"/runs/{ids.running}",
        "run-failed": f"/runs/{ids.failed}",
        "repository": "/repos/acme/launcher",
        "deliveries": "/deliveries",
        "missing": "/runs/nothing",
    }


def test_a_run_ticks_without_a_reload(shelf: made.Kept, visit: Visit) -> None:
    id = made.run_id(100)
    shelf.runs.create(Run(id, made.REPO, 100, title="A launch", created=time.time()))
    page = visit.administrator().open(f"/runs/{id}")
    page.evaluate("window.same = true")
    page.evaluate(SHIFTS)
    assert page.locator("#run").get_by_text("waiting", exact=True).first.is_visible()
    shelf.runs.begin(id, "worker-1")
    stage = page.locator("[data-stage=gates]")
    for done in (1, 2, 3):
        shelf.runs.tick(id, "gates", done, 5)
        stage.get_by_text(f"{done} of 5").wait_for()
    assert stage.get_attribute("data-state") == "running"
    assert page.locator("[data-chip]").inner_text() == "running"
    shelf.runs.tick(id, "unheard-of", 0, 0)
    page.locator("[data-stage=unheard-of]").wait_for()
    assert page.evaluate("window.shifted") < 0.1
    shelf.runs.finish(id, "done", "findings", made.document())
    page.get_by_role("heading", name="2 new findings").wait_for()
    assert page.locator("[data-chip]").inner_text() == "findings"
    assert page.evaluate("window.same") is True
    assert visit.told == []


def test_a_finding_is_there_with_its_proof(visit: Visit, ids: made.Filled) -> None:
    page = visit.administrator().open(f"/runs/{ids.done}")
    finding = page.locator("article").filter(has_text="A failed step does not stop the launch").first
    assert "inject_acceptance.py" in finding.locator(".quote").first.inner_text()
    assert finding.get_by_text("stands at runners/launch_h200.sh:13").is_visible()
    assert finding.locator(".edit .new").inner_text().endswith("|| exit 1")
    refuted = page.get_by_text("ends the loop; the claim that nothing does is wrong")
    assert not refuted.is_visible()
    page.get_by_text("2 claims that did not become a finding").click()
    assert refuted.is_visible()


def test_a_login_is_required_and_leads_back(visit: Visit, ids: made.Filled) -> None:
    page = visit.open(f"/runs/{ids.done}")
    assert page.url.startswith(f"{visit.url}/login?next=")
    assert made.HEAD not in page.content()
    page.get_by_role("link", name="Log in with GitHub").click()
    page.wait_for_url(f"{visit.url}/runs/{ids.done}")
    assert page.get_by_role("heading", name="2 new findings").is_visible()
    visit.open(f"/runs/{ids.secret}")
    assert page.get_by_role("heading", name="Not found").is_visible()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(f"{visit.url}/login")
    assert visit.open(f"/runs/{ids.done}").url.startswith(f"{visit.url}/login")


def test_a_script_in_a_finding_is_text(shelf: made.Kept, visit: Visit) -> None:
    id = made.run_id(101)
    evil = made.finding(title=made.EVIL, quote=made.EVIL, failure=made.EVIL, path=made.EVIL)
    report = made.document(findings=[evil])
    shelf.runs.create(Run(id, made.REPO, 101, title=made.EVIL, state="done", document=report))
    page = visit.administrator().open(f"/runs/{id}")
    assert made.EVIL in page.locator(".quote").first.inner_text()
    assert "owned" not in page.title().split("<")[0]
    assert page.locator("main script, main img").count() == 0
    assert visit.told == []


def test_a_script_that_gets_in_all_the_same_does_not_run(visit: Visit, ids: made.Filled) -> None:
    page = visit.administrator().open(f"/runs/{ids.done}")
    page.evaluate("""html => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'owned'";
        document.getElementById("main").append(script);
        document.getElementById("findings").insertAdjacentHTML("afterend", html);
    }""", made.EVIL)  # fmt: skip
    page.wait_for_function("document.querySelector('#main img').complete")
    assert page.title() != "owned"
    assert sum("Content Security Policy" in words for words in visit.told) >= 2


def test_the_keyboard_gets_everywhere(visit: Visit, ids: made.Filled) -> None:
    page = visit.administrator().open(f"/runs/{ids.done}")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.locator(".skip").bounding_box()["y"] >= 0  # type: ignore[index]
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    ledger = page.locator("#rejections summary")
    ledger.focus()
    page.keyboard.press("Enter")
    assert page.locator("#rejections").get_attribute("open") is not None


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_is_fit_to_be_read(
    chromium: Browser, url: str, ids: made.Filled, tmp_path: Path, width: int, scheme: Any
) -> None:
    visit = Visit(chromium, url, viewport={"width": width, "height": 900}, color_scheme=scheme)
    faults: list[str] = []
    visit.open("/login")
    faults += look(visit, "login", width, scheme, tmp_path)
    visit.administrator()
    for name, path in paths(ids).items():
        visit.open(path)
        faults += look(visit, name, width, scheme, tmp_path)
    visit.context.close()
    assert not faults, "\n".join(faults)


def look(visit: Visit, name: str, width: int, scheme: str, folder: Path) -> list[str]:
    """Take a picture, and tell what is serious: what axe finds, and what is wider than the window."""
    folder = Path(PICTURES) if PICTURES else folder
    folder.mkdir(parents=True, exist_ok=True)
    page = visit.page
    page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")
    found = [
        f"{name}: {rule['id']}: {node['html'][:200]}"
        for rule in Axe().run(page).response["violations"]
        if rule["impact"] in ("serious", "critical", "moderate")
        for node in rule["nodes"]
    ]
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [*found, f"{name}: {wide} pixels wide"] if wide > width else found
