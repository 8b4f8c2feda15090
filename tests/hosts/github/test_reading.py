"""A pull request read from the API, as values."""

from __future__ import annotations

import ast
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import build_schema, parse, validate

from reviewbot.core.errors import UsageError
from reviewbot.core.types import Side, Who
from reviewbot.hosts.github import reading
from tests.fakes.github import FakeThread, Fault
from tests.hosts.github.doors import Door, opened

ROOT = Path(__file__).parents[3]
ME = Who("reviewbot", True)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path) as made:
        yield made


def thread(door: Door, author: str = "octo-dev", body: str = "why?") -> FakeThread:
    """On line 6 of a.sh, the second one that the change adds."""
    place = {
        **dict.fromkeys(("start_line", "start_side", "original_start_line")),
        **{"path": "a.sh", "line": 6, "original_line": 6, "side": "RIGHT", "diff_hunk": "@@"},
        **{"position": 5, "original_position": 5, "subject_type": "line", "pull_request_review_id": None},
        **{"commit_id": door.pull.head_sha, "original_commit_id": door.pull.head_sha},
    }
    return door.pull.open_thread(door.pull.review_comment(author, body, place))


# --- the pull request -----------------------------------------------------------------------


def test_a_pull_request(door: Door) -> None:
    got = reading.pull(door.client, "acme/launcher", 7)
    assert (got.repo, got.number, got.base_ref, got.head_ref) == ("acme/launcher", 7, "main", "topic")
    assert (got.head_sha, got.base_sha) == (door.pull.head_sha, door.pull.base_sha)
    assert (got.head_repo, got.default_branch, got.changed_files) == ("acme/launcher", "main", 2)
    assert (got.author, got.title, got.url) == (Who("octo-dev"), "A change", door.pull.html_url)
    assert (got.open, got.draft, got.archived) == (True, False, False)
    assert got.below is None
    assert door.client.calls == 1


def test_what_cannot_be_written_to_is_read(door: Door) -> None:
    door.pull.state, door.pull.merged = "closed", True
    door.served.archived = True
    got = reading.pull(door.client, "acme/launcher", 7)
    assert (got.open, got.archived) == (False, True)


def test_a_fork_and_a_fork_that_is_gone(door: Door) -> None:
    fork = door.fake.repository(door.source.path, "someone/launcher")
    door.served.pull(8, "topic", fork=fork)
    assert reading.pull(door.client, "acme/launcher", 8).head_repo == "someone/launcher"
    door.fake.remove(fork)
    assert reading.pull(door.client, "acme/launcher", 8).head_repo is None


def test_a_stacked_pull_request_names_the_one_below(door: Door) -> None:
    door.source.git("checkout", "-q", "-b", "upper")
    door.source.write("b.sh", "echo\n")
    door.source.commit("upper")
    door.push("upper")
    door.served.pull(8, "upper", "topic")
    assert reading.pull(door.client, "acme/launcher", 8).below == 7
    door.pull.state = "closed"
    assert reading.pull(door.client, "acme/launcher", 8).below is None


@pytest.mark.parametrize(("repo", "number"), [("acme/launcher", 99), ("acme/nothing", 7)])
def test_what_is_not_there_is_named(door: Door, repo: str, number: int) -> None:
    with pytest.raises(UsageError, match=f"no pull request {repo}#{number}, or the token cannot see it"):
        reading.pull(door.client, repo, number)


def test_a_wrong_token_is_said_without_it(door: Door) -> None:
    with pytest.raises(UsageError, match=r"does not accept the token; set GITHUB_TOKEN") as caught:
        reading.pull(door.other("ghs_wrong000000"), "acme/launcher", 7)
    assert "ghs_wrong" not in str(caught.value)


# --- what stands on it ----------------------------------------------------------------------


