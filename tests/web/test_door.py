"""The door: who is let in, what is kept, what is answered."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from reviewbot.core.errand import Installed, Uninstalled, read
from reviewbot.core.types import ReviewPull
from reviewbot.web.body import Room
from tests.web.serving import NOW, SECRET, Down, Served, example, served, sign

OPENED = example("pull_request.opened")


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def shut(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """For those who are not let in: nothing of them stays."""
    with served(tmp_path_factory.mktemp("shut")) as running:
        yield running


# --- what is kept ---------------------------------------------------------------------------


def test_a_pull_request_that_is_opened(door: Served) -> None:
    answer = door.post(OPENED)
    assert answer.status_code == 202
    assert answer.json() == {"delivery": "d-1", "state": "received", "why": ""}
    (row,) = door.store.deliveries.recent(10)
    payload = json.loads(OPENED)
    assert (row.id, row.event, row.action, row.received) == ("d-1", "pull_request", "opened", NOW)
    repo = payload["repository"]["full_name"]
    assert (row.repo, row.number) == (repo.lower(), payload["number"])
    assert row.trigger is not None
    errand = read(row.trigger)
    assert isinstance(errand, ReviewPull)
    assert errand == ReviewPull(repo, payload["number"], "opened", head=errand.head)
    assert errand.head == payload["pull_request"]["head"]["sha"]
    assert door.woken == [True]


@pytest.mark.parametrize(
    ("event", "body", "why"),
    [
        (
            "pull_request",
            example("pull_request.closed", action="assigned"),
            "changes nothing that is reviewed",
        ),
        ("ping", example("ping"), "asks for nothing"),
        ("some_new_event", b"{}", "the event `some_new_event` asks for nothing"),
        ("pull_request", b"{}", "names no action"),
        ("issue_comment", example("issue_comment.created"), "no"),
    ],
)
def test_why_nothing_is_done_is_kept(door: Served, event: str, body: bytes, why: str) -> None:
    answer = door.post(body, event)
    assert (answer.status_code, answer.json()["state"]) == (202, "ignored")
    (row,) = door.store.deliveries.recent(10)
    assert (row.state, row.why, row.trigger) == ("ignored", answer.json()["why"], None)
    assert why in row.why
    assert door.woken == []


def test_a_field_that_is_not_as_github_writes_it_shows(door: Served) -> None:
    answer = door.post(example("pull_request.opened", repository={"full_name": "../x"}))
    assert (answer.status_code, answer.json()["state"]) == (202, "failed")
    assert "full_name" in answer.json()["why"]
    assert door.woken == []


def test_an_installation_comes_and_goes(door: Served) -> None:
    assert door.post(example("installation.created"), "installation", "d-1").json()["state"] == "received"
    assert door.post(example("installation.deleted"), "installation", "d-2").json()["state"] == "received"
    rows = {row.id: row for row in door.store.deliveries.recent(10)}
    came, went = (read(rows[id].trigger or {}) for id in ("d-1", "d-2"))
    assert isinstance(came, Installed)
    assert came.account
    assert isinstance(went, Uninstalled)
    assert went.installation == json.loads(example("installation.deleted"))["installation"]["id"]


def test_redeliveries_are_known(door: Served) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: door.post(OPENED), range(200)))
    states = [answer.json()["state"] for answer in answers]
    assert (states.count("received"), states.count("known")) == (1, 199)
    assert {answer.status_code for answer in answers} == {200, 202}
    assert len(door.store.deliveries.recent(10)) == 1
    assert door.woken == [True]


def test_a_redelivery_heals_what_failed(door: Served) -> None:
    door.post(OPENED)
    door.store.deliveries.settle("d-1", "failed", "the disk was full")
    assert door.post(OPENED).json()["state"] == "received"
    found = door.store.deliveries.get("d-1")
    assert found is not None
    assert (found.state, found.why) == ("received", "")


# --- who is let in --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "signature",
    [
        None,
        "",
        "sha256=",
        "sha256=" + "0" * 64,
        sign(OPENED, b"another secret"),
        sign(OPENED).upper(),
        sign(OPENED) + " x",
        sign(OPENED).removeprefix("sha256="),
        "sha1=" + hmac.new(SECRET, OPENED, hashlib.sha1).hexdigest(),
        "sha256=" + "\u00e9" * 64,
    ],
)
def test_forged(shut: Served, signature: str | None) -> None:
    given = signature.encode("latin-1") if signature else signature
    answer = shut.post(OPENED, X_Hub_Signature_256=given)  # type: ignore[arg-type]
    assert answer.status_code == 401
    assert shut.store.deliveries.recent(10) == []


def test_sha1_alone_counts_for_nothing(shut: Served) -> None:
    old = "sha1=" + hmac.new(SECRET, OPENED, hashlib.sha1).hexdigest()
    assert shut.post(OPENED, X_Hub_Signature_256=None, X_Hub_Signature=old).status_code == 401


def test_an_altered_byte(shut: Served) -> None:
    answer = shut.post(OPENED.replace(b"opened", b"closed", 1), X_Hub_Signature_256=sign(OPENED))
    assert answer.status_code == 401


def test_two_signatures_are_none(shut: Served) -> None:
    text = b"POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
    text += b"X-Hub-Signature-256: sha256=" + b"0" * 64 + b"\r\n"
    text += f"X-Hub-Signature-256: {sign(b'{}')}\r\n".encode()
    assert b" 401 " in shut.raw(text + b"\r\n{}").splitlines()[0]


def test_one_secret_replaces_another(tmp_path: Path) -> None:
    with served(tmp_path, secrets=(b"new secret", SECRET)) as door:
        assert door.post(OPENED).status_code == 202
        assert door.post(OPENED, X_Hub_Signature_256=sign(OPENED, b"new secret")).status_code == 200
        assert door.post(OPENED, X_Hub_Signature_256=sign(OPENED, b"old secret")).status_code == 401


@pytest.mark.parametrize("secrets", [(), (b"",)])
def test_without_a_secret_nobody_is_let_in(tmp_path: Path, secrets: tuple[bytes, ...]) -> None:
    with served(tmp_path, secrets=secrets) as door:
        assert door.post(OPENED, X_Hub_Signature_256=sign(OPENED, b"")).status_code == 401


def test_githubs_own_example() -> None:
    from reviewbot.web.signature import signed

    header = b"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert signed(b"Hello, World!", header, (b"It's a Secret to Everybody",))


# --- what is malformed ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'"x"', 400),
        (b"\xff\xfe", 400),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 202),
        (b'{"a":' + b"9" * 5_000 + b"}", 202),
        (b"payload=%7B%7D", 415),
        (b'{"action": 7}', 202),
        (b'{"action": "opened", "repository": 7, "installation": [], "pull_request": "x"}', 202),
    ],
)
def test_bodies(door: Served, body: bytes, status: int) -> None:
    answer = door.post(body)
    assert answer.status_code == status
    assert (len(door.store.deliveries.recent(10)) == 1) == (status == 202)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("body", [b'{"a":' * 100_000 + b"1" + b"}" * 100_000, b'{"a":' + b"9" * 5_000 + b"}"])
def test_json_beyond_what_is_read_is_kept_with_the_reason(door: Served, body: bytes) -> None:
    answer = door.post(body)
    assert (answer.status_code, answer.json()["state"]) == (202, "failed")
    [row] = door.store.deliveries.recent(10)
    assert row.why.startswith("the payload ")
    assert not door.woken


@pytest.mark.parametrize(
    "headers",
    [
        {"X_GitHub_Delivery": None},
        {"X_GitHub_Delivery": "../etc"},
        {"X_GitHub_Delivery": "a" * 65},
        {"X_GitHub_Event": None},
        {"X_GitHub_Event": "pull request"},
        {"X_GitHub_Event": "e" * 61},
    ],
)
def test_headers(shut: Served, headers: dict[str, Any]) -> None:
    answer = shut.post(OPENED, **headers)
    assert answer.status_code == 400
    assert "X-GitHub-" in answer.json()["error"]


def test_odd_text_in_a_payload_is_kept_visibly(door: Served) -> None:
    door.post(b'{"action": "a\\u0000\\ud800\\u202e", "repository": {"full_name": "a\\u0000b"}}')
    (row,) = door.store.deliveries.recent(10)
    assert (row.action, row.repo) == ("a\\x00\\ud800\\u202e", "a\\x00b")


# --- what is too much -----------------------------------------------------------------------


def head(length: str, signature: str = "sha256=" + "0" * 64) -> bytes:
    lines = ["POST /webhook HTTP/1.1", "Host: x", f"X-Hub-Signature-256: {signature}", length, "", ""]
    return "\r\n".join(lines).encode()


def test_a_large_body_is_refused_before_it_is_read(shut: Served) -> None:
    answer = shut.raw(head(f"Content-Length: {26 * 1024 * 1024}"))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in answer.lower()


def test_a_large_body_without_a_length(tmp_path: Path) -> None:
    with served(tmp_path, room=Room(largest=10_000)) as door:
        chunk = b"1000\r\n" + b"x" * 4_096 + b"\r\n"
        assert door.raw(head("Transfer-Encoding: chunked") + 3 * chunk).startswith(b"HTTP/1.1 413 ")


def test_the_largest_body_that_github_sends(door: Served) -> None:
    body = b'{"action": "x", "pad": "' + b"x" * (25 * 1024 * 1024 - 26) + b'"}'
    assert len(body) == 25 * 1024 * 1024
    assert door.post(body).status_code == 202


def test_more_than_there_is_memory_for(tmp_path: Path) -> None:
    with served(tmp_path, room=Room(most=1_000)) as door:
        answer = door.post(OPENED)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
        small = b'{"action": "x"}'
        assert [door.post(small, id=f"d-{n}").status_code for n in range(3)] == [202] * 3


def test_a_body_that_does_not_come(tmp_path: Path) -> None:
    with served(tmp_path, room=Room(seconds=0.05)) as door:
        assert door.raw(head("Content-Length: 10") + b"{").startswith(b"HTTP/1.1 408 ")


def test_a_sender_that_hangs_up(door: Served) -> None:
    import socket

    with socket.create_connection(("127.0.0.1", door.port)) as line:
        line.sendall(head("Content-Length: 10") + b"{")
    assert door.post(OPENED).status_code == 202


# --- the store ------------------------------------------------------------------------------


def test_a_database_that_is_gone_and_comes_back(tmp_path: Path) -> None:
    store = Down()
    with served(tmp_path, store=store) as door:
        refused = door.post(OPENED)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "30")
        assert "hunter2" not in refused.text
        store.gone = False
        assert door.post(OPENED).status_code == 202
    assert [row.id for row in store.rows] == ["d-1"]
