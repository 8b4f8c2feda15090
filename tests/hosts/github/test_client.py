"""The client: what it repeats, how long it waits, whom it believes, and what it never says."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.hosts.github import reading
from reviewbot.hosts.github.client import Access, Client, access
from reviewbot.hosts.github.failures import Refused
from tests.commands import finish
from tests.fakes.github import Fault
from tests.hosts.github.doors import Door, opened
from tests.repos import Repo

PULL = "/repos/acme/launcher/pulls/7"
SECONDARY = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."}


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path) as made:
        yield made


# --- where GitHub is ------------------------------------------------------------------------


def test_access_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghs_abc")
    assert access() == Access("https://api.github.com", "https://github.com", "ghs_abc")
    assert "ghs_abc" not in repr(access())


def test_access_to_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "t")
    monkeypatch.setenv("GITHUB_API_URL", "https://git.example/api/v3/")
    monkeypatch.setenv("GITHUB_SERVER_URL", "http://127.0.0.1:80")
    assert access()[:2] == ("https://git.example/api/v3", "http://127.0.0.1:80")


@pytest.mark.parametrize("token", ["ghs_ab\ncd", "ghs_ab cd", "ghs_äbcd", "ghs_abcd\n"])
def test_a_token_that_cannot_be_one(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", token)
    with pytest.raises(UsageError, match=r"characters that no token has; copy it anew") as caught:
        access()
    assert "ghs_" not in str(caught.value)


def test_no_token() -> None:
    with pytest.raises(UsageError, match=r"no token for GitHub; set GITHUB_TOKEN"):
        access()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://git.example/api/v3", "is not https; plain http is for this machine alone"),
        ("ftp://git.example", "is not https"),
        ("https://me:secret@git.example", "no plain address"),
        ("https://git.example?x=1", "no plain address"),
        ("git.example/api/v3", "no plain address"),
        ("https://[", "is no address"),
        ("https://git.example:x", "is no address"),
    ],
)
def test_an_address_that_is_not_taken(monkeypatch: pytest.MonkeyPatch, url: str, why: str) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "t")
    monkeypatch.setenv("GITHUB_API_URL", url)
    with pytest.raises(UsageError, match=why) as caught:
        access()
    assert "secret" not in str(caught.value)


def test_without_pygithub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "github", None)
    with pytest.raises(UsageError, match=r"pip install 'reviewbot\[github\]'"):
        Client(Access("http://127.0.0.1:9", "http://127.0.0.1:9", "t"))


def test_nobody_there() -> None:
    naps: list[float] = []
    client = Client(Access("http://127.0.0.1:9", "http://127.0.0.1:9", "t"), sleep=naps.append)
    with pytest.raises(UsageError, match=r"cannot be reached \(ConnectionError\); check the network"):
        client.get(PULL)
    assert naps == [1.0, 2.0, 4.0]


def test_an_enterprise_server_has_graphql_beside_its_prefix(door: Door) -> None:
    assert door.fake.url.endswith("/api/v3")
    assert reading.viewer(door.client).login == "reviewbot"
    assert [exchange.path for exchange in door.fake.log] == ["/graphql"]


# --- reads ----------------------------------------------------------------------------------


@pytest.mark.parametrize("drop", [False, True])
def test_a_read_is_repeated_where_its_answer_was_lost(door: Door, drop: bool) -> None:
    door.fake.faults.append(Fault("GET", PULL, 502, times=2, drop=drop))
    assert door.client.get(PULL)["number"] == 7
    assert (door.client.calls, door.time.naps) == (3, [1.0, 2.0])


def test_a_query_is_repeated_too(door: Door) -> None:
    door.fake.faults.append(Fault("POST", "graphql:viewer", 502))
    assert reading.viewer(door.client).bot
    slow = {"data": None, "errors": [{"message": "Something went wrong while executing your query. x"}]}
    door.fake.faults.append(Fault("POST", "graphql:viewer", 200, body=slow))
    assert reading.viewer(door.client).bot
    assert door.time.naps == [1.0, 1.0]


def test_reads_end(door: Door) -> None:
    door.fake.faults.append(Fault("GET", PULL, 503, times=-1))
    with pytest.raises(Refused, match=f"GET {PULL}: GitHub fails with 503: Server Error"):
        door.client.get(PULL)
    assert (door.client.calls, door.time.naps) == (4, [1.0, 2.0, 4.0])


def test_what_is_refused_is_not_asked_again(door: Door) -> None:
    with pytest.raises(Refused) as caught:
        door.client.get("/repos/acme/launcher/pulls/99")
    assert (caught.value.status, door.client.calls, door.time.naps) == (404, 1, [])


def test_an_answer_in_preparation_is_awaited_within_bounds(door: Door) -> None:
    door.fake.faults.append(Fault("GET", PULL, 202, body={}, times=2))
    assert door.client.get(PULL)["number"] == 7
    door.fake.faults.append(Fault("GET", PULL, 202, body={}, times=-1))
    with pytest.raises(Refused, match="still preparing"):
        door.client.get(PULL)
    assert door.client.calls == 3 + 4


def test_a_renamed_repository_is_followed_with_its_query(door: Door) -> None:
    to = {"location": f"{door.fake.url}/repos/acme/launcher/pulls"}
    door.fake.faults.append(Fault("GET", "/repos/acme/old/pulls", 301, headers=to, body={}))
    assert [row["number"] for row in door.client.pages("/repos/acme/old/pulls", 100, state="open")] == [7]
    assert door.fake.log[-1].query == {"state": "open", "per_page": "100", "page": "1"}


@pytest.mark.parametrize("to", ["http://127.0.0.1:9/api/v3/x", "https://elsewhere.example/", "", "/"])
def test_nobody_else_gets_the_token(door: Door, to: str) -> None:
    door.fake.faults.append(Fault("GET", PULL, 302, headers={"location": to}, body={}))
    with pytest.raises(Refused, match="GitHub leads elsewhere"):
        door.client.get(PULL)
    assert door.client.calls == 1


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"", b'{"a": 1}', b"[]"])
def test_what_is_no_github(door: Door, body: Any) -> None:
    door.fake.faults.append(Fault("GET", PULL, 200, body=body, times=-1))
    with pytest.raises(UsageError, match="check GITHUB_API_URL"):
        reading.pull(door.client, "acme/launcher", 7)


def test_a_list_that_is_none(door: Door) -> None:
    door.fake.faults.append(Fault("GET", f"{PULL}/files", 200, body={"message": "hello"}))
    with pytest.raises(Refused, match="GitHub gives no list"):
        door.client.pages(f"{PULL}/files", 100)


# --- limits ---------------------------------------------------------------------------------


def exhausted(seconds: int) -> Callable[[Door], dict[str, str]]:
    return lambda door: {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(door.time.now) + seconds)}


@pytest.mark.parametrize(
    ("status", "headers", "body", "nap"),
    [
        (403, lambda _: {"retry-after": "7"}, {"message": "wait"}, 7.0),
        (429, lambda _: {"retry-after": "0"}, {"message": "wait"}, 1.0),
        (403, exhausted(30), {"message": "API rate limit exceeded"}, 31.0),
        (429, exhausted(-3_600), {"message": "API rate limit exceeded"}, 1.0),
        (403, lambda _: {}, SECONDARY, 60.0),
        (429, lambda _: {}, {"message": "Too many requests"}, 60.0),
        (429, lambda _: {"retry-after": "soon"}, {}, 60.0),
    ],
)
def test_limits_are_waited_for(
    door: Door, status: int, headers: Callable[[Door], dict[str, str]], body: dict[str, str], nap: float
) -> None:
    door.fake.faults.append(Fault("GET", PULL, status, headers=headers(door), body=body))
    assert door.client.get(PULL)["number"] == 7
    assert door.time.naps == [nap]


def test_a_limit_of_graphql_comes_as_a_success(door: Door) -> None:
    body = {"data": None, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    door.fake.faults.append(Fault("POST", "graphql:viewer", 200, headers=exhausted(9)(door), body=body))
    assert reading.viewer(door.client).bot
    assert door.time.naps == [10.0]


def test_a_limit_without_an_end_is_given_up(door: Door) -> None:
    door.fake.faults.append(Fault("GET", PULL, 403, body=SECONDARY, times=-1))
    with pytest.raises(Refused, match=r"GitHub's rate limit is used up; try again later"):
        door.client.get(PULL)
    assert door.time.naps == [60.0]


def test_nobody_waits_an_hour(door: Door) -> None:
    headers = exhausted(3_600)(door)
    door.fake.faults.append(Fault("GET", PULL, 403, headers=headers, body=SECONDARY, times=-1))
    with pytest.raises(Refused, match=r"rate limit is used up until 09:00:00 UTC"):
        door.client.get(PULL)
    assert (door.client.calls, door.time.naps) == (1, [])


def test_patience_is_that_of_the_whole_job(door: Door) -> None:
    wait = {"retry-after": "50"}
    door.fake.faults.append(Fault("GET", PULL, 429, headers=wait, times=2))
    door.client.get(PULL)
    door.fake.faults.append(Fault("GET", PULL, 429, headers=wait))
    with pytest.raises(Refused, match="rate limit"):
        door.client.get(PULL)
    assert door.time.naps == [50.0, 50.0]


def test_short_limits_end_too(door: Door) -> None:
    door.fake.faults.append(Fault("GET", PULL, 429, headers={"retry-after": "1"}, times=-1))
    with pytest.raises(Refused, match="rate limit"):
        door.client.get(PULL)
    assert door.client.calls == 5


class Lost(BaseException):
    pass


def test_each_attempt_to_write_asks_whether_it_may(door: Door) -> None:
    """Another worker may take the job over while this one waits for a limit: both would post."""
    asked: list[int] = []

    def once() -> None:
        asked.append(len(door.pull.comments))
        if len(asked) > 1:
            raise Lost

    path = "/repos/acme/launcher/issues/7/comments"
    door.fake.faults.append(Fault("POST", path, 429, headers={"retry-after": "7"}))
    client = Client(door.access(), sleep=door.time.sleep, clock=door.time, admits=once)
    with pytest.raises(Lost):
        client.write("POST", path, {"body": "Reviewed."})
    assert (asked, door.pull.comments, door.time.naps) == ([0, 0], [], [7.0])
    assert client.get(PULL)["number"] == 7


# --- what is not said -----------------------------------------------------------------------


def test_no_token_in_any_log(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    client = door.other()
    for name in ("", "github", "github.Requester", "urllib3", "urllib3.connectionpool"):
        caplog.set_level(logging.DEBUG, logger=name or None)
    minted = "ghs_" + "m" * 50
    told = {"message": f"{door.fake.token} and {minted}"}
    door.fake.faults.append(Fault("GET", PULL, 404, body=told))
    with pytest.raises(Refused) as caught:
        client.get(PULL, q=door.fake.token)
    assert {record.name for record in caplog.records} >= {"github.Requester", "urllib3.connectionpool"}
    for text in (caplog.text, str(caught.value), repr(caught.value), repr(client.access)):
        assert door.fake.token not in text
        assert minted not in text
    assert "[redacted]" in str(caught.value)
    door.fake.violations.clear()  # q is no parameter of it


def test_pygithub_is_quiet(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    door.other().get(PULL)
    assert [record for record in caplog.records if record.name.startswith(("github", "urllib3"))] == []


def test_a_local_review_imports_nothing_of_it(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.write("run.sh", "#!/bin/bash\necho a\n")
    repo.commit("base")
    repo.write("run.sh", "#!/bin/bash\necho b\n")
    repo.commit("head")
    argv = ["diff", "HEAD~1", "--no-model"]
    code = (
        f"import json, sys; from reviewbot.cli import run; run({argv!r});"
        "print(json.dumps(list(sys.modules)), file=sys.stderr)"
    )
    _, _, err = finish([sys.executable, "-c", code], cwd=repo.path, env={"GITHUB_TOKEN": "x"})
    loaded = set(json.loads(err.splitlines()[-1]))
    assert "reviewbot.pipeline" in loaded
    assert {name for name in loaded if name.startswith("reviewbot.hosts.github")} == set()
    assert {name.split(".")[0] for name in loaded} & {"github", "requests", "urllib3"} == set()
