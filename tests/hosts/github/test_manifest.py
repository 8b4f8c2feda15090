"""An App is made through a browser: what is asked for, who may bring the code, what is saved."""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
import requests

from reviewbot import cli
from reviewbot.core.errors import UsageError
from reviewbot.hosts.github.app import own_app
from reviewbot.hosts.github.makingpage import MakingPage
from reviewbot.hosts.github.manifest import convert, form_address, manifest
from reviewbot.hosts.statehome import keep_secret, state_home
from tests.fakes.github import FakeGitHub, Fault, fake_github
from tests.fakes.github.signing import private_key


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    with fake_github(tmp_path) as running:
        monkeypatch.setenv("GITHUB_API_URL", running.url)
        monkeypatch.setenv("GITHUB_SERVER_URL", running.server)
        monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "state"))
        yield running


class Browser:
    """Follows the form of the page, as a person who presses the button."""

    def __init__(self) -> None:
        self.manifest: dict[str, object] = {}
        self.action = ""
        self.last: requests.Response | None = None

    def press(self, address: str) -> None:
        page = requests.get(address, timeout=5)
        fields = dict(re.findall(r'(action|value)="([^"]*)"', page.text))
        self.action = html.unescape(fields["action"])
        self.manifest = json.loads(html.unescape(fields["value"]))
        self.last = requests.post(self.action, data={"manifest": json.dumps(self.manifest)}, timeout=5)


def create(monkeypatch: pytest.MonkeyPatch, *argv: str) -> tuple[int, Browser]:
    browser, threads = Browser(), []
    offer = MakingPage.offer

    def offered(page: MakingPage, *args: object) -> None:
        offer(page, *args)  # type: ignore[arg-type]
        threads.append(Thread(target=browser.press, args=(page.address,)))
        threads[0].start()

    monkeypatch.setattr(MakingPage, "offer", offered)
    code = cli.run(["app", "create", *argv])
    for thread in threads:
        thread.join(5)
    return code, browser


def test_an_app_is_made(
    fake: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, browser = create(monkeypatch, "--org", "acme", "--url", "https://bot.example/")
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert browser.action.startswith(f"{fake.server}/organizations/acme/settings/apps/new?state=")
    asked = browser.manifest
    assert asked["hook_attributes"] == {"url": "https://bot.example/webhook", "active": True}
    assert asked["callback_urls"] == ["https://bot.example/login/callback"]
    assert asked["public"] is False
    assert asked["default_permissions"] == {
        "checks": "write",
        "contents": "read",
        "issues": "write",
        "metadata": "read",
        "pull_requests": "write",
    }
    assert browser.last is not None
    assert browser.last.status_code == 200
    key, settings = tmp_path / "state" / "app-77.pem", tmp_path / "state" / "app-77.env"
    for file in (key, settings):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert str(file) in out
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    assert key.read_text() == private_key()
    assert "installations/new" in out
    for secret in (private_key().splitlines()[1], "c" * 40, "w" * 40):
        assert secret not in out


def test_a_shell_reads_the_settings_and_the_key_works(
    fake: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "a state"))
    create(monkeypatch)
    file = tmp_path / "a state" / "app-77.env"
    shown = subprocess.run(
        ["sh", "-c", f"set -a; . {shlex.quote(str(file))}; env"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"]},
    ).stdout
    found = dict(line.partition("=")[::2] for line in shown.splitlines())
    assert found["REVIEWBOT_WEBHOOK_SECRET"] == "w" * 40
    assert found["GITHUB_API_URL"] == fake.url
    for name in ("REVIEWBOT_APP_ID", "REVIEWBOT_PRIVATE_KEY"):
        monkeypatch.setenv(name, found[name])
    assert own_app().slug() == "reviewbot"


def test_without_an_address_the_webhook_rests(
    fake: FakeGitHub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, browser = create(monkeypatch)
    assert browser.action.startswith(f"{fake.server}/settings/apps/new?")
    assert browser.manifest["hook_attributes"] == {"url": "https://example.invalid/webhook", "active": False}
    assert "callback_urls" not in browser.manifest
    assert "2. give GitHub the server's address" in capsys.readouterr().out


@contextmanager
def page() -> Iterator[MakingPage]:
    made = MakingPage()
    made.offer(form_address("https://github.com", "", made.state), manifest("x", "", made.back))
    thread = Thread(target=made.code, daemon=True)
    thread.start()
    try:
        yield made
        requests.get(f"{made.back}?code=c&state={made.state}", timeout=5)
        thread.join(5)
        assert made.code() == "c"
    finally:
        made.close()


def test_only_who_was_asked_brings_the_code() -> None:
    with page() as made:
        for query in (
            "",
            "?code=evil",
            "?code=evil&state=",
            "?code=evil&state=%C3%A9",
            f"?state={made.state}",
        ):
            assert requests.get(made.back + query, timeout=5).status_code == 400
        assert requests.get(f"{made.address}/other", timeout=5).status_code == 404


def test_another_name_for_this_host_is_refused() -> None:
    with page() as made:
        answer = requests.get(made.address, headers={"Host": "evil.example"}, timeout=5)
        assert (answer.status_code, "manifest" in answer.text) == (400, False)


def test_the_page_sends_to_github_alone() -> None:
    with page() as made:
        policy = requests.get(made.address, timeout=5).headers["content-security-policy"]
        assert policy == "default-src 'none'; frame-ancestors 'none'; form-action https://github.com"


def test_a_port_that_is_taken() -> None:
    made = MakingPage()
    with pytest.raises(UsageError, match="name another --port"):
        MakingPage(int(made.address.rpartition(":")[2]))
    made.close()


def test_a_code_is_good_once(fake: FakeGitHub) -> None:
    with pytest.raises(UsageError, match=r"does not give the App's key: .*; begin again"):
        convert(fake.url, fake.server, "used")
    with pytest.raises(UsageError, match="another form"):
        convert(fake.url, fake.server, "../x")


@pytest.mark.parametrize("body", [{}, {"id": "77"}, {"id": 77, "slug": "x", "pem": "none"}])
def test_an_answer_that_is_none(fake: FakeGitHub, body: dict[str, object]) -> None:
    fake.faults.append(Fault("POST", "/app-manifests/c/conversions", 201, body=body))
    with pytest.raises(UsageError, match="GitHub's answer lacks"):
        convert(fake.url, fake.server, "c")


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["create", "--url", "bot.example"], "no plain address"),
        (["create", "--url", "https://x/?a=b"], "no plain address"),
        (["create", "--org", "a/b"], "no organisation"),
        (["create", "--name", "x" * 35], "no App's name"),
        (["create", "--port", "70000"], "no port"),
    ],
)
def test_wrong_use(argv: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["app", *argv]) == 2
    assert why in capsys.readouterr().err


def test_a_state_folder_that_others_can_write_in(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(UsageError, match="others may write in it; chmod 700"):
        state_home({"REVIEWBOT_STATE_DIR": str(tmp_path / "open")})
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="set REVIEWBOT_STATE_DIR"):
        state_home({"REVIEWBOT_STATE_DIR": str(tmp_path / "file" / "below")})


def test_a_secret_is_not_written_over(tmp_path: Path) -> None:
    keep_secret(str(tmp_path), "app.pem", "first")
    with pytest.raises(UsageError, match="move it away"):
        keep_secret(str(tmp_path), "app.pem", "second")
    assert (tmp_path / "app.pem").read_text() == "first"
