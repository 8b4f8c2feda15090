"""The pages as a server sends them."""

from __future__ import annotations

import copy
import http.client
import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from reviewbot.core.errors import StoreDown
from reviewbot.core.report import filters
from reviewbot.core.report.arranged import arranged, glance
from reviewbot.core.types.run import ClassVotes, Progressed, Run
from reviewbot.web.login.access import Access
from reviewbot.web.pages.configuration import flat
from reviewbot.web.pages.filters import ago as ago_in_words
from reviewbot.web.pages.repositories import precision
from reviewbot.web.pages.stages import stages
from tests.web import made
from tests.web.visits import administrator, browser, person


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[made.Kept]:
    with made.store(tmp_path) as store:
        yield store


@pytest.fixture
def ids(shelf: made.Kept) -> made.Filled:
    return made.filled(shelf)


def text_of(page: str) -> str:
    """What is read of a page."""

    class Words(HTMLParser):
        def handle_data(self, data: str) -> None:
            found.append(data)

    found: list[str] = []
    Words().feed(page)
    return " ".join(" ".join(found).split())


# --- the run ------------------------------------------------------------------------------


def test_a_run_shows_what_was_found_and_why(shelf: made.Kept, ids: made.Filled) -> None:
    words = text_of(administrator(made.site(shelf)).get(f"/runs/{ids.done}").text)
    expected = (
        "2 new findings", "A failed step does not stop the launch", "runners/launch_h200.sh:13",
        'python3 "$ROOT/runners/inject_acceptance.py"', "4 receipts", "5 lines: 10, 11, 12, 16, 17",
        "reviewbot: launched, CONFIG_PATH=given/recipe.yaml", "1 worth a second look", "1 preexisting",
        "2 claims that did not become a finding", "ends the loop; the claim that nothing does is wrong",
        "1 failed, 12 passed in 3.22s", "4 of 6 changed files reviewed", "2 files: no skill claims it",
        "claude-sonnet-5-5", "$0.21", "2fd06b486162", "gates.allow", "pytest", "review with 2 comments",
    )  # fmt: skip
    assert [each for each in expected if each not in words] == []


def test_a_place_is_linked_at_the_commit_that_was_reviewed(shelf: made.Kept, ids: made.Filled) -> None:
    page = administrator(made.site(shelf)).get(f"/runs/{ids.done}").text
    assert f"https://github.com/acme/launcher/blob/{made.HEAD}/tools/quantize.sh#L9-L11" in page


def test_what_was_not_done_comes_first(shelf: made.Kept, ids: made.Filled) -> None:
    words = text_of(administrator(made.site(shelf)).get(f"/runs/{ids.incomplete}").text)
    assert "this is not a clean review" in words
    assert "there is no sandbox on this machine" in words
    assert words.index("Incomplete: 2 planned steps not done") < words.index("0 new findings")


def test_a_run_that_failed_says_that_nothing_is_known(shelf: made.Kept, ids: made.Filled) -> None:
    words = text_of(administrator(made.site(shelf)).get(f"/runs/{ids.failed}").text)
    assert "it has not been found clean" in words
    assert "no other worker took over" in words
    assert "clean" not in re.sub("it has not been found clean", "", words)


@pytest.mark.parametrize("id", ["x", "0" * 32, "0" * 31, made.run_id(20).upper() + "A", "%2e%2e", "é"])
def test_a_run_that_is_none_is_not_found(shelf: made.Kept, ids: made.Filled, id: str) -> None:
    assert administrator(made.site(shelf)).get(f"/runs/{id}").status_code == 404


def planted(value: Any) -> Any:
    """The report with markup in each of its texts, but for the words that a schema fixes."""
    if isinstance(value, str):
        return value + made.EVIL
    if isinstance(value, dict):
        fixed = (
            "verdict",
            "severity",
            "grade",
            "status",
            "result",
            "side",
            "schema",
            "base",
            "head",
            "origin",
        )
        return {k: v if k in fixed else planted(v) for k, v in value.items()}
    return [planted(item) for item in value] if isinstance(value, list) else value


def tags(page: str) -> list[str]:
    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append(tag)
            found.extend(f"{tag}.{name}" for name, _ in attrs if name.startswith("on") or name == "style")

    found: list[str] = []
    Tags().feed(page)
    return found


