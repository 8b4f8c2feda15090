"""Kinds of pull requests at the front door: stacked, from forks, rewritten while they are read, closed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.github import FakePull, FakeRepository, Fault
from tests.pulls import Launched, documents, made, reviewed

SAFE = "#!/usr/bin/env bash\nset -euo pipefail\necho ready\n"
WAITS = """#!/usr/bin/env bash
set -euo pipefail

vllm serve --port 8000 &
SERVER_PID=$!
trap 'kill "$SERVER_PID"' EXIT
until curl --silent --fail http://localhost:8000/health > /dev/null; do
    sleep 5
done
"""
BASE = {"run_eval.sh": SAFE, "README.md": "A launcher.\n"}
CHANGE = {"run_eval.sh": WAITS}
UPPER = {"run_train.sh": WAITS.replace("8000", "9000")}
MARK = "<!-- reviewbot:1"


@pytest.fixture
def it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with made(tmp_path, monkeypatch, BASE, CHANGE) as launched:
        yield launched


def summary(it: Launched) -> str:
    [comment] = [c for c in it.pull.comments if c["user"]["login"] == it.github.me]
    return comment["body"]


def tops(pull: FakePull) -> list[dict[str, Any]]:
    return [c for c in pull.review_comments if not c.get("in_reply_to_id")]


def conclusions(it: Launched) -> list[str | None]:
    return [run["conclusion"] for run in it.pull.repository.check_runs]


def stack(it: Launched) -> FakePull:
    """Pull request 8, `upper`, on top of 7; `it.work` stands on it."""
    it.work.git("checkout", "-q", "-b", "upper")
    it.work.write("run_train.sh", UPPER["run_train.sh"])
    it.work.commit("upper")
    it.work.git("push", "-q", str(it.pull.repository.path), "HEAD:refs/heads/upper")
    return it.pull.repository.pull(8, "upper", "change")


def run8(capsys: pytest.CaptureFixture[str]) -> int:
    from reviewbot import cli

    code = cli.run(["pr", "acme/launcher#8", "--post"])
    capsys.readouterr()
    return code


@pytest.mark.parametrize("squashed", [False, True])
def test_a_stacked_pull_request_is_retargeted(
    it: Launched, capsys: pytest.CaptureFixture[str], squashed: bool
):
    upper = stack(it)
    assert run8(capsys) == 1
    [first] = upper.comments
    assert "Stacked on \\#\u200b7: merge that first." in first["body"]  # names it, and leaves no trace there
    assert [t.path for t in upper.threads] == ["run_train.sh"]
    assert "run_eval.sh" not in first["body"]
    lower_is_merged(it, upper, squashed)
    writes = len(it.github.writes)
    assert run8(capsys) == 1
    assert "Stacked on" not in upper.comments[0]["body"]
    assert "against " + upper.merge_base[:7] in upper.comments[0]["body"]
    assert len(it.github.writes) > writes
    # A squashed lower one is part of the upper one's diff by GitHub's three dots as well.
    paths = ["run_train.sh", "run_eval.sh"] if squashed else ["run_train.sh"]
    assert [c["path"] for c in tops(upper)] == paths
    assert [t.resolved for t in upper.threads] == [False] * len(paths)
    assert len(upper.review_comments) == len(paths)


def test_a_stacked_pull_request_is_rebased_after_its_lower_one_was_squashed(
    it: Launched, capsys: pytest.CaptureFixture[str]
):
    """What GitHub showed of the lower one in between is closed, and the rest keeps its thread."""
    upper = stack(it)
    assert run8(capsys) == 1
    lower_is_merged(it, upper, squashed=True)
    assert run8(capsys) == 1
    it.work.git("checkout", "-q", "upper")
    it.work.git("rebase", "-q", "--onto", "main", "change")
    it.work.git("push", "-q", str(it.pull.repository.path), "+HEAD:refs/heads/upper")
    assert run8(capsys) == 1
    assert [(t.path, t.resolved) for t in upper.threads] == [("run_train.sh", False), ("run_eval.sh", True)]
    assert len(tops(upper)) == 2
    assert len(upper.threads[0].comments) == 1


def test_the_lower_branch_has_an_odd_name(it: Launched, capsys: pytest.CaptureFixture[str]):
    repository, odd = it.pull.repository, "up/a+b&c=#1%20é"
    it.work.git("push", "-q", str(repository.path), f"change:refs/heads/{odd}")
    stack(it)
    repository.pull(9, odd)
    upper = repository.pull(8, "upper", odd)
    assert run8(capsys) == 1
    assert "Stacked on \\#\u200b9" in upper.comments[0]["body"]


def lower_is_merged(it: Launched, upper: FakePull, squashed: bool) -> None:
    work = it.work
    work.git("checkout", "-q", "main")
    work.git("merge", "-q", "--squash" if squashed else "--no-ff", "change")
    if squashed:
        work.git("commit", "-q", "-m", "squashed")
    work.git("push", "-q", str(it.pull.repository.path), "main:refs/heads/main", ":refs/heads/change")
    it.pull.state, it.pull.merged = "closed", True
    upper.retarget("main")


def forked(it: Launched, *, private: bool = False) -> tuple[FakeRepository, FakePull]:
    """Pull request 8 from a fork, whose commit is not on any branch of acme/launcher."""
    it.work.git("checkout", "-q", "-b", "theirs", "main")
    it.work.write("run_train.sh", UPPER["run_train.sh"])
    it.work.commit("theirs")
    fork = it.github.repository(it.work.path, "contributor/launcher", private=private)
    return fork, it.pull.repository.pull(8, "theirs", fork=fork)


@pytest.mark.parametrize("kind", ["public", "deleted", "private"])
def test_a_fork(it: Launched, capsys: pytest.CaptureFixture[str], kind: str):
    fork, pull = forked(it, private=kind == "private")
    if kind == "deleted":
        it.github.remove(fork)
    fork.hidden = kind == "private"
    assert run8(capsys) == 1
    assert [t.path for t in pull.threads] == ["run_train.sh"]
    assert all("/contributor/" not in e.path for e in it.github.git_log)


def test_a_deleted_head_branch(it: Launched, capsys: pytest.CaptureFixture[str]):
    assert it.pull.head_sha
    it.work.git("push", "-q", str(it.pull.repository.path), ":refs/heads/change")
    assert reviewed(capsys, "--post")[0] == 1
    assert [t.path for t in it.pull.threads] == ["run_eval.sh"]


def test_a_base_that_has_moved_shows_no_deletions(it: Launched, capsys: pytest.CaptureFixture[str]):
    it.work.git("checkout", "-q", "main")
    it.work.write("run_late.sh", UPPER["run_train.sh"])
    it.work.write("README.md", "Another.\n")
    it.work.commit("meanwhile")
    it.work.git("push", "-q", str(it.pull.repository.path), "main:refs/heads/main")
    found = documents(capsys)
    assert found["coverage"]["files"] == 1
    assert [f["path"] for f in found["findings"]] == ["run_eval.sh"]
    assert found["base"] == it.pull.merge_base != it.pull.base_sha


def rewrite(it: Launched) -> None:
    """Force-push another commit, and forget the one before as GitHub does after a while."""
    it.work.git("checkout", "-q", "change")
    it.work.git("reset", "-q", "--hard", "main")
    it.work.write("run_train.sh", UPPER["run_train.sh"])
    it.push("rewritten", force=True)
    it.pull.refresh()
    bare = it.pull.repository.bare
    bare.git("reflog", "expire", "--expire=now", "--all")
    bare.git("gc", "-q", "--prune=now")


def test_a_head_that_is_gone_when_it_is_fetched(it: Launched, capsys: pytest.CaptureFixture[str]):
    """After it was read from the API; before the first write."""
    it.github.faults.append(
        Fault("GET", r"/repos/acme/launcher/compare/.*", status=0, then=lambda: rewrite(it))
    )
    code, out, err = reviewed(capsys, "--post")
    assert code == 2
    assert "moved on" in err
    assert "Traceback" not in out + err
    assert it.github.writes == []
    assert reviewed(capsys, "--post")[0] == 1
    assert [c["path"] for c in tops(it.pull)] == ["run_train.sh"]


@pytest.mark.parametrize("when", ["reading", "posting"])
def test_a_head_that_moves_before_the_comments_are_posted(
    it: Launched, capsys: pytest.CaptureFixture[str], when: str
):
    old = it.pull.head_sha

    def push() -> None:
        it.work.write("run_train.sh", UPPER["run_train.sh"])
        it.push("more")

    where = r".*/issues/7/comments" if when == "reading" else r".*/pulls/7"
    if when == "posting":  # the pull request is read at the beginning, and before the review is posted
        it.github.faults.append(Fault("GET", where, status=0))
    method = "POST" if when == "reading" else "GET"
    it.github.faults.append(Fault(method, where, status=0, then=push))
    code, out, err = reviewed(capsys, "--post", "--format", "json")
    assert code == 3, err
    assert json.loads(out)["findings"], "nothing is lost"
    assert it.pull.review_comments == []
    assert [(r["head_sha"], r["conclusion"]) for r in it.pull.repository.check_runs] == [(old, "cancelled")]
    assert "moved on" in summary(it)
    assert reviewed(capsys, "--post")[0] == 1
    assert sorted(c["path"] for c in tops(it.pull)) == ["run_eval.sh", "run_train.sh"]
    assert "Not reviewed" not in summary(it)


def test_a_force_push_while_the_review_is_posted(it: Launched, capsys: pytest.CaptureFixture[str]):
    """The last look still showed the old head: GitHub refuses the comments of a commit that is gone."""
    fault = Fault("POST", r".*/pulls/7/reviews", status=0, then=lambda: rewrite(it))
    it.github.faults.append(fault)
    code, out, _ = reviewed(capsys, "--post", "--format", "json")
    assert code == 3
    assert json.loads(out)["findings"]
    assert it.pull.review_comments == []
    assert conclusions(it) == ["cancelled"]
    assert reviewed(capsys, "--post")[0] == 1
    assert [c["path"] for c in tops(it.pull)] == ["run_train.sh"]
    assert len(it.pull.comments) == 1


def test_a_force_push_re_points_our_review_and_is_reviewed(it: Launched, capsys: pytest.CaptureFixture[str]):
    """What GitHub says a review is of is the new head, which nobody has looked at."""
    assert reviewed(capsys, "--post")[0] == 1
    it.work.git("reset", "-q", "--hard", "main")
    it.work.write("run_train.sh", UPPER["run_train.sh"])
    head = it.push("rewritten", force=True)
    assert it.pull.head_sha == head
    assert it.pull.reviews[0]["commit_id"] == head
    assert reviewed(capsys, "--post")[0] == 1
    assert [c["path"] for c in tops(it.pull)] == ["run_eval.sh", "run_train.sh"]
    assert [t.resolved for t in it.pull.threads] == [True, False]


def test_an_archived_repository(it: Launched, capsys: pytest.CaptureFixture[str]):
    it.pull.repository.archived = True
    code, _, err = reviewed(capsys, "--post")
    assert (code, it.github.writes) == (2, [])
    assert "archived" in err
    assert reviewed(capsys)[0] == 1


def test_a_locked_conversation(it: Launched, capsys: pytest.CaptureFixture[str]):
    it.pull.locked = True
    code, out, err = reviewed(capsys, "--post")
    assert (code, out) == (2, "")
    assert "issue is locked" in err
    assert conclusions(it) == ["neutral"]
    assert it.pull.comments == it.pull.review_comments == []


@pytest.mark.parametrize("merged", [False, True])
def test_one_that_is_closed_is_reviewed_where_a_person_asks(
    it: Launched, capsys: pytest.CaptureFixture[str], merged: bool
):
    it.pull.refresh()
    it.pull.state, it.pull.merged = "closed", merged
    if merged:
        it.work.git("push", "-q", str(it.pull.repository.path), "change:refs/heads/main")
    found = documents(capsys)
    assert [f["path"] for f in found["findings"]] == ["run_eval.sh"]
    assert reviewed(capsys, "--post")[0] == 1
    assert [t.path for t in it.pull.threads] == ["run_eval.sh"]


def test_another_bot_pastes_our_markers(it: Launched, capsys: pytest.CaptureFixture[str]):
    assert reviewed(capsys, "--post")[0] == 1
    stolen, inline = it.pull.comments[0]["body"], tops(it.pull)[0]["body"]
    it.pull.comments.clear()
    it.pull.threads.clear()
    it.pull.review_comments.clear()
    other = it.pull.comment("otherbot[bot]", stolen, type="Bot")
    same_name = it.pull.comment("reviewbot", stolen)  # a person of that name is not the App
    thread = it.pull.thread("otherbot[bot]", "run_eval.sh", 8, inline, type="Bot")
    assert reviewed(capsys, "--post")[0] == 1
    assert (other["body"], same_name["body"]) == (stolen, stolen)
    assert summary(it)
    mine = [c for c in tops(it.pull) if c["user"]["login"] == it.github.me]
    assert [c["path"] for c in mine] == ["run_eval.sh"]
    assert (thread.resolved, len(thread.comments)) == (False, 1)


def test_of_two_summaries_of_ours_the_older_goes_on(it: Launched, capsys: pytest.CaptureFixture[str]):
    assert reviewed(capsys, "--post")[0] == 1
    first = it.pull.comments[0]
    second = it.pull.comment(it.github.me, first["body"], type="Bot")
    it.work.write("README.md", "Words.\n")
    head = it.push("words")
    assert reviewed(capsys, "--post")[0] == 1
    assert f"Reviewed {head[:7]}" in first["body"]
    assert MARK in first["body"]
    assert second["body"] == f"The review goes on in [the first summary]({first['html_url']})."
    assert len(tops(it.pull)) == 1
    writes = len(it.github.writes)
    assert reviewed(capsys, "--post")[0] == 1
    assert len(it.github.writes) == writes


def test_what_a_person_quotes_of_a_summary_stays(it: Launched, capsys: pytest.CaptureFixture[str]):
    it.github.app, it.github.me = False, "octo-dev"
    assert reviewed(capsys, "--post")[0] == 1
    quoted = f"Why does it say so?\n\n{it.pull.comments[0]['body']}"
    mine = it.pull.comment("octo-dev", quoted)
    it.work.write("README.md", "Words.\n")
    head = it.push("words")
    assert reviewed(capsys, "--post")[0] == 1
    assert f"Reviewed {head[:7]}" in it.pull.comments[0]["body"]
    assert mine["body"] == quoted


def test_the_token_of_a_person(it: Launched, capsys: pytest.CaptureFixture[str]):
    it.github.app, it.github.me = False, "octo-dev"
    assert reviewed(capsys, "--post")[0] == 1
    assert it.pull.repository.check_runs == []
    assert "There is no check run" in summary(it)
    assert [c["path"] for c in tops(it.pull)] == ["run_eval.sh"]
    writes = len(it.github.writes)
    assert reviewed(capsys, "--post")[0] == 1
    assert len(it.github.writes) == writes


FAR = """#!/usr/bin/env bash
set -euo pipefail

