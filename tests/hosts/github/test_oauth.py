"""The login, against the fake GitHub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.hosts import demo
from reviewbot.hosts.github.oauth import Oauth
from tests.fakes.github import FakeGitHub, fake_github

BACK = "http://127.0.0.1:1/login/callback"


class Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    with demo.repository(keep=False) as made, fake_github(tmp_path) as fake:
        fake.repository(Path(made), "acme/launcher", private=True)
        fake.repository(Path(made), "acme/hidden", private=True).hidden = True
        yield fake


def door(github: FakeGitHub, secret: str = "s" * 40) -> Oauth:
    return Oauth("Iv1.client", secret, github.url, github.server)


def code(address: str) -> str:
    """What a browser brings back from GitHub."""
    from urllib.error import HTTPError

    with pytest.raises(HTTPError) as found:
        build_opener(Stay).open(address)
    found.value.close()
    back = urlsplit(found.value.headers["Location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == BACK
    query = parse_qs(back.query)
    assert query["state"] == ["nonce"]
    return query["code"][0]


def test_a_person_is_known_by_the_code_that_their_browser_brings(github: FakeGitHub) -> None:
    oauth = door(github)
    token = oauth.token(code(oauth.address("nonce", BACK, "challenge")), BACK, "verifier")
    assert oauth.login(token) == "octo-dev"


def test_a_code_is_good_once(github: FakeGitHub) -> None:
    oauth = door(github)
    first = code(oauth.address("nonce", BACK, "challenge"))
    oauth.token(first, BACK, "verifier")
    with pytest.raises(UsageError, match="bad_verification_code"):
        oauth.token(first, BACK, "verifier")


def test_what_may_be_read_is_what_github_shows(github: FakeGitHub) -> None:
    oauth = door(github)
    token = oauth.token(code(oauth.address("nonce", BACK, "challenge")), BACK, "verifier")
    github.repositories["acme/launcher"].permissions["octo-dev"] = "read"
    assert oauth.reads(token, "acme/launcher")
    assert not oauth.reads(token, "acme/hidden")
    assert not oauth.reads(token, "acme/nothing")


@pytest.mark.parametrize("repo", ["", "acme", "acme/..", "acme/.", "a/b/c", "acme/x?y", "acme/x%2fy", "ä/b"])
def test_a_name_that_no_repository_has_is_not_asked_for(github: FakeGitHub, repo: str) -> None:
    assert not door(github).reads("ghu_x", repo)
    assert github.log == []


def test_a_token_that_is_none_lets_nobody_in(github: FakeGitHub) -> None:
    with pytest.raises(UsageError, match="HTTP 401"):
        door(github).login("ghu_forged")


def test_silence_is_not_a_no() -> None:
    away = Oauth("Iv1.client", "secret", "http://127.0.0.1:1/api/v3", "http://127.0.0.1:1")
    with pytest.raises(UsageError, match="cannot be reached"):
        away.reads("ghu_x", "acme/launcher")


def test_the_secret_is_not_shown(github: FakeGitHub) -> None:
    assert "ssss" not in repr(door(github))
