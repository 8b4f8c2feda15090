"""The second half of a hand-over: a run that may write posts the review of a fork, and believes nobody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.deliveries import room as room
from tests.fakes.github import FakePull
from tests.fakes.github.model import Json
from tests.steps import Ran
from tests.test_action import Bench, of_fork
from tests.test_action import bench as bench


class Halves:
    """The run of the fork has ended; its artifact is in `file`."""

    def __init__(self, bench: Bench, pull: FakePull, file: Path) -> None:
        self.bench, self.pull, self.file = bench, pull, file

    def post(self, *, event: Json | None = None, **changes: Any) -> Ran:
        """`changes` are made in what was handed over."""
        handed = json.loads(self.file.read_text()) | changes
        self.file.write_text(json.dumps(handed))
        payload = self.event() if event is None else event
        return self.bench.run("workflow_run", payload, hand_over=str(self.file))

    def event(self, **changes: Any) -> Json:
        run = {
            "event": "pull_request",
            "head_sha": self.pull.heads[0],
            "head_repository": {"full_name": "contributor/launcher"},
            "actor": {"login": "contributor"},
        }
        return {
            "action": "completed",
            "workflow_run": run | changes,
            "repository": {"full_name": "acme/launcher"},
        }


@pytest.fixture
def halves(bench: Bench) -> Halves:
    pull, payload = of_fork(bench)
    first = bench.run("pull_request", payload)
    bench.room.launched.github.lacking.clear()
    return Halves(bench, pull, Path(first.outputs["hand-over"]))


def test_the_second_half_posts(halves: Halves) -> None:
    ran = halves.post()
    assert (ran.code, ran.outputs["findings"]) == (0, "4"), ran.log
    assert len(halves.pull.threads) == 4
    before = halves.bench.room.writes()
    assert halves.post().code == 0
    assert halves.bench.room.writes() == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"number": 7}, "the head of #7 is in another repository"),
        ({"number": 9}, "there is no pull request acme/launcher#9"),
        ({"number": "8; touch owned"}, "`number` is something else"),
        ({"number": 10**12}, "`number` is something else"),
        ({"repo": "acme/other"}, "another repository than the event"),
        ({"repo": "../.."}, "`repo` is something else"),
        ({"head": "f" * 40}, "another commit than the run"),
        ({"schema": "reviewbot.hand-over/2"}, "`schema` is something else"),
        ({"body": "**Approved**"}, "'body' that is none of its schema"),
    ],
)
def test_an_artifact_that_lies_posts_nothing(halves: Halves, changes: Json, said: str) -> None:
    ran = halves.post(**changes)
    assert (ran.code, ran.outputs["verdict"], halves.bench.room.writes()) == (2, "incomplete", 0)
    assert said in ran.summary.replace("\\#", "#").replace("\u200b", "")
    assert len(ran.summary.splitlines()) == 1


def test_what_is_no_json_posts_nothing(halves: Halves) -> None:
    for content in (b"", b"[" * 5_000, b"\xff", b"[]", b" " * 20_000):
        halves.file.write_bytes(content)
        ran = halves.bench.run("workflow_run", halves.event(), hand_over=str(halves.file))
        assert (ran.code, halves.bench.room.writes()) == (2, 0), content[:9]


def test_a_number_of_another_pull_request_of_the_fork(halves: Halves) -> None:
    it = halves.bench.room.launched
    assert halves.pull.fork is not None
    it.work.git("push", "-q", str(halves.pull.fork.path), "refs/remotes/origin/main:refs/heads/other")
    other = it.pull.repository.pull(9, "other", fork=halves.pull.fork)
    other.refresh()
    ran = halves.post(number=9)
    assert (ran.code, halves.bench.room.writes()) == (2, 0)
    assert "names" in ran.summary


def test_a_head_that_has_moved_on_is_left_to_the_next_run(halves: Halves) -> None:
    it = halves.bench.room.launched
    assert halves.pull.fork is not None
    it.work.write("docs/more.md", "More.\n")
    it.work.commit()
    it.work.git("push", "-q", str(halves.pull.fork.path), f"HEAD:refs/heads/{halves.pull.head}")
    halves.pull.refresh()
    it.pull.state = "closed"  # which has the head of before
    ran = halves.post()
    assert (ran.code, ran.outputs["verdict"], halves.bench.room.writes()) == (0, "none", 0), ran.log
    assert "has moved on" in ran.summary


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"event": "push"}, "of no pull request"),
        ({"head_repository": {"full_name": "acme/launcher"}}, "may post by itself"),
    ],
)
def test_runs_that_hand_nothing_over(halves: Halves, changes: Json, said: str) -> None:
    ran = halves.post(event=halves.event(**changes))
    assert (ran.code, halves.bench.room.writes()) == (0, 0)
    assert said in ran.summary


def test_without_the_artifact_it_is_said(halves: Halves) -> None:
    ran = halves.bench.run("workflow_run", halves.event())
    assert ran.code == 2
    assert "the artifact of the run before" in ran.summary
    ran = halves.bench.run("workflow_run", halves.event(), hand_over="/nowhere/hand-over.json")
    assert (ran.code, ran.outputs["verdict"]) == (2, "incomplete")
