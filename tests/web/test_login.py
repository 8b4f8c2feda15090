"""Who gets in, and what does not let anybody in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from reviewbot.web.login.seal import Seal
from reviewbot.web.login.tries import whose
from reviewbot.web.pages.doors import local
from reviewbot.web.parts import Settings
from tests.web import made
from tests.web.visits import administrator, browser, field, person


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[made.Kept]:
    with made.store(tmp_path) as store:
        yield store


@pytest.mark.parametrize("path", ["/", "/repos/acme/x", f"/runs/{made.run_id(20)}", "/deliveries?repo=a"])
def test_a_page_asks_for_a_login_whether_it_exists_or_not(shelf: made.Kept, path: str) -> None:
    answer = browser(made.site(shelf)).get(path)
    assert answer.status_code == 303
    to = urlsplit(answer.headers["location"])
    assert (to.path, parse_qs(to.query)) == ("/login", {"next": [path]})


def test_the_administrator_logs_in_with_the_token(shelf: made.Kept) -> None:
    visit = administrator(made.site(shelf))
    assert visit.get("/deliveries").status_code == 200
    assert visit.get("/login").headers["location"] == "/"


def test_the_administrator_brings_the_token_in_a_header(shelf: made.Kept) -> None:
    visit = browser(made.site(shelf), headers={"Authorization": f"bearer {made.ADMIN}"})
    answer = visit.get("/deliveries")
    assert answer.status_code == 200
    assert "Log out" not in answer.text
    assert not answer.cookies


@pytest.mark.parametrize("token", ["", "wrong", made.ADMIN + "x", "\udce9", "é", "x" * 7000])
def test_another_token_lets_nobody_in(shelf: made.Kept, token: str) -> None:
    visit = browser(made.site(shelf))
    form = field(visit.get("/login").text, "form")
    data = {"token": token.encode("utf-8", "surrogateescape"), "form": form}
    answer = visit.post("/login", data=data)
    assert answer.status_code == 403
    assert visit.get("/").status_code == 303
    headers = {b"Authorization": b"Bearer " + token.encode("utf-8", "surrogateescape")}
    assert browser(made.site(shelf)).get("/", headers=headers).status_code == 401


def test_without_a_token_in_the_settings_an_empty_one_is_not_the_administrators(shelf: made.Kept) -> None:
    site = made.site(shelf, settings=Settings(), signin=None)
    page = browser(site).get("/login").text
    assert "Nobody can log in" in page
    for token in ("", "x"):
        assert browser(site).get("/", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_after_ten_wrong_tokens_the_right_one_waits_too(shelf: made.Kept) -> None:
    now = made.Clock()
    now.now = 1_000_000.0
    site = made.site(shelf, clock=now)
    visit = browser(site)
    form = field(visit.get("/login").text, "form")
    for _ in range(10):
        page = visit.post("/login", data={"token": "wrong", "form": form})
        assert page.status_code == 403
        form = field(page.text, "form")
    refused = visit.post("/login", data={"token": made.ADMIN, "form": form})
    assert refused.status_code == 429
    now.now += 61
    form = field(refused.text, "form")
    assert visit.post("/login", data={"token": made.ADMIN, "form": form}).status_code == 303


def test_wrong_tokens_of_others_lock_nobody_out(shelf: made.Kept) -> None:
    """Ten of them, of anybody, shut the form for all."""
    app = made.app(made.site(shelf))

    def of(host: str, token: str) -> int:
        visit = TestClient(app, follow_redirects=False, client=(host, 1))
        return visit.get("/", headers={"Authorization": f"Bearer {token}"}).status_code

    assert [of(f"2001:db8::{n}", "wrong") for n in range(12)] == [401] * 12
    assert of("2001:db8::ffff", made.ADMIN) == 401  # of the same network
    assert of("2001:db8:0:1::1", made.ADMIN) == 200
    visit = TestClient(app, follow_redirects=False, client=("192.0.2.7", 1))
    form = field(visit.get("/login").text, "form")
    assert visit.post("/login", data={"token": made.ADMIN, "form": form}).status_code == 303


@pytest.mark.parametrize(
    ("host", "whose_it_is"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::9", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("127.0.0.1", ""),
        ("::ffff:172.18.0.3", ""),
    ],
)
def test_whose_a_guess_is(host: str, whose_it_is: str) -> None:
    assert whose(Request({"type": "http", "client": (host, 1)})) == whose_it_is


@pytest.mark.parametrize("form", ["", "forged"])
def test_a_login_form_of_another_page_is_refused(shelf: made.Kept, form: str) -> None:
    visit = browser(made.site(shelf))
    visit.get("/login")
    assert visit.post("/login", data={"token": made.ADMIN, "form": form}).status_code == 403


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}]
)
def test_a_form_sent_from_another_site_is_refused(shelf: made.Kept, headers: dict[str, str]) -> None:
    visit = administrator(made.site(shelf))
    form = field(visit.get("/").text, "form")
    assert visit.post("/logout", data={"form": form}, headers=headers).status_code == 403
    assert visit.post("/logout", data={"form": "forged"}).status_code == 403
    assert visit.get("/").status_code == 200


def test_after_logging_out_the_cookie_is_worth_nothing(shelf: made.Kept) -> None:
    visit = administrator(made.site(shelf))
    cookie = visit.cookies["reviewbot"]
    form = field(visit.get("/").text, "form")
    assert visit.post("/logout", data={"form": form}).status_code == 303
    assert browser(made.site(shelf), cookies={"reviewbot": cookie}).get("/").status_code == 303


def test_a_session_outlives_the_server_and_no_change_of_the_token(shelf: made.Kept) -> None:
    cookies = {"reviewbot": administrator(made.site(shelf)).cookies["reviewbot"]}
    assert browser(made.site(shelf), cookies=cookies).get("/").status_code == 200
    other = Settings(admin=hashlib.sha256(b"another token").digest())
    assert browser(made.site(shelf, settings=other), cookies=cookies).get("/").status_code == 303
    assert browser(made.site(shelf, secret=bytes(32)), cookies=cookies).get("/").status_code == 303


def test_a_session_ends(shelf: made.Kept) -> None:
    site = made.site(shelf)
    cookies = {"reviewbot": person(site).cookies["reviewbot"]}
    shelf.clock.now = shelf.clock() + 8 * 3600 + 1
    assert browser(site, cookies=cookies).get("/").status_code == 303


def test_a_cookie_of_the_login_is_no_session(shelf: made.Kept) -> None:
    visit = browser(made.site(shelf))
    visit.get("/login/github")
    visit.get("/login")
    for name in ("reviewbot-login", "reviewbot-form"):
        assert (
            browser(made.site(shelf), cookies={"reviewbot": visit.cookies[name]}).get("/").status_code == 303
        )


def test_the_cookie_is_out_of_reach(shelf: made.Kept) -> None:
    settings = made.site(shelf).settings._replace(public_url="https://bot.example")
    visit = browser(made.site(shelf, settings=settings))
    answer = visit.get("/login/github")
    assert answer.headers["location"].startswith("https://bot.example/login/callback?")
    words = answer.headers["set-cookie"].lower()
    assert all(word in words for word in ("httponly", "samesite=lax", "secure", "path=/"))


def test_no_token_of_a_person_is_stored_or_readable(shelf: made.Kept, tmp_path: Path) -> None:
    visit = person(made.site(shelf))
    assert "ghu_" not in visit.cookies["reviewbot"]
    files = [path.read_bytes() for path in (tmp_path / "state").iterdir()]
    assert files
    assert not any(
        b"ghu_of_octo_dev" in content or visit.cookies["reviewbot"].encode() in content for content in files
    )


# --- by GitHub ----------------------------------------------------------------------------


def test_a_person_comes_back_to_the_page_that_they_wanted(shelf: made.Kept) -> None:
    visit = person(made.site(shelf), "/runs/abc?x=1")
    assert "octo-dev" in visit.get("/").text


def test_a_state_of_another_browser_is_refused(shelf: made.Kept) -> None:
    site = made.site(shelf)
    stranger = browser(site).get("/login/github").headers["location"]
    mine = browser(site)
    mine.get("/login/github")
    assert mine.get(stranger).status_code == 400
    assert browser(site).get(stranger).status_code == 400
    assert mine.get("/login/callback?code=code-1").status_code == 400
    assert mine.get("/").status_code == 303


def test_who_declines_at_github_is_told_so(shelf: made.Kept) -> None:
    visit = browser(made.site(shelf))
    state = parse_qs(urlsplit(visit.get("/login/github").headers["location"]).query)["state"][0]
    answer = visit.get("/login/callback", params={"error": "access_denied", "state": state})
    assert answer.status_code == 403
    assert "GitHub did not let you in" in answer.text


def test_a_code_that_is_none_lets_nobody_in(shelf: made.Kept) -> None:
    visit = browser(made.site(shelf))
    state = parse_qs(urlsplit(visit.get("/login/github").headers["location"]).query)["state"][0]
    answer = visit.get("/login/callback", params={"code": "stolen", "state": state})
    assert answer.status_code == 502
    assert "bad_verification_code" not in answer.text
    assert visit.get("/").status_code == 303


def test_without_github_there_is_no_such_door(shelf: made.Kept) -> None:
    visit = browser(made.site(shelf, signin=None))
    assert "Log in with GitHub" not in visit.get("/login").text
    assert visit.get("/login/github").status_code == 404
    assert visit.get("/login/callback").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["", "//evil.example", "/\\evil.example", "https://evil.example", "/login", "/logout", "/a\nb",
     "/" + "a" * 600, "/runs/%0d%0aSet-Cookie:x", "javascript:alert(1)"],
)  # fmt: skip
def test_a_login_leads_to_a_page_of_ours(path: str) -> None:
    assert urlsplit(local(path)).netloc == ""
    assert local(path) in ("/", "/runs/%0d%0aSet-Cookie") or "%0d" not in local(path)


def test_a_seal_is_opened_by_its_maker_alone() -> None:
    seal = Seal(bytes(32))
    text = seal.sealed({"a": 1}, 1000)
    assert seal.opened(text, 60, 1030) == {"a": 1}
    assert seal.opened(text, 60, 1061) is None
    assert seal.opened(text[:-4] + "AAAA", 60, 1030) is None
    assert seal.opened("é\udc80", 60, 1030) is None
    assert Seal(bytes(31) + b"x").opened(text, 60, 1030) is None
    with pytest.raises(ValueError, match="32 bytes"):
        Seal(b"short")
