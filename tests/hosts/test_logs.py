"""A line of JSON for each record, in which no secret stands."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reviewbot.hosts import logs
from reviewbot.hosts.github.secrets import quieten
from reviewbot.hosts.logs import about, log


class Written(io.StringIO):
    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture
def written() -> Iterator[Written]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = Written()
    logs.set_up(stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    logging.getLogger("uvicorn.access").disabled = False


def test_a_line(written: Written) -> None:
    log("delivery", event="ping", run="", count=3)
    (row,) = written.rows
    assert row.pop("at").endswith("+00:00")
    assert row == {"level": "info", "logger": "reviewbot", "text": "delivery", "event": "ping", "count": "3"}


def test_fields_do_not_run_into_each_other(written: Written) -> None:
    log("x", one="password =", two="", three="a1b2c3d4e5f6g7\nnext line", four="y" * logs.LONGEST)
    (row,) = written.rows
    assert (row["one"], row["three"]) == ("password =", "a1b2c3d4e5f6g7\nnext line")
    assert len(row["four"]) == logs.LONGEST


def test_what_it_is_about(written: Written) -> None:
    with about(delivery="d-1"):
        with about(run="r-1"):
            log("inside")
            logging.getLogger("of.a.library").warning("also %s", "this")
        log("between")
    log("outside")
    assert [(row.get("delivery"), row.get("run")) for row in written.rows] == [
        ("d-1", "r-1"),
        ("d-1", "r-1"),
        ("d-1", None),
        (None, None),
    ]


def test_threads_do_not_mix(written: Written) -> None:
    def one(n: int) -> None:
        with about(delivery=f"d-{n}"):
            log("x", of=n)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(100)))
    assert all(row["delivery"] == f"d-{row['of']}" for row in written.rows)


SECRETS = {
    "GITHUB_TOKEN": "token-of-no-known-form-1",
    "ANTHROPIC_API_KEY": "key-of-no-known-form-2",
    "REVIEWBOT_ADMIN_TOKEN": "admin-of-no-known-form-3",
    "REVIEWBOT_CLIENT_SECRET": "client-of-no-known-form-4",
    "REVIEWBOT_WEBHOOK_SECRET": "hook-of-no-known-form-5,hook-of-no-known-form-6",
    "REVIEWBOT_DATABASE_URL": "postgresql://me:password-of-no-known-form-7@db/reviewbot",
}


def test_no_secret_by_its_value(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    logs.set_up(written)
    quieten(["told-of-no-known-form-8"])
    values = [*",".join(SECRETS.values()).split(","), "told-of-no-known-form-8"]
    log(f"as text {values}", why=f"as field {values}")
    logging.getLogger("x").error("as argument %s %r", values[0], {"a": values})
    try:
        raise ValueError(f"as error {values}")
    except ValueError:
        logging.getLogger("x").exception("failed", stack_info=True)
    assert "as error" in written.rows[-1]["error"]
    assert "no-known-form" not in written.getvalue()


@pytest.mark.parametrize(
    "secret",
    [
        "ghs_" + "a1" * 20,
        "ghs_77_eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiI3NyJ9.c2lnbmF0dXJlMTIz",
        "github_pat_" + "b2" * 20,
        "sk-ant-api03-" + "c3" * 30,
    ],
)
def test_no_secret_by_its_form(written: Written, secret: str) -> None:
    log("x", why=f"with {secret} in it")
    assert secret not in written.getvalue()
    assert "with [redacted" in written.rows[0]["why"]


def test_a_secret_at_the_cut_is_not_halved(written: Written) -> None:
    secret = "ghs_" + "a1" * 20
    log("x" * (logs.LONGEST - 20) + " " + secret)
    assert "ghs_" not in written.getvalue()


def test_one_record_is_one_line(written: Written) -> None:
    log("a\nb\x1b[31m\u202e\u2028c", why="\ud800")
    assert len(written.getvalue().splitlines()) == 1
    assert "\x1b" not in written.rows[0]["text"]
    assert written.getvalue().isascii()


def test_a_text_of_any_length(written: Written) -> None:
    log("x" * 5_000_000)
    assert len(written.getvalue()) < 20_000


def test_uvicorn_writes_it_too(written: Written) -> None:
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    logging.getLogger("uvicorn.access").info("GET /login/callback?code=secret")
    assert [row["logger"] for row in written.rows] == ["uvicorn.error"]
