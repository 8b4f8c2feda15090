"""Deliveries of GitHub's webhooks about a pull request of the fake GitHub, and the command that obeys them.

Each is one of the payloads that GitHub publishes, with what the fake has put in its fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reviewbot import cli
from tests.fakes.github import FakePull
from tests.fakes.github.model import FakeThread, Json
from tests.pulls import Launched, launched

EVENTS = Path(__file__).parent / "data" / "github" / "events"
MAINTAINER, STRANGER = "octo-lead", "octo-guest"


class Replayed(NamedTuple):
    code: int
    out: str
    err: str


class Room(NamedTuple):
    """A pull request with four defects, and the command line."""

    launched: Launched
    capsys: pytest.CaptureFixture[str]
    folder: Path

    @property
    def pull(self) -> FakePull:
        return self.launched.pull

    def replay(self, event: str, payload: Json, *options: str) -> Replayed:
        """Without `--event` where `event` is ""."""
        file = self.folder / "event.json"
        file.write_text(json.dumps(payload))
        named = ("--event", event) if event else ()
        code = cli.run(["replay", str(file), *named, *options])
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        assert self.launched.github.token not in out + err
        return Replayed(code, out, err)

    def pushed(self, action: str = "opened", *options: str, **changes: Any) -> Replayed:
        return self.replay("pull_request", self.of_pull(action, **changes), *options)

    def of_pull(self, action: str, **changes: Any) -> Json:
        """The payload of a `pull_request` event."""
        payload = self._example(f"pull_request.{action}")
        self.pull.refresh()
        payload["number"] = self.pull.number
        payload["pull_request"] |= self._pull()
        return with_changes(payload, changes)

    def says(self, body: str, *options: str, by: str = MAINTAINER) -> Replayed:
        """A comment below the description."""
        return self.replay("issue_comment", self.of_comment(self.comment(body, by)), *options)

    def comment(self, body: str, by: str = MAINTAINER) -> Json:
        self.pull.refresh()
        return self.pull.comment(by, body)

    def of_comment(self, comment: Json, /, **changes: Any) -> Json:
        payload = self._example("issue_comment.created")
        payload["issue"] |= {
            "number": self.pull.number,
            "state": self.pull.state,
            "user": user(self.pull.author),
            "pull_request": {"url": self.pull.url, "html_url": self.pull.html_url},
        }
        payload["comment"] = comment
        payload["sender"] = comment["user"]
        return with_changes(payload, changes)

    def answers(self, thread: FakeThread, body: str, *options: str, by: str = MAINTAINER) -> Replayed:
        """A comment in a thread."""
        self.pull.refresh()
        comment = self.pull.reply(thread, by, body)
        return self.replay("pull_request_review_comment", self.of_answer(comment), *options)

    def of_answer(self, comment: Json) -> Json:
        payload = self._example("pull_request_review_comment.created")
        payload["pull_request"] |= self._pull()
        payload["comment"] = comment
        payload["sender"] = comment["user"]
        return payload

    def check_event(self, example: str, *options: str, **changes: Any) -> Replayed:
        """About the newest check run."""
        payload = self._example(example)
        run = self.pull.check_runs[-1]
        kept = ("id", "name", "head_sha", "external_id", "app", "pull_requests", "status", "conclusion")
        payload["check_run"] |= {key: run[key] for key in kept}
        event = example.partition(".")[0]
        return self.replay(event, with_changes(payload, changes), *options)

    def suite_event(self, head: str, *options: str) -> Replayed:
        payload = self._example("check_suite.rerequested")
        payload["check_suite"] |= {"head_sha": head, "pull_requests": []}
        payload["check_suite"]["app"]["slug"] = "reviewbot"
        return self.replay("check_suite", payload, *options)

    def _example(self, name: str) -> Json:
        payload: Json = json.loads((EVENTS / f"{name}.json").read_text())
        if "repository" in payload:
            repository = self.pull.repository
            payload["repository"] |= {"full_name": repository.name, "id": repository.id}
        return payload

    def _pull(self) -> Json:
        pull = self.pull
        home = {"id": pull.repository.id, "full_name": pull.repository.name}
        return {
            "number": pull.number,
            "state": pull.state,
            "draft": pull.draft,
            "merged": pull.merged,
            "user": user(pull.author),
            "head": {"ref": pull.head, "sha": pull.heads[-1], "repo": home},
            "base": {"ref": pull.base, "sha": pull.base_seen, "repo": home},
        }

    @property
    def summaries(self) -> list[str]:
        return [c["body"] for c in self.pull.comments if '"kind":"summary"' in c["body"]]

    @property
    def summary(self) -> str:
        [body] = self.summaries
        return body

    @property
    def replies(self) -> list[str]:
        """Our answers to commands, wherever they stand."""
        every = (*self.pull.comments, *self.pull.review_comments)
        return [c["body"] for c in every if '"state":"command"' in c["body"]]

    def reactions(self, comment: Json) -> list[str]:
        return [r["content"] for r in self.launched.github.reactions.get(comment["node_id"], [])]

    def thread(self, path: str) -> FakeThread:
        [found] = [t for t in self.pull.threads if t.path == path]
        return found

    def writes(self) -> int:
        return len(self.launched.github.writes)


def user(login: str, type: str = "User") -> Json:
    return {"login": login, "id": 9, "type": type}


def with_changes(payload: Json, changes: Json) -> Json:
    """A change names its field with "__" for each dot."""
    for place, value in changes.items():
        *parents, last = place.split("__")
        at = payload
        for parent in parents:
            at = at.setdefault(parent, {})
        at[last] = value
    return payload


@pytest.fixture
def room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Room]:
    """Somebody may write to the repository, and somebody only read it."""
    with launched(tmp_path, monkeypatch) as it:
        it.pull.repository.permissions |= {MAINTAINER: "write", STRANGER: "read"}
        yield Room(it, capsys, tmp_path)
        assert it.github.violations == []
