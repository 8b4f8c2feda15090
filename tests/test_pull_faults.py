"""GitHub fails at the front door: whatever goes wrong with a request, nothing is lost, nothing is said twice,
and no check run is green or left open. The next run heals what this one could not do.

One repository is served to all tests; each has a pull request of its own, and none waits.
"""

from __future__ import annotations

import json
import logging
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import pytest
import requests

from reviewbot import cli
from reviewbot.detectors import DETECTORS
from reviewbot.hosts.github.client import Client
from reviewbot.wiring import pull
from tests.fakes.github import Exchange, FakeGitHub, FakePull, FakeRepository, Fault, fake_github
from tests.repos import Repo

NAME = "tools/convert_checkpoint.py"
VERIFIER = """\
def verify_{0}(old, new):
    for name in old:
        assert old[name] == new[name], '{0} ' + name


"""
SKILL = """\
---
name: verifiers
description: Review what verifies a conversion.
---
# Verifiers

## Defect classes

1. **`assert` in a verifier.** `python -O` deletes it.
"""
CHECK, CHECKS = r".*/check-runs/\d+", r".*/check-runs"
SUMMARY, SUMMARIES = r".*/issues/comments/\d+", r".*/issues/\d+/comments"
REVIEWS, SINGLES = r".*/pulls/\d+/reviews", r".*/pulls/\d+/comments"
RESOLVE = "graphql:resolveReviewThread"

LIMIT = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."}
FORBIDDEN = {"message": "Resource not accessible by integration"}
ACCEPTED = {"X-Accepted-GitHub-Permissions": "pull_requests=write"}

# What is said of a request that GitHub does not fulfil, however often it is asked.
LASTING: dict[str, dict[str, Any]] = {
    "502": {"status": 502},
    "dropped": {"drop": True},
    "permission": {"status": 403, "headers": ACCEPTED, "body": FORBIDDEN},
    "secondary": {"status": 403, "body": LIMIT},
    "an hour": {"status": 429, "headers": {"Retry-After": "3600"}, "body": LIMIT},
    "401": {"status": 401, "body": {"message": "Bad credentials"}},
    "404": {"status": 404, "body": {"message": "Not Found"}},
    "422": {"status": 422, "body": {"message": "Validation Failed", "errors": ["no"]}},
}
# And of one that it fulfils at last.
PASSING: dict[str, dict[str, Any]] = {
    "502 unstored": {"status": 502},
    "dropped stored": {"drop": True, "stored": True},
    "429": {"status": 429, "headers": {"Retry-After": "7"}, "body": LIMIT},
}


class Ran(NamedTuple):
    """`document` is the report on stdout, None where there was none."""

    code: int
    document: dict[str, Any] | None
    said: str
    writes: list[Exchange]
    naps: list[float]

    @property
    def lost(self) -> list[str]:
        rows = self.document["incomplete"] if self.document else []
        return [row["what"] for row in rows if row["stage"] == "publish"]


class Hub(NamedTuple):
    github: FakeGitHub
    served: FakeRepository
    heads: tuple[str, str]  # with the defects a, b, c; with b, c, d
    numbers: Iterator[int]
    skill: str


