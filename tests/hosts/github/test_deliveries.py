"""What was missed is sent again, once, in its order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from reviewbot.hosts.github.deliveries import missed
from tests.fakes.github import FakeGitHub, Fault, fake_github
from tests.fakes.github.hook_answers import delivered
from tests.fakes.github.signing import private_key


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    with fake_github(tmp_path) as running:
        monkeypatch.setenv("REVIEWBOT_APP_ID", "77")
        monkeypatch.setenv("REVIEWBOT_PRIVATE_KEY", private_key())
        monkeypatch.setenv("GITHUB_API_URL", running.url)
        monkeypatch.setenv("GITHUB_SERVER_URL", running.server)
        yield running


def attempts(fake: FakeGitHub) -> list[str]:
    return [exchange.path.split("/")[4] for exchange in fake.writes]


def test_what_nobody_took_is_sent_again(fake: FakeGitHub, capsys: pytest.CaptureFixture[str]) -> None:
    now = time.time()
    delivered(fake, "long-ago", 503, at=now - 8_000)
    first = delivered(fake, "lost", 503, at=now - 3_000)
    delivered(fake, "taken", 202, at=now - 2_900)
    delivered(fake, "healed", 503, at=now - 2_800)
    silent = delivered(fake, "silent", 0, at=now - 2_700, event="ping", action="")
    delivered(fake, "healed", 202, at=now - 2_000, redelivery=True)
    again = delivered(fake, "twice", 503, at=now - 1_900)
    last = delivered(fake, "twice", 500, at=now - 1_000, redelivery=True)
    assert cli.run(["redeliver", "--since", "2h"]) == 0
    assert attempts(fake) == [str(row["id"]) for row in (first, silent, last)]
    assert str(again["id"]) not in attempts(fake)
    out, err = capsys.readouterr()
    assert [line.split("  ")[1:] for line in out.splitlines()] == [
        ["lost", "pull_request.opened", "503"],
        ["silent", "ping", "no answer"],
        ["twice", "pull_request.opened", "500"],
    ]
    assert "3 deliveries sent again" in err
    fake.log.clear()
    assert cli.run(["redeliver", "--since", "2h"]) == 0
    assert attempts(fake) == []
    assert "0 deliveries sent again" in capsys.readouterr().err


def test_many_pages(fake: FakeGitHub) -> None:
    now = time.time()
    for n in range(350):
        delivered(fake, f"d-{n}", 503 if n % 2 else 202, at=now - 3_500 + n)
    from reviewbot.hosts.github.app import own_app

    rows = missed(own_app().client(), now - 3_400, print)
    assert [row.guid for row in rows] == [f"d-{n}" for n in range(101, 350, 2)]
    assert [len(exchange.answer) for exchange in fake.reads] == [100, 100, 100]


def test_nothing_is_sent_on_a_dry_run(fake: FakeGitHub, capsys: pytest.CaptureFixture[str]) -> None:
    delivered(fake, "lost", 503)
    assert cli.run(["redeliver", "--since", "30m", "--dry-run"]) == 0
    out, err = capsys.readouterr()
    assert "lost" in out
    assert "1 delivery missed; nothing was sent again" in err
    assert attempts(fake) == []


def test_one_that_github_refuses_does_not_stop_the_others(
    fake: FakeGitHub, capsys: pytest.CaptureFixture[str]
) -> None:
    first = delivered(fake, "gone", 503)
    delivered(fake, "lost", 503)
    path = f"/app/hook/deliveries/{first['id']}/attempts"
    fake.faults.append(Fault("POST", path, 404, body={"message": "Not Found"}))
    assert cli.run(["redeliver", "--since", "1d"]) == 3
    assert len(attempts(fake)) == 2
    err = capsys.readouterr().err
    assert "gone is not sent again: GitHub has no such thing" in err
    assert "1 delivery sent again" in err


@pytest.mark.parametrize(
    "odd", [{"delivered_at": "long ago"}, {"delivered_at": None}, {"id": None}, {"status_code": "none"}]
)
def test_one_odd_row_does_not_stop_the_others(
    fake: FakeGitHub, capsys: pytest.CaptureFixture[str], odd: dict[str, Any]
) -> None:
    rows = [delivered(fake, name, 503) for name in ("first", "odd", "last")]
    answer = [row | odd if row["guid"] == "odd" else row for row in reversed(rows)]
    fake.faults.append(Fault("GET", "/app/hook/deliveries", 200, body=answer))
    assert cli.run(["redeliver", "--since", "1d"]) == 3
    assert attempts(fake) == [str(rows[0]["id"]), str(rows[2]["id"])]
    err = capsys.readouterr().err
    assert "no delivery, left out: " in err
    assert "'odd'" in err


@pytest.mark.parametrize("since", ["", "6", "h", "0h", "-1h", "6w", "1e3h", "6h6"])
def test_spans(since: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["redeliver", f"--since={since}"]) == 2
    assert "write 30m, 6h or 3d" in capsys.readouterr().err


def test_without_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["redeliver", "--since", "1h"]) == 2
    assert "REVIEWBOT_APP_ID is not set" in capsys.readouterr().err