def test_what_a_stranger_wrote_is_no_markup(shelf: made.Kept) -> None:
    facts = {
        "configuration": {made.EVIL: made.EVIL},
        "posted": [{"what": made.EVIL, "url": "javascript:alert(1)"}],
    }
    run = Run(
        made.run_id(1), "acme/launcher", 1, title=made.EVIL, author=made.EVIL, why=made.EVIL, error=made.EVIL,
        url="javascript:alert(1)", state="done", verdict="incomplete", created=time.time(), facts=facts,
        document=planted(made.document(incomplete=[{"stage": "gate", "what": "x", "why": "y"}])),
    )  # fmt: skip
    shelf.runs.create(run)
    made.votes(shelf, 0)
    shelf.votes.record("acme/launcher", 1, made.EVIL, "f", "found", 0.0)
    visit = administrator(made.site(shelf))
    for path in (f"/runs/{run.id}", "/repos/acme/launcher", "/", "/deliveries?repo=%3Cscript%3E"):
        page = visit.get(path)
        assert page.status_code == 200
        found = tags(page.text)
        assert found.count("script") == 1  # our own file
        assert "img" not in found
        assert [tag for tag in found if "." in tag] == []
        assert "javascript:" not in page.text


def test_text_that_is_no_text_is_shown(shelf: made.Kept) -> None:
    wild = made.finding(quote="a\udce9\x00\u202e\x1b[31mb", path="x\ny\udce9.sh", failure="`a\u200b` \ud800")
    run = Run(made.run_id(1), "acme/launcher", 1, state="done", document=made.document(findings=[wild]))
    shelf.runs.create(run)
    page = administrator(made.site(shelf)).get(f"/runs/{run.id}")
    assert page.status_code == 200
    assert "\\u202e\\x1b[31mb" in page.text
    assert not {"\u202e", "\x1b", "\x00", "\u200b"} & set(page.text)


def test_every_answer_forbids_inline_code(shelf: made.Kept, ids: made.Filled) -> None:
    visit = administrator(made.site(shelf))
    for path in ("/", f"/runs/{ids.done}", "/repos/acme/launcher", "/nothing", "/static/pages.js"):
        policy = visit.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


# --- who sees what ------------------------------------------------------------------------


def test_what_one_may_not_read_looks_as_if_it_were_not_there(shelf: made.Kept, ids: made.Filled) -> None:
    visit = person(made.site(shelf))
    assert visit.get(f"/runs/{ids.done}").status_code == 200
    nothing = visit.get(f"/runs/{made.run_id(999)}")
    for path in (f"/runs/{ids.secret}", "/repos/other/secret", "/repos/other/nothing", "/deliveries"):
        hidden = visit.get(path)
        assert (hidden.status_code, hidden.text) == (404, nothing.text)
    assert visit.get(f"/runs/{ids.secret}/events").status_code == 404
    assert browser(made.site(shelf)).get(f"/runs/{ids.done}/events").status_code == 404


def test_the_dashboard_shows_what_one_may_read(shelf: made.Kept, ids: made.Filled) -> None:
    mine = text_of(person(made.site(shelf)).get("/").text)
    assert "acme/launcher" in mine
    assert "acme/quant" in mine
    assert "other/secret" not in mine
    assert "bubblewrap" not in mine
    every = text_of(administrator(made.site(shelf)).get("/").text)
    assert "other/secret" in every
    assert "sandbox: degraded bubblewrap is not installed" in every


def test_github_is_asked_once_in_some_minutes(shelf: made.Kept, ids: made.Filled) -> None:
    site = made.site(shelf)
    visit = person(site)
    for _ in range(3):
        visit.get(f"/runs/{ids.done}")
    assert isinstance(site.signin, made.FakeSignIn)
    assert site.signin.asked == 1


def test_an_answer_is_forgotten_after_minutes() -> None:
    clock, signin = made.Clock(), made.FakeSignIn()
    clock.now = 1000.0
    access = Access(signin, clock)
    for later, asked in ((0, 2), (59, 2), (61, 3), (301, 5)):
        clock.now = 1000.0 + later
        assert access.of("ghu_of_octo_dev", ["acme/a", "other/b"]) == {"acme/a": True, "other/b": False}
        assert signin.asked == asked


def test_silence_of_github_shows_nothing_and_says_so(shelf: made.Kept, ids: made.Filled) -> None:
    signin = made.FakeSignIn()
    visit = person(made.site(shelf, signin=signin))
    signin.down = True
    assert visit.get(f"/runs/{ids.done}").status_code == 503
    dashboard = visit.get("/")
    assert "GitHub does not say at the moment whether you may read 3 repositories" in text_of(dashboard.text)
    assert "acme/launcher" not in dashboard.text


