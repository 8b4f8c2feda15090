"""The steps of the Action, run by a script outside of GitHub: event, environment files, the fake GitHub."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.deliveries import Room
from tests.deliveries import room as room
from tests.fakes.github import FakePull
from tests.fakes.github.model import Json
from tests.repos import Repo
from tests.steps import ACTION, ROOT, Job, Ran, environment

HOSTILE = (
    "$(touch owned)`touch owned`';touch owned;\"\n"
    "::set-output name=verdict::clean ##[add-mask]x ${{ github.token }}"
)
ZEROS = "0" * 40


class Bench(NamedTuple):
    """A pull request with four defects, and a runner in the checkout of it."""

    room: Room
    programs: Path  # a folder on the PATH

    def run(self, event: str, payload: Json, /, env: dict[str, str] | None = None, **inputs: str) -> Ran:
        github = self.room.launched.github
        work = self.room.launched.work.path
        around = environment(
            **{"GITHUB_TOKEN": github.token} | (env or {}),
            PATH=f"{self.programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            GITHUB_API_URL=github.url,
            GITHUB_SERVER_URL=github.server,
            GITHUB_REPOSITORY="acme/launcher",
            GITHUB_RUN_ID="77",
        )
        job = Job(self.room.folder / "job", Path(work), around)
        given = {"install": "false"} | {name.replace("_", "-"): value for name, value in inputs.items()}
        ran = job.run(event, json.dumps(payload), given)
        assert "Traceback" not in ran.log
        secret = github.token
        assert [line for line in ran.log.splitlines() if secret in line] in ([], [f"::add-mask::{secret}"])
        assert secret not in ran.summary
        assert not list(Path(work).rglob("owned"))
        return ran

    def pushed(self, before: str, after: str, /, ref: str = "refs/heads/main", **inputs: str) -> Ran:
        return self.run("push", push(before, after, ref), **inputs)


def push(before: str, after: str, ref: str = "refs/heads/main", default: str = "main") -> Json:
    return {
        "ref": ref,
        "before": before,
        "after": after,
        "repository": {"full_name": "acme/launcher", "default_branch": default},
    }


@pytest.fixture
def bench(room: Room, tmp_path: Path) -> Bench:
    programs = tmp_path / "programs"
    programs.mkdir()
    program(programs, "reviewbot", f'exec env PYTHONPATH="{ROOT}" "{sys.executable}" -P -m reviewbot "$@"')
    return Bench(room, programs)


def program(folder: Path, name: str, body: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/bash\n{body}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def at(bench: Bench, name: str) -> str:
    return bench.room.launched.work.git("rev-parse", name)


def of_fork(bench: Bench) -> tuple[FakePull, Json]:
    """Pull request 8 of a fork, and the event of it. The token reads only."""
    it = bench.room.launched
    fork = it.github.repository(it.work.path, "contributor/launcher")
    pull = it.pull.repository.pull(8, it.pull.head, fork=fork)
    pull.refresh()
    it.github.lacking |= {"pull_requests", "issues", "checks"}
    payload = bench.room.of_pull("opened", pull_request__number=8)
    payload["pull_request"]["head"] = {
        "ref": pull.head,
        "sha": pull.heads[-1],
        "repo": {"full_name": "contributor/launcher", "id": 99},
    }
    return pull, payload


# --- pull requests ------------------------------------------------------------------------


def test_a_branch_of_ones_own_is_reviewed_and_posted(bench: Bench) -> None:
    ran = bench.run("pull_request", bench.room.of_pull("opened"))
    assert (ran.code, ran.outputs["verdict"], ran.outputs["findings"]) == (0, "findings", "4"), ran.log
    assert len(bench.room.pull.threads) == 4
    assert "**findings**: 4 new" in ran.summary
    assert f"Posted: {bench.room.pull.html_url}".replace("://", ":\u200b//") in ran.summary
    assert ran.outputs["hand-over"] == ""
    assert Path(ran.outputs["report"]).read_text().startswith("<!doctype html>")
    sarif = json.loads(Path(ran.outputs["sarif"]).read_text())
    assert sarif["version"] == "2.1.0"
    assert len(sarif["runs"][0]["results"]) >= 4  # with what is worth a second look
    levels = re.findall(r"^::(error|warning|notice) file=(\S+?),line=", ran.log, re.MULTILINE)
    assert len(levels) == 4, ran.log
    [upload] = ran.used
    assert upload.name.startswith("actions/upload-artifact@")
    assert upload.given["path"].split() == [ran.outputs[n] for n in ("report", "sarif")]


def test_the_token_is_masked_before_anything_is_said(bench: Bench) -> None:
    ran = bench.run("pull_request", bench.room.of_pull("opened"), anthropic_api_key="", post="never")
    assert ran.log.splitlines()[0] == f"::add-mask::{bench.room.launched.github.token}"
    assert bench.room.writes() == 0
    assert "`post` is `never`" in ran.summary


def test_a_step_that_runs_again_fails_again(bench: Bench) -> None:
    payload = bench.room.of_pull("opened")
    first = bench.run("pull_request", payload, fail_on="warning")
    before = bench.room.writes()
    again = bench.run("pull_request", payload, fail_on="warning")
    assert (first.code, again.code) == (1, 1)
    assert again.outputs["findings"] == "4"
    assert bench.room.writes() == before
    assert "nothing has changed since the last review" in again.summary
    assert [used.name.partition("@")[0] for used in again.used] == ["actions/upload-artifact"]


def test_a_draft_waits(bench: Bench) -> None:
    bench.room.pull.draft = True
    ran = bench.run("pull_request", bench.room.of_pull("opened"))
    assert (ran.code, ran.outputs["verdict"]) == (0, "none")
    assert "is a draft" in ran.summary
    assert bench.room.writes() == 0


def test_a_fork_is_reviewed_and_nothing_is_posted(bench: Bench) -> None:
    pull, payload = of_fork(bench)
    ran = bench.run("pull_request", payload)
    assert (ran.code, ran.outputs["verdict"], ran.outputs["findings"]) == (0, "findings", "4"), ran.log
    assert (bench.room.writes(), pull.threads) == (0, [])
    assert ran.summary.startswith(
        "> The pull request is from a fork, so this run has a token that only reads"
    )
    handed = json.loads(Path(ran.outputs["hand-over"]).read_text())
    assert handed == {
        "schema": "reviewbot.hand-over/1",
        "repo": "acme/launcher",
        "number": 8,
        "head": pull.heads[-1],
    }
    assert ran.outputs["hand-over"] in ran.used[0].given["path"]
    assert bench.run("pull_request", payload, fail_on="warning").code == 1


def test_a_fork_gets_no_model_and_executes_nothing(bench: Bench) -> None:
    _, payload = of_fork(bench)
    key = "sk-ant-of-nobody-at-all"
    ran = bench.run(
        "pull_request", payload, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}, anthropic_api_key=key
    )
    assert (ran.code, ran.outputs["incomplete"]) == (0, "0"), ran.log
    assert f"::add-mask::{key}" in ran.log.splitlines()
    assert key not in ran.summary


def test_dependabot_has_a_token_that_reads(bench: Bench) -> None:
    payload = bench.room.of_pull("opened", pull_request__user={"login": "dependabot[bot]"})
    ran = bench.run("pull_request", payload)
    assert (ran.code, bench.room.writes()) == (0, 0)
    assert "pull requests of Dependabot" in ran.summary
    assert ran.outputs["hand-over"]


def test_a_token_that_lacks_a_permission_is_one_line(bench: Bench) -> None:
    bench.room.launched.github.lacking |= {"pull_requests", "issues"}
    ran = bench.run("pull_request", bench.room.of_pull("opened"))
    assert (ran.code, ran.outputs["verdict"]) == (2, "incomplete")
    assert re.fullmatch(
        r"\*\*Not reviewed:\*\* no review can be posted on .*the token lacks .*\n", ran.summary
    )
    assert "::error title=reviewbot::no review can be posted" in ran.log


def test_words_of_strangers_reach_neither_a_shell_nor_the_runner(bench: Bench) -> None:
    payload = bench.room.of_pull(
        "opened",
        pull_request__title=HOSTILE,
        pull_request__body=HOSTILE,
        pull_request__head__ref=HOSTILE,
        pull_request__user={"login": HOSTILE},
    )
    ran = bench.run("pull_request", payload)
    assert (ran.code, ran.outputs["verdict"]) == (0, "findings")
    for words in (HOSTILE, f"refs/heads/{HOSTILE}"):
        ran = bench.run("push", push(ZEROS, at(bench, "HEAD"), f"refs/heads/{HOSTILE}", f"x{words}"))
        assert ran.code == 2
        commands = [line for line in ran.log.splitlines() if line.startswith("::")]
        assert {line.split("::")[1].split(" ")[0] for line in commands} == {"add-mask", "error"}
        assert "##[" not in "".join(line for line in ran.log.splitlines() if not line.startswith("::"))
        assert len(ran.summary.splitlines()) == 1


def test_pull_request_target_with_a_checkout_of_the_head_is_refused(bench: Bench) -> None:
    payload = bench.room.of_pull("opened")
    ran = bench.run("pull_request_target", payload)
    assert (ran.code, bench.room.writes()) == (2, 0)
    assert "has checked out the head of the pull request" in ran.summary
    bench.room.launched.work.git("checkout", "-q", "refs/remotes/origin/main")
    assert bench.run("pull_request_target", payload).code == 0
    assert len(bench.room.pull.threads) == 4


# --- pushes and merge queues --------------------------------------------------------------


def test_a_push_is_reviewed_in_the_checkout(bench: Bench) -> None:
    ran = bench.pushed(at(bench, "refs/remotes/origin/main"), at(bench, "HEAD"), fail_on="warning")
    assert (ran.code, ran.outputs["findings"]) == (1, "4"), ran.log
    assert (bench.room.writes(), bench.room.launched.github.git_log) == (0, [])


def test_a_shallow_checkout_is_helped_out(bench: Bench, tmp_path: Path) -> None:
    before, after = at(bench, "refs/remotes/origin/main"), at(bench, "HEAD")
    shallow = tmp_path / "shallow"
    served = bench.room.pull.repository.path
    bench.room.launched.work.git("clone", "-q", "--depth=1", f"file://{served}", str(shallow))
    it = bench.room.launched._replace(work=Repo(shallow))
    small = bench._replace(room=bench.room._replace(launched=it))
    ran = small.run("push", push(before, after), fail_on="warning")
    assert (ran.code, ran.outputs["findings"]) == (1, "4"), ran.log
    lost = small.run("push", push("1" * 40, after))
    assert (lost.code, lost.outputs["verdict"]) == (2, "incomplete")
    assert "knows no common ancestor" in lost.summary
    no_token = small.run("push", push(before, after), {"GITHUB_TOKEN": ""})
    assert no_token.code == 2
    assert "fetch-depth: 0" in no_token.summary


def test_a_new_branch_is_compared_with_the_default_branch(bench: Bench) -> None:
    head = at(bench, "HEAD")
    ran = bench.pushed(ZEROS, head, ref="refs/heads/topic")
    assert ran.outputs["findings"] == "4", ran.log
    renamed = bench.run("push", push(ZEROS, head, "refs/heads/topic", "trunk"))
    assert (renamed.code, renamed.outputs["verdict"]) == (2, "incomplete")
    assert "a branch may have been renamed" in renamed.summary


@pytest.mark.parametrize(
    ("ref", "before", "after", "said"),
    [
        ("refs/tags/v1", ZEROS, "1" * 40, "a tag adds no commits"),
        ("refs/heads/topic", "1" * 40, ZEROS, "the branch was deleted"),
        ("refs/heads/main", ZEROS, "1" * 40, "first push of the default branch"),
    ],
)
def test_pushes_with_nothing_to_review(bench: Bench, ref: str, before: str, after: str, said: str) -> None:
    ran = bench.pushed(before, after, ref=ref)
    assert (ran.code, ran.outputs["verdict"], ran.used) == (0, "none", [])
    assert said in ran.summary


def test_a_merge_group_is_reviewed(bench: Bench) -> None:
    group = {"base_sha": at(bench, "refs/remotes/origin/main"), "head_sha": at(bench, "HEAD")}
    payload = {
        "action": "checks_requested",
        "merge_group": group,
        "repository": {"full_name": "acme/launcher"},
    }
    ran = bench.run("merge_group", payload)
    assert (ran.code, ran.outputs["findings"], bench.room.writes()) == (0, "4", 0), ran.log


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch", "star"])
def test_events_that_name_no_change(bench: Bench, event: str) -> None:
    ran = bench.run(event, {})
    assert (ran.code, ran.outputs["verdict"]) == (0, "none")
    assert "nothing to review" in ran.summary


def test_a_comment_is_obeyed(bench: Bench) -> None:
    payload = bench.room.of_comment(bench.room.comment("@reviewbot review"))
    ran = bench.run("issue_comment", payload)
    assert ran.outputs["findings"] == "4", ran.log
    assert len(bench.room.pull.threads) == 4


def test_a_file_with_a_windows_path_is_reviewed(bench: Bench) -> None:
    work = bench.room.launched.work
    before = at(bench, "HEAD")
    work.write("run\\bench.sh", "#!/bin/bash\nset -e\nlocal v=$(false)\n")
    after = work.commit()
    ran = bench.pushed(before, after)
    assert ran.code == 0, ran.log
    assert "Not reviewed" not in ran.summary


def test_a_configuration_that_does_not_parse_is_one_line(bench: Bench) -> None:
    work = bench.room.launched.work
    work.write(".reviewbot/config.toml", "[check]\nfail_onn = 1\n")
    before = work.commit()
    work.write("run.sh", "echo\n")
    ran = bench.pushed(before, work.commit())
    assert (ran.code, ran.outputs["verdict"]) == (2, "incomplete")
    [line] = ran.summary.splitlines()
    assert ".reviewbot/config.toml:2" in line


# --- an incomplete review -----------------------------------------------------------------


def unread(bench: Bench) -> tuple[str, str]:
    """The two commits of a change that cannot be read whole."""
    work = bench.room.launched.work
    before = at(bench, "HEAD")
    work.write("run_bad.sh", b"#!/bin/bash\nfalse\xff\xfe\nx=1\n" * 10)
    return before, work.commit()


def test_what_is_not_whole_fails_the_step(bench: Bench) -> None:
    before, after = unread(bench)
    ran = bench.pushed(before, after)
    assert (ran.code, ran.outputs["verdict"]) == (3, "incomplete"), ran.log
    assert "::error title=reviewbot::the review is not whole" in ran.log
    relaxed = bench.pushed(before, after, gate="false")
    assert (relaxed.code, relaxed.outputs["verdict"]) == (0, "incomplete")
    assert "::warning title=reviewbot::the review is not whole" in relaxed.log
    assert "the step does not fail by it" in relaxed.summary


def test_a_program_that_dies_leaves_no_green_summary(bench: Bench) -> None:
    program(
        bench.programs,
        "reviewbot",
        f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -c '
        "'import os, signal; from reviewbot import cli; from reviewbot.wiring import action; "
        'action.run_action = lambda work: os.kill(os.getpid(), signal.SIGKILL); cli.run(["action"])\'',
    )
    ran = bench.run("pull_request", bench.room.of_pull("opened"))
    assert (ran.code != 0, ran.outputs["verdict"]) == (True, "incomplete")
    assert ran.summary == "**Not reviewed:** the review did not end. The log of this step says why.\n"


# --- inputs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fail_on", "error"),
        ("gate", "yes"),
        ("max_cost", "1,50"),
        ("post", "sometimes"),
        ("sandbox", "on"),
        ("sarif", "1"),
        ("report", "pdf"),
        ("artifact", "a/b"),
        ("skill", "no-such-skill"),
    ],
)
def test_a_malformed_input_is_one_line(bench: Bench, name: str, value: str) -> None:
    ran = bench.run("pull_request", bench.room.of_pull("opened"), **{name: value})
    assert (ran.code, ran.outputs["verdict"], bench.room.writes()) == (2, "incomplete", 0)
    [line] = ran.summary.splitlines()
    assert line.startswith("**Not reviewed:**")
    assert value in line


def test_an_input_that_there_is_none_of(bench: Bench) -> None:
    ran = bench.run("pull_request", bench.room.of_pull("opened"), {"INPUT_FAILON": "note"})
    assert ran.code == 2
    assert "did you mean fail-on?" in ran.summary


def test_the_action_is_as_the_rules_say() -> None:
    action: dict[str, Any] = yaml.safe_load(ACTION.read_text())
    for step in action["runs"]["steps"]:
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])
        else:
            assert "${{" not in step["run"]
    pins = re.findall(r"uses: (\S+)(.*)", ACTION.read_text())
    assert pins
    assert all(re.fullmatch(r" # v\d+\.\d+\.\d+", comment) for _, comment in pins)