def test_comments_and_threads(door: Door) -> None:
    door.pull.comment("octo-dev", "Please look.")
    door.pull.comment("reviewbot[bot]", "I look.", type="Bot")
    one = thread(door)
    door.pull.reply(one, "octocat", "because")
    door.pull.react(one, "octocat", "-1")
    door.pull.react(one, "octo-dev", "-1")
    two = thread(door, "reviewbot[bot]", "a finding")
    door.pull.resolve(two, "octocat")
    said = reading.said(door.client, reading.pull(door.client, "acme/launcher", 7))
    assert said.me == ME
    assert [(remark.author, remark.body) for remark in said.remarks] == [
        (Who("octo-dev"), "Please look."),
        (ME, "I look."),
    ]
    assert said.remarks[0].id == door.pull.comments[0]["id"]
    first, second = said.threads
    assert (first.node, first.path, first.line, first.start_line, first.side) == (
        *(one.id, "a.sh", 6, None),
        Side.RIGHT,
    )
    assert [(remark.author.login, remark.body) for remark in first.remarks] == [
        ("octo-dev", "why?"),
        ("octocat", "because"),
    ]
    assert [remark.id for remark in first.remarks] == [row["id"] for row in one.comments]
    assert (first.thumbs_down, first.resolved, first.resolved_by, first.can_resolve) == (2, False, None, True)
    assert (second.remarks[0].author, second.resolved, second.resolved_by) == (ME, True, Who("octocat"))


@pytest.mark.parametrize("login", ["reviewbot[bot]", "reviewbot"])
def test_what_we_resolved_ourselves(door: Door, login: str) -> None:
    door.pull.resolve(thread(door, "reviewbot[bot]"), login)
    said = reading.said(door.client, reading.pull(door.client, "acme/launcher", 7))
    assert said.threads[0].resolved_by == said.me == ME


def test_an_outdated_thread_has_no_line(door: Door) -> None:
    thread(door)
    door.source.write("a.sh", "line 1\n")
    door.source.commit("less")
    door.push()
    said = reading.said(door.client, reading.pull(door.client, "acme/launcher", 7))
    assert [(one.line, one.outdated) for one in said.threads] == [(None, True)]


def test_every_page_is_read_and_no_more(door: Door) -> None:
    for number in range(201):
        door.pull.comment("octo-dev", str(number))
    for _ in range(101):
        thread(door)
    got = reading.pull(door.client, "acme/launcher", 7)
    said = reading.said(door.client, got)
    assert [remark.body for remark in said.remarks] == [str(number) for number in range(201)]
    assert len({one.node for one in said.threads}) == 101
    assert door.client.calls == 1 + 3 + 2


# --- the rest -------------------------------------------------------------------------------


def test_the_merge_base_is_not_the_tip_of_base(door: Door) -> None:
    before = door.pull.base_sha
    door.source.git("checkout", "-q", "main")
    door.source.write("later.sh", "echo\n")
    door.source.commit("later")
    door.push("main")
    got = reading.pull(door.client, "acme/launcher", 7)
    assert got.base_sha != before
    assert reading.merge_base(door.client, got) == before


def test_no_common_ancestor(door: Door) -> None:
    door.source.git("checkout", "-q", "--orphan", "alone")
    door.source.write("z.sh", "echo\n")
    door.source.commit("alone")
    door.push("alone")
    door.served.pull(9, "alone")
    got = reading.pull(door.client, "acme/launcher", 9)
    with pytest.raises(UsageError, match=r"acme/launcher#9: GitHub knows no common ancestor of \w+\.\.\.\w+"):
        reading.merge_base(door.client, got)


@pytest.mark.parametrize(
    ("role", "may"), [("admin", True), ("write", True), ("read", False), ("none", False), (None, False)]
)
def test_who_may_write(door: Door, role: str | None, may: bool) -> None:
    if role:
        door.served.permissions["octocat"] = role
    assert reading.permission(door.client, "acme/launcher", "octocat") is may


LIMIT = {"message": "You have exceeded a secondary rate limit."}


@pytest.mark.parametrize(
    ("status", "body"),
    [(502, None), (401, None), (429, None), (403, LIMIT)],
    ids=["502", "401", "429", "limit"],
)
def test_a_lost_answer_about_a_permission_is_no_no(door: Door, status: int, body: Any) -> None:
    """D12: who was not refused was told nothing, and the delivery counted as done."""
    door.served.permissions["octocat"] = "admin"
    door.fake.faults.append(Fault("GET", r".*/permission", status, body=body, times=-1))
    with pytest.raises(UsageError, match="permission: "):
        reading.permission(door.client, "acme/launcher", "octocat")


def test_where_we_may_not_ask_nobody_may(door: Door) -> None:
    door.served.permissions["octocat"] = "admin"
    body = {"message": "Must have push access to view collaborator permission."}
    door.fake.faults.append(Fault("GET", r".*/permission", 403, body=body))
    assert reading.permission(door.client, "acme/launcher", "octocat") is False


