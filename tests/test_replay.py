"""The front door of events: `reviewbot replay` with payloads as GitHub sends them, on the fake GitHub."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reviewbot import cli
from reviewbot.core.publish import marker
from reviewbot.core.publish.marker import Marker
from reviewbot.wiring import replay
from tests.deliveries import MAINTAINER, Room, room, user
from tests.fakes.github.exchange import Fault

__all__ = ["room"]


def test_what_is_opened_is_reviewed_and_what_is_pushed_to_as_well(room: Room) -> None:
    opened = room.pushed("opened")
    assert (opened.code, opened.out) == (0, "")
    assert "findings: 4 new" in opened.err
    assert len(room.pull.threads) == 4
    before = room.writes()
    assert "reviewed at" in room.pushed("reopened").err
    assert room.writes() == before
    room.launched.work.write("docs/more.md", "Nothing to review.\n")
    head = room.launched.push()
    assert room.pushed("synchronize").code == 0
    assert f"Reviewed {head[:7]} " in room.summary
    assert len(room.pull.threads) == 4


def test_two_events_of_one_head_are_one_review(room: Room) -> None:
    """D26."""
    room.pushed("opened")
    before = room.writes()
    head = room.pull.head_sha
    assert "reviewed at" in room.pushed("ready_for_review").err
    assert "asks for nothing" in room.replay("check_suite", suite_requested(head)).err
    assert room.writes() == before


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_what_is_replayed_again_fails_again(room: Room, options: tuple[str, ...]) -> None:
    """A job that is run once more reviewed nothing, and turned from red to green."""
    failing = ("--fail-on", "warning")
    assert room.pushed("opened", *failing).code == 1
    before = room.writes()
    again = room.pushed("opened", *failing, *options)
    assert (again.code, room.writes()) == (1, before)
    assert "nothing is posted" in again.err
    assert room.pushed("opened", "--fail-on", "blocker").code == 0
    assert "reviewed at" in room.pushed("opened", "--fail-on", "never").err
    assert room.writes() == before


def test_what_is_asked_for_again_in_a_comment_fails_again(room: Room) -> None:
    failing = ("--fail-on", "warning")
    assert room.says("@reviewbot review", *failing).code == 1
    assert room.says("@reviewbot review", *failing).code == 1
    assert "othing has changed" in room.replies[-1]
    assert (len(room.pull.threads), len(room.summaries), len(room.pull.check_runs)) == (4, 1, 1)


def test_an_event_of_an_older_head_is_not_reviewed(room: Room) -> None:
    """D27: events arrive in any order."""
    payload = room.of_pull("synchronize")
    room.launched.work.write("docs/more.md", "Nothing to review.\n")
    room.launched.push()
    done = room.replay("pull_request", payload)
    assert (done.code, room.writes()) == (0, 0)
    assert "moved on" in done.err


def test_a_draft_waits_until_it_is_ready(room: Room) -> None:
    room.pull.draft = True
    assert "is a draft" in room.pushed("opened").err
    assert "is a draft" in room.pushed("synchronize").err
    assert room.writes() == 0
    room.pull.draft = False
    room.pushed("ready_for_review")
    assert len(room.pull.threads) == 4


def test_a_draft_is_reviewed_where_somebody_asks(room: Room) -> None:
    room.pull.draft = True
    room.says("@reviewbot review")
    assert len(room.pull.threads) == 4


def test_an_edited_base_is_reviewed_and_an_edited_title_is_not(room: Room) -> None:
    title = room.of_pull("edited", changes={"title": {"from": "Before"}})
    assert "only the words" in room.replay("pull_request", title).err
    assert room.writes() == 0
    base = {"base": {"ref": {"from": "old"}, "sha": {"from": "0" * 40}}}
    room.replay("pull_request", room.of_pull("edited", changes=base))
    assert len(room.pull.threads) == 4


def test_what_is_closed_is_left_alone(room: Room) -> None:
    room.pull.state = "closed"
    for action in ("closed", "converted_to_draft", "opened", "synchronize"):
        assert room.pushed(action).code == 0, action
    assert room.writes() == 0
    room.says("@reviewbot review")
    assert len(room.replies) == 1
    assert "is closed" in room.replies[0]
    assert room.pull.threads == []


# --- the check run ------------------------------------------------------------------------


def test_a_check_that_is_asked_for_again_is_reviewed_again(room: Room) -> None:
    room.pushed("opened")
    for example in ("check_run.rerequested", "check_run.requested_action"):
        before = len(room.pull.check_runs)
        done = room.check_event(example, requested_action={"identifier": "rerun"})
        assert done.code == 0, done.err
        assert len(room.pull.check_runs) == before + 1, example
    assert {run["status"] for run in room.pull.check_runs} == {"completed"}
    assert (len(room.summaries), len(room.pull.threads)) == (1, 4)


def test_d35_a_suite_of_a_fork_names_no_pull_request(room: Room) -> None:
    room.pushed("opened")
    before = len(room.pull.check_runs)
    room.suite_event(room.pull.head_sha)
    assert len(room.pull.check_runs) == before + 1
    assert "no open pull request" in room.suite_event("0" * 40).err


def test_of_two_pull_requests_with_one_head_the_worse_one_counts(room: Room) -> None:
    """The last one did: the first was incomplete, and the delivery was done."""
    room.pull.repository.pull(8, room.pull.head, room.pull.head)
    refused = {"message": "Validation Failed"}
    named = ("--delivery", f"{room.folder.name}-4".replace("_", "-"))
    room.launched.github.faults.append(Fault("PATCH", r".*/check-runs/\d+", 422, body=refused, times=2))
    assert room.suite_event(room.pull.head_sha, *named).code == 3
    assert room.suite_event(room.pull.head_sha, *named).code == 0
    done = room.suite_event(room.pull.head_sha, "--dry-run")
    assert len([path for _, path in requests_of(done) if path.endswith("/check-runs")]) == 2


def test_the_deliveries_that_are_remembered_come_to_an_end(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = room.folder / "state"
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(kept))
    monkeypatch.setattr(replay, "DELIVERIES", 2)
    for number in range(4):
        assert room.pushed("closed", "--delivery", f"d-{number}").code == 0
    assert len(list(kept.rglob("d-*"))) == 2


def test_the_refuted_claims_are_shown_on_demand(room: Room) -> None:
    room.pushed("opened")
    before = len(room.pull.check_runs)
    before_it = dict(room.pull.check_runs[-1]["output"])
    done = room.check_event("check_run.requested_action", requested_action={"identifier": "refuted"})
    assert done.code == 0, done.err
    assert len(room.pull.check_runs) == before
    run = room.pull.check_runs[-1]
    assert run["output"]["text"] == "Nobody refuted a claim: no model took part in this review."
    assert (run["output"]["title"], run["output"]["summary"]) == (before_it["title"], before_it["summary"])
    assert "A failed step does not stop the launch" in run["output"]["summary"]
    assert (run["status"], run["conclusion"]) == ("completed", "neutral")


def test_the_check_of_another_app_is_none_of_ours(room: Room) -> None:
    room.pushed("opened")
    before = room.writes()
    done = room.check_event("check_run.rerequested", check_run__app={"slug": "another"})
    assert "another App's" in done.err
    assert room.writes() == before


# --- events that ask for nothing, and what is none ----------------------------------------


@pytest.mark.parametrize("event", ["installation.deleted", "installation.suspend", "ping", "watch.started"])
def test_an_event_that_asks_for_nothing_reaches_nobody(room: Room, event: str) -> None:
    """D34: the token of an installation that is gone is not asked for anything."""
    name = event.partition(".")[0]
    payload = {"action": "started"} if name == "watch" else room._example(event)
    done = room.replay(name, payload)
    assert (done.code, done.out, room.launched.github.log) == (0, "", [])
    assert done.err in (
        "reviewbot: pong\n",
        f"reviewbot: nothing to do: the event `{name}` asks for nothing\n",
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{", "is no JSON"),
        (b"[]", "holds no object"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"action": "opened", "number": "7"}', "do not tell which event"),
        (b'{"action": "opened", "pull_request": {"number": 7, "state": "open"}}', "`repository` is missing"),
        (b'{"a": "' + b"x" * 26_000_000 + b'"}', "larger than 25 MB"),
        (b"\xff\xfe", "is no JSON"),
    ],
    ids=["empty", "cut", "list", "deep", "other", "half", "large", "bytes"],
)
def test_what_is_no_event_is_a_wrong_use(room: Room, content: bytes, said: str) -> None:
    file = room.folder / "wrong.json"
    file.write_bytes(content)
    assert cli.run(["replay", str(file)]) == 2
    out, err = room.capsys.readouterr()
    assert said in err
    assert (out, err.count("\n")) == ("", 1)
    assert room.launched.github.writes == []


# --- twice --------------------------------------------------------------------------------


def test_d24_a_delivery_is_handled_once_and_again_after_it_failed(room: Room) -> None:
    named = ("--delivery", f"{room.folder.name}-1".replace("_", "-"))
    room.launched.github.token, good = (
        "ghs_another0000000000000000000000000000000",
        room.launched.github.token,
    )
    assert room.pushed("opened", *named).code == 2
    room.launched.github.token = good
    assert len(room.pull.threads) == 0
    assert room.pushed("opened", *named).code == 0
    assert len(room.pull.threads) == 4
    requests = len(room.launched.github.log)
    assert "was handled already" in room.pushed("opened", *named).err
    assert len(room.launched.github.log) == requests


def test_d25_a_delivery_whose_review_was_not_whole_is_handled_again(room: Room) -> None:
    named = ("--delivery", f"{room.folder.name}-2".replace("_", "-"))
    refused = {"message": "Validation Failed"}
    room.launched.github.faults.append(Fault("PATCH", r".*/check-runs/\d+", 422, body=refused, times=2))
    assert room.pushed("opened", *named).code == 3
    assert room.pushed("opened", *named).code == 0
    assert (len(room.pull.threads), len(room.summaries)) == (4, 1)
    assert room.pull.check_runs[-1]["conclusion"] == "neutral"


@pytest.mark.parametrize("delivery", ["../x", "a b", "", "x" * 65])
def test_an_id_of_a_delivery_is_no_path(room: Room, delivery: str) -> None:
    done = room.pushed("closed", "--delivery", delivery)
    assert done.code == (2 if delivery else 0)


# --- loops --------------------------------------------------------------------------------


def test_nothing_that_we_say_is_a_command_to_us(room: Room) -> None:
    """Whatever we write is delivered to us again, also by an account that is a person's."""
    room.pushed("opened")
    room.says("@reviewbot help")
    room.answers(room.thread("runners/launch_h200.sh"), "@reviewbot explain")
    before = room.writes()
    for comment in list(room.pull.comments):
        if comment["user"]["login"] != MAINTAINER:
            room.replay("issue_comment", room.of_comment(comment))
            person = {**comment, "user": user(MAINTAINER), "performed_via_github_app": None}
            room.replay("issue_comment", room.of_comment(person))
    for comment in list(room.pull.review_comments):
        if comment["user"]["login"] != MAINTAINER:
            person = {**comment, "user": user(MAINTAINER)}
            room.replay("pull_request_review_comment", room.of_answer(comment))
            room.replay("pull_request_review_comment", room.of_answer(person))
    assert room.writes() == before


