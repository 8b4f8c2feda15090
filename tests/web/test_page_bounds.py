"""What a page of a run holds, and what only the JSON report has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewbot.core.report.arranged import glance
from reviewbot.core.types.run import Progressed, Run
from reviewbot.web.pages.stages import stages
from tests.web import made
from tests.web.test_pages import text_of
from tests.web.visits import administrator, browser, person


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[made.Kept]:
    with made.store(tmp_path) as store:
        yield store


def heavy() -> dict[str, Any]:
    output = "".join(f"<x>\x1b[31m{n}\n" for n in range(30_000))
    minor = [made.finding(fingerprint=f"{n:016x}", severity="note") for n in range(600)]
    worst = made.finding(fingerprint="f" * 16, title="The one that matters", severity="blocker")
    missed = [{"path": f"docs/{n}.md", "reason": "no skill claims it"} for n in range(1_000)]
    undone = [{"stage": "model", "what": f"step {n}", "why": "no answer"} for n in range(900)]
    return made.document(
        findings=[*minor, worst],
        rejections=made.document()["rejections"] * 400,
        gates=[made.gate("failed", f"pytest {n}", tail=output, exit=1) for n in range(4)],
        coverage={"files": 1_001, "covered": 1, "uncovered": missed},
        incomplete=undone,
    )


def test_a_page_is_bounded_and_what_is_cut_is_counted(shelf: made.Kept) -> None:
    """34 MB for 10,000 findings kept deliveries waiting for half a minute."""
    report = heavy()
    shelf.runs.create(Run(made.run_id(1), made.REPO, 1))
    shelf.runs.finish(made.run_id(1), "done", "findings", report)
    visit = administrator(made.site(shelf))
    page = visit.get(f"/runs/{made.run_id(1)}").text
    words = text_of(page)
    assert len(page) < 1_000_000
    assert "601 new findings" in words
    assert "The one that matters" in words
    cards = page.count('class="card finding')
    assert 50 <= cards <= 100
    assert f"{601 - cards:,} more: in the JSON report ." in words
    assert "700 more: in the JSON report ." in words  # files that nobody reviewed
    assert "700 more: in the JSON report ." in words
    assert "Incomplete: 900 planned steps" in words
    assert "more characters (in the JSON report) before:" in words
    assert "29999" in words
    kept = visit.get(f"/runs/{made.run_id(1)}/report.json")
    assert kept.json() == report
    assert kept.headers["content-disposition"].startswith("attachment")


def test_the_json_report_is_for_whom_the_page_is(shelf: made.Kept) -> None:
    ids = made.filled(shelf)
    assert person(made.site(shelf)).get(f"/runs/{ids.done}/report.json").json()["schema"]
    assert person(made.site(shelf)).get(f"/runs/{ids.secret}/report.json").status_code == 404
    assert administrator(made.site(shelf)).get(f"/runs/{ids.failed}/report.json").status_code == 404
    assert browser(made.site(shelf)).get(f"/runs/{ids.done}/report.json").status_code == 303


def test_what_was_posted_is_not_struck_through() -> None:
    run = Run("r", made.REPO, 1, state="done", begun=0.0, ended=9.0, facts={"posted": [{"what": "review"}]})
    assert stages(run, [Progressed(0, 1.0, "fetch", 2, 2)])[-1].state == "done"
    assert stages(run._replace(facts={}), [Progressed(0, 1.0, "fetch", 2, 2)])[-1].state == "skipped"


def test_no_price_where_no_model_was_asked() -> None:
    free = made.document(usage=made.usage(calls=0, usd=0.0, seconds=0.0))
    assert glance(free)[-1][1:] == ("No model", "was asked", "")