def test_a_database_that_is_away_is_told(shelf: made.Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    visit = administrator(made.site(shelf))

    def gone(*_: object) -> None:
        raise StoreDown("the database: gone")

    monkeypatch.setattr(shelf.sessions, "get", gone)
    answer = visit.get("/")
    assert answer.status_code == 503
    assert "The database does not answer" in answer.text


# --- the others ---------------------------------------------------------------------------


def test_a_repository_shows_its_reviews_and_what_people_did(shelf: made.Kept, ids: made.Filled) -> None:
    visit = administrator(made.site(shelf))
    page = visit.get("/repos/acme/launcher")
    words = text_of(page.text)
    assert "12 reviews" in words
    assert "a-failed-step-does-not-stop-the-launch 12 9 1 0 0 90%" in words
    assert "a-gate-after-the-expensive-phase 2 0 0 0 0 no vote yet" in words
    assert page.text.count('<g class="bar') == 12
    assert visit.get("/repos/acme/unheard-of").status_code == 404


def test_older_reviews_are_on_a_further_page(shelf: made.Kept) -> None:
    for number in range(1, 36):
        shelf.runs.create(Run(made.run_id(number), "acme/x", number, title="t", created=1e9 + number / 7))
    visit = administrator(made.site(shelf))
    first = visit.get("/repos/acme/x").text
    older = re.search(r'href="(/repos/acme/x\?before=[^"]+)"', first)
    assert older
    second = visit.get(older[1]).text
    numbers = [int(n) for page in (first, second) for n in re.findall(r"#(\d+) t</a>", page)]
    assert numbers == list(range(35, 0, -1))
    for before in ("x", "1e9", "-1", "nan", "1" * 400):
        assert visit.get("/repos/acme/x", params={"before": before}).status_code == 200


def test_every_delivery_says_why_nothing_was_done(shelf: made.Kept, ids: made.Filled) -> None:
    visit = administrator(made.site(shelf))
    words = text_of(visit.get("/deliveries").text)
    assert "the action labeled asks for nothing" in words
    assert "ping" not in text_of(visit.get("/deliveries?repo=acme/launcher").text)


def test_a_file_may_be_kept_for_ever_and_no_other_is_given(shelf: made.Kept) -> None:
    visit = browser(made.site(shelf))
    page = visit.get("/login").text
    for name in ("pages.css", "pages.js", "mark.svg"):
        link = re.search(rf'"(/static/{name}\?[0-9a-f]+)"', page)
        assert link
        answer = visit.get(link[1])
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    for name in ("pages.py", "%2e%2e%2fsite.py", "", "frame.html.j2"):
        assert visit.get(f"/static/{name}").status_code == 404


# --- live ---------------------------------------------------------------------------------


def test_a_run_is_followed_until_it_ends(shelf: made.Kept) -> None:
    id = made.run_id(1)
    shelf.runs.create(Run(id, made.REPO, 1, created=time.time()))
    with made.served(made.site(shelf)) as url:
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        line.request("GET", f"/runs/{id}/events", headers={"Authorization": f"Bearer {made.ADMIN}"})
        answer = line.getresponse()
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert until(answer, "event: stages").count('"running"') == 0
        shelf.runs.begin(id, "w")
        shelf.runs.tick(id, "gates", 1, 3)
        assert "1 of 3" in until(answer, "1 of 3")
        shelf.runs.finish(id, "done", "clean")
        assert answer.read().decode().endswith("event: ended\ndata: {}\n\n")
        line.close()


def until(answer: http.client.HTTPResponse, words: str) -> str:
    """The lines up to the data of the event that has the words in it."""
    read = ""
    while words not in read or not read.endswith("\n\n"):
        read += answer.readline().decode()
    return read


def test_stages_tick() -> None:
    run = Run("r", made.REPO, 1, state="running", begun=0.0)
    ticks = [
        Progressed(0, 1.0, "fetch", 0, 2),
        Progressed(1, 2.0, "fetch", 2, 2),
        Progressed(2, 3.5, "change"),
    ]
    rows = stages(run, [*ticks, Progressed(3, 4.0, "gates", 1, 3), Progressed(4, 4.5, "odd")])
    assert [(s.stage, s.state, s.amount) for s in rows] == [
        ("fetch", "done", "2 of 2, 2.5 s"),
        ("change", "done", "0.5 s"),
        ("detectors", "waiting", ""),
        ("gates", "done", "1 of 3, 0.5 s"),
        ("model", "waiting", ""),
        ("suggestions", "waiting", ""),
        ("posting", "waiting", ""),
        ("odd", "running", ""),
    ]
    failed = stages(run._replace(state="failed", ended=9.0), ticks)
    assert [s.state for s in failed] == ["done", "stopped", *["skipped"] * 5]
    done = stages(run._replace(state="done", ended=9.0), ticks)
    assert [s.amount for s in done][:2] == ["2 of 2, 2.5 s", "5.5 s"]


# --- in words -----------------------------------------------------------------------------


def test_figures_read_well() -> None:
    assert [filters.duration(s) for s in (0, 0.08, 0.0999, 4.21, 9.96, 59.6, 60, 185, 3600, 7800)] == [
        "0 ms", "80 ms", "0.1 s", "4.2 s", "10 s", "1 min", "1 min", "3 min 5 s", "1 h", "2 h 10 min",
    ]  # fmt: skip
    assert [filters.money(usd) for usd in (0, 0.001, 0.213, 1234.5)] == [
        "$0.00",
        "< $0.01",
        "$0.21",
        "$1,234.50",
    ]
    ago = [ago_in_words(1e9, 1e9 - s) for s in (-5, 44, 300, 3599, 7200, 86400, 3 * 86400, 40 * 86400)]
    assert ago == [
        "just now",
        "just now",
        "5 min ago",
        "1 h ago",
        "2 h ago",
        "1 day ago",
        "3 days ago",
        "2001-07-31",
    ]


def test_prose_is_escaped_and_its_code_marked() -> None:
    assert str(filters.prose("a `x < y` <b> ``c`d``")) == "a <code>x &lt; y</code> &lt;b&gt; <code>c`d</code>"
    assert str(filters.prose("an open ` stays")) == "an open ` stays"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "//x", "data:text/html,x", 'https://x/"onclick=', "https://x/ y", ""]
)
def test_an_address_is_one_of_the_web_or_none(url: str) -> None:
    assert filters.href(url) == ""