# --- rehearsed ----------------------------------------------------------------------------


def test_a_dry_run_prints_the_requests_and_sends_none(room: Room) -> None:
    paths = requests_of(room.pushed("opened", "--dry-run"))
    assert paths[0] == ("POST", "/repos/acme/launcher/check-runs")
    assert ("POST", "/repos/acme/launcher/pulls/7/reviews") in paths
    paths = requests_of(room.says("@reviewbot review", "--dry-run"))
    assert paths[0][1].endswith("/reactions")
    assert ("POST", "/repos/acme/launcher/pulls/7/reviews") in paths
    assert paths[-1] == ("POST", "/repos/acme/launcher/issues/7/comments")
    assert len(requests_of(room.says("@reviewbot help", "--dry-run"))) == 2
    assert requests_of(room.pushed("closed", "--dry-run")) == []
    assert room.writes() == 0


def requests_of(done: Any) -> list[tuple[str, str]]:
    document = json.loads(done.out)
    assert done.code == 0
    assert document["schema"] == "reviewbot.publication/1"
    return [(row["method"], row["path"]) for row in document["requests"]]


def suite_requested(head: str) -> dict[str, Any]:
    return {
        "action": "requested",
        "check_suite": {"head_sha": head, "pull_requests": [], "app": {"slug": "reviewbot"}},
        "repository": {"full_name": "acme/launcher", "id": 1},
        "sender": user("octo-dev"),
    }


def test_a_pasted_mark_is_no_memory(room: Room) -> None:
    """D42."""
    room.comment(marker.write(Marker("summary", head=room.pull.head_sha, verdict="clean", paused=True)))
    room.pushed("opened")
    assert len(room.pull.threads) == 4
