"""The App's credentials: what is minted, for how long, and what happens when GitHub refuses it."""

from __future__ import annotations

import logging
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.hosts.github import reading
from reviewbot.hosts.github.app import WRITES, App, JobToken, Minted, own_app
from reviewbot.hosts.github.appkey import Key, own_key
from reviewbot.hosts.github.client import Access, Client
from reviewbot.hosts.github.failures import Refused
from reviewbot.hosts.github.secrets import hidden, quieten
from tests.fakes.github import Fault
from tests.fakes.github.signing import private_key
from tests.hosts.github.doors import Door, opened

REPO = "acme/launcher"
TOKENS = "/app/installations/88/access_tokens"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path) as made:
        made.fake.clock = made.time
        yield made


@pytest.fixture
def app(door: Door) -> App:
    return of(door, Key("77", private_key()))


def of(door: Door, key: Key) -> App:
    return App(door.fake.url, door.fake.server, key, clock=door.time, sleep=door.time.sleep)


def client(door: Door, token: JobToken) -> Client:
    access = Access(door.fake.url, door.fake.server, token.current())
    return Client(access, sleep=door.time.sleep, clock=door.time, renewal=token)


def mints(door: Door) -> list[object]:
    return [exchange.body for exchange in door.fake.log if exchange.path == TOKENS]


# --- what is minted -------------------------------------------------------------------------


def test_a_token_for_one_repository_and_what_a_review_needs(door: Door, app: App) -> None:
    token = app.job(app.installation_of(REPO), REPO)
    assert mints(door) == []  # late
    assert client(door, token).get(f"/repos/{REPO}/pulls/7")["number"] == 7
    assert mints(door) == [{"repositories": ["launcher"], "permissions": dict(WRITES)}]


def test_by_ids_and_with_less(door: Door, app: App) -> None:
    found = app.mint(88, [door.served.id], {"contents": "read"})
    assert mints(door) == [{"repository_ids": [door.served.id], "permissions": {"contents": "read"}}]
    assert found.until == door.time.now + 3_600
    assert found.value in door.fake.minted
    assert found.value not in repr(found)


def test_the_slug_is_asked_for_once(door: Door, app: App) -> None:
    assert [app.slug(), app.slug()] == ["reviewbot", "reviewbot"]
    assert [exchange.path for exchange in door.fake.log] == ["/app"]


def test_a_repository_without_the_app(app: App) -> None:
    with pytest.raises(Refused, match="GitHub has no such thing"):
        app.installation_of("acme/other")


def test_an_installation_that_was_removed(app: App) -> None:
    with pytest.raises(Refused, match="GitHub has no such thing"):
        app.mint(99)


def test_minting_is_repeated_where_its_answer_was_lost(door: Door, app: App) -> None:
    door.fake.faults.append(Fault("POST", TOKENS, 502, stored=True))
    assert app.mint(88).value == door.fake.minted[-1]
    assert (len(door.fake.minted), door.time.naps) == (2, [1.0])


# --- how long it is good for ----------------------------------------------------------------


def test_a_token_is_renewed_before_it_ends(door: Door, app: App) -> None:
    token = app.job(88, REPO)
    first = token.current()
    door.time.now += 3_500
    assert token.current() == first
    door.time.now += 41
    assert token.current() != first
    assert len(door.fake.minted) == 2


def test_a_client_notices_by_itself(door: Door, app: App) -> None:
    spoken = client(door, app.job(88, REPO))
    spoken.get(f"/repos/{REPO}/pulls/7")
    door.time.now += 3_600
    spoken.get(f"/repos/{REPO}/pulls/7")
    assert len(door.fake.minted) == 2
    assert spoken.access.token == door.fake.minted[-1]


def test_a_token_that_is_refused_in_the_middle_is_replaced_once(door: Door, app: App) -> None:
    spoken = client(door, app.job(88, REPO))
    door.fake.minted.clear()  # as if all had been revoked
    assert spoken.get(f"/repos/{REPO}/pulls/7")["number"] == 7
    answer = spoken.write("POST", f"/repos/{REPO}/issues/7/comments", {"body": "hello"})
    assert answer.status == 201
    assert len(mints(door)) == 2


def test_a_write_that_was_refused_is_done_once(door: Door, app: App) -> None:
    spoken = client(door, app.job(88, REPO))
    door.fake.minted.clear()
    assert spoken.write("POST", f"/repos/{REPO}/issues/7/comments", {"body": "hello"}).status == 201
    rows = reading_comments(door)
    assert [row["body"] for row in rows] == ["hello"]


def reading_comments(door: Door) -> list[dict[str, object]]:
    return list(door.client.pages(f"/repos/{REPO}/issues/7/comments", 100))


def test_a_second_refusal_is_told(door: Door, app: App) -> None:
    spoken = client(door, app.job(88, REPO))
    door.fake.faults.append(
        Fault("GET", f"/repos/{REPO}/pulls/7", 401, body={"message": "Bad credentials"}, times=-1)
    )
    with pytest.raises(Refused, match="does not accept the token") as caught:
        reading.pull(spoken, REPO, 7)
    assert caught.value.status == 401
    assert len(mints(door)) == 2


def test_threads_that_are_refused_together_mint_once() -> None:
    made = iter(range(100))
    token = JobToken(lambda: Minted(f"t{next(made)}", 1e12), lambda: 0.0)
    first = token.current()
    assert [token.renew(first), token.renew(first), token.current()] == ["t1"] * 3