{filler}
cd /opt/server
git checkout "$TAG"
python3 serve.py --config "$CONFIG"
""".replace("{filler}", "echo still preparing\n" * 30)


@pytest.mark.parametrize("app", [True, False])
def test_what_is_far_from_the_changed_lines_has_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], app: bool
):
    """An annotation; without a check run a comment on the file, on three of them."""
    base = {f"run_{n}.sh": FAR for n in range(5)}
    head = dict.fromkeys(base, FAR.replace("set -euo", "set -uo"))
    with made(tmp_path, monkeypatch, base, head) as it:
        it.github.app, it.github.me = app, "reviewbot[bot]" if app else "octo-dev"
        code, out, err = reviewed(capsys, "--post", "--format", "json")
        assert code == 1, err
        far = [f for f in json.loads(out)["findings"] if f["placement"] != "inline"]
        assert len({f["path"] for f in far}) == 5
        on_files = [c for c in tops(it.pull) if c["subject_type"] == "file"]
        assert len(on_files) == (0 if app else 3)
        if app:
            assert {a["path"] for a in it.pull.annotations(it.pull.check_runs[0])} == set(base)
        assert all(name in summary(it) for name in base)
        it.work.write("README.md", "Words.\n")
        it.push("words")
        assert reviewed(capsys, "--post")[0] == 1
        assert len([c for c in tops(it.pull) if c["subject_type"] == "file"]) == len(on_files)


SKILL = """---
name: house-rules
description: Review launchers of this house.
---
# House rules

## Scope

| stage | pattern |
|---|---|
| review | `*.sh` |

## Defect classes

1. **Unbounded wait loops.** A loop that cannot finish or cannot notice: `until curl`.
"""
OFF = '[skills]\ndisable = ["quant-launcher-review", "silent-failures"]\n'


def test_what_the_pull_request_says_of_skills_and_settings_is_not_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    base = BASE | {".reviewbot/config.toml": "# nothing yet\n"}
    head = CHANGE | {
        ".reviewbot/config.toml": "[pull]\ninline = 0\nno such thing",
        ".reviewbot/skills/house-rules/SKILL.md": SKILL,
    }
    with made(tmp_path, monkeypatch, base, head) as it:
        code, out, err = reviewed(capsys, "--post", "--format", "json")
        assert code == 1, (out, err)
        found = json.loads(out)
        assert "house-rules" not in [s["name"] for s in found["skills"]]
        assert [c["path"] for c in tops(it.pull)] == ["run_eval.sh"]
        text = summary(it)
        assert ".reviewbot/config.toml" in text
        assert "house-rules/SKILL.md" in text