def test_a_login_cannot_leave_its_place(door: Door) -> None:
    assert reading.permission(door.client, "acme/launcher", "../../x?y") is False
    assert door.fake.log[-1].path.startswith("/repos/acme/launcher/collaborators/")
    door.fake.violations.clear()  # such a path is in no description


# --- the words of GraphQL ---------------------------------------------------------------------


def texts() -> Iterator[str]:
    for path in sorted((ROOT / "reviewbot").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_query_in_the_code_is_valid() -> None:
    packed = (ROOT / "tests/data/github/schema.graphql.gz").read_bytes()
    schema = build_schema(gzip.decompress(packed).decode(), assume_valid=True, assume_valid_sdl=True)
    queries = [text for text in texts() if re.match(r"(query|mutation)\b[^{\n]*\{", text)]
    assert len(queries) >= 2
    for query in queries:
        assert validate(schema, parse(query)) == [], query


def test_a_permission_of_another_form_is_none_and_no_crash(door: Door) -> None:
    door.fake.faults.append(Fault("GET", r".*/permission", 200, body={"permission": None}))
    assert not reading.permission(door.client, "acme/launcher", "octo-dev")
    for body in ([], {"role": "admin"}, b"<html>"):
        door.fake.faults.append(Fault("GET", r".*/permission", 200, body=body))
        with pytest.raises(UsageError, match="permission"):
            reading.permission(door.client, "acme/launcher", "octo-dev")
    assert door.fake.faults == []


# --- what is too much to be read whole --------------------------------------------------------


def test_the_whole_of_a_long_thread_is_read_or_none(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """A marker from the 101st comment on was not seen: commands were answered again."""
    long = thread(door)
    first = long.comments[0]
    long.comments += [first | {"id": first["id"] + n, "body": str(n)} for n in range(1, 202)]
    thread(door)
    pull = reading.pull(door.client, "acme/launcher", 7)
    said = reading.said(door.client, pull)
    assert [remark.body for remark in said.threads[0].remarks] == ["why?", *map(str, range(1, 202))]
    assert len(said.threads[1].remarks) == 1
    monkeypatch.setattr(reading, "IN_THREAD", 200)
    with pytest.raises(UsageError, match="a thread has more than 200 comments"):
        reading.said(door.client, pull)


def test_of_too_many_comments_not_the_first_ones_are_read(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "COMMENTS", 2)
    pull = reading.pull(door.client, "acme/launcher", 7)
    for _ in range(2):
        door.pull.comment("octocat", "x")
    assert len(reading.said(door.client, pull).remarks) == 2
    door.pull.comment("octocat", "x")
    with pytest.raises(UsageError, match="more than 2 comments, and they are not read in part"):
        reading.said(door.client, pull)


def test_threads_without_an_end_come_to_one(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "THREADS", 300)
    page = {"pageInfo": {"hasNextPage": True, "endCursor": "0"}, "nodes": []}
    data = {"viewer": {"login": "x"}, "repository": {"pullRequest": {"reviewThreads": page}}}
    door.fake.faults.append(Fault("POST", "/graphql", 200, body={"data": data}, times=-1))
    pull = reading.pull(door.client, "acme/launcher", 7)
    with pytest.raises(UsageError, match="more than 300 threads"):
        reading.said(door.client, pull)
    assert door.client.calls == 1 + 3


def test_a_head_among_too_many_pull_requests_is_not_said_to_be_none(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "OPEN", 1)
    assert reading.with_head(door.client, "acme/launcher", door.pull.head_sha) == [7]
    door.served.pull(8, "topic")
    with pytest.raises(UsageError, match=r"more than 1 open pull requests.*; ask for the review"):
        reading.with_head(door.client, "acme/launcher", "0" * 40)


def test_pushes_of_another_form_are_no_crash(door: Door) -> None:
    pull = reading.pull(door.client, "acme/launcher", 7)
    for body in ([7], [{}], {"a": 1}):
        door.fake.faults.append(Fault("GET", r".*/activity", 200, body=body))
        with pytest.raises(UsageError, match="the pushes: this is no answer"):
            reading.head_at(door.client, pull, "2026-11-30T00:00:00Z")
    door.fake.faults.append(Fault("GET", r".*/activity", 404))
    assert reading.head_at(door.client, pull, "2026-11-30T00:00:00Z") == ""