@dataclass
class Case:
    """A pull request of its own."""

    hub: Hub
    number: int
    pull: FakePull
    capsys: pytest.CaptureFixture[str]
    caplog: pytest.LogCaptureFixture
    naps: list[float] = field(default_factory=list)

    @property
    def github(self) -> FakeGitHub:
        return self.hub.github

    @property
    def command(self) -> list[str]:
        form = ["--format", "json", "--fail-on", "note", "--skill", self.hub.skill]
        return ["pr", f"acme/launcher#{self.number}", "--post", *form]

    def push(self) -> None:
        self.hub.served.bare.git("update-ref", f"refs/heads/{self.pull.head}", self.hub.heads[1])

    def fails(self, method: str, path: str, **how: Any) -> None:
        self.github.faults.append(Fault(method, path, **how))

    def run(self, *options: str, bug: bool = False) -> Ran:
        """`reviewbot pr --post`, and what holds of every run. bug: whether one of ours is expected."""
        before, naps = len(self.github.writes), len(self.naps)
        code = cli.run([*self.command, *options])
        out, err = self.capsys.readouterr()
        assert self.github.token not in out + err + self.caplog.text
        assert "Traceback" not in err
        assert ("internal error" in err) == bug, err
        self.sound()
        document = json.loads(out) if out else None
        return Ran(code, document, err, self.github.writes[before:], self.naps[naps:])

    def sound(self) -> None:
        assert len(self.summaries) <= 1
        assert max(self.told().values(), default=1) == 1, self.told()
        answers = Counter(c["body"].rpartition("\n")[2] for c in self.answers)
        assert max(answers.values(), default=1) == 1, answers
        assert "success" not in [run["conclusion"] for run in self.pull.check_runs]

    @property
    def summaries(self) -> list[str]:
        bodies = [c["body"] for c in self.pull.comments if c["user"]["login"] == self.github.me]
        return [body for body in bodies if '"kind":"summary"' in body]

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [c for c in self.pull.review_comments if c.get("in_reply_to_id")]

    def told(self) -> Counter[str]:
        """The fingerprints of our comments on lines."""
        tops = (c["body"] for c in self.pull.review_comments if not c.get("in_reply_to_id"))
        return Counter(body.split('"fingerprints":["')[1].split('"')[0] for body in tops)

    def checks(self) -> list[tuple[str, str]]:
        return [(run["status"], run["conclusion"]) for run in self.pull.check_runs]

    def page(self) -> str:
        """All that people can see of the review as a whole."""
        outputs = [run["output"] for run in self.pull.check_runs]
        return "\n".join([*self.summaries, *(f"{o['title']}\n{o['summary']}" for o in outputs)])

    def healed(self) -> None:
        """The fault is gone: one more run makes everything whole."""
        self.github.faults.clear()
        ran = self.run()
        assert (ran.code, ran.lost) == (1, [])
        self.whole(ran)

    def whole(self, ran: Ran) -> None:
        assert ran.document is not None
        wanted = {f["fingerprint"] for f in ran.document["findings"]}
        assert len(wanted) == 3
        assert set(self.told()) >= wanted
        [summary] = self.summaries
        assert summary.startswith("**3 findings** (")
        newest = max(self.pull.check_runs, key=lambda run: int(run["id"]))
        assert (newest["status"], newest["conclusion"]) == ("completed", "neutral")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    folder = tmp_path_factory.mktemp("hub")
    skill = Repo(folder / "skills").write("verifiers/SKILL.md", SKILL)
    repo = Repo(folder / "work")
    repo.write("README.md", "A launcher.\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    heads = []
    for defects in ("abc", "bcd"):
        repo.write(NAME, "".join(map(VERIFIER.format, defects)))
        heads.append(repo.commit(defects))
    with fake_github(folder) as github:
        yield Hub(github, github.repository(repo.path), (heads[0], heads[1]), count(1), str(skill))


@pytest.fixture
def it(
    hub: Hub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> Iterator[Case]:
    number = next(hub.numbers)
    hub.served.check_runs.clear()
    hub.served.bare.git("update-ref", f"refs/heads/p{number}", hub.heads[0])
    case = Case(hub, number, hub.served.pull(number, f"p{number}"), capsys, caplog)
    monkeypatch.setenv("GITHUB_API_URL", hub.github.url)
    monkeypatch.setenv("GITHUB_SERVER_URL", hub.github.server)
    monkeypatch.setenv("GITHUB_TOKEN", hub.github.token)
    monkeypatch.setitem(Client.__init__.__kwdefaults__, "sleep", case.naps.append)
    caplog.set_level(logging.DEBUG)
    yield case
    hub.github.faults.clear()
    assert hub.github.violations == []


# --- answers that are lost, and limits that pass ---------------------------------------------


@pytest.mark.parametrize("how", PASSING)
def test_a_fault_that_passes_costs_nothing(it: Case, how: str) -> None:
    """At every write of a first review, and of one after a push."""
    once = ("POST", CHECKS), ("POST", SUMMARIES), ("POST", REVIEWS), ("PATCH", SUMMARY), ("PATCH", CHECK)
    for method, path in once:
        it.fails(method, path, **PASSING[how])
    first = it.run()
    assert (first.code, first.lost, it.github.faults) == (1, [], [])
    it.whole(first)
    assert it.run().writes == []
    it.push()
    again = *once[:1], ("PATCH", SUMMARY), *once[2:3], ("POST", SINGLES), ("POST", RESOLVE), once[4]
    for method, path in again:
        it.fails(method, path, **PASSING[how])
    second = it.run()
    assert (second.code, second.lost, it.github.faults) == (1, [], [])
    it.whole(second)
    assert len(it.answers) == 1
    assert [t.resolved for t in it.pull.threads] == [True, False, False, False]
    assert it.run().writes == []


# --- faults that last ------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["502", "permission", "422"])
def test_where_the_check_run_cannot_begin(it: Case, how: str) -> None:
    it.fails("POST", CHECKS, times=-1, **LASTING[how])
    ran = it.run()
    if how in ("permission", "401", "404"):
        before_work(it, ran)
    else:
        assert (ran.code, ran.lost) == (3, ["the check run"])
        assert "the check run" in it.page()
        assert len(it.told()) == 3
    it.healed()


@pytest.mark.parametrize("how", ["secondary", "401", "404"])
def test_where_the_summary_cannot_be_made(it: Case, how: str) -> None:
    it.fails("POST", SUMMARIES, times=-1, **LASTING[how])
    ran = it.run()
    if how in ("permission", "401", "404"):
        before_work(it, ran)
    else:
        assert (ran.code, ran.lost) == (3, ["the summary comment"])
        assert "the summary comment" in it.page()
        assert len(it.told()) == 3
    assert it.checks() in ([("completed", "neutral")], [])
    it.healed()


def before_work(it: Case, ran: Ran) -> None:
    """Nothing was done that would be lost."""
    assert (ran.code, ran.document) == (2, None)
    assert "GitHub" in ran.said
    assert it.summaries == it.pull.review_comments == []
    assert it.checks() in ([("completed", "neutral")], [])


@pytest.mark.parametrize("how", ["502", "dropped", "permission", "an hour", "422"])
def test_where_the_comments_cannot_be_posted(it: Case, how: str) -> None:
    it.fails("POST", REVIEWS, times=-1, **LASTING[how])
    ran = it.run()
    all_found(ran)
    assert it.checks() == [("completed", "neutral")]
    if how == "422":
        assert (ran.code, ran.lost) == (1, [])
        assert len(it.told()) == 3
    else:
        assert (ran.code, ran.lost) == (3, ["the comments on lines"])
        assert "the comments on lines" in it.page()
        assert it.page().count("`assert` in a") >= 3
    it.healed()


@pytest.mark.parametrize("how", ["502", "secondary", "422"])
def test_where_single_comments_cannot_be_posted(it: Case, how: str) -> None:
    """The second of three."""
    it.fails("POST", REVIEWS, status=422)
    it.fails("POST", SINGLES, status=0)
    it.fails("POST", SINGLES, times=-1, **LASTING[how])
    ran = it.run()
    all_found(ran)
    assert len(it.told()) == 1
    assert it.checks() == [("completed", "neutral")]
    if how == "422":
        assert (ran.code, ran.lost) == (1, [])
        assert "Validation Failed" in it.page()
    else:
        assert (ran.code, ran.lost) == (3, ["2 comments on lines"])
        assert "2 comments on lines" in it.page()
        it.healed()


@pytest.mark.parametrize("how", ["502", "permission", "404", "422"])
def test_where_the_summary_cannot_be_ended(it: Case, how: str) -> None:
    if how == "404":
        it.fails("PATCH", SUMMARY, status=404, then=it.pull.comments.clear)
        ran = it.run()
        assert (ran.code, ran.lost) == (1, [])
        it.whole(ran)
        return
    it.fails("PATCH", SUMMARY, times=-1, **LASTING[how])
    ran = it.run()
    all_found(ran)
    assert (ran.code, ran.lost) == (3, ["the summary comment"])
    assert it.checks() == [("completed", "neutral")]
    assert "the summary comment" in it.page()
    assert len(it.told()) == 3
    it.healed()


@pytest.mark.parametrize("how", ["dropped", "permission", "422"])
def test_where_the_check_run_cannot_be_ended(it: Case, how: str) -> None:
    it.fails("PATCH", CHECK, times=-1, **LASTING[how])
    ran = it.run()
    all_found(ran)
    assert (ran.code, ran.lost) == (3, ["the end of the check run"])
    assert "the end of the check run" in it.summaries[0]
    assert len(it.told()) == 3
    it.healed()


@pytest.mark.parametrize("how", ["502", "secondary", "404"])
def test_where_a_thread_cannot_be_answered(it: Case, how: str) -> None:
    it.run()
    it.push()
    it.fails("POST", SINGLES, times=-1, **LASTING[how])
    ran = it.run()
    all_found(ran)
    assert (ran.code, ran.lost) == (3, [f"the answer in a conversation on {NAME}"])
    assert "the answer in a conversation" in it.page()
    assert len(it.told()) == 4
    it.healed()
    assert len(it.answers) == 1
    assert [t.resolved for t in it.pull.threads] == [True, False, False, False]


@pytest.mark.parametrize("how", ["502", "permission", "secondary", "404"])
def test_where_a_thread_cannot_be_resolved(it: Case, how: str) -> None:
    """A right that is missing is nothing that was lost; an answer of GitHub's that never came is."""
    it.run()
    it.push()
    it.fails("POST", RESOLVE, times=-1, **LASTING[how])
    ran = it.run()
    all_found(ran)
    assert len(it.answers) == 1
    assert it.checks()[-1] == ("completed", "neutral")
    if how in ("permission", "404", "422"):
        assert (ran.code, ran.lost) == (1, [])
        assert ("may not resolve" if how == "permission" else "stays as it was") in it.page()
        return
    assert (ran.code, ran.lost) == (3, [f"the end of a conversation on {NAME}"])
    assert "the end of a conversation" in it.page()
    it.healed()
    assert len(it.answers) == 1
    assert [t.resolved for t in it.pull.threads] == [True, False, False, False]


def all_found(ran: Ran) -> None:
    assert ran.document is not None
    assert len(ran.document["findings"]) == 3


# --- reads -----------------------------------------------------------------------------------

PULL, COMMENTS, COMPARE = r".*/pulls/\d+", r".*/issues/\d+/comments", r".*/compare/.*"
READS = {"pull": ("GET", PULL), "said": ("POST", "graphql:viewer"), "comments": ("GET", COMMENTS)}
READS |= {"compare": ("GET", COMPARE)}
NONSENSE: dict[str, Any] = {
    "a page": b"<html>Bad gateway</html>",
    "nothing": b"",
    "a list": [7],
    "a word": "moved",
    "other keys": {"data": {"viewer": None, "repository": {"pullRequest": {}}}, "base": 7, "head": []},
    "an error": {"errors": [{"message": "Something went wrong while executing your query."}]},
}


@pytest.mark.parametrize("read", READS)
def test_a_read_that_fails_ends_it_before_the_work(it: Case, read: str) -> None:
    it.fails(*READS[read], status=500, times=-1)
    ran = it.run()
    assert (ran.code, ran.document, ran.writes) == (2, None, [])
    assert "GitHub fails with 500" in ran.said
    assert ran.naps == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("answer", NONSENSE)
@pytest.mark.parametrize("read", READS)
def test_an_answer_of_another_form_ends_it_before_the_work(it: Case, read: str, answer: str) -> None:
    it.fails(*READS[read], status=200, body=NONSENSE[answer], times=-1)
    ran = it.run()
    assert (ran.code, ran.document, ran.writes) == (2, None, [])
    assert ran.said.count("\n") == 1


def test_reads_that_fail_twice_are_repeated(it: Case) -> None:
    for read in READS.values():
        it.fails(*read, status=503, times=2)
    it.fails("GET", REVIEWS + r"/\d+/comments", drop=True)
    ran = it.run()
    assert (ran.code, ran.lost, it.github.faults) == (1, [], [])
    it.whole(ran)


@pytest.mark.parametrize("body", [{"message": "Server Error"}, {"head": None}])
def test_a_head_that_is_not_told_at_the_end_is_said(it: Case, body: Any) -> None:
    it.fails("GET", PULL, status=0)
    it.fails("GET", PULL, status=200 if body != {"message": "Server Error"} else 500, body=body, times=-1)
    ran = it.run()
    assert (ran.code, ran.lost) == (1, [])
    assert "did not say whether the pull request has moved on" in it.page()
    it.github.faults.clear()
    it.whole(ran)


@pytest.mark.parametrize("body", [{"message": "Server Error"}, {"data": {"viewer": {"login": 7}}}])
def test_what_was_said_meanwhile_and_is_not_told_stops_nothing(it: Case, body: Any) -> None:
    it.fails("POST", "graphql:viewer", status=0)
    status = 500 if body == {"message": "Server Error"} else 200
    it.fails("POST", "graphql:viewer", status=status, body=body, times=-1)
    ran = it.run()
    assert (ran.code, ran.lost) == (1, [])
    it.whole(ran)


@pytest.mark.parametrize("body", [{"message": "Server Error"}, [{"id": 1}]])
def test_comments_that_cannot_be_read_back_are_posted_once(it: Case, body: Any) -> None:
    status = 500 if body == {"message": "Server Error"} else 200
    it.fails("GET", REVIEWS + r"/\d+/comments", status=status, body=body, times=-1)
    ran = it.run()
    assert (ran.code, ran.lost) == (3, ["the comments on lines"])
    assert len(it.told()) == 3
    it.healed()


def test_a_token_that_is_none_of_githubs_ends_it_before_the_work(
    it: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghs_" + "wrong" * 8)
    ran = it.run()
    assert (ran.code, ran.document, ran.writes) == (2, None, [])
    assert "set GITHUB_TOKEN" in ran.said
    assert "wrongwrong" not in ran.said + it.caplog.text


def test_a_server_that_is_not_there_ends_it_before_the_work(
    it: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{free.getsockname()[1]}")
        ran = it.run()
    assert (ran.code, ran.document, ran.naps) == (2, None, [1.0, 2.0, 4.0])
    assert "GitHub cannot be reached" in ran.said


@pytest.mark.parametrize(("lacks", "named"), [("checks", "checks: write"), ("issues", "issues: write")])
def test_d20_a_permission_that_is_missing_is_named(it: Case, lacks: str, named: str) -> None:
    it.github.lacking.add(lacks)
    try:
        ran = it.run()
    finally:
        it.github.lacking.clear()
    before_work(it, ran)
    assert f"the token lacks {named}" in ran.said
    it.healed()


# --- answers to writes -----------------------------------------------------------------------


def test_answers_that_cannot_be_read_are_lost_answers(it: Case) -> None:
    for path in (CHECKS, SUMMARIES, REVIEWS):
        it.fails("POST", path, status=201, stored=True, body=b"<html>")
    ran = it.run()
    assert (ran.code, ran.lost, it.github.faults) == (1, [], [])
    assert len(ran.writes) == 5
    it.whole(ran)


def test_d17_a_time_out_is_a_lost_answer(it: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each write the first answer comes too late."""
    send, seen = requests.Session.send, set()

    def late(self: requests.Session, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        answer, write = send(self, request, **options), (request.method, str(request.url))
        if request.method != "GET" and not write[1].endswith("graphql") and write not in seen:
            seen.add(write)
            raise requests.ReadTimeout("too late")
        return answer

    monkeypatch.setattr(requests.Session, "send", late)
    ran = it.run()
    assert (ran.code, ran.lost, len(seen)) == (1, [], 5)
    it.whole(ran)


def test_d21_a_token_that_ends_in_the_middle(it: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is lost but the report; with a new token all is made good."""
    it.fails("GET", PULL, status=0)
    it.fails("GET", PULL, status=0, then=lambda: setattr(it.github, "token", "ghs_" + "another" * 6))
    old = it.github.token
    ran = it.run()
    all_found(ran)
    assert ran.code == 3
    assert old not in ran.said
    monkeypatch.setenv("GITHUB_TOKEN", it.github.token)
    it.healed()


def test_d19_a_limit_of_an_hour_is_not_waited_for(it: Case) -> None:
    it.fails("POST", REVIEWS, times=-1, **LASTING["an hour"])
    assert sum(it.run().naps) < 120


def test_d18_a_limit_without_a_word_is_waited_for_a_minute(it: Case) -> None:
    it.fails("POST", REVIEWS, **LASTING["secondary"])
    ran = it.run()
    assert (ran.code, ran.naps) == (1, [60.0])


# --- the work itself fails -------------------------------------------------------------------


def broken(*_: Any, **__: Any) -> Any:
    raise RuntimeError("a bug")


def interrupted(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize(("how", "code"), [(broken, 3), (interrupted, 130)])
def test_d37_a_crash_ends_the_check_run_and_the_summary(
    it: Case, monkeypatch: pytest.MonkeyPatch, how: Any, code: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(pull, "review", how)
        ran = it.run(bug=how is broken)
    assert (ran.code, ran.document) == (code, None)
    assert it.checks() == [("completed", "neutral")]
    assert it.summaries[0].startswith("**Not reviewed**")
    it.healed()


def test_d37_a_detector_that_raises(it: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    found = DETECTORS["assert-in-verifier"]
    with monkeypatch.context() as patch:
        patch.setitem(
            DETECTORS, "assert-in-verifier", found._replace(finders=dict.fromkeys(found.finders, broken))
        )
        ran = it.run()
    assert ran.document is not None
    assert (ran.code, [row["stage"] for row in ran.document["incomplete"]]) == (3, ["detect"])
    assert it.checks() == [("completed", "neutral")]
    assert "assert-in-verifier" in it.page()
    it.healed()


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGKILL])
def test_a_process_that_is_ended(it: Case, kind: signal.Signals) -> None:
    """A job that is cancelled says so; one that is killed cannot, and the next one brings it to its end."""
    running: list[subprocess.Popen[str]] = []
    it.fails("GET", PULL, status=0)
    it.fails("GET", PULL, status=0, then=lambda: running[0].send_signal(kind))
    command = [sys.executable, "-m", "reviewbot", *it.command]
    running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    out, err = running[0].communicate(timeout=60)
    assert it.github.token not in out + err
    assert "Traceback" not in err
    it.sound()
    if kind == signal.SIGTERM:
        assert (running[0].returncode, it.checks()) == (130, [("completed", "neutral")])
        assert it.summaries[0].startswith("**Not reviewed**")
    else:
        assert it.summaries[0].startswith("**Reviewing**")
    it.healed()


@pytest.mark.parametrize(
    ("write", "stored"),
    [(CHECKS, True), (SUMMARIES, False), (SUMMARIES, True), (REVIEWS, True), (CHECK, False)],
)
def test_an_interruption_in_the_middle_of_a_write(
    it: Case, monkeypatch: pytest.MonkeyPatch, write: str, stored: bool
) -> None:
    """Whether GitHub had it already or not: no check run is left open, no summary says that it runs."""
    send, seen = requests.Session.send, []

    def stopped(self: requests.Session, request: requests.PreparedRequest, **options: Any) -> Any:
        mine = request.method != "GET" and re.fullmatch(write, str(request.url)) and not seen
        answer = send(self, request, **options) if stored or not mine else None
        if mine:
            seen.append(write)
            raise KeyboardInterrupt
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(requests.Session, "send", stopped)
        ran = it.run()
    assert ran.code == 130
    assert all(state == ("completed", "neutral") for state in it.checks())
    assert all(text.startswith("**Not reviewed**") for text in it.summaries)
    it.healed()