# --- clocks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [600, -600, 86_400])
def test_clocks_that_differ(door: Door, app: App, seconds: int) -> None:
    door.fake.clock = lambda: door.time.now + seconds
    token = app.mint(88)
    assert token.until == door.time.now + 3_600
    assert app.slug() == "reviewbot"
    found = app.clocks()
    assert (found.name, found.well) == ("clock", False)
    way = "behind" if seconds > 0 else "ahead of"
    assert found.detail == f"{abs(seconds)} s {way} GitHub's; set this machine's clock"
    refused = [exchange for exchange in door.fake.log if exchange.status == 401]
    assert len(refused) == 1  # it is learned once


def test_a_clock_that_was_set(door: Door, app: App) -> None:
    door.fake.clock = lambda: door.time.now + 600
    app.mint(88)
    door.fake.clock = door.time
    app.mint(88)
    assert app.clocks().well


def test_a_second_is_no_skew(door: Door, app: App) -> None:
    door.fake.clock = lambda: door.time.now + 5
    app.slug()
    assert app.clocks().well


# --- keys -----------------------------------------------------------------------------------


def test_a_key_that_was_revoked(door: Door) -> None:
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

    pem = generate_private_key(65_537, 2_048).private_bytes(
        form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()
    )
    app = of(door, Key("77", pem.decode()))
    with pytest.raises(Refused, match=r"does not accept the App's key: .*; check REVIEWBOT_APP_ID"):
        app.mint(88)
    assert not app.credentials().well
    assert len(door.fake.log) == 2  # it is not tried again and again


def test_an_id_that_is_another_apps(door: Door) -> None:
    with pytest.raises(Refused, match="Integration not found"):
        of(door, Key("78", private_key())).slug()


def test_credentials_that_are_good(door: Door, app: App) -> None:
    found = app.credentials()
    assert (found.well, found.detail) == (True, "the App reviewbot")


def test_a_key_that_gets_no_tokens(door: Door, app: App) -> None:
    """GitHub told who we are, and each minting got 401: the credentials were called well."""
    minting = Fault("POST", r"/app/installations/\d+/access_tokens", 401, body={"message": "no"}, times=-1)
    door.fake.faults.append(minting)
    assert [app.credentials().well for _ in range(2)] == [False, False]
    door.fake.faults.clear()
    assert [app.credentials().well for _ in range(3)] == [True] * 3
    assert len(door.fake.minted) == 1


def test_an_installation_that_is_suspended_says_nothing_of_the_key(door: Door, app: App) -> None:
    suspended = Fault("POST", r"/app/installations/\d+/access_tokens", 403, body={"message": "suspended"})
    door.fake.faults.append(suspended)
    assert app.credentials().well


def test_a_permission_that_is_lacking(door: Door, app: App) -> None:
    body = {"slug": "reviewbot", "permissions": {"contents": "read", "metadata": "read", "checks": "write"}}
    door.fake.faults.append(Fault("GET", "/app", 200, body=body))
    assert app.credentials().detail == "the App lacks issues, pull_requests; grant it on its page"


def test_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, door: Door) -> None:
    file = tmp_path / "app.pem"
    file.write_text(private_key())
    file.chmod(0o600)
    monkeypatch.setenv("REVIEWBOT_APP_ID", "77")
    monkeypatch.setenv("GITHUB_API_URL", door.fake.url)
    monkeypatch.setenv("GITHUB_SERVER_URL", door.fake.server)
    for given in (private_key(), private_key().replace("\n", "\\n"), str(file)):
        monkeypatch.setenv("REVIEWBOT_PRIVATE_KEY", given)
        door.fake.clock = time.time
        assert own_app().slug() == "reviewbot"


@pytest.mark.parametrize(
    ("app", "key", "why"),
    [
        ("", "x", "REVIEWBOT_APP_ID is not set; `reviewbot app create`"),
        ("77", "", "REVIEWBOT_PRIVATE_KEY is not set"),
        ("7/../7", "x", "no id of an App"),
        ("77", "/nowhere/app.pem", "cannot read /nowhere/app.pem"),
        ("77", "-----BEGIN RSA PRIVATE KEY-----\nsecretsecret\n", "cannot be read as PEM"),
    ],
)
def test_what_is_no_key(app: str, key: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as caught:
        own_key({"REVIEWBOT_APP_ID": app, "REVIEWBOT_PRIVATE_KEY": key})
    assert "secretsecret" not in str(caught.value)


def test_a_key_that_everybody_can_read(tmp_path: Path) -> None:
    file = tmp_path / "app.pem"
    file.write_text(private_key())
    file.chmod(0o644)
    with pytest.raises(UsageError, match="everybody can read"):
        own_key({"REVIEWBOT_APP_ID": "77", "REVIEWBOT_PRIVATE_KEY": str(file)})
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o644


def test_nothing_of_it_in_any_log(door: Door, app: App, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("", "github", "github.Requester", "urllib3", "urllib3.connectionpool"):
        caplog.set_level(logging.DEBUG, logger=name or None)
    token = app.job(88, REPO)
    client(door, token).get(f"/repos/{REPO}/pulls/7")
    logging.getLogger("github").info("the key: %s", private_key())
    signed = [exchange.headers["authorization"].split()[1] for exchange in door.fake.log]
    for secret in (token.current(), *signed, private_key().splitlines()[1]):
        assert secret not in caplog.text


def test_many_tokens_do_not_crowd_the_key_out(app: App) -> None:
    line = private_key().splitlines()[1]
    for n in range(1_000):
        quieten([f"another-token-{n}"])
    app.slug()
    assert line not in hidden(line)
    assert "another-token-999" not in hidden("another-token-999")