def test_precision_is_of_those_who_took_a_stand() -> None:
    assert precision(ClassVotes("a", found=9, resolved=3)) is None
    assert precision(ClassVotes("a", found=9, fixed=3, dismissed=1, down=2)) == 0.5


def test_gates_that_went_alike_are_one_row() -> None:
    gates = [made.gate("passed", "bash -n a.sh"), {**made.gate("passed", "bash -n a.sh"), "skill": "other"}]
    gates += [made.gate("failed", "bash -n b.sh", exit=2)]
    rows = arranged(made.document(gates=gates), "")["gates"]
    assert [(row["status"], len(row["skills"])) for row in rows] == [("failed", 1), ("passed", 2)]


def test_the_glance_says_what_is_bad() -> None:
    assert [row[1:] for row in glance(made.document())] == [
        ("2", "new, worst blocker", "blocker"),
        ("2", "not upheld", ""),
        ("2", "gates not passed", "failed"),
        ("4/6", "files reviewed", ""),
        ("1", "classes not checked", "not-checked"),
        ("$0.21", "in 41 s", ""),
    ]


def test_an_edit_shows_the_old_lines_that_are_quoted() -> None:
    edit = {"start_line": 12, "line": 14, "replacement": "", "checked": []}
    [shown] = arranged(made.document(findings=[made.finding(suggestion=edit)]), "")["new"]
    assert [n for n, _ in shown["suggestion"]["old"]] == [13]
    assert shown["suggestion"]["new"] == []


def test_a_configuration_is_rows() -> None:
    rows = dict(flat({"a": {"b": True, "c": [1, "x"]}, "d": None, "e": [], "f": 0.5}))
    assert rows == {"a.b": "true", "a.c": "1, x", "d": "none", "e": "none", "f": "0.5"}


def test_a_report_of_the_first_version_is_shown(shelf: made.Kept) -> None:
    early = copy.deepcopy(made.document())
    for later in ("guidance", "notes", "reader"):
        del early[later]
    shelf.runs.create(Run(made.run_id(1), made.REPO, 1, state="done", document=early))
    assert administrator(made.site(shelf)).get(f"/runs/{made.run_id(1)}").status_code == 200
